"""The contract of a domain: what a problem, a state and an answer are."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from types import NoneType
from typing import Any, ClassVar

from agentflow import own_parts
from agentflow.domains import answers
from agentflow.domains.answers import asides, conclusions, languages, typesetting
from agentflow.domains.spelling import legible, shortened
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox
from agentflow.verdict import Verdict

Memory = dict[str, Any]
"""What a domain remembers of the lines so far: plain JSON, never changed in place."""
Read = tuple[Memory, list[State]]
"""What a line comes to: the memory behind it, and the states that it completes."""

UNREAD = "unread"
"""The kind of a verdict on what was not understood."""
ACCEPTED = "accepted"
"""The kind of an undecided verdict: the answer passed a check, which a wrong one may pass, too."""
RAISES, NO_VALUE = "raises ", "gives no value: "
"""How an outcome begins that is no value."""

_TEXT_OR_NONE: Any = (str, NoneType)
_RETURNS: dict[str, tuple[Any, str]] = {
    "parse": (Problem, "a Problem"),
    "normalise": (_TEXT_OR_NONE, "a text, or None"),
    "unsolvable": (_TEXT_OR_NONE, "a reason (a text), or None"),
    "unfinished": (_TEXT_OR_NONE, "a reason (a text), or None"),
    "answer": (_TEXT_OR_NONE, "a text, or None"),
    "candidate": (_TEXT_OR_NONE, "a text, or None"),
    "shown": (str, "a text"),
    "decides": (bool, "True or False"),
    "checks": (bool, "True or False"),
    "takes_tests": (bool, "True or False"),
    "call_form": (str, "a text"),
}
_READING = {"extract", *_RETURNS}
"""Methods of a domain that read; what judges is seen to by :func:`~agentflow.own_parts.verdict_of`,
for there a failure is a verdict."""


def _seen(method: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a domain that raises BadInput where it would return what it must not."""

    @wraps(function)
    def seen(self: Domain, *given: Any, **named: Any) -> Any:
        said = tuple(map(_as_read, given)) if method == "answer" else given
        try:
            found = function(self, *(given if self.verbatim else said), **named)
        except own_parts.ENDS as error:
            raise own_parts.failed(self, method, error) from error
        if method == "extract":
            return own_parts.read(found, self, method)
        kind, what = _RETURNS[method]
        own_parts.see(isinstance(found, kind), found, self, method, what)
        if method == "answer" and found is not None and self.disclaims(*said, **named):
            return None
        return found

    return seen


_MANY_EMPTY = re.compile(r"\n(?:[^\S\n]*\n){3,}")
"""Empty lines, more than two; many patterns try each of them as a beginning."""


@lru_cache(maxsize=32)
def _as_read(text: str) -> str:
    """A reply as domains read it; a run asks for the answer of one several times."""
    said = _MANY_EMPTY.sub("\n\n\n", legible(typesetting.own_turn(text)))
    said = typesetting.begun(said)
    return asides.without_good(languages.in_english(said))


class Domain(ABC):
    """One kind of problem.

    Reading is pure and quick; judging may wait for tools, and must not block the loop. How to write
    one: docs/write-a-domain.md.

    Args:
        toolbox: Has the tools that the domain names; one without them needs none.

    Attributes:
        name: As given to ``--domain``.
        description: One line for people.
        example: A problem as a user would type it.
        form: What an answer can be, in words (``a number or an expression``).
        opening: What a model that stated no answer is given to go on from.
        complete: Whether :meth:`verify_answer` passes or refutes every answer that it can read,
            and is right each time.
        tools: The tools it uses: role -> backend where nothing else is chosen.
        by_model: Further roles of tools that it uses where a model has them (``equality``, for
            :meth:`asked_equal`).
        verbatim: Whether its answers are programs or calls, of which each sign counts. Elsewhere a
            reply is read as :func:`~agentflow.domains.spelling.legible` makes it.
    """

    name: str
    description: str
    example: str
    form: str = "an answer"
    opening: str = "\\boxed{"
    complete: bool = False
    verbatim: bool = False
    tools: ClassVar[Mapping[str, str]] = {}
    by_model: ClassVar[Sequence[str]] = ()

    def __init_subclass__(cls, **named: Any) -> None:
        """See what the methods that read give back: else a wrong one fails far from here."""
        super().__init_subclass__(**named)
        for method in _READING & vars(cls).keys():
            setattr(cls, method, _seen(method, vars(cls)[method]))

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        self.toolbox = toolbox or Toolbox({})

    @abstractmethod
    def parse(self, text: str, id: str = "") -> Problem:
        """The problem in ``text``.

        Raises:
            BadInput: If the text is no such problem; says what is wrong and shows an example.
        """

    def unsolvable(self, problem: Problem) -> str | None:
        """Why the problem is known to have no answer; None if it has one or nobody can tell.

        Called in a thread: it may take its time.
        """
        return None

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The states that a line of generated text completes, as a fold over lines. By default
        none: a domain may judge answers alone.

        A state of kind ``step`` makes a claim; one of kind ``candidate`` proposes an answer, which
        stands in its data as ``answer``.
        """
        return memory, []

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Judge one state given the earlier ones, all taken as right. By default a candidate is
        judged as an answer, and a step by nobody."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        return Verdict(None, f"{self.name} judges no steps", source=self.name)

    @property
    def judges_steps(self) -> bool:
        """Whether it has a :meth:`verify_state` of its own; else no step ever passes."""
        return type(self).verify_state is not Domain.verify_state

    def candidate(self, problem: Problem, state: State) -> str | None:
        """The normal form of the answer that a state proposes; None if it proposes none."""
        proposed = state.data.get("answer") if state.kind == "candidate" else None
        return None if proposed is None else self.normalise(problem, proposed)

    def statements(self, problem: Problem, state: State) -> list[tuple[str, str]]:
        """What a candidate states, in normal form, each behind the name of its counter: k-stable
        counts them apart, and all must be stable. By default the candidate is the one."""
        answer = self.candidate(problem, state)
        return [] if answer is None else [("answer", answer)]

    async def same(self, problem: Problem, one: str, other: str) -> bool:
        """Whether two statements of a counter say the same, however they put it. A domain that has
        its own way to tell gives its candidates a list ``stated`` of them, each [counter, text]."""
        return False

    def with_candidates(
        self,
        read: Callable[[Problem, str, int, Memory], Read],
        problem: Problem,
        line: str,
        offset: int,
        memory: Memory,
    ) -> Read:
        """What ``read`` finds on a line, and as candidates the answers stated there that have the
        domain's :attr:`form`; for :meth:`extract`."""
        before = memory.get("said", {})
        rest = {key: memory[key] for key in memory if key != "said"} if before else memory
        rest, states = read(problem, line, offset, rest)
        whole = line if line.endswith("\n") else f"{line}\n"
        said, found = answers.read(before, whole, offset)
        told = [state.data["answer"] for state in states if state.kind == "candidate"]
        forms = {self.normalise(problem, one) for one in told}
        for one in found:
            if (form := self.normalise(problem, one.text)) is not None and form not in forms:
                forms.add(form)
                data = {"answer": one.text}
                states = [*states, State("candidate", data, offset, offset + len(line))]
        return ({**rest, "said": said} if said else rest), states

    def answer(self, text: str) -> str | None:
        """The answer stated in the answer part of a trace: :func:`answers.stated`."""
        return answers.stated(text)

    def disclaims(self, text: str) -> bool:
        """Whether a text with an answer leaves it open, so that it states none: by default
        :func:`answers.disclaimed`, which reads English sentences."""
        return answers.disclaimed(text, verbatim=self.verbatim)

    def shown(self, answer: str) -> str:
        """An answer as it is given to people: without what only its verification needs, which by
        default are the claims beside it (:func:`conclusions.parted`)."""
        return conclusions.parted(answer)[0]

    @abstractmethod
    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Judge a final answer."""

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A text that is the same for answers that are plainly equal.

        None if ``answer`` does not have the domain's :attr:`form`, or not every word of it was
        understood: such an answer is neither right nor wrong.
        """
        return " ".join(answer.split()) or None

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether two answers are equal; None where it cannot be told: one is not understood."""
        form, gold = self.normalise(problem, one), self.normalise(problem, other)
        return None if form is None or gold is None else self.matches(problem, form, gold)

    def matches(self, problem: Problem, form: str, gold: str) -> bool:
        """Whether an answer is right, by its normal form and that of the gold answer."""
        return form == gold

    def is_answer(self, problem: Problem, text: str) -> bool:
        """Whether a text has the :attr:`form` of an answer, right or wrong."""
        return self.normalise(problem, text) is not None

    def decides(self, problem: Problem) -> bool:
        """Whether :meth:`verify_answer` passes or refutes, rightly, every answer to this problem
        that it can read: its word is then the last. By default :attr:`complete`."""
        return self.complete

    def checks(self, problem: Problem) -> bool:
        """Whether :meth:`verify_answer` is asked about every answer before it is given. By default
        where it :meth:`decides`; a domain that refutes more than it can prove says so here, and
        marks what passed, but is not proved, by the kind :data:`ACCEPTED`."""
        return self.decides(problem)

    def takes_tests(self, problem: Problem) -> bool:
        """Whether answers to this problem are programs that :meth:`tested` can run."""
        return False

    async def tested(self, problem: Problem, answer: str, tests: Sequence[str]) -> list[bool]:
        """Of each test, a statement with an assertion, whether the answer passes it."""
        return [False] * len(tests)

    def call_form(self, problem: Problem) -> str:
        """What :meth:`outcomes` takes as a call, in words; empty where answers to this problem are
        no programs that can be run."""
        return ""

    async def outcomes(self, problem: Problem, answer: str, calls: Sequence[str]) -> list[str]:
        """What an answer gives on each call, in words: a value, ``raises ...`` or ``gives no value:
        ...``; nothing where nobody can tell."""
        return [""] * len(calls)

    async def asked_equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """What the tool ``equality`` says of two answers; None where there is none, or it cannot
        tell."""
        if "equality" not in self.toolbox.tools:
            return None
        use = await self.toolbox.use("equality", answer=one, gold=other, question=problem.text)
        equal = use.fields.get("equal")
        return equal if isinstance(equal, bool) else None

    def unfinished(self, problem: Problem, steps: Sequence[State]) -> str | None:
        """Why steps that all passed stop before they come to the answer (a path that was followed
        only half way); None if they do not, or where nobody can tell."""
        return None

    def wrong(self, kind: str, reason: str) -> Verdict:
        """The verdict that refutes; ``reason`` is what a model is told."""
        return Verdict(False, reason, kind, source=self.name)

    def unread(self, text: str, goes_with: Callable[[str], bool] | None = None) -> Verdict:
        """The verdict on what was not understood to its last word: neither passed nor refuted.

        Args:
            goes_with: Of an answer: whether it is understood, together with its grounds; then the
                reason names the first line beside it with which it is not.
        """
        said = conclusions.unread(text, goes_with) if goes_with else self.shown(text)
        return unread(said, self.name)


def free_question(domain: Domain, text: str, id: str, most: int) -> Problem:
    """A problem that is a question in free text.

    Args:
        most: Characters it may have.

    Raises:
        BadInput: If it is empty or too long.
    """
    question = text.strip()
    if not question:
        raise BadInput(f"{domain.name}: the question is empty; example: {domain.example}")
    if len(question) > most:
        raise BadInput(f"{domain.name}: the question has more than {most:,} characters")
    return Problem(question, domain.name, id or question[:60], data={"question": question})


def unread(text: str, source: str) -> Verdict:
    """The same, for a domain called ``source``."""
    return Verdict(None, f"could not read {shortened(text, 80)!r}", UNREAD, source=source)
