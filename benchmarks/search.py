"""What the local index finds and how quickly, and what the commonsense domain reads.

    python benchmarks/search.py [--data FOLDER] [--limit N] [--repetitions N]

Documents are the paragraphs of 100 HotpotQA questions and the facts of StrategyQA's dev questions,
those of all questions of a set in one index. A question is asked as it stands. ``recall`` is the
share of its own documents (HotpotQA: the titles of its supporting facts; StrategyQA: its facts)
among the first N results, ``all`` the share of questions with every one of them there. The second
row ranks the same documents by the number of content words in common with the question: what BM25
has to beat. Seconds are wall clock, of each query ``repetitions`` times.

Below that: of how many questions the domain tells the form (yes/no or not) right, and how often it
judges a recorded agent's final answers as the recording does, which has the exact match of the
HotpotQA evaluation; where it does not, both answers are printed.

The data are not part of this repository: ``--data`` is a folder with ``hotpotqa`` (the distractor
setting's sample and the ReAct runs of github.com/noahshinn/reflexion, as JSONL) and ``strategyqa``
(``dev.jsonl``).
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles
from time import perf_counter

from shared import options, rows_of

from agentflow.domains.commonsense import Commonsense, is_yes_no
from agentflow.tools.search import Hit, LocalIndex
from agentflow.tools.search.words import content_words
from agentflow.tools.toolbox import Toolbox
from agentflow.version import __version__


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the addresses of its documents, and whether its answer is yes or no."""

    question: str
    wanted: frozenset[str]
    yes_no: bool


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents by address: (title, text); and what is asked of them."""

    name: str
    documents: dict[str, tuple[str, str]]
    cases: list[Case]


def hotpotqa(data: Path) -> Collection:
    documents, cases = dict[str, tuple[str, str]](), []
    for row in rows_of(data / "hotpotqa" / "distractor_sample_100.jsonl"):
        context = row["context"]
        for title, sentences in zip(context["title"], context["sentences"], strict=True):
            documents[title] = (title, "".join(sentences))
        wanted = frozenset(row["supporting_facts"]["title"])
        cases.append(Case(row["question"], wanted, row["answer"].lower() in ("yes", "no")))
    return Collection("HotpotQA", documents, cases)


def strategyqa(data: Path) -> Collection:
    documents, cases = dict[str, tuple[str, str]](), []
    for row in rows_of(data / "strategyqa" / "dev.jsonl"):
        own = {f"{row['qid']}/{number}": fact for number, fact in enumerate(row["facts"])}
        documents |= {address: ("", fact) for address, fact in own.items()}
        cases.append(Case(row["question"], frozenset(own), True))
    return Collection("StrategyQA", documents, cases)


Search = Callable[[str, int], list[str]]
"""Addresses of the first so many documents for a query."""


def by_common_words(documents: dict[str, tuple[str, str]]) -> Search:
    words = {address: set(content_words(" ".join(both))) for address, both in documents.items()}

    def search(query: str, limit: int) -> list[str]:
        asked = set(content_words(query))
        return sorted(words, key=lambda address: -len(words[address] & asked))[:limit]

    return search


def by_index(index: LocalIndex) -> Search:
    return lambda query, limit: [address(hit) for hit in index.search(query, limit)]


def address(hit: Hit) -> str:
    return hit.url.partition("#")[0]


def measure(collection: Collection, limit: int, repetitions: int, folder: Path) -> None:
    """Print the rows of one collection."""
    file = folder / f"{collection.name}.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for url, (title, text) in collection.documents.items():
            lines.write(json.dumps({"url": url, "title": title, "text": text}) + "\n")
    builds = []
    for _ in range(repetitions):
        index = LocalIndex(file)
        began = perf_counter()
        index.search("anything", 1)
        builds.append(perf_counter() - began)
    print(
        f"{collection.name}: {len(collection.documents)} documents, {len(collection.cases)} "
        f"questions, index built in {median(builds) * 1e3:.0f} ms"
    )
    rankings = {"BM25": by_index(index), "words in common": by_common_words(collection.documents)}
    for name, search in rankings.items():
        shares, seconds = [], []
        for case in collection.cases:
            for _ in range(repetitions):
                began = perf_counter()
                found = search(case.question, limit)
                seconds.append(perf_counter() - began)
            shares.append(len(case.wanted & set(found)) / len(case.wanted))
        p95 = quantiles(seconds, n=20)[-1]
        print(
            f"  {name:16} recall@{limit} {mean(shares):.3f}  all {mean(s == 1 for s in shares):.3f}"
            f"  query p50 {median(seconds) * 1e3:.2f} ms  p95 {p95 * 1e3:.2f} ms"
        )
    forms = [is_yes_no(case.question) == case.yes_no for case in collection.cases]
    print(f"  form of the question told right: {sum(forms)} of {len(forms)}")


def judge(data: Path) -> None:
    """Print how often recorded final answers are judged alike."""
    domain, alike, judged = Commonsense(Toolbox({})), 0, 0
    for row in rows_of(data / "hotpotqa" / "react_gpt35_trajectories.jsonl"):
        answers = re.findall(r"Finish\[(.*?)\]$", row["trajectory"], re.MULTILINE)
        if not answers or row["status"] not in ("correct", "incorrect"):
            continue
        problem = domain.parse(row["question"])
        equal = asyncio.run(domain.equal(problem, row["gold"], answers[-1]))
        judged += 1
        alike += equal == (row["status"] == "correct")
        if equal != (row["status"] == "correct"):
            print(f"  {row['status']}: {answers[-1]!r} for {row['gold']!r}")
    print(f"Recorded answers: {alike} of {judged} judged as recorded")


def main() -> int:
    parser = options(__doc__, limit=5, repetitions=5)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    given = parser.parse_args()
    version = sys.version.split()[0]
    print(f"agentflow {__version__}, Python {version}, SQLite {sqlite3.sqlite_version}")
    with tempfile.TemporaryDirectory() as folder:
        for read in (hotpotqa, strategyqa):
            measure(read(given.data), given.limit, given.repetitions, Path(folder))
    judge(given.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
