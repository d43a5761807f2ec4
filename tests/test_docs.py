"""What the documentation site adds to its pages, without building it; `make docs` does that."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from forks import Forks

from agentflow import catalogue
from agentflow.cli.evaluate import _arm as arm_of
from agentflow.graphs import METHODS, VERIFIERS

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(path.relative_to(DOCS) for path in DOCS.rglob("*.md"))
FOR_METHODS = {"index", *METHODS, *VERIFIERS}


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that mkdocs calls; pictures are only named."""
    monkeypatch.syspath_prepend(DOCS / "hooks")
    spec = importlib.util.spec_from_file_location("site_pages", DOCS / "hooks" / "pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr("agentflow.draw.svg", lambda name: f"<svg>{name}</svg>".encode())
    monkeypatch.setattr("agentflow.draw.picture", lambda dot, format: b"<svg>chart</svg>")
    return module


def text_of(page: Path) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def test_every_method_and_verifier_has_a_page() -> None:
    assert {path.stem for path in (DOCS / "methods").glob("*.md")} == FOR_METHODS
    nav = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    for page in PAGES:
        assert f" {page.as_posix()}\n" in nav


@pytest.mark.parametrize("name", sorted({*METHODS, *VERIFIERS}))
def test_a_page_ends_with_the_settings(hooks: Any, name: str) -> None:
    end, common = hooks.method_end(name), hooks.common_table()
    assert f"<svg>{name}</svg>" in end
    for one in catalogue.settings(name):
        row = re.compile(rf"^\| `{one['name']}` \| .+ \| (.*) \| (.+) \|$", re.MULTILINE)
        found = [*row.finditer(end), *row.finditer(common)]
        assert len(found) == 1, one["name"]
        assert found[0][2].replace("&lt;", "<").replace("\\|", "|") == one["description"]
        assert (found[0][1] == "") == (one["default"] is None)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_pages_stay_in_the_site(hooks: Any, page: Path) -> None:
    shown = hooks.diagrams.drawn(hooks.led_back(text_of(page), page))
    assert "```mermaid" not in shown
    for target in re.findall(r"\]\(((?:\.\./)+[^)#\s]+)", shown):
        assert (DOCS / page.parent / target).resolve().is_relative_to(DOCS)


def test_what_links_lead_to(hooks: Any) -> None:
    here = Path("composing.md")
    alone = "[examples/own_graph.py](../examples/own_graph.py)"
    assert hooks.led_back(alone, here).startswith('```python\n"""A method of your own')
    assert hooks.led_back(f"see {alone}", here) == "see examples/own_graph.py"
    inside = Path("methods/interwhen.md")
    kept = "[it](../tools.md#z3)"
    assert hooks.led_back(kept, inside) == kept
    figures = hooks.led_back("[Figures](../../README.md#what-it-gains)", inside)
    assert "](../table.md)" in figures
    assert "\n## " not in figures
    with pytest.raises(FileNotFoundError, match=r"no file \.\./examples/none\.py"):
        hooks.led_back("see [it](../examples/none.py)", here)
    with pytest.raises(KeyError):
        hooks.led_back("[it](../../README.md#none)", inside)


def test_a_chart_by_hand(hooks: Any) -> None:
    chart = 'graph LR\n    a["A b"] & c -. no: x .-> d --> e\n    e <--> f\n    f -- g h --> a'
    assert list(hooks.diagrams.statements(chart)) == [
        "rankdir=LR",
        '"a" [label="A b"]',
        '"a" -> "d" [style=dashed label="no: x"]',
        '"c" -> "d" [style=dashed label="no: x"]',
        '"d" -> "e" [style=solid label=""]',
        '"e" -> "f" [style=solid label="" dir=both]',
        '"f" -> "a" [style=solid label="g h"]',
    ]
    for wrong in ("pie\n a", "graph LR\n a -->", "graph LR\n a ==> b", "graph LR\n a{b} --> c"):
        with pytest.raises(ValueError, match=r"begins with|leads nowhere|no node"):
            list(hooks.diagrams.statements(wrong))


def test_the_sample_run_is_what_its_page_says(hooks: Any) -> None:
    trace = hooks.trace_file.read(DOCS / "sample-run.json")
    assert "<!doctype html>" in hooks.trace_page(trace).lower()
    cost, page = trace["cost"], text_of(Path("trace-page.md"))
    assert f"of {cost['generated']} tokens {cost['wasted']} were wasted" in page
    assert (trace["status"], trace["corrections"]) == ("verified", 5)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_lists_and_tables_are_shown_as_such(page: Path) -> None:
    """Python-Markdown wants an empty line before a list, and four spaces before what is in it."""
    text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    item, faults = r"(?:[-*+]|\d+\.) ", list[str]()
    faults += re.findall(rf"^ {{1,3}}(?:{item}|\|).*", text, re.MULTILINE)
    faults += re.findall(rf"^(?!{item}|[\s#|]).+\n{item}.*", text, re.MULTILINE)
    assert faults == []


def rows(page: str, heading: str = "") -> list[list[str]]:
    """The cells of the first table of a page, or of a section of it."""
    text = text_of(Path(page)).partition(f"\n## {heading}\n" if heading else "\n")[2]
    table = text[text.index("\n|") + 1 :].partition("\n\n")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]


def test_what_is_published_by_another_name_has_settings_that_are_understood() -> None:
    said = rows("methods/index.md", "By another name")[2:]
    assert len(said) > 15
    for _, here, _ in said:
        assert arm_of(here.strip("`"), {}).method in METHODS


def test_the_architecture_has_every_layer() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    layers = {name.strip() for line in contract["layers"] for name in line.split(":")}
    shown = rows("ARCHITECTURE.md", "Import layers")
    named = {name for row in shown for name in re.findall(r"`(\w+)`", row[1])}
    assert named == layers - {"__main__"}


def test_the_run_of_the_architecture_is_what_its_page_shows(forks: Forks) -> None:
    text = text_of(Path("ARCHITECTURE.md"))
    (code,), (shown,) = (
        re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S) for kind in ("python", "text")
    )
    done = forks.run(code, folder=DOCS.parent)
    assert (done.returncode, done.stdout, done.stderr) == (0, shown, "")


def test_the_arms_of_the_full_tables_are_those_of_the_benchmark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(DOCS.parent / "benchmarks")
    arms = importlib.import_module("table").ARMS
    described = {row[0]: row[1] for row in rows("table-domains.md", "The arms")[2:]}
    measured = [row[0] for row in rows("table-domains.md", "Every domain")[2:]]
    assert described == {name: f"`{arms[name]}`" for name in measured}


def test_what_is_quoted_of_the_full_tables_stands_there() -> None:
    full = {row[0]: row for row in rows("table-domains.md", "Every domain")}
    assert all(full[row[0]] == row for row in rows("table.md", "Typical methods"))
    figures = {number for row in full.values() for number in re.findall(r"[\d.]+", " ".join(row))}
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    quoted = re.findall(r"([\d.]+) · ([\d.]+)×", readme.partition("## What it gains")[2])
    assert len(quoted) >= 25
    for accuracy, tokens in quoted:
        assert {f"{float(accuracy):.1f}", tokens} <= figures


def test_docstrings_lose_their_roles() -> None:
    pytest.importorskip("griffe")
    spec = importlib.util.spec_from_file_location("site_roles", DOCS / "hooks" / "roles.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    said = "Runs :func:`~agentflow.api.solve` with ``None``."
    assert module.plain(said) == "Runs `agentflow.api.solve` with `None`."
    said = "Args:\n    a, b: As of c,\n        or d.\n    e: It."
    alike = "Args:\n    a: As of c,\n        or d.\n    b: As of c,\n        or d.\n    e: It."
    assert module.plain(said) == alike


def test_the_picture_of_the_readme_is_drawn_from_its_run(hooks: Any) -> None:
    import picture

    run = hooks.trace_file.read(picture.RUN)
    assert (run["status"], run["method"], run["corrections"]) == ("verified", "interwhen", 1)
    kinds = [kind for kind, _, _ in picture.trace_lines(run)]
    assert kinds.count("bad") == 1
    assert kinds[kinds.index("bad") + 1 :][:2] == ["note", "ok"]
    drawn = picture.draw(run)
    assert drawn == picture.PICTURE.read_text(encoding="utf-8"), "make picture"


@pytest.mark.parametrize("page", sorted(set(PAGES)), ids=str)
def test_what_is_installed_is_ours(page: Path) -> None:
    """``agentflow`` is another project's name for pip."""
    named = r"""(?:pip install[^\n`]*|dependencies = \[[^\]]*)["' ]agentflow(?:\[|["'\s]|$)"""
    assert not re.findall(named, text_of(page), re.MULTILINE)
