"""The pages in a real browser: no errors, the keyboard is enough, light and dark."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from agentflow.evaluation import report as reports
from agentflow.evaluation.collected import collect
from agentflow.evaluation.records import arm_line
from agentflow.evaluation.runner import Record
from agentflow.evaluation.traces import folder_of, keep
from agentflow.pages import beside_page, trace_page, write_page
from agentflow.run import Result
from agentflow.trace import Segment, Trace
from agentflow.trace_file import lean

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = pytest.mark.slow

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium: playwright's own, or one that is installed."""
    with playwright.sync_playwright() as started:
        installed = shutil.which("chromium") or shutil.which("google-chrome")
        try:
            found = started.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium: {error.message.splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A tab in which nothing may go wrong."""
    tab, wrong = browser.new_page(), list[str]()
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on(
        "request", lambda request: wrong.append(request.url) if "://" in request.url[5:] else None
    )
    yield tab
    assert tab.evaluate("window.hacked") is None
    assert wrong == []
    tab.close()


def result(number: int, text: str = "") -> Result:
    """A run with a cut, feedback, a tool, signals, and verdicts of every kind."""
    trace, lines = Trace(), [f"step {n} of problem {number} {text}\n" for n in range(6)]
    trace.append(Segment("prompt", f"a question {text}", (), ()))
    ends = tuple(sum(map(len, lines[: n + 1])) for n in range(6))
    trace.append(Segment("generated", "".join(lines), tuple(range(6)), ends))
    trace.cut(ends[3], f"step 3 is wrong {text}")
    trace.append(Segment("feedback", f"Wait, {text}", (), ()))
    events: list[dict[str, Any]] = []
    for n, ok in enumerate([True, True, None, False]):
        signals = {"entropy": 1 / (n + 1), "answers": ["4", text]}
        evidence = {"signals": signals, "rules": {"e": {"variance": 0.1**n}}}
        said = {"ok": ok, "reason": f"because {text}", "score": 0.5, "evidence": evidence}
        state = {"kind": "step", "data": {"answer": "4"}, "start": ([0, *ends])[n], "end": ends[n]}
        events.append({"type": "verdict", "monitor": "m", "state": state, "verdict": said})
    calls = [{"tool": "python", "arguments": {"code": text}, "observation": text, "agrees": False}]
    events += [
        {"type": "tool", "role": "python", "tool": "python", "arguments": {"code": f"1\n{text}"}}
        | {"content": text, "artifact": None, "error": False, "seconds": 0.1},
        {"type": "node", "name": "solve", "inside": "", "seconds": 1.0, "operations": 4},
        {"type": "verdict", "monitor": "verify", "final": True, "ok": False, "answer": "4"}
        | {"reason": text, "evidence": {"meta": {"steps": [{"why": text}]}, "calls": calls}},
        {"type": "node", "name": "verify", "inside": "", "seconds": 0.0, "operations": 0},
    ]
    problem = {"text": f"problem {number} {text}", "gold": "4"}
    role = {"role": "solver", "calls": 1, "prompt": 5, "cached": 0, "generated": 6}
    ledger = {
        name: role | {"role": name, "wasted": 2, "seconds": 1} for name in ("solver", "probe")
    }
    return Result(
        "4", "unverified", text, problem=problem, method="m", operations=trace.operations,
        events=events, ledger=ledger,
    )  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on 60 runs of two arms, one of them hostile throughout."""
    folder = tmp_path_factory.mktemp("report")
    lines: list[dict[str, Any]] = [arm_line(arm, "m", {}, "made up") for arm in ("a", "b")]
    for number in range(30):
        for arm in ("a", "b"):
            one = result(number, HOSTILE if number == 7 else "")
            right, text = (number + (arm == "b")) % 3 > 0, one.problem["text"]
            kept = keep(folder_of(folder / "r.jsonl"), one, right)
            record = Record(
                arm, text, 0, "unverified", "4", right, 6, 2, 5, 1, 1, 1.0, None, "t", extra=kept
            )
            lines.append(asdict(record))
    (folder / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    reports.write(reports.report_on(collect([folder])), folder / "report")
    return folder / "report" / "index.html"


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.innerText || document.activeElement.id"))


@pytest.mark.parametrize("text", ["", HOSTILE])
def test_a_trace_page_shows_all_there_is(page: Any, tmp_path: Path, text: str) -> None:
    one = result(0, text)
    write_page(tmp_path / "p.html", trace_page(lean(one.as_dict() | {"events": one.events})))
    page.goto((tmp_path / "p.html").as_uri())
    assert page.locator(".trace .struck").count() == 1
    assert "step 5" in page.locator(".trace .struck").inner_text()
    assert page.locator(".trace .feedback").inner_text().startswith("Wait,")
    assert [page.locator(f".trace .s-{kind}").count() for kind in ("ok", "unsure", "bad")] == [
        2,
        1,
        1,
    ]
    assert page.locator(".path li").all_inner_texts() == ["solve", "verify"]
    assert page.locator(".chart").count() >= 4
    for item in page.locator(".item").all():
        item.click()
    assert page.locator(".more details").count() == 1
    page.locator(".more summary").click()
    shown = page.locator(".events").inner_text()
    assert "because" in shown
    assert "[object" not in shown
    assert (HOSTILE in shown) is bool(text)


def test_a_trace_page_by_keyboard(page: Any, tmp_path: Path) -> None:
    one = result(0)
    write_page(tmp_path / "p.html", trace_page(lean(one.as_dict() | {"events": one.events})))
    page.goto((tmp_path / "p.html").as_uri())
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(focused(page))
    assert reached[0] == "Skip to the sample"
    assert any("step 0" in one for one in reached)
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != ""
    page.keyboard.press("n")
    assert "step 2" in focused(page)
    page.keyboard.press("n")
    assert "step 3" in focused(page)
    assert "step 3" in page.locator(".trace .chosen").inner_text()
    page.keyboard.press("ArrowDown")
    assert "tool python" in focused(page)
    page.keyboard.press("Enter")
    assert page.locator('.item[aria-expanded="true"]').count() == 3
    page.keyboard.press("p")
    assert "step 2" in focused(page)


def test_a_report_by_keyboard(page: Any, report: Path) -> None:
    page.goto(report.as_uri())
    assert page.locator("tbody th").first.inner_text() == "a"
    assert page.locator(".plots svg").count() == 3
    page.keyboard.press("j")
    page.wait_for_selector(".trace")
    assert page.locator(".problem").inner_text().strip() == "problem 0"
    page.keyboard.press("j")
    page.wait_for_function("document.querySelector('.problem').innerText.startsWith('problem 1')")
    page.keyboard.press("k")
    page.wait_for_function("document.querySelector('.problem').innerText.startsWith('problem 0')")
    page.keyboard.press("/")
    page.wait_for_function("document.activeElement.id === 'search'")
    page.keyboard.type("problem 29")
    assert page.locator("#count").inner_text() == "2 of 60 samples"
    page.locator("#rows").focus()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.problem').innerText.startsWith('problem 29')")
    page.go_back()
    page.wait_for_function("document.querySelector('.problem').innerText.startsWith('problem 0')")


def test_filters_and_the_hostile_sample(page: Any, report: Path) -> None:
    page.goto(f"{report.as_uri()}#samples")
    page.select_option("#arm", "b")
    page.select_option("#outcome", "wrong")
    assert page.locator("#count").inner_text() == "10 of 60 samples"
    page.select_option("#outcome", "all outcomes")
    page.fill("#search", "hacked")
    page.locator(".row").first.click()
    page.wait_for_function("document.querySelector('.problem').innerText.includes('hacked')")
    assert page.locator(".trace script, .trace img").count() == 0


def test_a_sample_whose_file_is_gone(browser: Any, report: Path, tmp_path: Path) -> None:
    shutil.copy(report, tmp_path / "index.html")
    tab = browser.new_page()
    tab.goto(f"{(tmp_path / 'index.html').as_uri()}#samples")
    tab.wait_for_selector("#sample .bad")
    assert "is not there" in tab.locator("#sample").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(browser: Any, report: Path, scheme: str) -> None:
    tab = browser.new_context(color_scheme=scheme).new_page()
    tab.goto(f"{report.as_uri()}#samples")
    tab.wait_for_selector(".trace")
    for selector in (
        "body",
        ".soft",
        ".trace .s-ok",
        ".trace .s-bad",
        ".trace .s-unsure",
        ".feedback",
    ):
        found = tab.evaluate(CONTRAST, selector)
        assert found >= 4.5, f"{selector}: {found:.2f} in {scheme}"


def run_with(status: Any, lines: str, **more: Any) -> dict[str, Any]:
    """A run that wrote these lines."""
    trace = Trace()
    trace.append(Segment("prompt", "a question", (), ()))
    trace.append(Segment("generated", lines, (1,), (len(lines),)))
    one = Result("4", status, problem={"text": "p"}, operations=trace.operations, **more)
    return lean(one.as_dict() | {"events": []})


def test_the_header_names_model_domain_method_and_settings(page: Any, tmp_path: Path) -> None:
    given = {"k_stable": 2, "domain": "d", "roles": {"verifier": [{"at": "http://v"}]}}
    run = run_with("verified", "x", method="interwhen", model="M", settings=given)
    run["problem"]["domain"] = "game24"
    write_page(tmp_path / "p.html", trace_page(run))
    page.goto((tmp_path / "p.html").as_uri())
    said = "interwhen · model M · domain game24 · verifier http://v · k_stable=2"
    assert page.locator("header.top p").inner_text() == said


def test_accepted_looks_unlike_verified(page: Any, tmp_path: Path) -> None:
    looks = set()
    for status in ("verified", "incomplete", "accepted", "unverified", "abstained"):
        write_page(tmp_path / "p.html", trace_page(run_with(status, "x")))
        page.goto((tmp_path / "p.html").as_uri())
        badge = page.locator(".badge")
        shown = (
            "(e) => { const s = getComputedStyle(e); return s.backgroundColor + s.outlineStyle; }"
        )
        looks.add((badge.inner_text()[0], badge.evaluate(shown)))
    assert len(looks) == 5


def test_two_runs_side_by_side_share_rows(page: Any, tmp_path: Path) -> None:
    left = run_with("verified", "first line\nonly left\nNo\nlast line", method="a")
    right = run_with("accepted", "first line\nNo\nonly right\nlast line", method="b")
    write_page(tmp_path / "p.html", beside_page([left, right]))
    page.goto((tmp_path / "p.html").as_uri())
    both = page.locator(".beside .both")
    cells = [row.locator("[role=cell]").all_inner_texts() for row in both.all()]
    assert [[one.strip() for one in pair] for pair in cells] == [
        ["first line"] * 2,
        ["last line"] * 2,
    ]
    between = page.locator(".beside [role=row]:not(.both):not(.names)")
    assert between.count() == 1
    assert "only left" in between.inner_text()
    assert "share 2" in page.locator(".lead").inner_text()
    assert page.locator(".beside [role=columnheader]").all_inner_texts() == ["a", "b"]
    page.set_viewport_size({"width": 390, "height": 800})
    assert both.first.locator("[role=cell]:visible").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_objections_of_both_runs_by_keyboard(page: Any, tmp_path: Path) -> None:
    runs = [lean(one.as_dict() | {"events": one.events}) for one in (result(0), result(0, HOSTILE))]
    write_page(tmp_path / "p.html", beside_page(runs))
    page.goto((tmp_path / "p.html").as_uri())
    assert page.locator(".costs tbody tr", has_text="objections").all_inner_texts() == [
        "objections\t1\t1\t="
    ]
    for side in ("0", "1"):
        page.keyboard.press("n")
        assert page.locator(".beside .chosen").count() == 1
        place = "document.activeElement.closest('[data-side]').dataset.side"
        assert page.evaluate(place) == side
    assert "objection: because" in page.locator(".beside").inner_text()


def test_a_report_shows_two_arms_side_by_side(page: Any, report: Path) -> None:
    page.goto(f"{report.as_uri()}#samples")
    page.wait_for_selector(".besides select")
    assert page.locator(".besides option").all_inner_texts() == ["choose a run", "b: unverified"]
    page.locator(".besides select").select_option(index=1)
    page.wait_for_selector(".beside")
    assert page.locator(".beside .both").count() >= 5
    page.get_by_text("only a").click()
    page.wait_for_selector(".besides")
    assert page.locator(".beside").count() == 0


def test_what_is_too_wide_says_so(page: Any, report: Path) -> None:
    page.goto(report.as_uri())
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_selector(".hint:visible")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_viewport_size({"width": 3000, "height": 800})
    page.wait_for_function("![...document.querySelectorAll('.hint')].some((one) => !one.hidden)")


CONTRAST = """(selector) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const element = document.querySelector(selector);
  let behind = element;
  const clear = (one) => (parse(getComputedStyle(one).backgroundColor)[3] ?? 1) === 0;
  while (behind && clear(behind)) behind = behind.parentElement;
  const a = light(parse(getComputedStyle(element).color));
  const b = light(parse(getComputedStyle(behind).backgroundColor));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""
"""WCAG's contrast of an element's text with what lies behind it."""
