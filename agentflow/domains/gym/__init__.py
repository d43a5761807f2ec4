"""Every task of reasoning-gym as a domain: ``gym:TASK?seed=1&difficulty=2``.

Stojanovski et al., 2025, "Reasoning Gym: Reasoning Environments for Reinforcement Learning with
Verifiable Rewards". The package ``reasoning-gym`` is optional (the extra ``gym``).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from agentflow.domains import arithmetic
from agentflow.domains.gym import ours, programs, reading, told, trust
from agentflow.domains.gym.programs import Item
from agentflow.domains.math import Math
from agentflow.domains.protocol import ACCEPTED, Domain, Memory, Read
from agentflow.domains.spelling import word_set
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.aside import aside
from agentflow.tools.toolbox import Toolbox
from agentflow.verdict import Verdict

PREFIX = "gym:"
SIZE, SEARCHED = 10_000, 200
"""Problems of a dataset, and how many are looked through for a question that brings no number."""

ARITHMETIC = word_set("""
    basic_arithmetic chain_sum countdown decimal_arithmetic decimal_chain_sum
    fraction_simplification gcd gsm_symbolic lcm leg_counting prime_factorization products puzzle24
    simple_equations
""")
"""The tasks whose steps are calculations: ``math`` reads and judges them."""

_ASK = "\n\nThink step by step, then state the final answer, and nothing else, as\n<answer>"
_ASK += "the answer</answer>\n"
_PLACE = re.compile(r"(?:.*#)?(\d{1,5})")


class Gym(Domain):
    """A task of reasoning-gym; :func:`kind` makes the class of one.

    A problem is one of the dataset that the name describes: its question, or its number in it. The
    same name always gives the same problems. Answers are judged by the task's scorer, in the
    sandbox; what its score is worth says :mod:`agentflow.domains.gym.trust`. Only a score of 1 from
    a scorer that is sound passes; a lower one refutes where the scorer is exact; nothing in between
    is a verdict. An answer is scored only if it looks like one to its last character. Error kinds:
    ``wrong_answer``, ``wrong_numbers``, ``wrong_value``, and those of ``math`` for the steps of
    :data:`ARITHMETIC`.

    Attributes:
        task: Its name in reasoning-gym.
        given: Its configuration, as JSON.
    """

    task: ClassVar[str]
    given: ClassVar[str]
    form = "an answer as the question asks for it"
    opening = "<answer>"

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        super().__init__(toolbox)
        self._math = Math(self.toolbox) if self.task in ARITHMETIC else None

    def parse(self, text: str, id: str = "") -> Problem:
        """The problem whose question, or whose number in the dataset, is ``text``.

        Raises:
            BadInput: If it is none of the dataset's.
        """
        asked = text.strip()
        item = self._numbered(asked) or self._numbered(id, asked) or self._found(asked)
        return self._problem(item, id)

    def problems(self, count: int) -> Iterator[Problem]:
        """The first problems of the dataset, with their solutions as ``gold``; questions that come
        again are left out.

        Raises:
            BadInput: If they cannot be made.
        """
        seen = set[str]()
        for index in range(SIZE):
            item = self._at(index)
            if item.question not in seen:
                seen.add(item.question)
                yield self._problem(item, "", item.answer)
            if len(seen) == count:
                return

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The answers stated on a line and, where the task is one of calculations, its steps."""
        return self.with_candidates(self._steps, problem, line, offset, memory)

    def _steps(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        if self._math is None:
            return memory, []
        memory, states = self._math.extract(_calculation(problem), line, offset, memory)
        return memory, [state for state in states if state.kind == "step"]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Judge a candidate as an answer, a step as a calculation."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        if self._math is None:
            return self.unread(str(state.data))
        return await self._math.verify_state(_calculation(problem), state, earlier)

    def answer(self, text: str) -> str | None:
        """What stands in the last ``<answer>``, if the text holds on to it; without one, what the
        text states; with what is told beside it (:mod:`~agentflow.domains.gym.told`)."""
        said = reading.answer(text)
        return said and told.grounded(said, text)

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Judge by the task's scorer; what is told beside a right answer has to go with it."""
        verdict = await self._scored(problem, told.parted(answer)[0])
        passes = verdict.ok or verdict.kind == ACCEPTED
        if passes and not self._goes_with(problem, answer):
            return self.unread(answer, lambda one: self._goes_with(problem, one))
        return verdict

    def _goes_with(self, problem: Problem, answer: str) -> bool:
        """Whether what is told beside an answer goes with it."""
        said, sentences = told.parted(answer)
        return told.goes_with(self.task, problem.text, said.strip(), sentences)

    async def _scored(self, problem: Problem, answer: str) -> Verdict:
        item, said = await asyncio.to_thread(self._item, problem), answer.strip()
        if "−" not in f"{item.answer}":  # the minus of typesetters
            said = said.replace("−", "-")
        if self.task in trust.OURS:
            return ours.judged(item.about, said)
        said = trust.plainly(self.task, problem.text, said)
        worth = trust.trust(self.task, item)
        if not trust.has_form(self.task, said, item.answer):
            return self.unread(answer)
        score, why = await aside(programs.score, self.task, self.given, item.index, said)
        if score is None:
            reason = f"the scorer of {self.task} failed: {why}"
            return Verdict(None, reason, "unscored", source="gym")
        return verdict(self.task, worth, score, said, item.answer)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The answer with its lines and words set apart by one space."""
        answer, _ = told.parted(answer)
        if len(answer) > trust.MOST:
            return None
        return "\n".join(" ".join(line.split()) for line in answer.strip().splitlines()) or None

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether two answers are the same; against the task's own solution its scorer tells, of
        what looks like an answer."""
        (one, _), (other, _) = told.parted(one), told.parted(other)
        form = self.normalise(problem, one)
        if form is not None and form == self.normalise(problem, other):
            return True
        if problem.gold is None or other != problem.gold:
            return None
        found = await self._scored(problem, one)
        if found.ok is not None or found.kind == ACCEPTED:
            return found.ok is not False
        apart = found.kind == "partial" and not _alike(one, self._item(problem).answer)
        return False if apart else None

    def decides(self, problem: Problem) -> bool:
        """Whether the task's scorer is exact."""
        return trust.trust(self.task, self._item(problem)).worth == "exact"

    def checks(self, problem: Problem) -> bool:
        """Always: a scorer that is not exact has a word, too."""
        return True

    # Which item a problem is

    def _item(self, problem: Problem) -> Item:
        return self._numbered(str(problem.data["index"])) or self._found(problem.text)

    def _at(self, index: int) -> Item:
        start = index - index % programs.CHUNK
        return programs.items(self.task, self.given, start)[index - start]

    def _numbered(self, number: str, asked: str | None = None) -> Item | None:
        """The item of a number (``17``, ``countdown#17``), if it asks what it should."""
        found = _PLACE.fullmatch(number)
        if found is None or int(found[1]) >= SIZE:
            return None
        item = self._at(int(found[1]))
        return item if asked is None or item.question.strip() == asked else None

    def _found(self, asked: str) -> Item:
        for index in range(SEARCHED) if asked else ():
            if (item := self._at(index)).question.strip() == asked:
                return item
        raise BadInput(
            f"{self.name}: {asked[:60]!r} is none of its first {SEARCHED} problems; give a number "
            f"from 0 to {SIZE - 1}, or a question with the id that `agentflow generate` gave it. "
            "Some tasks draw other problems in each process: set PYTHONHASHSEED=0 for them"
        )

    def _problem(self, item: Item, id: str, gold: str | None = None) -> Problem:
        data = {"index": item.index, "prompt": item.question.strip() + _ASK}
        id = id or f"{self.task}#{item.index}"
        return Problem(item.question.strip(), self.name, id, gold, data)


def verdict(task: str, worth: trust.Trust, score: float, said: str, own: str | None) -> Verdict:
    """What a score says of an answer that has the task's form."""
    evidence: dict[str, Any] = {"score": score, "scorer": worth.worth}
    if score == 1 and worth.worth != "none":
        return Verdict(True, score=1.0, source="gym", evidence=evidence)
    if score == 1:
        reason = f"the scorer of {task} passes it, but is not exact: {worth.why}"
        return Verdict(None, reason, ACCEPTED, source="gym", evidence=evidence)
    if worth.worth == "exact" and not _alike(said, own):
        reason = f"{said[:60]} is not the answer" if len(said) <= 60 else "that is not the answer"
        return Verdict(False, reason, "wrong_answer", source="gym", evidence=evidence)
    reason = f"the scorer of {task} gives {score:.3g}, which is no pass"
    return Verdict(None, reason, "partial", source="gym", evidence=evidence)


_LAID_OUT = re.compile(r"[\s,;|'\"\[\](){}+]|(?<!\d)-(?!\d)")
"""Spaces, brackets and what draws the lines of a grid."""


def _alike(said: str, own: str | None) -> bool:
    """Whether an answer may be the solution in another spelling: a rounded number, a short name, a
    sentence without its full stop, a grid without its spaces."""
    if own is None:
        return False
    if _LAID_OUT.sub("", said) == _LAID_OUT.sub("", own):
        return True
    one, other = (" ".join(text.split()).casefold().rstrip(".!?") for text in (said, own))
    if one == other:
        return True
    if one.isalpha() and other.isalpha():
        return one.startswith(other) or other.startswith(one)
    bare = [text.replace(",", "").strip("$+°") for text in (one, other)]
    try:
        return arithmetic.agrees(bare[0], Fraction(bare[1]))
    except (ValueError, ZeroDivisionError):
        return False


def _calculation(problem: Problem) -> Problem:
    return Problem(problem.text, Math.name, problem.id, data={"question": problem.text})


@cache
def kind(name: str) -> type[Gym]:
    """The class of the domain ``gym:TASK`` or ``gym:TASK?seed=1&difficulty=2``.

    What stands behind the ``?`` is the task's configuration in reasoning-gym; ``seed`` is 0 where
    it says nothing else, and ``difficulty`` is a level of the task's curriculum, from 0.

    Raises:
        BadInput: If reasoning-gym has no such task, or cannot be used.
    """
    task, _, query = name.removeprefix(PREFIX).partition("?")
    if task not in (known := programs.tasks()):
        raise BadInput(f"{name}: reasoning-gym has no task {task!r}; there are: {', '.join(known)}")
    try:
        given = {key: _value(text) for key, text in parse_qsl(query, strict_parsing=bool(query))}
    except ValueError as error:
        raise BadInput(f"{name}: write parameters as seed=1&difficulty=2 ({error})") from error
    given = {"seed": 0, **given, "size": SIZE}
    for key in ("seed", "difficulty"):
        if key in given and not (type(given[key]) is int and 0 <= given[key] < 2**32):
            raise BadInput(f"{name}: {key} is a whole number from 0 to 2**32 - 1")
    text = json.dumps(given, sort_keys=True)
    first = programs.items(task, text, 0)[0]  # its parameters are right, or it says what is not
    tools: Mapping[str, str] = Math.tools if task in ARITHMETIC else {}
    body = {
        "name": name,
        "description": f"reasoning-gym's {task}.",
        "example": first.question,
        "complete": trust.trust(task, first).worth == "exact",
        "tools": tools,
        "task": task,
        "given": text,
    }
    return type("Gym", (Gym,), body)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def generate(name: str, count: int, seed: int) -> Iterator[Problem]:
    """The first problems of the domain ``name``; ``seed`` holds where the name says none."""
    if seed and not re.search(r"[?&]seed=", name):
        name += f"{'&' if '?' in name else '?'}seed={seed}"
    return kind(name)().problems(count)
