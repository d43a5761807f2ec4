"""Pages that stand alone: a sample, two beside each other, or a report with the samples."""

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
SCRIPTS = ("page.js", "sample.js", "beside.js", "browser.js")
"""In the order in which they need one another."""


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


def beside_page(traces: Sequence[Mapping[str, Any]]) -> str:
    """The page of two runs of one problem, beside each other.

    Args:
        traces: Both, as :func:`agentflow.trace_file.lean` has them.

    Raises:
        KeyError, TypeError, ValueError: If one is none.
    """
    samples = [sample_of(trace) for trace in traces]
    names = " beside ".join(str(sample.get("method") or "sample") for sample in samples)
    return _page(names, {"beside": samples})


def report_page(title: str, subtitle: str, index: Sequence[Sequence[Any]], **tables: Any) -> str:
    """The page of a report; ``tables`` are what overview.html names.

    Args:
        index: A row for each sample: the name of its file, arm, problem, seed, status, answer,
            whether it is right, tokens, the number of its problem.
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
    css, *scripts = [(folder / name).read_text("utf-8") for name in ("page.css", *SCRIPTS)]
    return _TEMPLATES.get_template("template.html").render(
        title=title,
        subtitle=subtitle,
        version=__version__,
        overview=Markup(overview),  # rendered with escaping above
        css=Markup(css),
        js=Markup("".join(scripts)),
        data=Markup(_json(data)),
    )


def _json(value: Any) -> str:
    """JSON that can stand in a script element: nothing in it ends one, or begins a comment."""
    text = dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
