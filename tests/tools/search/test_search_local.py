from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentflow.tools.search import Hit, LocalIndex, SearchFailed, local
from agentflow.tools.search.local import PASSAGE, match, passages

DOCUMENTS = [
    {"title": "Otter Bridge", "url": "bridge", "text": "A stone bridge, built in 1831."},
    {"title": "Lake Orrin", "text": "The deepest lake of the county. Its bridges are wooden."},
    {"title": "Übersee", "text": "A café near the railway, run by the Müller family."},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every kind of file, and some that are none of ours."""
    docs = tmp_path / "docs"
    (docs / "below").mkdir(parents=True)
    (docs / ".hidden").mkdir()
    (docs / "otter.jsonl").write_text("\n".join(map(json.dumps, DOCUMENTS[:2])) + "\n\n")
    (docs / "one.json").write_text(json.dumps(DOCUMENTS[2]))
    (docs / "below" / "many.json").write_text(json.dumps(["A red kite.", {"contents": "A heron."}]))
    (docs / "notes.md").write_text("# Weather\nIt rained for nine days.\n")
    (docs / "plain.TXT").write_bytes(b"Broken \xff\xfe bytes about turbines.")
    (docs / ".hidden" / "secret.txt").write_text("turbines heron kite")
    (docs / "code.py").write_text("turbines heron kite")
    return docs


def titles(hits: list[Hit]) -> list[str]:
    return [hit.title for hit in hits]


def test_every_kind_of_document_is_found(folder: Path) -> None:
    index = LocalIndex(folder)
    assert titles(index.search("stone bridge", 5)) == ["Otter Bridge", "Lake Orrin"]
    assert index.search("heron", 5)[0].url == "below/many.json#2"
    assert [hit.url for hit in index.search("kite", 5)] == ["below/many.json#1"]
    assert index.search("when did it rain?", 5)[0].title == "notes"
    assert [hit.url for hit in index.search("turbine", 5)] == ["plain.TXT"]
    assert index.search("bridge", 5)[0].url == "bridge"
    assert index.search("lake", 5)[0].url == "otter.jsonl:2"


def test_accents_case_and_endings_do_not_matter(folder: Path) -> None:
    index = LocalIndex(folder)
    for query in ("cafes", "CAFÉ", "ubersee", "muller families"):
        assert titles(index.search(query, 5)) == ["Übersee"], query


def test_better_hits_come_first_and_no_more_than_asked(folder: Path) -> None:
    index = LocalIndex(folder)
    found = index.search("bridge lake deepest", 10)
    scores = [hit.score for hit in found]
    assert titles(found) == ["Lake Orrin", "Otter Bridge"]
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert len(index.search("bridge lake deepest", 1)) == 1


def test_a_title_weighs_more_than_the_text(tmp_path: Path) -> None:
    rows = [{"title": "pear", "text": "about apple"}, {"title": "apple", "text": "about pear"}]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    index = LocalIndex(tmp_path / "a.json")
    assert titles(index.search("pear", 2)) == ["pear", "apple"]
    assert titles(index.search("apple", 2)) == ["apple", "pear"]


@pytest.mark.parametrize("query", ["", "   ", "?!", "\x00", "\ud800", '"', "*", "( )"])
def test_a_query_without_words_finds_nothing(folder: Path, query: str) -> None:
    assert LocalIndex(folder).search(query, 5) == []


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> LocalIndex:
    file = tmp_path_factory.mktemp("index") / "documents.json"
    file.write_text(json.dumps(DOCUMENTS))
    return LocalIndex(file)


@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(
            st.sampled_from(
                [
                    *('"', "'", "(", ")", "*", "^", ":", "-", "+", "{", "}", ",", ";", "--", " "),
                    *("NEAR", "AND", "OR", "NOT", "title:", "bridge", "_", "a_b", "٣"),
                    *("\x00", "\ud800"),
                ]
            ),
            max_size=20,
        ).map("".join),
    )
)
@example('bridge" OR "')
@example("title:bridge NEAR/2")
def test_any_query_is_searched(index: LocalIndex, query: str) -> None:
    found = index.search(query, 3)
    assert len(found) <= 3
    assert index.search(f"bridge {query}", 3)


def test_a_long_query_is_bounded(index: LocalIndex) -> None:
    query = " ".join(f"word{number}" for number in range(10_000))
    assert match(query).count('"') == 2 * local.WORDS
    assert index.search(f"bridge {query}", 3)


@given(st.text("ab .\n漢", max_size=5000))
def test_passages_hold_the_whole_text(text: str) -> None:
    pieces = list(passages(text))
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(0 < len(piece) <= PASSAGE * 3 // 2 for piece in pieces)


def test_a_long_document_is_found_by_its_passage(tmp_path: Path) -> None:
    text = "\n\n".join(f"Chapter {n}. " + f"filler{n} " * 90 for n in range(20))
    (tmp_path / "long.txt").write_text(text + "\n\nThe heron lands.")
    (hit,) = LocalIndex(tmp_path).search("heron", 5)
    assert "The heron lands." in hit.text
    assert hit.url.startswith("long.txt#")
    assert len(hit.text) < 2 * PASSAGE


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.jsonl", '{"text": "fine"}\n{"text": \n', "a.jsonl:2 is no JSON"),
        ("a.jsonl", '{"title": "no text"}\n', "a.jsonl:1 is no document: no text under"),
        ("a.json", '[{"text": "fine"}, 7]', "a.json#2 is no document"),
        ("a.json", "[" * 100_000, "a.json is no JSON"),
        ("a.json", "", "a.json is no JSON"),
    ],
)
def test_bad_documents_are_named(tmp_path: Path, name: str, content: str, says: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(SearchFailed) as caught:
        LocalIndex(tmp_path).search("fine", 5)
    assert says in str(caught.value)
    assert caught.value.kind == "documents"


@pytest.mark.parametrize(
    ("path", "says"), [("", "no path was given"), ("no/such", "there is nothing at no/such")]
)
def test_a_path_that_is_not_there_is_refused_at_once(path: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        LocalIndex(path)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").touch()
    with pytest.raises(ValueError, match=r"a\.pdf is none of"):
        LocalIndex(tmp_path / "a.pdf")


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    assert LocalIndex(tmp_path).search("anything", 5) == []


@pytest.mark.parametrize("kept", [False, True])
def test_changed_documents_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    monkeypatch.setattr(local, "FRESH", 0.0)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("heron")
    index = LocalIndex(docs, tmp_path / "index.sqlite" if kept else None)
    assert titles(index.search("heron kite", 5)) == ["a"]
    (docs / "b.txt").write_text("kite")
    assert set(titles(index.search("heron kite", 5))) == {"a", "b"}
    (docs / "a.txt").write_text("a cormorant")
    assert titles(index.search("heron kite cormorant", 5)) != []
    assert titles(index.search("heron", 5)) == []
    (docs / "b.txt").unlink()
    assert titles(index.search("kite", 5)) == []


class TestCacheFile:
    def build(self, folder: Path, file: Path) -> LocalIndex:
        index = LocalIndex(folder, file)
        assert titles(index.search("lake", 5)) == ["Lake Orrin"]
        return index

    def test_it_is_built_once(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "index.sqlite"
        self.build(folder, file)
        monkeypatch.setattr(LocalIndex, "_rows", None)  # reading a document would fail
        self.build(folder, file)
        with pytest.raises(TypeError):
            self.build(folder, tmp_path / "other.sqlite")

    @pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + b"x" * 500])
    def test_a_file_that_is_none_is_built_anew(
        self, folder: Path, tmp_path: Path, content: bytes
    ) -> None:
        file = tmp_path / "index.sqlite"
        file.write_bytes(content)
        self.build(folder, file)
        with sqlite3.connect(file) as opened:
            assert opened.execute("SELECT count(*) FROM passages").fetchone() == (7,)

    def test_a_change_between_two_processes_is_noticed(self, folder: Path, tmp_path: Path) -> None:
        self.build(folder, tmp_path / "index.sqlite")
        (folder / "new.txt").write_text("a pelican")
        index = self.build(folder, tmp_path / "index.sqlite")
        assert titles(index.search("pelican", 5)) == ["new"]

    def test_a_folder_that_is_not_there_is_an_error(self, folder: Path, tmp_path: Path) -> None:
        with pytest.raises(SearchFailed, match="unable to open"):
            LocalIndex(folder, tmp_path / "no" / "index.sqlite").search("lake", 5)

    def test_nothing_is_left_beside_it(self, folder: Path, tmp_path: Path) -> None:
        self.build(folder, tmp_path / "index.sqlite")
        assert {path.name for path in tmp_path.iterdir()} == {"docs", "index.sqlite"}


def test_many_threads_search_at_once(folder: Path) -> None:
    index = LocalIndex(folder)
    words = ["lake", "heron", "kite", "turbines", "bridge"] * 20
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda word: index.search(word, 1), words))
    assert [len(hits) for hits in found] == [1] * len(words)
