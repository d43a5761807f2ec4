from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ddgs.http_client
import pytest
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from agentflow.tools.search import Hit, SearchFailed, WebSearch, web

PARIS = {
    "title": "<b>Paris</b>",
    "href": "https://a.org/paris",
    "body": "A &amp; B",
}
NOTHING = DDGSException("No results found.")
REFUSED = RatelimitException("https://a.org 202 Ratelimit")
LATE = TimeoutException("operation timed out")


class Client:
    """Stands for ddgs: each request has the next of its answers, the last one for ever."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def text(self, query: str, **given: Any) -> Any:
        self.asked.append((query, given))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if callable(answer):
            answer = answer()
        if isinstance(answer, Exception):
            raise answer
        return answer


def search(client: Client, **options: Any) -> WebSearch:
    return WebSearch(**{"spacing": 0.001, "client": lambda: client} | options)


def test_results_are_hits_with_plain_text() -> None:
    client = Client([PARIS, {"title": None, "href": "x"}])
    hits = search(client).search("capital of France", 5)
    assert hits[0] == Hit(" Paris ", "https://a.org/paris", "A & B")
    assert hits[1] == Hit("", "x", "")
    given = {"region": "us-en", "max_results": 5, "backend": "auto"}
    assert client.asked == [("capital of France", given)]


def test_no_more_hits_than_asked() -> None:
    assert len(search(Client([PARIS] * 9)).search("x", 3)) == 3


@pytest.mark.parametrize("first", [REFUSED, LATE, NOTHING])
def test_a_refusal_is_tried_again(first: Exception) -> None:
    client = Client(first, [PARIS])
    assert len(search(client).search("x", 5)) == 1
    assert len(client.asked) == 2


@pytest.mark.parametrize("answer", [NOTHING, []])
def test_nothing_found_is_believed_the_second_time(answer: Any) -> None:
    client = Client(answer)
    assert search(client).search("x", 5) == []
    assert len(client.asked) == 2


@pytest.mark.parametrize(
    ("error", "kind", "asked"),
    [
        (REFUSED, "rate_limited", 3),
        (LATE, "timeout", 3),
        (DDGSException(DDGSException("DNSError: error resolving DNS")), "offline", 1),
        (DDGSException("ConnectError: connection refused"), "offline", 1),
        (DDGSException("ParserError: no element found"), "failed", 1),
        (KeyError("pages"), "failed", 1),
    ],
)
def test_what_goes_wrong_is_told(error: Exception, kind: str, asked: int) -> None:
    client = Client(error)
    with pytest.raises(SearchFailed) as caught:
        search(client).search("x", 5)
    assert (caught.value.kind, len(client.asked)) == (kind, asked)
    assert "\n" not in str(caught.value)


def test_back_off_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(web.time, "sleep", slept.append)
    with pytest.raises(SearchFailed):
        search(Client(REFUSED), attempts=4, spacing=0.1).search("x", 5)
    assert {0.2, 0.4, 0.8} <= {round(each, 3) for each in slept}


def test_engines_that_cannot_be_reached_are_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(DDGSException("DNSError"), [PARIS])
    backend = search(client)
    for _ in range(3):
        with pytest.raises(SearchFailed, match="is there a network"):
            backend.search("x", 5)
    assert len(client.asked) == 1
    monkeypatch.setattr(backend, "_rests", 0.0)
    assert len(backend.search("x", 5)) == 1


def test_a_result_that_cannot_be_read_stops_nobody_else() -> None:
    backend = search(Client(KeyError("pages"), [PARIS]))
    with pytest.raises(SearchFailed, match="KeyError"):
        backend.search("x", 5)
    assert len(backend.search("x", 5)) == 1


def test_an_engine_that_hangs_is_left_behind() -> None:
    released = threading.Event()

    def hang() -> list[Any]:
        released.wait()
        return [PARIS]

    with pytest.raises(SearchFailed) as caught:
        search(Client(hang), seconds=0.3).search("x", 5)
    released.set()
    assert caught.value.kind == "timeout"


def test_requests_keep_their_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four that come at one moment each waits for its turn."""
    slept: list[float] = []
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(time, "sleep", slept.append)
    backend = search(Client([PARIS]), spacing=0.5)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: backend.search("x", 1), range(4)))
    assert sorted(slept) == [0.0, 0.5, 1.0, 1.5]


def test_more_requests_than_there_is_time_for_are_refused() -> None:
    backend = search(Client([PARIS]), spacing=10.0, seconds=0.5)
    assert backend.search("x", 1)
    with pytest.raises(SearchFailed, match="wait for their turn") as caught:
        backend.search("x", 1)
    assert caught.value.kind == "rate_limited"


@pytest.mark.parametrize("region", ["", "us", "US-EN", "us-en; rm", "en_us"])
def test_a_region_that_is_none_is_refused(region: str) -> None:
    with pytest.raises(ValueError, match="is no region; example: us-en"):
        WebSearch(region=region)


def test_an_engine_that_is_none_is_refused() -> None:
    WebSearch("wikipedia, duckduckgo")
    with pytest.raises(ValueError, match=r"no engine is called 'altavista'; there .*wikipedia"):
        WebSearch("wikipedia,altavista")


class Transport:
    """Stands for ``primp``'s client below the real ddgs."""

    reply: Callable[[str], tuple[int, str]]

    def __init__(self, **_: Any) -> None: ...
    def headers_update(self, headers: Any) -> None: ...

    def request(self, method: str, url: str, **_: Any) -> Any:
        class Response:
            status_code, text = Transport.reply(url)
            content = text.encode()

        return Response()


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch) -> type[Transport]:
    monkeypatch.setattr(ddgs.http_client.primp, "Client", Transport)
    return Transport


PAGE = """<html><body>
<div class="result__body"><h2><a href="https://a.org/kea">Kea</a></h2>
<a href="https://a.org/kea">The <b>kea</b> is a parrot &amp; climbs.</a></div>
<div class="result__body"><h2><a href="https://b.org">Other</a></h2>
<a href="https://b.org">A kea page.</a></div></body></html>"""


def test_the_installed_ddgs_reads_a_page(transport: type[Transport]) -> None:
    transport.reply = staticmethod(lambda url: (200, PAGE))
    hits = WebSearch("duckduckgo").search("kea", 5)
    assert {hit.url for hit in hits} == {"https://a.org/kea", "https://b.org"}
    assert any("parrot & climbs" in hit.text for hit in hits)


def test_the_installed_ddgs_does_not_tell_a_refusal(transport: type[Transport]) -> None:
    """If this fails, ddgs has learnt to: rate limits can then be told from nothing found."""
    asked: list[str] = []

    def refuse(url: str) -> tuple[int, str]:
        asked.append(url)
        return 429, "Too Many Requests"

    transport.reply = staticmethod(refuse)
    assert WebSearch("duckduckgo", spacing=0.001).search("kea", 5) == []
    assert len(asked) == 2


def online() -> bool:
    try:
        with socket.create_connection(("en.wikipedia.org", 443), timeout=2):
            return True
    except OSError:
        return False


def test_the_web_itself() -> None:
    """Skipped where there is no network, and where every engine refuses."""
    if not online():
        pytest.skip("no network")
    try:
        hits = WebSearch().search("capital of France", 5)
    except SearchFailed as error:
        pytest.skip(str(error))
    if not hits:
        pytest.skip("every engine refused")
    assert any("Paris" in hit.title + hit.text for hit in hits)
