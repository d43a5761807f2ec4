"""Look through the built documentation: nothing is fetched from elsewhere, nothing is left undone.

python tests/check_site.py FOLDER
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

_FETCHED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}
_AWAY = re.compile(r"(?:https?:)?//")
_ROLE = re.compile(r":(?:func|class|data|meth|mod|attr|exc):")
_WANTED = (
    *("index.html", "sample-run.html", "tutorial.html"),
    *("methods/interwhen.html", "methods/settings.html"),
    *("search/search_index.js", "iframe-worker.js"),
)


class Page(HTMLParser):
    """What is wrong with one page.

    Attributes:
        wrong: A line each.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if _AWAY.match(found.get(_FETCHED.get(tag, "")) or ""):
            self.wrong.append(f"fetches {found[_FETCHED[tag]]}")
        if "mermaid" in (found.get("class") or ""):  # the theme would fetch what draws it
            self.wrong.append("a Mermaid diagram that was not drawn")

    def handle_data(self, data: str) -> None:
        if role := _ROLE.search(data):
            self.wrong.append(f"a role of Sphinx: {data[role.start() :][:60]}")


def main(folder: Path) -> None:
    wrong = [f"{name}: not there" for name in _WANTED if not (folder / name).is_file()]
    pages = sorted(folder.rglob("*.html"))
    for path in pages:
        found = Page(path.read_text(encoding="utf-8")).wrong
        wrong += [f"{path.relative_to(folder)}: {line}" for line in found]
    for path in folder.rglob("*.css"):
        if re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", path.read_text(encoding="utf-8")):
            wrong.append(f"{path.relative_to(folder)}: fetches from elsewhere")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(pages)} pages, nothing fetched from elsewhere")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
