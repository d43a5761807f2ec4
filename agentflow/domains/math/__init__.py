"""Mathematics: every equation that a line states about numbers is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any, ClassVar

from agentflow.domains import answers, choices, restated, unrelated
from agentflow.domains.answers import conclusions
from agentflow.domains.answers.alike import shortened
from agentflow.domains.commonsense import picked
from agentflow.domains.math import (
    afterwards,
    answer_dimensions,
    answer_form,
    answer_units,
    beside,
    calculation,
    denials,
    endings,
    held,
    labels,
    meant,
    naming,
    other_marks,
    question,
)
from agentflow.domains.math.answer_form import asks_for_several, has_form, offers_several
from agentflow.domains.math.claims import Claim, is_plain, judge
from agentflow.domains.math.doubt import other_rules
from agentflow.domains.math.equations import claims, forgets
from agentflow.domains.math.glance import introduces_doubt, is_prose, seems_to_claim
from agentflow.domains.math.symbolic import judge_all
from agentflow.domains.protocol import Domain, free_question
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.equality import normal_form
from agentflow.tools.quantities import Number, read_number
from agentflow.verdict import TOOL_ERROR, Verdict

MAX_PROBLEM = 100_000
"""Characters that a problem may have."""

_NUMBER = r"-?\\?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?%?"
_VALUE = rf"\$?(?:{_NUMBER}|\\[dt]?frac\{{?\d+\}}?\{{?\d+\}}?)\$?"
_LEAD = re.compile(
    r"[\s_$]*(?:(?i:so|thus|therefore|hence)\b,? )?"
    r"(?:(?i:the|our) (?:final )?(?:result|value|total|sum) is (?:equal to )?(?=[\d$\\-]))?"
)
_WORK = r"[-(\d$][-+*/×÷·().,\d $]*= ?"
_CONCLUDED = re.compile(
    rf"(?:(?:{_VALUE}|\d+ percent) of [a-z' ]{{3,60}}|(?:{_WORK})?{_VALUE}(?: [a-z]+)?"
    rf"|(?i:the) [^=\n]{{1,100}}? is (?:equal to )?(?:{_WORK})?{_VALUE}"
    rf"|[a-zA-Z](?:\(-?[\w./]{{1,8}}\))? ?= ?{_VALUE})[\s.$!]*"
)
"""A last line that says what something asked for is: ``Therefore, m = 14.``"""
_NAMED_BOX = re.compile(
    r"(?:^|[\s$(\[,;:])(?P<name>[a-zA-Z])\s*=\s*\\boxed\{(?P<said>[^{}]*)\}[^{}]*\Z"
)
"""A last box that is what a name is: ``$m=\\boxed{107}$``."""
_COUNTS = re.compile(
    r"(?i)\W*(?:(?:so|thus|therefore|hence|and|it|that|is|['’]s|are|there|we|get|have|makes),? )*"
    r"\d[\d,.]* [a-z]+(?: [a-z]+){0,2}[\W_]*"
)
"""A number of some things, and nothing else: ``So 17 hens.``"""
_HEDGES = re.compile(
    r"(?i)[~≈?]|\b(?:i (?:think|guess|believe)|maybe|perhaps|probably|about|or so)\b"
)
"""What leaves a number open."""
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")


class Math(Domain):
    """Questions with a mathematical answer.

    States have two kinds. A ``step`` is a line that states equations about numbers, or identities;
    a ``candidate`` is a boxed expression or an answer line. A step is refuted, with the error kind
    ``arithmetic``, only where an equation of it is surely wrong; it passes where all of them hold.
    A calculation that was not understood is ``unread``; code and tables are not read. Whether an
    answer is right cannot be told without the gold one.
    """

    name = "math"
    description = "A mathematical question; the arithmetic of every step is checked."
    form = "a number, an expression, an equation, a set, an interval, a tuple or a short name"
    example = "Tom has 3 bags of 4 apples. How many apples has he?"
    tools: ClassVar[Mapping[str, str]] = {"python": "sandbox", "equality": "math_verify"}

    def parse(self, text: str, id: str = "") -> Problem:
        """The question in ``text``.

        Raises:
            BadInput: If it is empty or too long.
        """
        return free_question(self, text, id, MAX_PROBLEM)

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The states of one line; it is remembered for a line that goes on with =.

        Equations that a sentence of doubt introduces (``Check:``) are not read.
        """
        return self.with_candidates(self._steps, problem, line, offset, memory)

    def _steps(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        end = offset + len(line)
        if not line.strip():
            return memory, []
        if _FENCE.match(line):
            return ({} if memory.get("code") else {"code": True}), []
        if memory.get("code"):
            return memory, []
        doubt = "doubt" in memory and not is_prose(line)
        found, before = claims(line, memory.get("before", ""))
        states = list[State]()
        if found and not doubt:
            if other_rules(problem.text):
                found = [replace(claim, doubtful=True) for claim in found]
            data: dict[str, Any] = {"claims": [asdict(claim) for claim in found]}
            states.append(State("step", data, offset, end))
        forgotten = forgets(line, memory.get("before", ""))
        if not doubt and (forgotten or (not found and seems_to_claim(line))):
            unread = {"claim": "unread", "text": line.strip()}
            states.append(State("step", unread, offset, end))
        kept: dict[str, Any] = {"before": before} if before else {}
        if doubt or introduces_doubt(line):
            kept["doubt"] = True
        return kept, states

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Judge one step by itself; a candidate cannot be judged."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        if "claim" in state.data:
            return self.unread(state.data["text"])
        found = [Claim(**claim) for claim in state.data["claims"]]
        judged = {claim: judge(claim) for claim in found if is_plain(claim)}
        if not any(one.ok is False for one in judged.values()):
            rest = [claim for claim in found if claim not in judged]
            judged |= zip(rest, await judge_all(self.toolbox, rest), strict=True)
        for claim in found:
            if claim in judged and judged[claim].ok is False:
                return Verdict(False, judged[claim].reason, "arithmetic", source=self.name)
        oks = [judged[claim].ok for claim in found]
        evidence = {"claims": len(oks), "hold": oks.count(True)}
        failed = next((one.reason for one in judged.values() if one.ok is None and one.reason), "")
        if failed:
            return Verdict(None, failed, TOOL_ERROR, source=self.name, evidence=evidence)
        return Verdict(None if None in oks else True, source=self.name, evidence=evidence)

    def answer(self, text: str) -> str | None:
        """:func:`answers.stated`, where a line ``A: 18`` is an answer line, too, and the last line
        may be a calculation, or a sentence with a number."""
        found = None if self._leaves_open(text) else self._stated(text)
        return picked.carried(found, text)

    def _stated(self, text: str) -> str | None:
        """The same, whatever option a text picks."""
        text = other_marks.usual(text)
        if signed := answer_form.last_signed(text):
            return signed
        found = self._answer(text)
        boxed = found is not None and "\\boxed" in conclusions.parted(found)[0]
        if (found is None or boxed) and (unboxed := endings.unboxed(text)):
            found = self._answer(unboxed)
            said, grounds = conclusions.parted(found or "")
            found = found and conclusions.grounded(said, [*grounds, *endings.supposing(text)])
        checked = afterwards.ends_in_check(text)
        ends = (checked or afterwards.begins_with_answer(text)) and not held.ends_in(text)
        if found is None or restated.is_carried(found) or ends:
            cut = ((self._answer(front), behind) for front, behind in afterwards.cut(text))
            read = [(said, behind) for said, behind in cut if said]
            if found is not None:  # the whole may say the question again, too
                read = [one for one in read if not restated.is_carried(one[0])]
            read.sort(key=lambda one: restated.is_carried(one[0]))
            for whole, behind in read[:1]:
                said, grounds = conclusions.parted(whole)
                if found is not None and not checked and endings.leads_past(found, said):
                    return found
                return conclusions.grounded(said, [*grounds, afterwards.ground(behind)])
        return found

    def disclaims(self, text: str) -> bool:
        """Whether a reply leaves its answer open, in whatever way it marks that; whether it does
        so where it picks an option is seen with the options of its problem."""
        return self._leaves_open(text) and not picked.named(text)

    def _leaves_open(self, text: str) -> bool:
        """The same, whatever option a text picks."""
        text = other_marks.usual(text)
        unboxed = endings.unboxed(text)
        return super().disclaims(text) and (unboxed is None or super().disclaims(unboxed))

    def _answer(self, text: str) -> str | None:
        """The same, of a text with nothing behind its answer that only the question can judge."""
        last = conclusions.last_line(text)
        found = answers.settled(text, lambda _: _concluded(last), beside.may_be)
        if found is None and (denied := denials.ends_in(text)):
            return denied
        checks = found is not None and held.checks(found.text)
        several = found is not None and "=" in found.text and afterwards.begins_with_answer(text)
        if (found is None or checks or several) and (understood := self._understood(text)):
            return understood
        ends = None
        if found is None:
            ends = endings.last(text) or endings.chained(text)
            found = answers.settled(text, lambda _: ends)
        if found is None:
            return None if answers.statements(text) else restated.carried(text)
        said = ends or _called(text, found.text)
        grounds = (
            *(beside.besides(text, found), beside.told(text, said), beside.summed_up(text)),
            beside.asked(text, headed=ends is not None),
            *(held.told(text, said), denials.told(text, said)),
            endings.draws_on(text) if ends else (),
            endings.derives(text, said),
            unrelated.told(text, found.text),
        )
        return conclusions.grounded(said, chain(*grounds))

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Decide a calculation; of any other question nobody can tell without the gold answer,
        which no method reads."""
        exact, answer = calculation.value(problem.text), self._picked(problem, answer)
        if exact is not None and calculation.said(self.shown(answer)) is None:
            answer = self._again(answer, exact)
        if self.normalise(problem, answer) is None:
            return self.unread(answer, partial(self._goes_with, problem, answer))
        whole, (answer, grounds) = answer, conclusions.parted(answer)
        said = calculation.said(answer)
        if exact is not None:
            if said == exact and not held.goes_with(problem.text, grounds):
                return self.unread(
                    whole, lambda one: held.goes_with(problem.text, conclusions.parted(one)[1])
                )
            if said == exact:
                return Verdict(True, source=self.name, evidence={"value": str(exact)})
            if said is None or "=" in answer or calculation.is_rounded(answer, exact):
                return self.unread(answer)
            return self.wrong("wrong_answer", f"{answer} is not the value; calculate it again")
        return Verdict(None, "there is no verifier of final answers", source=self.name)

    def _again(self, answer: str, exact: Fraction) -> str:
        """What a sentence says (``The answer is 55.``, ``55!`` of someone lively), if it is the
        value; with the grounds of both."""
        shown, grounds = conclusions.parted(answer)
        if _HEDGES.search(shown):
            return answer
        for again in (self.answer(shown.rstrip("!")), self._understood(shown)):
            said, its = conclusions.parted(again or "")
            if calculation.said(said) == exact:
                return conclusions.grounded(said, [*grounds, *its])
        return answer

    def _understood(self, text: str) -> str | None:
        """The number that a text ends in, all of which is understood."""
        said = held.ends_in(text)
        checks = held.checks_told(text)
        grounds = [afterwards.ground(f"{held.CHECKS}{checks}")] if said and checks else []
        return said and conclusions.grounded(said, [*held.told(text, said), *grounds])

    def decides(self, problem: Problem) -> bool:
        """Whether the question is a calculation and nothing else."""
        return calculation.value(problem.text) is not None

    def is_answer(self, problem: Problem, text: str) -> bool:
        """Whether a text has the form of an answer; that to a calculation is a number."""
        if self.decides(problem):
            return calculation.said(self.shown(text)) is not None
        return self.normalise(problem, text) is not None

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The answer in a plain spelling; None where it does not have the :attr:`form`.

        Several answers (``3 or 4``) are one only where the question asks for several. What a reply
        says of it besides may be no other answer.
        """
        return self._normalised(problem, self._picked(problem, answer))

    def _picked(self, problem: Problem, answer: str) -> str:
        """The letter of the option that a reply picks and leaves alone, where its answer is not
        understood in another way; any other answer without what it may pick."""
        rest, told = picked.apart(answer)
        options = choices.listed(problem.text)[1] if told else {}
        read = picked.reading(problem.text, options, told)
        if read.rivals:
            return ""
        if read.picked is None or (rest and self._normalised(problem, rest) is not None):
            return rest
        return read.picked.strip("()")

    def _normalised(self, problem: Problem, answer: str) -> str | None:
        """The same, whatever option a reply picks."""
        answer, grounds = conclusions.parted(meant.again(problem, answer))
        if not (self.decides(problem) or unrelated.goes_with(problem.text, grounds)):
            return None
        grounds = unrelated.without(grounds)
        form = self._form(problem, answer)
        number = read_number(form) if form and grounds else None
        agrees = form and all(self._agrees(problem, answer, number, one) for one in grounds)
        return form if agrees else None

    def _goes_with(self, problem: Problem, answer: str, one: str) -> bool:
        """Whether some grounds of an answer go with it, beside what it is drawn from itself."""
        said, grounds = conclusions.parted(one)
        drawn = (g for g in conclusions.parted(answer)[1] if g.startswith(endings.DRAWS_ON))
        whole = conclusions.grounded(said, [*grounds, *drawn])
        return self.normalise(problem, whole) is not None

    def _agrees(self, problem: Problem, answer: str, number: Number | None, ground: str) -> bool:
        """Whether what a reply says besides (:mod:`~agentflow.domains.math.beside`) goes with its
        answer, which is this ``number`` if it is one."""
        if ground.startswith(conclusions.ASKS):
            return naming.is_asked(problem.text, ground.removeprefix(conclusions.ASKS))
        if ground.startswith(held.TELLS):  # of a calculation: verify_answer looks at it
            return True
        if ground.startswith(held.CHECKS):
            told = ground.removeprefix(held.CHECKS)
            return number is None or held.check_holds(problem.text, told, number.value)
        if ground.startswith(endings.DRAWS_ON):
            if meant.relation(answer):
                return True
            given = endings.are_given(problem.text, ground.removeprefix(endings.DRAWS_ON))
            said = (
                not meant.SAYS_MORE.match(answer)
                or meant.IT_IS.fullmatch(answer) is not None
                or naming.said(problem.text, answer) is not None
            )
            return given and (said or question.value_asked_for(problem.text, answer) is not None)
        if ground.startswith(endings.SUPPOSES):
            return naming.is_condition(problem.text, ground.removeprefix(endings.SUPPOSES))
        if ground.startswith((denials.DENIES, denials.BELOW)):
            return denials.goes_with(problem.text, ground, answer)
        if ground.startswith(afterwards.MARKS):
            mark, _, told = ground.partition(": ")
            return self._bears_out(problem, answer, number, f"{mark}: ", told)
        if ground.startswith(beside.SAYS):
            sentence = ground.removeprefix(beside.SAYS)
            value = number.value if number else None
            return not beside.contradicts(problem.text, sentence, value, answer)
        if beside.is_option(problem.text, ground, answer):
            return True
        if beside.is_letter(ground) != beside.is_letter(answer):
            letter, words = sorted((ground, answer), key=beside.is_letter, reverse=True)
            return question.option_says(problem.text, letter, words)
        form = self._form(problem, shortened(ground)) or self._form(problem, ground)
        again = read_number(form or "")
        if number is None or again is None:
            again_said = (
                number and not form and beside.says_again(problem.text, ground, number.value)
            )
            return bool(again_said) or (form is not None and number is None)
        return (number.value, number.percent) == (again.value, again.percent)

    def _bears_out(
        self, problem: Problem, answer: str, number: Number | None, mark: str, told: str
    ) -> bool:
        """Whether what stands behind an answer bears it out."""
        if mark == afterwards.HOW:
            return number is not None and afterwards.tells_how(problem.text, told, number.value)
        if mark != afterwards.AGAIN:
            work = mark == afterwards.WORK
            if work and _COUNTS.fullmatch(told):
                return naming.said(problem.text, told.strip(" *.!")) is not None
            return number is not None and afterwards.bears_out(
                problem.text, told, number.value, to_answer=work, unit=answer if work else ""
            )
        value = naming.said(problem.text, told.strip(" *.!")) or meant.value_of(problem.text, told)
        if value is not None:
            return self._form(problem, value) == self._form(problem, answer)
        if number is None or _COUNTS.fullmatch(told):
            return False
        works = afterwards.bears_out(problem.text, told, number.value, to_answer=True)
        return works or afterwards.lists(problem.text, told, number.value)

    def _form(self, problem: Problem, answer: str) -> str | None:
        if question.of_a_part(problem.text, answer) or question.at_odds(problem.text, answer):
            return None
        if labels.names_another(problem.text, answer):
            return None
        if answer_form.is_no_number(problem.text, answer) or meant.works_out(answer) is False:
            return None
        if answer_units.marked(problem.text, answer) is None:
            return None
        if calculation.says_again(problem.text, answer):
            return None
        said = meant.of_answer(problem, answer)
        if meant.works_out(said) is False:
            return None
        plain = normal_form(said)
        if not plain or not has_form(plain) or answer_units.names_another(problem.text, said):
            return None
        if answer_dimensions.are_others(problem.text, said):
            return None
        return None if offers_several(plain) and not asks_for_several(problem.text) else plain

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether two answers are equal in mathematics; None where the tool cannot tell, one has
        not the form of an answer, or one alone has a unit, which is not asked for."""
        each = (meant.again(problem, self._picked(problem, said)) for said in (one, other))
        one, other = meant.without_letter(problem, *each)
        form, its = self.normalise(problem, one), self.normalise(problem, other)
        asked = problem.text
        if form is None or its is None or answer_units.are_of_two_kinds(asked, form, its):
            return None
        if question.asks_for_an_interval(asked):
            if question.ends_and_interval(form, its):
                return None
        elif question.same_but_for_brackets(form, its):
            return None
        one, other = (meant.of_answer(problem, self.shown(each)) for each in (one, other))
        measured = [answer_units.in_asked_unit(asked, text) for text in (one, other)]
        said = await self._compared(*measured)
        if said is True and question.asks_for_an_order(asked):
            ordered = [f"({text})" for text in measured]
            if "," in "".join(ordered) and not await self._compared(*ordered):
                return None
        if said is False and measured != [one, other] and await self._compared(one, other):
            return None
        if said is False and (least := answer_form.without_constant(one, other)):
            told = await self._told(*least)
            return None if told.get("equal") or told.get("how") == "apart by a constant" else said
        if said is False and not asks_for_several(asked):  # two that rival each other
            parts = one.split(", ") if one[:1] not in ("(", "[", "{") else []
            if len(parts) > 1 and any([await self._compared(part, other) for part in parts]):
                return None
        return said

    async def _compared(self, one: str, other: str) -> bool | None:
        told = await self._told(one, other)
        said = told.get("equal")
        return said if isinstance(said, bool) and told.get("how") != "rounded" else None

    async def _told(self, one: str, other: str) -> Mapping[str, Any]:
        use = await self.toolbox.use("equality", answer=one, gold=other)
        return use.fields


def _called(text: str, said: str) -> str:
    """The answer that a text states with what it counts there, or the name that it is given."""
    if counted := conclusions.counted(text, said):
        return counted
    box = _NAMED_BOX.search(text)
    operator = box and text[: box.start("name")].rstrip()[-1:] in {*"+-*/^=}"}
    if box is None or operator or said != box["said"].strip():
        return said
    return f"{box['name']} = {said}"


def _concluded(line: str) -> str | None:
    """A last line that says what something is, which the question may ask for."""
    line = re.sub(r"\\[()]", "", line.replace("**", ""))
    lead = _LEAD.match(line)
    said = line[lead.end() :] if lead else line
    return said.rstrip(" .$!") if _CONCLUDED.fullmatch(said) else None
