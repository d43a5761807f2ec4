"""Pages that stand alone: a sample, or a report with the samples beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup

from agentflow.errors import BadInput
from agentflow.pages.sample import sample_of
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
    try:
        path.write_bytes(encoded(page))
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from error


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
    dumps = partial(json.dumps, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        text = dumps(value)
    except ValueError:  # a number that JSON does not know
        text = dumps(_finite(value))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _finite(value: Any) -> Any:
    """The value with None for numbers that are none or infinite."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value
