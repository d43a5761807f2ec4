"""Pages that stand alone: a sample, or a report with the samples beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup

from agentflow.files import write_whole
from agentflow.pages.sample import sample_of
from agentflow.strict_json import dumps
from agentflow.version import __version__

_TEMPLATES = Environment(
    loader=PackageLoader("agentflow", "pages"),
    autoescape=select_autoescape(default=True),
    trim_blocks=True,
    lstrip_blocks=True,
)


def trace_page(trace: Mapping[str, Any]) -> str:
    """The page of one run.

    Args:
        trace: As :func:`agentflow.trace_file.lean` has it.

    Raises:
        KeyError, TypeError, ValueError: If it is none.
    """
    sample = sample_of(trace)
    title = f"{sample.get('method') or 'sample'}: {sample['status']}"
    return _page(title, {"sample": sample})


def report_page(title: str, subtitle: str, index: Sequence[Sequence[Any]], **tables: Any) -> str:
    """The page of a report; ``tables`` are what overview.html names.

    Args:
        index: A row for each sample: the name of its file, arm, problem, seed, status, answer,
            whether it is right, tokens.
    """
    overview = _TEMPLATES.get_template("overview.html").render(tables)
    return _page(title, {"index": index}, subtitle, overview)


def sample_script(name: str, sample: Mapping[str, Any]) -> bytes:
    """A sample's file beside a report, which :func:`report_page` loads when it is wanted."""
    return encoded(f"agentflowSample({_json(name)}, {_json(sample)});\n")


def encoded(text: str) -> bytes:
    """A page's or script's text as a file; halves of surrogate pairs become escapes."""
    return text.encode("utf-8", "backslashreplace")


def write_page(path: Path, page: str) -> None:
    """Write a page.

    Raises:
        BadInput: If it cannot be written.
    """
    write_whole(path, encoded(page))


def _page(title: str, data: Mapping[str, Any], subtitle: str = "", overview: str = "") -> str:
    folder = Path(__file__).parent
    parts = {name: (folder / name).read_text() for name in ("page.css", "page.js", "browser.js")}
    return _TEMPLATES.get_template("template.html").render(
        title=title,
        subtitle=subtitle,
        version=__version__,
        overview=Markup(overview),  # rendered with escaping above
        css=Markup(parts["page.css"]),
        js=Markup(parts["page.js"] + parts["browser.js"]),
        data=Markup(_json(data)),
    )


def _json(value: Any) -> str:
    """JSON that can stand in a script element: nothing in it ends one, or begins a comment."""
    text = dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
