"""What the site adds to the pages of docs/; mkdocs calls it (see mkdocs.yml).

- The page of a method or a verifier ends with its graph and its settings, read from the code.
- A link that stands alone on its line and leads to an example or to a section of the README is
  replaced by what it leads to; every other link out of docs/ by the name of the file.
- Diagrams are drawn, and the trace page of a recorded run is made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import diagrams

from agentflow import catalogue, draw, graphs, trace_file
from agentflow.pages import trace_page
from agentflow.settings import Settings

DOCS = Path(__file__).parent.parent
ROOT = DOCS.parent

_OUT = r"\[(?P<text>[^\]]*)\]\((?P<to>(?:\.\./)+[^)\s]*)\)"
_COMMON = frozenset(Settings.model_fields)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made."""
    from mkdocs.structure.files import File

    made = {
        "methods/settings.md": f"# Settings of every method\n\n{COMMON}\n\n{common_table()}\n",
        "sample-run.html": trace_page(trace_file.read(DOCS / "sample-run.json")),
    }
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A page as the site shows it."""
    path = Path(page.file.src_uri)
    if path.parent.name == "methods" and path.stem in {**graphs.METHODS, **graphs.VERIFIERS}:
        markdown += method_end(path.stem)
    return diagrams.drawn(led_back(markdown, path))


COMMON = (
    "Every method and verifier takes these beside its own, from Python, the command line (`--set "
    "NAME=VALUE`), a settings file and Studio."
)


def common_table() -> str:
    """The settings that all methods have."""
    return _table([one for one in catalogue.settings("direct") if one["name"] in _COMMON])


def method_end(name: str) -> str:
    """The graph and the settings of a method or a verifier."""
    own = [one for one in catalogue.settings(name) if one["name"] not in _COMMON]
    others = "[those of every method](settings.md)"
    said = f"Beside {others}:\n\n{_table(own)}" if own else f"Only {others}."
    graph = diagrams.figure(draw.svg(name))
    return f"\n\n## Graph\n\nDashed: a condition decides.\n\n{graph}\n\n## Settings\n\n{said}\n"


def _table(settings: Sequence[dict[str, Any]]) -> str:
    rows = [
        f"| `{one['name']}` | {_cell(one['type'] + ' ' + one['bounds'])} | {_default(one)} "
        f"| {_cell(one['description'])} |"
        for one in settings
    ]
    return "\n".join(["| setting | type | default | |", "|---|---|---|---|", *rows])


def _default(setting: dict[str, Any]) -> str:
    return "" if setting["default"] is None else f"`{json.dumps(setting['default'])}`"


def _cell(text: str) -> str:
    return text.strip().replace("|", "\\|").replace("<", "&lt;")


def led_back(markdown: str, page: Path) -> str:
    """A page whose links stay in the site.

    Raises:
        FileNotFoundError, KeyError: If a link leads to no file, or to no section.
    """
    folder = DOCS / page.parent

    def shown(link: re.Match[str]) -> str:
        target, _, anchor = link["to"].partition("#")
        path = (folder / target).resolve()
        if path.is_relative_to(DOCS):
            return link[0]
        text = path.read_text(encoding="utf-8")
        return section(text, anchor) if anchor else f"```{_LANGUAGES[path.suffix]}\n{text}```"

    def named(link: re.Match[str]) -> str:
        path = (folder / link["to"].partition("#")[0]).resolve()
        if not path.exists():
            raise FileNotFoundError(f"{page}: no file {link['to']}")
        inside = path.is_relative_to(DOCS)
        return link[0] if inside else link["text"]

    markdown = re.sub(rf"^{_OUT}$", shown, markdown, flags=re.MULTILINE)
    return re.sub(_OUT, named, markdown)


_LANGUAGES = {".py": "python", ".toml": "toml"}


def section(text: str, anchor: str) -> str:
    """What stands under a heading of the README, its links as the page of a method has them."""
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    found = dict(zip(map(_anchor, parts[1::2]), parts[2::2], strict=True))
    return found[anchor].strip().replace("](docs/", "](../")


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
