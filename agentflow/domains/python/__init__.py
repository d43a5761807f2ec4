"""Programming problems in Python: the code is run, searched for counterexamples, and proved."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from textwrap import dedent, indent
from typing import Any

from agentflow.domains import answers
from agentflow.domains.protocol import ACCEPTED, UNREAD, Domain, Memory, Read, unread
from agentflow.domains.python import (
    blocks,
    claims,
    contrast,
    examples,
    following,
    proof,
    properties,
    reading,
    remarks,
    running,
    samples,
    sections,
    source,
    steps,
    told,
    vocabulary,
)
from agentflow.domains.python.running import Outcome
from agentflow.domains.python.task import EXAMPLE, Task, function_of, functions_in, read
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.aside import aside
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.verdict import Verdict

_CHECKS = re.compile(
    r"(?i)\b((?:code|condition|function|implementation|it|line|loop|method|program)"
    r"(?: `[^`\n]{1,80}`)?(?: (?:also|first|now|then|\w{1,20}ly))?) checks (if|whether)\b"
)
"""What a program does, and no check of its author's."""

KINDS = {"failed": "wrong_result", "died": "ends_early"}


class Python(Domain):
    """The domain.

    A problem is a stub with a docstring, or a row of HumanEval, EvalPlus, MBPP or LiveCodeBench as
    JSON (:mod:`~agentflow.domains.python.task`). The answer is the last block of code that defines
    what is asked for, with those that belong to it; its prints and its main part are not run. What
    the text asserts of it is, and leaves the answer undecided where it fails.

    An answer is judged in the sandbox, the cheapest first: it parses, has the function with its
    parameters, gives what the docstring's examples say, passes the tests, keeps the contract on
    inputs that Hypothesis draws, and CrossHair finds no counterexample. The first that fails is the
    verdict, with its counterexample as the reason. It passes only if CrossHair proved the contract
    or equality with the reference, or if all tests passed and the problem declares them
    ``complete``. What passed everything else is undecided, of the kind
    :data:`~agentflow.domains.protocol.ACCEPTED`: an answer that is ``accepted``.

    A ``step`` is the asked function as soon as it is finished, inside a block; a ``candidate`` is a
    finished block. Error kinds: ``syntax``, ``missing``, ``signature``, ``wrong_result``,
    ``ends_early``.
    """

    name = "python"
    verbatim = True
    description = "A Python function, or program: run, searched for counterexamples, proved."
    example = EXAMPLE
    form = "one block of Python that defines the function"
    opening = "```python\n"

    def parse(self, text: str, id: str = "") -> Problem:
        """The problem in ``text``: see :func:`~agentflow.domains.python.task.read`.

        Raises:
            BadInput: If it has no layout that is known.
        """
        task = read(text)
        data = {"task": asdict(task), "ask": task.ask}
        return Problem(text.strip(), self.name, id or task.entry or text.strip()[:60], data=data)

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The asked function that a line finishes, or the block."""
        memory, done = blocks.fold(memory, line)
        asked = _task(problem).entry.partition(".")[0]
        if done is None or (asked and asked not in source.defines(done.code, asked)):
            return memory, []
        if remarks.denied(done.above) or remarks.disowned(done.code):
            return memory, []
        if not asked and not done.whole:
            return memory, []
        end = offset + len(line) if done.whole else offset
        if source.fault(done.code):  # a note in it, maybe; as an answer it is judged all the same
            return memory, []
        if not done.whole:
            return memory, [State("step", {"code": done.code}, offset, end)]
        return memory, [State("candidate", {"answer": done.code}, offset, end)]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Judge a finished function, by the examples and the tests only, or a candidate."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        return await aside(_judged, _task(problem), state.data["code"], begun=True)

    def answer(self, text: str) -> str | None:
        """The last block that defines a function, but for tests; else the last block. One that has
        no end keeps its beginning, by which that is seen."""
        found = reading.meant(text)
        return found and (found.code if found.closed else found.opening + found.code)

    def disclaims(self, text: str) -> bool:
        """Whether what is said around a program leaves it open."""
        around = _CHECKS.sub(r"\1 looks \2", sections.about(blocks.around(text)))
        return answers.disclaimed(around, in_a_block=blocks.fenced(around), verbatim=True)

    def shown(self, answer: str) -> str:
        """The code alone."""
        return source.unsaid(blocks.opened(answer))

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Judge a program."""
        return await aside(_judged, _task(problem), answer)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The program without comments, in one layout; None where it is no Python, or does not
        define what is asked for."""
        code = _code(task := _task(problem), answer)
        try:
            return ast.unparse(ast.parse(_completed(task, code))) or None if code else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def is_answer(self, problem: Problem, text: str) -> bool:
        """Whether there is a program that defines what is asked for, right or wrong."""
        task = _task(problem)
        code, asked = _code(task, text), task.entry.partition(".")[0]
        if code is None or not asked:
            return code is not None and (blocks.fenced(text) or source.fault(code) is None)
        return asked in source.binds(_completed(task, code))

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether two programs are written alike; two that differ may do the same."""
        form = self.normalise(problem, one)
        if form is not None and form == self.normalise(problem, other):
            return True
        if problem.gold is not None and other == problem.gold:  # right is what passes all checks
            verdict = await self.verify_answer(problem, one)
            return True if verdict.ok or verdict.kind == ACCEPTED else verdict.ok
        return None

    def takes_tests(self, problem: Problem) -> bool:
        """Whether a function is asked for, which tests can call."""
        return bool(_task(problem).entry)

    async def tested(self, problem: Problem, answer: str, tests: Sequence[str]) -> list[bool]:
        """Which tests a program passes, each run by itself: not one that cannot tell, or that is
        no assertion of what the function comes to. A program that the problem's own tests refute
        passes none.

        Raises:
            SandboxUnavailable: If nothing can be run here.
        """
        task, code = replace(_task(problem), complete=False), _code(_task(problem), answer)
        if code is None or source.fault(whole := _completed(task, code)):
            return [False] * len(tests)
        ran, name = source.without_tests(whole), task.entry.rpartition(".")[2]

        def passed() -> list[bool]:
            own = running.tried(task, ran, [*task.examples, *task.tests], task.reference)
            return [
                own.ok is not False
                and source.is_test(one, name)
                and running.tried(task, ran, [one]).ok is True
                for one in tests
            ]

        return await aside(passed)

    def call_form(self, problem: Problem) -> str:
        """A call of the asked function, or what a program reads."""
        if name := _task(problem).entry.rpartition(".")[2]:
            return f"one of `{name}`, as in Python, with each argument written out as a literal"
        return "what the program reads as its whole input, its lines ended by \\n"

    async def outcomes(self, problem: Problem, answer: str, calls: Sequence[str]) -> list[str]:
        """What a program gives on calls of the asked function with literals alone, or prints for
        inputs.

        Raises:
            SandboxUnavailable: If nothing can be run here.
        """
        task, code = _task(problem), _code(_task(problem), answer)
        if code is None or source.fault(whole := _completed(task, code)):
            return [""] * len(calls)
        ran = source.without_tests(whole) if task.entry else whole
        return await aside(samples.outcomes, task, ran, calls)

    def decides(self, problem: Problem) -> bool:
        """Whether the tests are declared complete."""
        return _task(problem).complete

    def checks(self, problem: Problem) -> bool:
        """Always: a program that fails is refuted, whatever gave it."""
        return True


@lru_cache(maxsize=64)
def _read(text: str) -> Task:
    return read(text)


def _task(problem: Problem) -> Task:
    return _read(problem.text)


def _block(task: Task, answer: str) -> blocks.Block | None:
    """The code of an answer: a block in it that defines what is asked for, else all of it."""
    answer = answer.removeprefix("\ufeff")
    if source.tree_of(answer) is not None and answer.lstrip()[:1] not in ("{", "["):
        return blocks.Block(answer)
    found = reading.meant(answer, task.entry)
    return found if found or blocks.fenced(answer) else blocks.Block(answer)


def _code(task: Task, answer: str) -> str | None:
    found = _block(task, answer)
    return None if found is None else source.unsaid(found.code)


@lru_cache(maxsize=512)
def _judged(task: Task, answer: str, *, begun: bool = False) -> Verdict:
    """The verdict on an answer; on a function that may not be all of it, if it is ``begun``."""
    found = _block(task, answer)
    if found is None or not found.code.strip():
        reason = "could not read the answer: there is no code that it holds on to"
        return Verdict(None, reason, UNREAD, source="python")
    said = _of_code(task, answer, _completed(task, found.code), begun)
    others = [] if begun else source.versions(found.code)
    if any(
        _of_code(task, answer, _completed(task, one), begun).ok is not said.ok for one in others
    ):
        reason = "it has several versions, of which not all are the same to the tests"
        return Verdict(None, reason, "contradiction", source="python", evidence=said.evidence)
    if said.ok is False and not found.closed:
        reason = f"the block of code has no end, and so may not be all: {said.reason}"
        return Verdict(None, reason, "cut", source="python")
    return said


def _completed(task: Task, code: str) -> str:
    """The code; where it only goes on behind the head that is given, with that."""
    wholes = list[str]()
    if found := source.body(code):
        wholes.append(f"{task.head}\n{indent(found[0], '    ')}\n\n{found[1]}")
    elif code[:1].isspace() and source.tree_of(code) is None:
        shallow = dedent(code)
        wholes += [shallow, f"{task.head}\n{indent(shallow, '    ')}"]
    for whole in wholes:
        if task.head and task.entry in source.defines(whole) and not source.fault(whole):
            return whole
    return code


def _of_code(task: Task, answer: str, code: str, begun: bool) -> Verdict:
    """The verdict on code, which stands in an answer."""
    if why := source.fault(code):
        if source.is_transcript(code) or not (blocks.fenced(answer) or source.is_code(code)):
            return unread(answer, "python")
        if source.is_newer(code, why):
            return Verdict(None, f"it may be of a newer Python: {why}", source="python")
        return _wrong("syntax", f"it is no Python: {why}")
    names = {*task.entry.split(".")} - {""}
    if names and names.isdisjoint(source.binds(code)):
        asked = task.entry.partition(".")[0]
        if "import *" in code or (asked in code and not source.binds(code)):
            return Verdict(None, f"{asked} is made in another way than by def", source="python")
        return _wrong("missing", f"it does not define {asked}")
    if task.head and (why := _signature(task, code)):
        return _wrong("signature", why)
    alone = source.without_foreign(source.unsaid(code)) if task.entry else source.unsaid(code)
    ran = source.without_tests(alone) if task.entry else alone
    try:
        said = _run(task, ran, begun)
        passed = not begun and (said.ok or said.kind == ACCEPTED)
        whole = running.together(task, alone) if passed else Outcome(True)
        own = _own(task, code) if said.ok is not False and not begun else []
        tried = running.tried(replace(task, complete=False), ran, own) if own else Outcome(True)
        if not task.entry and said.ok:
            tried = running.prints(replace(task, inputs=tuple(source.printed(code))), ran)
    except SandboxUnavailable as error:
        return Verdict(None, f"not run: {error}", source="python")
    if whole.ok is not True:
        return Verdict(None, whole.reason, "lost", source="python", evidence=said.evidence)
    if passed and (why := source.chance(ran, task.ask)):
        return Verdict(None, why, "lost", source="python", evidence=said.evidence)
    notes = "\n".join(source.notes(code, task.ask))
    strange = _strange(task, code, free=not said.ok) if passed else []
    if strange or (passed and not told.of_task(notes, code, task.ask)):
        reason = f"what is said of it is not understood: {' '.join(strange[:1])}"
        return Verdict(None, reason, "contradiction", source="python", evidence=said.evidence)
    if passed and (why := claims.hold(_of_program(notes, code), task, ran)):
        reason = f"what is said of it does not hold, or cannot be checked: {why}"
        return Verdict(None, reason, "contradiction", source="python", evidence=said.evidence)
    around = [*source.around(code), *vocabulary.sentences("\n".join(source.docstrings(code)))]
    if passed and (why := contrast.doubtful(around, task, ran)):
        reason = f"what is said of it may as well be the other way round: {why}"
        return Verdict(None, reason, "contradiction", source="python", evidence=said.evidence)
    if passed and not following.holds(code):
        reason = "what the answer says of a run does not hold, or cannot be followed"
        return Verdict(None, reason, "contradiction", source="python", evidence=said.evidence)
    if tried.ok is False:
        reason = f"what the answer says of itself does not hold: {tried.reason}"
        return Verdict(None, reason, "contradiction", source="python", evidence=said.evidence)
    return said


def _strange(task: Task, code: str, *, free: bool) -> list[str]:
    """What is said of code, and not understood: in its docstrings and around it, and in its own
    comments."""
    own, other = source.own_comments(code), source.told(code, task.ask)
    return [
        *vocabulary.strange("\n".join(other), code, task.ask, free=free),
        *vocabulary.strange("\n".join(own), code, task.ask, free=free, inside=True),
    ]


def _of_program(notes: str, code: str) -> list[str]:
    """The sentences that say something of all of a program: not its comments that order a step."""
    own = vocabulary.sentences("\n".join(source.own_comments(code)))
    ordered = {one for one in own if steps.ordered(one) is not None}
    return [one for one in vocabulary.sentences(notes) if one not in ordered]


def _own(task: Task, code: str) -> list[str]:
    """What an answer says of calls, but for what its task says of them; a docstring is repeated."""
    given = source.assertions("\n".join(examples.of_calls(task.ask, {task.entry})))
    return [one for one in source.assertions(code) if task.entry and one not in given]


def _run(task: Task, code: str, begun: bool) -> Verdict:
    """What running, drawing and proving say."""
    if not task.entry:
        outcome = running.prints(task, code)
        return _said(task, outcome, {"tests": outcome.passed})
    shown = running.tried(task, code, task.examples) if task.examples else Outcome(True)
    if shown.ok is not True and not task.tests:
        return _refuted(shown, begun)
    tested = running.tried(task, code, task.tests, task.reference) if task.tests else shown
    rests_on = [task.reference, *task.tests]
    if tested.ok is False and (used := source.by_build("\n".join(rests_on))):
        return Verdict(None, f"what is right depends on {used}", "lost", source="python")
    if tested.ok is not True:
        return _refuted(tested, begun)
    passed = tested.passed if task.tests else 0
    evidence: dict[str, Any] = {"examples": shown.passed, "tests": passed}
    if shown.ok is not True:
        reason = f"the tests pass, but not the docstring's example: {shown.reason}"
        return Verdict(None, reason, "contradiction", source="python", evidence=evidence)
    if begun:
        return Verdict(None, "it passes what there is", ACCEPTED, source="python")
    drawn = properties.counterexample(task, code)
    if drawn.ok is False and (task.pre or task.post):
        return _refuted(drawn, begun)
    if drawn.ok is False:  # no contract says that such an input counts
        return Verdict(None, drawn.reason, "doubt", source="python", evidence=evidence)
    evidence["drawn"] = drawn.passed
    proved = proof.proved(task, code)
    if proved.ok is False:
        ran = properties.on_call(task, code, proved.call) if proved.call else proved
        if proved.call and ran.ok is False and (task.pre or task.post):
            return _refuted(ran, begun)
        reason = f"CrossHair has a counterexample: {proved.reason}"
        return Verdict(None, reason, "doubt", source="python", evidence=evidence)
    if proved.ok:
        return Verdict(True, source="python", evidence=evidence | {"proved": True})
    fence = proved.reason if proved.kind == proof.FENCE else ""
    return _said(task, tested, evidence | {"proof": proved.reason}, fence)


def _said(task: Task, outcome: Outcome, evidence: dict[str, Any], fence: str = "") -> Verdict:
    """The verdict where nothing is left to be tried but what the tests say; ``fence`` says what
    stopped a proof that was tried."""
    if outcome.ok is not True:
        return _refuted(outcome, False)
    names = {"examples": "examples", "tests": "tests", "drawn": "drawn inputs"}
    checked = [f"{said}: {evidence[one]}" for one, said in names.items() if evidence.get(one)]
    if not checked:
        reason = fence or "there is nothing to check it by"
        return Verdict(None, reason, source="python", evidence=evidence)
    if task.complete and (task.tests or task.inputs):
        return Verdict(True, source="python", evidence=evidence)
    reason = f"it passes what there is ({', '.join(checked)}), which is not declared complete"
    reason += f"; {fence}" if fence else ""
    return Verdict(None, reason, ACCEPTED, source="python", evidence=evidence)


def _refuted(outcome: Outcome, begun: bool) -> Verdict:
    if outcome.ok is None or (begun and outcome.unbound):
        return Verdict(None, outcome.reason, outcome.kind or "undecided", source="python")
    return _wrong(KINDS.get(outcome.kind, outcome.kind), outcome.reason)


def _wrong(kind: str, reason: str) -> Verdict:
    return Verdict(False, reason, kind, source="python")


def _signature(task: Task, code: str) -> str:
    """Why a function cannot be called as it is asked for; empty if it can, or nobody can tell."""
    found = [one for one in functions_in(ast.parse(code)) if one.name == task.entry]
    if not found or found[-1].decorator_list:
        return ""
    own, asked = found[-1].args, function_of(task.head).args
    count = len(asked.args) + len(asked.posonlyargs)
    most = len(own.args) + len(own.posonlyargs)
    least = most - len(own.defaults)
    if asked.vararg or own.vararg or asked.kwonlyargs or asked.defaults:
        return ""
    if not least <= count <= most:
        return f"{task.entry} takes {most} arguments, not {count}: {task.head}"
    return ""
