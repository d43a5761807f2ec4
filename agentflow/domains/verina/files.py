"""Files of Lean that judge a task of Verina: its own file, and a line for each test behind it.

``#guard f (1) (by sorry) == (2 : Int)`` evaluates the code on a test's input; the proof that the
precondition holds is not evaluated. ``#guard decide (…)`` asks the same of the precondition and of
the postcondition, where Lean can decide them; where it cannot, nothing is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agentflow.domains.verina import values
from agentflow.domains.verina.checkout import Case, Task
from agentflow.tools.lean import Check

KINDS = {
    "result": "the code gives the expected result",
    "wrong result": "the code does not give a wrong result",
    "precondition": "the precondition holds for the inputs of tests",
    "rejected input": "the precondition refuses the inputs to reject",
    "postcondition": "the postcondition holds for expected results",
    "rejected result": "the postcondition refuses wrong results",
}
"""What a test's line asks; a wrong result is one that the tests list, or one that we changed."""

Outcome = Literal["passed", "failed", "undecided"]
_FALSE = "did not evaluate to `true`"
"""What Lean says of ``#guard`` where the term is false."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A test's line.

    Attributes:
        kind: Of :data:`KINDS`.
        text: In Lean.
        holds: Whether the term should be true; of a wrong result it should be false.
    """

    kind: str
    text: str
    holds: bool = True


@dataclass(frozen=True, slots=True)
class File:
    """A file of Lean, and the tests at its end, one a line.

    Attributes:
        first: The line of the first test, from 1.
    """

    source: str
    guards: tuple[Guard, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Judged:
    """What Lean said of a file.

    Attributes:
        compiles: Whether there is no error before the tests; None if Lean did not read the file to
            its end, as where a library is missing.
        counts: (kind, outcome) -> how many tests.
        said: The first error that was no test's, or why the file was not checked.
        limit: Which limit of the sandbox ended it.
        failures: The tests that failed.
    """

    compiles: bool | None
    counts: Mapping[tuple[str, Outcome], int]
    said: str = ""
    limit: str | None = None
    failures: tuple[str, ...] = ()

    def total(self, outcome: Outcome, *kinds: str) -> int:
        """How many tests of these kinds (of all, if none is named) came out so."""
        return sum(
            number
            for (kind, one), number in self.counts.items()
            if one == outcome and kind in (kinds or KINDS)
        )


def reference(task: Task) -> File:
    """The reference with all tests; without its proof, which :func:`proof` is about."""
    guards = (*_results(task), *_wrong(task), *_conditions(task))
    return _file(_put(task, {}), guards)


def proof(task: Task) -> File:
    """The task's own file, unchanged."""
    return _file(task.lean, ())


def changed(task: Task, section: str, text: str) -> File:
    """The reference with another text in a section, and the tests of the code."""
    return _file(_put(task, {section: text}), _results(task))


def _put(task: Task, texts: Mapping[str, str]) -> str:
    put = {"proof": "  sorry\n", "proof_aux": "", **texts}
    pieces, position = list[str](), 0
    for name, one in task.sections.items():
        pieces += [task.lean[position : one.start], put.get(name, task.text(name))]
        position = one.end
    return "".join(pieces) + task.lean[position:]


def _file(lean: str, guards: Sequence[Guard]) -> File:
    body = lean.rstrip() + "\n\n"
    lines = "".join(f"{one.text}\n" for one in guards)
    return File(body + lines, tuple(guards), body.count("\n") + 1)


def _results(task: Task) -> tuple[Guard, ...]:
    return tuple(
        Guard("result", f"#guard {_equal(task, case, case.expected.term)}") for case in task.cases
    )


def _wrong(task: Task) -> list[Guard]:
    found = list[Guard]()
    for case in task.cases:
        terms = [one.term for one in case.unexpected]
        ours = values.other(task.returns, case.expected)
        terms += [] if ours is None or ours.term in terms else [ours.term]
        found += [
            Guard("wrong result", f"#guard {_equal(task, case, term)}", holds=False)
            for term in terms
        ]
    return found


def _equal(task: Task, case: Case, term: str) -> str:
    given = " ".join(f"({one.term})" for one in case.inputs)
    return f"{task.head.name} {given}{_proof(task)} == ({term} : {task.head.returns})"


def _proof(task: Task) -> str:
    return " (by sorry)" if task.assumes else ""


def _conditions(task: Task) -> list[Guard]:
    name, found = task.head.name, list[Guard]()
    inputs = [" ".join(f"({one.term})" for one in case.inputs) for case in task.cases]
    found += [Guard("precondition", f"#guard decide ({name}_precond {one})") for one in inputs]
    for row in task.rejects:
        given = " ".join(f"({one.term})" for one in row)
        found.append(Guard("rejected input", f"#guard decide (¬ ({name}_precond {given}))"))
    for case, given in zip(task.cases, inputs, strict=True):
        holds = f"{name}_postcond {given} ({case.expected.term}){_proof(task)}"
        found.append(Guard("postcondition", f"#guard decide ({holds})"))
        for one in case.unexpected:
            holds = f"{name}_postcond {given} ({one.term}){_proof(task)}"
            found.append(Guard("rejected result", f"#guard decide (¬ ({holds}))"))
    return found


def judged(file: File, check: Check) -> Judged:
    """What a check says of a file's tests.

    A test passes only if the whole file was read and nothing was said of its line; it fails if
    Lean says that its term is false. All else is undecided.
    """
    errors = [one for one in check.messages if one.severity == "error"]
    before = [one.text for one in errors if one.line < file.first]
    compiles = not before if check.complete else None
    found = {one.line: one.text for one in reversed(errors) if one.line >= file.first}
    counts, failures = Counter[tuple[str, Outcome]](), list[str]()
    for line, one in enumerate(file.guards, file.first):
        outcome = _outcome(one, found.get(line), readable=check.complete and not before)
        counts[one.kind, outcome] += 1
        if outcome == "failed":
            failures.append(one.text)
    why = before[0] if before else (check.failure or {}).get("message", "")
    reason = " ".join(why.split())[:300]
    return Judged(compiles, counts, reason, check.limit, tuple(failures))


def _outcome(one: Guard, said: str | None, *, readable: bool) -> Outcome:
    if said is not None and _FALSE in said:
        return "failed" if one.holds else "passed"
    if said is not None or not readable:
        return "undecided"
    return "passed" if one.holds else "failed"
