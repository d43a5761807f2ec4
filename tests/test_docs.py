"""What the documentation site adds to its pages, without building it; `make docs` does that."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from agentflow import catalogue
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
