"""Pages stand alone, and what a model wrote stays text."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import agentflow.pages
from agentflow.pages import (
    SCRIPTS,
    beside_page,
    encoded,
    report_page,
    sample_script,
    trace_page,
)
from agentflow.run import Result
from agentflow.trace import Segment, Trace
from agentflow.trace_file import lean

FOLDER = Path(agentflow.pages.__file__).parent
HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)><!-- ]]> \u2028 \ud800 '\"&amp;"
)


class Elements(HTMLParser):
    """The start tags of a page, and the text of the script with its data."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data, self._inside = "", False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = ("id", "data") in attrs

    def handle_data(self, data: str) -> None:
        self.data += data if self._inside else ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = False


def run_of(text: str) -> dict[str, Any]:
    trace = Trace()
    trace.append(Segment("prompt", text, (), ()))
    trace.append(Segment("generated", text, (), (len(text),)))
    events: list[dict[str, Any]] = [
        {"type": "tool", "role": "python", "tool": "python", "arguments": {"code": text}}
        | {"content": text, "artifact": None, "error": False, "seconds": 0.1}
    ]
    result = Result(text, "unverified", text, problem={"text": text}, operations=trace.operations)
    return lean(result.as_dict() | {"events": events})


def page_of(text: str) -> str:
    return trace_page(run_of(text))


def beside_of(text: str) -> str:
    return beside_page([run_of(text), run_of(text)])


def overview(**more: Any) -> dict[str, Any]:
    lists = ("columns", "rows", "pair_columns", "pairs", "warnings", "plots", "arms")
    return {name: list[Any]() for name in lists} | {"shares": {}, "reading": ""} | more


class TestWhatAModelWrote:
    def test_it_adds_no_element_to_a_page(self) -> None:
        harmless, hostile = Elements(page_of("x")), Elements(page_of(HOSTILE))
        assert hostile.tags == harmless.tags
        sample = json.loads(hostile.data)["sample"]
        assert sample["tracks"][0]["pieces"][1]["t"] == HOSTILE
        harmless, hostile = Elements(beside_of("x")), Elements(beside_of(HOSTILE))
        assert hostile.tags == harmless.tags
        assert [one["problem"] for one in json.loads(hostile.data)["beside"]] == [HOSTILE] * 2

    @given(st.text())
    def test_whatever_it_is(self, text: str) -> None:
        page = page_of(text + "</ScRiPt ><!--")
        assert Elements(page).tags == Elements(page_of("x")).tags
        assert b"\xed" not in re.sub(rb"\xed[\x80-\x9f][\x80-\xbf]", b"", encoded(page))

    def test_halves_of_surrogate_pairs_can_be_written_and_read(self) -> None:
        script = sample_script("id", {"t": HOSTILE}).decode("utf-8")
        (value,) = re.findall(r'^agentflowSample\("id", (.*)\);$', script)
        assert json.loads(value) == {"t": HOSTILE}
        assert "\u2028" not in script
        assert "<" not in script

    def test_names_and_problems_in_a_report(self) -> None:
        rows = [[HOSTILE, "1"]]
        tables = overview(warnings=[HOSTILE], columns=["arm", HOSTILE], rows=rows, pairs=rows)
        page = report_page(
            HOSTILE, HOSTILE, [["id", HOSTILE, HOSTILE, 0, "", "", True, 1]], **tables
        )
        assert {tag for tag, _ in Elements(page).tags}.isdisjoint({"img", "iframe"})
        assert sum(tag == "script" for tag, _ in Elements(page).tags) == 2
        assert "alert(2)" in page  # it is there, as text
        assert json.loads(Elements(page).data)["index"][0][1] == HOSTILE


def test_numbers_that_json_does_not_know_are_nothing() -> None:
    script = sample_script("id", {"v": [float("nan"), {"w": float("inf")}, 1.5]}).decode()
    assert script == 'agentflowSample("id", {"v":[null,{"w":null},1.5]});\n'


def test_scripts_make_no_markup_of_text() -> None:
    code = "".join((FOLDER / name).read_text() for name in SCRIPTS)
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
    ):
        assert way not in code


def test_a_page_needs_nothing_else() -> None:
    for page in (page_of("x"), beside_of("x"), report_page("t", "s", [], **overview())):
        outside = [
            a for _, attributes in Elements(page).tags for a in attributes if a in ("src", "data")
        ]
        assert outside == []
        assert "@import" not in page
        assert "url(" not in page
        assert set(re.findall(r"https?://[\w.]+", page)) <= {"http://www.w3.org"}  # SVG's name


def test_every_script_is_in_the_page() -> None:
    assert set(SCRIPTS) == {path.name for path in FOLDER.glob("*.js")}


def test_a_report_leads_with_its_sentence_and_one_plot() -> None:
    plots = [{"caption": name, "svg": ""} for name in ("first plot", "second plot")]
    page = report_page("t", "s", [], **overview(lead="the sentence", plots=plots))
    places = [
        page.index(text) for text in ("the sentence", "first plot", "<h2>Arms", "second plot")
    ]
    assert places == sorted(places)


def test_light_dark_and_motion_are_the_readers_choice() -> None:
    css = (FOLDER / "page.css").read_text()
    for query in ("prefers-color-scheme: dark", "prefers-reduced-motion"):
        assert query in css
    light, dark = (
        re.findall(r"--([\w-]+):", block) for block in re.findall(r":root \{(.*?)\}", css, re.S)
    )
    assert set(dark) == {name for name in light if name not in ("sans", "text", "mono")}


def test_a_page_is_made_in_any_locale() -> None:
    """In C, Python reads files as ASCII where nothing else is said."""
    code = "from agentflow import pages; print(len(pages._page('a', {})), open(0).encoding)"
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | plain, capture_output=True, check=True
    )
    length, encoding = done.stdout.decode().split()
    assert int(length) > 1000
    assert "utf" not in encoding.lower()  # or the test shows nothing
