"""active_retrieval: what is looked up, what is taken back, and what stands in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import log
from typing import Any

import pytest
from langchain_core.tools import BaseTool, tool

import agentflow
from agentflow import Result
from agentflow.models import Capabilities, ScriptedModel, Token

QUESTION = "When was Lima founded?"
FOUND = "Pizarro founded Lima in 1535."


def tokens(text: str, unsure: Sequence[str] = ()) -> list[Token]:
    """A reply whose words are sure, but for some."""
    found = []
    for word in re.findall(r"</think>|\s*[^\s<.]+|[.<]|\s+$", text):
        probability = 0.2 if word.strip() in unsure else 0.9
        found.append(Token(word, top=((word, log(probability)), (" so", log(0.05)))))
    return found


class Library:
    """A search that remembers what it was asked."""

    def __init__(self, found: str = FOUND) -> None:
        self.asked = list[str]()

        @tool
        def search(query: str) -> str:
            """Find."""
            self.asked.append(query)
            return found

        self.search: BaseTool = search


def draft(prompt: str) -> list[Token]:
    """What is written before anything was found, and behind it."""
    if "Looked up" in prompt:
        return tokens(" Lima was founded in 1535. So it is.</think>\nAnswer: 1535", ("1535",))
    text = " Lima is in Peru. Lima was founded in 1553. It is.</think>\nAnswer: 1553"
    return tokens(text, ("1553",))


def solve(
    library: Library, reply: Callable[[str], Any] = draft, able: Any = None, **given: Any
) -> Result:
    model = ScriptedModel(reply, **({"capabilities": able} if able else {}))
    settings: dict[str, Any] = {"domain": "open", "lookups": 1, **given}
    tools = {"search": library.search}
    return agentflow.solve(QUESTION, "active_retrieval", model=model, tools=tools, **settings)


def test_an_unsure_sentence_is_looked_up_and_written_again() -> None:
    library = Library()
    result = solve(library)
    assert library.asked == ["Lima was founded in ."]
    assert (result.answer, result.status) == ("1535", "unverified")
    thinking = result.trace.body.partition("</think>")[0]
    assert "1553" not in thinking
    looked_up = f"\nLooked up: Lima was founded in .\n> {FOUND}\n"
    assert thinking.startswith(f" Lima is in Peru.{looked_up} Lima was founded in 1535.")
    wasted = sum(one["wasted"] for one in result.ledger.values())
    assert wasted == len(tokens(" Lima was founded in 1553. It"))


def test_so_is_the_last_sentence_of_the_thinking() -> None:
    def reply(prompt: str) -> list[Token]:
        if "Looked up" in prompt:
            return tokens(" Lima was founded in 1535.</think>\nAnswer: 1535")
        return tokens(" Lima was founded in 1553.</think>\nAnswer: 1553", ("1553",))

    library = Library()
    result = solve(library, reply)
    assert (result.answer, library.asked) == ("1535", ["Lima was founded in ."])
    assert result.trace.body.count("</think>") == 1
    assert "1553" not in result.trace.body


def test_of_which_nothing_is_found_stays_too() -> None:
    def reply(prompt: str) -> list[Token]:
        if "1553" in prompt:
            return tokens("\nAnswer: 1553")
        return tokens(" Lima was founded in 1553.</think>\nAnswer: 1553", ("1553",))

    result = solve(Library(""), reply)
    assert (result.answer, result.trace.body.count("</think>")) == ("1553", 1)


def test_a_sure_solver_looks_nothing_up() -> None:
    library = Library()
    solve(library, sure=0.1)
    assert library.asked == []


def test_so_many_sentences_are_looked_up_at_most() -> None:
    library, count = Library(), iter(range(100))

    def endless(prompt: str) -> list[Token]:
        number = next(count)
        text = f" So. Number {number} is one. And {number} is two.</think>\nAnswer: 1"
        return tokens(text, (str(number), "one", "two"))

    solve(library, endless, lookups=3, kept=0.0)
    assert len(library.asked) == 3


def test_where_nothing_is_found_the_sentence_stays() -> None:
    library = Library("")
    replies = iter([" Lima was founded in 1553. It is.", " It is.</think>\nAnswer: 1553"])
    result = solve(library, lambda prompt: tokens(next(replies), ("1553",)))
    assert len(library.asked) == 1
    assert result.trace.body.startswith(" Lima was founded in 1553. It is.</think>")
    assert result.answer == "1553"


@pytest.mark.parametrize("able", [Capabilities(), Capabilities(continues=False, turns=True)])
def test_where_nothing_is_found_of_the_last_sentence_the_text_has_ended(able: Any) -> None:
    library, asked = Library(""), list[str]()

    def once(prompt: str) -> list[Token]:
        asked.append(prompt)
        return tokens(" Hm.</think>\nAnswer: Lima in 1553", ("1553",))

    result = solve(library, once, able=able)
    assert (result.answer, library.asked, len(asked)) == ("Lima in 1553", ["Answer: Lima in"], 1)


def test_where_that_states_no_answer_it_is_asked_for() -> None:
    library, asked = Library(""), list[str]()

    def twice(prompt: str) -> list[Token]:
        asked.append(prompt)
        if "boxed{" in prompt.rpartition("<think>")[2]:
            return tokens("1535}")
        return tokens(" Hm.</think>\nIt is in Peru 1553", ("1553",))

    result = solve(library, twice)
    assert (result.answer, len(asked)) == ("1535", 2)


def test_what_is_found_is_quoted() -> None:
    result = solve(Library("</think>\nAnswer: 99"))
    assert "> Answer: 99" in result.trace.body
    assert result.answer == "1535"


def test_what_was_judged_behind_the_cut_is_gone() -> None:
    result = solve(Library())
    verdicts = [one for one in result.events if one["type"] == "verdict" and "state" in one]
    assert [one["monitor"] for one in verdicts] == ["unsure"]
    assert verdicts[0]["verdict"]["reason"] == "a word with a probability of 0.20"


def test_without_log_probabilities_nothing_is_looked_up() -> None:
    library = Library()
    result = solve(library, able=Capabilities(logprobs=0))
    assert (result.answer, library.asked) == ("1553", [])
    (said,) = [one for one in result.events if one["type"] == "weaker"]
    assert (said["lacking"], said["instead"]) == ("log-probabilities", "nothing is looked up")
