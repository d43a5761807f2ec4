"""Spatial maps in the manner of SpatialEval: what follows from where objects stand, by Z3."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from agentflow.domains import answers, choices
from agentflow.domains.answers import conclusions
from agentflow.domains.protocol import UNREAD, Domain, Memory, Read
from agentflow.domains.spatialmap import claims, layout, letters, told, wording
from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.problem import (
    EXAMPLE,
    bare,
    parse,
    relations_of,
    shown,
    stated,
    value,
)
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

MAX_LINE = 600
_SENTENCES = 4
"""Sentences of the map that feedback cites."""
_KINDS = {"count": "wrong_count", "all": "wrong_objects"}
_OTHER = "contradicted"
_GOES_ON = re.compile(
    r"\W*(?:then|but then|in (?:this|that|which) case|under (?:this|that)|if so"
    r"|this (?:would|means|implies|leads|gives)|we (?:then|would))\b"
)
_WITH_NAMES = re.compile(
    rf"(?i)(?:[^:()]{{0,80}}: )?(?:(?:so|thus|therefore|hence),? )?(?:there (?:are|is) )?"
    rf"(?P<k>{wording.COUNT})(?: objects?)?(?: that (?:is|are))?"
    rf"(?: (?:{wording.IN})?{wording.DIRECTION} of (?P<of>[^:()]{{1,80}}?))?"
    r"(?:: [^:()]{1,300}| \([^:()]{2,300}\))"
)
"""How many objects there are, and which: ``2 (B, C)``, ``There are two objects east of A: B, C``"""
_IT_IS = re.compile(
    r"(?i)(?:the direction is |(?:it(?:['’]s| is)(?: located)?|only) (?:the )?|the )(?=\S)"
)
"""What may stand in front of an answer: ``It's Old Mill``"""
_BOLD = re.compile(r"(?m)^\*\*((?:[Ff]inal )?[Aa]nswer:(?!\*).*?)\*\*$")
"""A line in bold print that is labelled as an answer."""
_DASHED = re.compile(r"(?:[Oo]ption )?([A-J]) [—–-] (?=\S)")
_BEHIND = re.compile(
    r"([^,]+?),? (?:(?:i\.e\.|so|which is|that is|=|or),? )?(?:option|choice) ([A-J])"
)
_FORMS = """A is to the Northwest of B
A is not to the Northwest of B
Objects in the Northwest of B: A, C
There are 2 objects in the Northwest of B"""
"""Of claims; the directions are the eight of the compass."""


class SpatialMap(Domain):
    """Where objects stand relative to others: a direction, an object or a count is asked for.

    Directions are those of interwhen's appendix A.2.2: Northeast is further north and further east,
    however far; North is exactly in line. Where the map puts no two objects in line, none are.

    A ``step`` says where an object stands (``A is to the Northwest of B``, ``A is not ...``), how
    many objects stand there (``There are 2 objects in the Southwest of B``) or which do (``Objects
    in the Southwest of B: A, C``); a ``candidate`` is an answer. A claim passes only where the map
    entails it; what the map leaves open cannot be told, with the kind ``undetermined``.

    What is read: sentences of the two kinds in the example, one question of the three kinds, how to
    answer, options. Any other word is a ``BadInput``, and so are two names that might be one (in
    another case, with other marks, one within the other). A line is a claim only where every word
    of it is understood; one that looks like a claim, and an answer that is not the answer alone,
    cannot be told (kind ``unread``). A tool with the role ``extract``, where one is given, writes
    such a line in our forms: what it finds may be refuted, and never passes.

    Error kinds: ``contradicted``, ``wrong_count``, ``wrong_objects``, and of answers
    ``wrong_answer`` and ``not_an_option``; the latter refutes only what the map contradicts.
    """

    name = "spatialmap"
    by_model = ("extract",)
    description = "Where objects on a map stand relative to each other: direction, object, count."
    example = EXAMPLE
    form = "a direction, an object of the map or a number, or the letter of an option"
    complete = True
    """Where the map decides the question; where it leaves it open, no answer passes."""

    def parse(self, text: str, id: str = "") -> Problem:
        """:func:`parse`."""
        return parse(text, id)

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The claims and the answer on one line.

        What follows a supposition is not read, up to ``>>>`` or to an empty line behind which
        nothing says that it goes on (``Then``, ``In that case``).
        """
        memory, states = self.with_candidates(self._steps, problem, line, offset, memory)
        subject = conclusions.of_subject(line)
        said = wording.concluded(subject) if subject else None
        if said and self.normalise(problem, said) is None:
            states = [state for state in states if state.kind != "candidate"]
        for state in states:
            if state.kind == "candidate":
                state.data["answer"] = told.grounded(state.data["answer"], line)
        return memory, states

    def _steps(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        small = line.lower()
        if memory and small.isspace():
            return memory | {"gap": True}, []
        if small.lstrip().startswith(">>>"):
            memory = {}
        elif "gap" in memory:
            memory = {"supposed": True} if _GOES_ON.match(small) else {}
        objects = tuple(problem.data["objects"])
        if len(line) > MAX_LINE and not memory:
            said = claims.claims_in(line[:MAX_LINE], objects)
            states = [State("step", self._unread(line), offset, offset + len(line))]
            return memory, states if said is None or said else []
        if not 4 <= len(line) <= MAX_LINE:
            return memory, []
        if claims.supposes(line, objects):
            return {"supposed": True}, []
        end, found = offset + len(line), list[State]()
        if not memory and ("of" in small or "north" in small or "south" in small):
            said = claims.claims_in(line, objects)
            datas = [self._unread(line)] if said is None else [claim.data() for claim in said]
            found = [State("step", data, offset, end) for data in datas]
        return memory, found

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """What the map says of a claim. Earlier steps are entailed, so they add nothing."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        if state.data.get("claim") == UNREAD:
            return await self._extracted(problem, state.data["text"])
        claim = Claim.of_data(state.data)
        return await self._verdict(problem, claim, _KINDS.get(claim.kind, _OTHER))

    def _unread(self, line: str) -> dict[str, Any]:
        most = MAX_LINE if "extract" in self.toolbox.tools else 100
        return {"claim": UNREAD, "text": " ".join(line.split())[:most]}

    async def _extracted(self, problem: Problem, text: str) -> Verdict:
        """The verdict on a line that was not understood: where a model reads it (the tool
        ``extract``; interwhen, section 4.3), what it finds may be refuted, and never passes."""
        if "extract" not in self.toolbox.tools:
            return self.unread(text)
        objects = tuple(problem.data["objects"])
        names = "\n".join(objects)
        use = await self.toolbox.use("extract", text=text, names=names, forms=_FORMS)
        said = use.fields.get("claims", [])
        for one in said if isinstance(said, list) else []:
            read = claims.claims_in(one, objects) if isinstance(one, str) else None
            for claim in read or []:
                verdict = await self._verdict(problem, claim, _KINDS.get(claim.kind, _OTHER))
                if verdict.ok is False:
                    evidence = {**verdict.evidence, "read_by": use.tool, "line": text}
                    return replace(verdict, evidence=evidence)
        return self.unread(text)

    def answer(self, text: str) -> str | None:
        """:func:`answers.stated`, which may be what the last line concludes; a direction in bold
        print with the objects of which it is said; with what the text says beside it."""
        text = text.rpartition("</think>")[2].strip() or text
        said = self._said(text)
        return said and told.grounded(said, text)

    def _said(self, text: str) -> str | None:
        last = answers.unlabelled(conclusions.last_line(text))
        if counted := _WITH_NAMES.fullmatch(last.rstrip(" .").replace("**", "")):
            where = f" objects in the {counted['d']} of {counted['of']}"
            return f"there are {counted['k']}{where}" if counted["of"] else str(counted["k"])
        text = _BOLD.sub(r"\1", text)
        one = letters.only_one(text)
        ended = one if one and letters.only_one(last) else wording.concluded(last)
        found = answers.settled(text, lambda _: ended, conclusions.by_letter)
        said = found.text if found else one
        if found is None:
            return one
        subject = conclusions.of_subject(text)
        return (wording.concluded(subject) if subject else None) or said

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Whether the map entails the answer, contradicts it, or leaves it open; undecided where
        it does not entail the grounds of a right one."""
        form = self.normalise(problem, answer)
        if form is None:
            return self.unread(answer)
        options = problem.data["letters"]
        verdict = await self._verdict(problem, stated(problem.data, form), "wrong_answer")
        if verdict.ok and (beside := await self._beside(problem, answer, form)):
            return beside
        if not options or form in options.values():
            return verdict
        reason = f"{form} is none of the options"
        if verdict.ok is False:
            return self.wrong("not_an_option", reason)
        return Verdict(None, reason, "not_an_option", source=self.name)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The direction, object or number, however spelled or by its letter; None if it is none,
        or not it alone."""
        answer, _ = conclusions.parted(answer)
        if len(answer) > MAX_LINE:
            return None
        data = problem.data
        said = bare(answer)
        said = _BEHIND.sub(r"\1 (\2)", _DASHED.sub(r"\1. ", said, count=1))
        chosen, rest = choices.named(said, data["letters"])
        whole = value(data, said)
        if whole is None and (front := _IT_IS.match(said)) and data["asked"]["kind"] != "count":
            chosen, rest = choices.named(said[front.end() :], data["letters"])
            whole = value(data, said[front.end() :])
        if whole is not None:  # an object may be called as an option is
            return whole if chosen in (None, whole) or rest else None
        if chosen is None or not rest:
            return chosen
        return chosen if chosen == value(data, bare(rest)) else None

    async def _beside(self, problem: Problem, answer: str, form: str) -> Verdict | None:
        """Why what is said beside an answer is not understood, or does not follow; None if it is,
        and does."""
        found = self._claims(problem, answer, form)
        if found is None:
            return self.unread(answer, lambda one: self._claims(problem, one, form) is not None)
        for claim in found:
            verdict = await self._verdict(problem, claim, _OTHER)
            if not verdict.ok:
                return Verdict(None, verdict.reason, UNREAD, source=self.name)
        return None

    def _claims(self, problem: Problem, answer: str, form: str) -> list[Claim] | None:
        """What is claimed beside an answer; None where that is not understood."""
        claims = list[Claim]()
        for ground in conclusions.parted(answer)[1]:
            text = ground.removeprefix(conclusions.TOLD)
            normal = partial(self.normalise, problem)
            found = told.claims_of(problem.data, text, form, normal)
            if found is None:
                return None
            claims += found
        return claims

    async def _verdict(self, problem: Problem, claim: Claim, kind: str) -> Verdict:
        """What the map says of a claim; ``kind`` is the error if it is contradicted."""
        data = problem.data
        found = await layout.judged(relations_of(data), len(data["objects"]), claim)
        said = shown(data["objects"], claim)
        cited = [data["sentences"][fact] for fact in found.facts]
        evidence = {"claim": said, "outcome": found.outcome, "sentences": cited}
        match found.outcome:
            case "entailed":
                return Verdict(True, source=self.name, evidence=evidence)
            case "contradicted":
                why = "; ".join(cited[:_SENTENCES]) or "no two objects of the map are in line"
                reason = f"it is wrong that {said}. The map: {why}"
                return Verdict(False, reason, kind, source=self.name, evidence=evidence)
            case "undetermined":
                reason = f"the map leaves open whether {said}"
                return Verdict(None, reason, "undetermined", source=self.name, evidence=evidence)
        return Verdict(None, f"Z3 does not know whether {said}", source=self.name)
