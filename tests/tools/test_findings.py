"""What tools of others say where they found nothing, failed, or were not let in is no finding."""

from __future__ import annotations

import json
from typing import Any

import pytest
from counting import is_linear

from agentflow.domains import get
from agentflow.tools.findings import failed, found_by, value_by
from agentflow.tools.toolbox import Use
from agentflow.verifiers.evidence import found

ASKED = "When was the cathedral of Lima begun?"
NOTHING = [
    *["Operation was cancelled", "Aborted", "Task was cancelled.", "Subscription required"],
    *["Under maintenance", "Not implemented", "Insufficient credits", "(empty)", "Hello", "Done."],
    *[
        "No good search results found",
        "No results",
        "0 results",
        "Nothing found",
        "Sorry, no matches.",
    ],
    *[
        "Zero hits.",
        "The index is empty.",
        "Try different keywords.",
        "Page not found",
        "Loading...",
    ],
    *["[]", "{}", "null", "None", "()", "[{}]", '[""]', "...", "N/A", "{'results': []}", ""],
    *["未找到结果", "Keine Ergebnisse gefunden", "No hay resultados", "Geen resultaten gevonden"],
    *[
        "Rate limit exceeded. Please try again later.",
        "Error 429: Too Many Requests",
        "Access denied",
    ],
    *[
        "Invalid API key",
        "DuckDuckGoSearchException: timed out",
        "Error: connection refused",
        "403",
    ],
    *["Please verify that you are human.", "Enable JavaScript to view this page.", "Try again."],
    "<html><head><title>429 Too Many Requests</title></head><body></body></html>",
    f"Your search - {ASKED} - did not match any documents.",
    f"Please complete the captcha to continue searching for: {ASKED}",
    "429 Client Error: Too Many Requests for url: https://api.example/q?text=cathedral+of+Lima",
    *[
        f"Results for: {ASKED}",
        ASKED,
        f"Search: {ASKED} Results: 0",
        "Did you mean: cathedral of lima?",
    ],
    *[f'{{"query": "{ASKED}", "results": [], "time": 0.7}}', '[{"snippet": ""}]'],
    *['{"error": {"code": 429, "message": "rate limited"}}', '{"isError": true, "content": []}'],
    'Traceback (most recent call last):\n  File "x.py", line 1\nTimeoutError: timed out',
]
FOUND = [
    "The cathedral of Lima was begun in 1535 by Pizarro.",
    "[{'title': 'Lima', 'snippet': 'The cathedral was begun in 1535.'}]",
    '{"results": [{"title": "Cathedral of Lima", "content": "Construction began in 1535."}]}',
    "Die Kathedrale von Lima wurde 1535 begonnen.",
    "利马主教座堂（Lima）始建于1535年",
    "The cathedral burned in 1746 and was not found to be safe until 1758.",
    "No cathedral of Lima was begun before 1535.",
]
FAILS: list[Any] = [{"error": "boom"}, {"success": False}, {"isError": True}, {"exit_code": 1}]
FAILS += [{"status": "error"}, {"ok": False}, {"returncode": 2, "stdout": "5"}]
NO_VALUES = [
    *[
        "Error: division by zero",
        "ZeroDivisionError('division by zero')",
        "Timed out after 5 s",
        "N/A",
    ],
    *[
        "Executed successfully.",
        "(no output)",
        "Killed",
        "Permission denied",
        "Exit code: 1",
        "1\n5",
    ],
    *["The code took too long and was stopped.", "Memory limit exceeded", "NameError", "", "[]"],
    *['{"stdout": "", "stderr": "NameError", "exit_code": 1}', '{"error": "timeout after 5"}'],
]
VALUES: list[tuple[str, Any, Any]] = [
    *[(one, None, one) for one in ("5", "yes", "No", "Paris", "x**2 + 1", "unknown", "5 seconds")],
    *[
        ("5", {"value": 5}, 5),
        ("5", {"stdout": "5\n", "exit_code": 0}, "5"),
        ("0", {"value": 0}, 0),
    ],
    *[
        ('{"stdout": "5\\n", "stderr": "", "exit_code": 0}', None, "5"),
        ("", {"value": False}, False),
    ],
]


def searched(content: str, artifact: Any = None) -> Use:
    return Use("search", "theirs", {"query": ASKED}, content, artifact)


def ran(content: str, artifact: Any = None) -> Use:
    return Use("python", "theirs", {"code": "2 + 3"}, content, artifact)


@pytest.mark.parametrize("text", NOTHING)
async def test_nothing_was_found(text: str) -> None:
    domain = get("math")
    assert not found_by(searched(text))
    assert not (await found(searched(text), domain, domain.parse("2 + 3"), "5")).counts


@pytest.mark.parametrize("text", FOUND)
async def test_something_was_found(text: str) -> None:
    domain = get("math")
    assert found_by(searched(text)) == text
    assert (await found(searched(text), domain, domain.parse("2 + 3"), "5")).counts


@pytest.mark.parametrize("artifact", FAILS)
def test_a_tool_says_in_its_data_that_it_failed(artifact: Any) -> None:
    assert failed(searched(FOUND[0], artifact))
    assert failed(ran(json.dumps(artifact)))
    assert not found_by(searched(FOUND[0], artifact))


@pytest.mark.parametrize("text", NO_VALUES)
def test_what_is_no_value(text: str) -> None:
    assert failed(ran(text)) or value_by(ran(text)) is None


@pytest.mark.parametrize(("text", "artifact", "value"), VALUES)
def test_what_is_a_value(text: str, artifact: Any, value: Any) -> None:
    assert not failed(ran(text, artifact))
    assert value_by(ran(text, artifact)) == value


@pytest.mark.parametrize("unit", ["no ", "<a ", "<script>", "1 s ", "{", "https://", "Error", "利"])
def test_long_texts(unit: str) -> None:
    is_linear(lambda size: (found_by(searched(unit * size)), value_by(ran(unit * size))), size=250)


@pytest.mark.parametrize(
    "data",
    [
        {"value": 70, "timed_out": True},
        {"stdout": "70", "exitCode": 1},
        {"value": 70, "Error": "x"},
        {"stdout": "70", "stderr": "Traceback (most recent call last):\n  x"},
        {"value": 70, "status_code": 500},
        {"value": 70, "state": "failed"},
        {"value": 70, "truncated": True},
    ],
)
def test_data_that_say_that_they_failed(data: dict[str, Any]) -> None:
    assert failed(ran(json.dumps(data)))
    assert not failed(ran(json.dumps({"value": 70, "status": "ok", "timed_out": False})))
