"""Spatial maps in the manner of SpatialEval: what follows from where objects stand, by Z3."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentflow.domains import answers, choices, conclusions, instructions, markup
from agentflow.domains.protocol import UNREAD, Domain, Memory, Read
from agentflow.domains.spatialmap import claims, layout, wording
from agentflow.domains.spatialmap.layout import Claim
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools import entailment
from agentflow.verdict import Verdict

MAX_TEXT = 20_000
"""Characters that a problem may have."""

_MAX_LINE = 600
_SENTENCES = 4
"""Sentences of the map that feedback cites."""
_EXAMPLE = (
    "The Bank is in the map. The Cafe is to the Northeast of The Bank. "
    "In which direction is The Bank relative to The Cafe?"
)
_KINDS = {"count": "wrong_count", "all": "wrong_objects"}
_OTHER = "contradicted"
_GOES_ON = re.compile(
    r"\W*(?:then|but then|in (?:this|that|which) case|under (?:this|that)|if so"
    r"|this (?:would|means|implies|leads|gives)|we (?:then|would))\b"
)
_OF_PLACE = re.compile(
    rf"(?i)(?=.* (?:is|are|lies|lie|sits|stands) )(?=.*\b{wording.DIRECTION}\b).* of "
)
_CONCLUDES = re.compile(
    r"(?i)(?:the )?(?:final |only |right |correct )?"
    r"(?:verdict|result|object|direction|conclusion) is"
    r" (?!(?:verified|confirmed|checked|correct|right|consistent|unique)\b\W*\Z).*"
    rf"|.* it is|(?:.*\bdue )?{wording.DIRECTION}(?: is)?\b.*|this is the direction .*"
)
"""A clause behind an answer that says what it is, in whatever words."""
_LISTED = re.compile(
    rf"(?i)(?:(?:so|thus|therefore|hence),? )?(?P<said>there (?:are|is)"
    rf" (?:{wording.COUNT}) objects? (?:in|to) the (?P<where>{wording.DIRECTION} of [^:]{{1,80}})):"
    r" (?P<names>[^:]{1,300})"
)
"""How many objects stand somewhere, and which: ``There are two objects in the North of A: B, C``"""
_THESE_SO = re.compile(
    rf"(?i)(?:[^:()]{{0,80}}: )?(?:(?:so|thus|therefore|hence),? )?(?:there (?:are|is) )?"
    rf"(?P<said>(?:{wording.COUNT}) objects?)(?: that (?:is|are))?"
    rf"(?: (?:{wording.IN})?{wording.DIRECTION} of (?P<of>[^:()]{{1,80}}?))?"
    r"(?:: (?P<names>[^:()]{1,300})| \((?P<held>[^:()]{1,300})\))"
)
"""How many objects there are, and which: ``2 objects (B, C)``, ``Two objects: B and C``"""
_SO_LETTER = re.compile(
    r"(?P<claim>[^,;:?!\n]{3,120}),? (?:so|thus|therefore|hence),?"
    r" (?:(?:it is|it['’]s) )?(?:option |choice )?\(?(?P<letter>[A-J])\)?[\s.]*"
)
"""A last line with an option's letter: ``Pier is southeast of Old Mill, so C.``"""
_HELD = re.compile(
    rf"(?i)(?P<said>(?:{wording.COUNT})(?: objects?)?) \((?P<held>[^():]{{2,300}})\)"
)
_IT_IS = re.compile(r"(?i)(?:(?:it(?:['’]s| is)(?: located)?|only) (?:the )?|the )(?=\S)")
"""What may stand in front of an answer: ``It's Old Mill``"""
_DASHED = re.compile(r"(?:[Oo]ption )?([A-J]) [—–-] (?=\S)")
_BEHIND = re.compile(r"([^,]+), (?:option|choice) ([A-J])")
_PLACED = re.compile(
    r"\W*(?:\d{1,3}[.)]\s+)?[\s*_|]*(?!(?i:[\w ]{0,20}answer|direction)\b)"
    r"(?P<name>[^\W\d_][^:–—→|*_\n]{0,60}?)[*_]*\s*"
    r"(?:[:–—→|]|[-=]>|\s-\s)[\s*_]*"
    rf"(?i:(?:{wording.IN})?{wording.DIRECTION})[\s*_|.✓✔✅]*"
)
"""An item of a list, or a row of a table: ``1. Pier – northeast``"""
_LISTS, _THESE = "lists: ", "these: "
"""What marks grounds that say where one object is, and which objects are counted."""
_MAX_LISTED = 60
_AND = re.compile(r",? and |, ")
_SEVERAL = re.compile(
    r"(?P<names>[A-Z][\w' -]{0,40}(?:, [A-Z][\w' -]{0,40}){0,9}(?:,? and )[A-Z][\w' -]{0,40}) are "
    rf"(?P<where>(?i:(?:{wording.IN})?{wording.DIRECTION}) of [^.,;:?!\n]+)"
)
_RELATES = re.compile(r"(?i).+ relative to .+")
_SHORT = re.compile(
    r"(?:.{1,80}?(?: (?:is|lies|must be) | ?[=:→] ?))?"
    rf"(?:(?i:{wording.IN})?(?i:{wording.DIRECTION})|(?P<k>(?i:{wording.COUNT}))(?: objects?)?)"
)
"""What a clause above an answer may be: a direction or a number, and of what it is said."""
_FORMS = """A is to the Northwest of B
A is not to the Northwest of B
Objects in the Northwest of B: A, C
There are 2 objects in the Northwest of B"""
"""Of claims; the directions are the eight of the compass."""
_RELATIVE = re.compile(
    r"(?i)^(?:so |thus |therefore |hence )?(?P<a>.+?)(?:['’]s (?:position|direction|location))?"
    rf" relative to (?P<b>.+?) is (?:(?:in|to) the )?{wording.DIRECTION}$"
)
"""``The Cafe's position relative to The Bank is Northeast``"""
_OF_WHERE = re.compile(
    rf"(?i)\b(?:{wording.DIRECTION}|moved|above|below|left|right|up|down|beside|behind|near|between|under"
    r"|over|beneath|opposite)\b"
)
"""A word of a clause that says where something is."""
_LIES = re.compile(r"\b(?:is|lies|sits|stands|was|has been|moved)\b .*[A-Z]")


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
    description = "Where objects on a map stand relative to each other: direction, object, count."
    example = _EXAMPLE
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
        if subject and self.normalise(problem, said or "") is None:
            states = [state for state in states if state.kind != "candidate"]
        return memory, conclusions.ground(states, _grounds, line)

    def _steps(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        small = line.lower()
        if memory and small.isspace():
            return memory | {"gap": True}, []
        if small.lstrip().startswith(">>>"):
            memory = {}
        elif "gap" in memory:
            memory = {"supposed": True} if _GOES_ON.match(small) else {}
        objects = tuple(problem.data["objects"])
        if len(line) > _MAX_LINE and not memory:
            said = claims.claims_in(line[:_MAX_LINE], objects)
            states = [State("step", self._unread(line), offset, offset + len(line))]
            return memory, states if said is None or said else []
        if not 4 <= len(line) <= _MAX_LINE:
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
        most = _MAX_LINE if "extract" in self.toolbox.tools else 100
        return {"claim": UNREAD, "text": " ".join(line.split())[:most]}

    async def _extracted(self, problem: Problem, text: str) -> Verdict:
        """The verdict on a line that was not understood: where a model reads it (the tool
        ``extract``; interwhen, section 4.3), what it finds may be refuted, and never passes."""
        if "extract" not in self.toolbox.tools:
            return self.unread(text)
        objects = tuple(problem.data["objects"])
        names = "\n".join(objects)
        use = await self.toolbox.use("extract", text=text, names=names, forms=_FORMS)
        said = use.artifact.get("claims", []) if isinstance(use.artifact, dict) else []
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
        print with the objects of which it is said; with what the text says beside it of where
        objects are."""
        last = answers.unlabelled(conclusions.last_line(text))
        if listed := _LISTED.fullmatch(last.rstrip(" .").replace("**", "")):
            ground = f"Objects in the {listed['where']}: {', '.join(_AND.split(listed['names']))}"
            return conclusions.grounded(listed["said"], [ground])
        if these := _THESE_SO.fullmatch(last.rstrip(" .").replace("**", "")):
            where = f" in the {these['d']} of {these['of']}" if these["of"] else ""
            counted = f"there are {these['said']}{where}" if where else these["said"]
            return conclusions.grounded(counted, _these(these))
        if so := _SO_LETTER.fullmatch(last.replace("**", "")):
            return conclusions.grounded(so["letter"], [so["claim"].replace(";", ",")])
        found = answers.settled(text, lambda _: wording.concluded(last), conclusions.by_letter)
        said = found.text if found else None
        held = _HELD.fullmatch(said) if said else None
        said = held["said"] if held else said
        subject = conclusions.of_subject(text) if said and not held else None
        said = wording.concluded(subject) if subject else said
        if not said or not found or " is " in said or " are " in said:  # a claim by itself
            return said
        others = conclusions.others(text, said, found.beside)
        asked = _RELATES.search(conclusions.headline(text))
        others += [f"{conclusions.ASKS}{asked[0].replace(';', ',')}"] if asked else []
        others += [*_listed(text), *(_these(held) if held else ())]
        return conclusions.grounded(said, [*others, *_grounds(text), *_above(text)])

    def shown(self, answer: str) -> str:
        return conclusions.parted(answer)[0]

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Whether the map entails the answer, contradicts it, or leaves it open; undecided where
        it does not entail the grounds of a right one."""
        form = self.normalise(problem, answer)
        if form is None:
            return self.unread(answer)
        options = problem.data["letters"]
        verdict = await self._verdict(problem, _stated(problem.data, form), "wrong_answer")
        for ground in conclusions.parted(answer)[1] if verdict.ok else ():
            if not await self._holds(problem, ground, form):
                return self.unread(answer)
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
        if len(answer) > _MAX_LINE:
            return None
        data = problem.data
        said = _bare(answer)
        said = _BEHIND.sub(r"\1 (\2)", _DASHED.sub(r"\1. ", said, count=1))
        chosen, rest = choices.named(said, data["letters"])
        whole = _value(data, said)
        if whole is None and (front := _IT_IS.match(said)) and data["asked"]["kind"] != "count":
            whole = _value(data, said[front.end() :])
        if whole is not None:  # an object may be called as an option is
            return whole if chosen in (None, whole) or rest else None
        if chosen is None or not rest:
            return chosen
        return chosen if chosen == _value(data, _bare(rest)) else None

    async def _holds(self, problem: Problem, ground: str, form: str) -> bool:
        """Whether a claim on whose ground an answer is stated is the same, or follows."""
        if ground.startswith(conclusions.ASKS):
            return _asks_the_same(problem, ground)
        if ground.startswith((_LISTS, _THESE)):
            return await self._are_placed(problem, ground)
        if ground.startswith(conclusions.ABOVE):
            return await self._leads(problem, ground.removeprefix(conclusions.ABOVE), form)
        told = claims.claims_in(ground, tuple(problem.data["objects"])) or []
        verdicts = [await self._verdict(problem, claim, _OTHER) for claim in told]
        same = self.normalise(problem, ground) == form
        return same or (bool(told) and all(verdict.ok for verdict in verdicts))

    async def _are_placed(self, problem: Problem, ground: str) -> bool:
        """Whether objects that a text lists are where it says: one where the question asks for what
        is there, or those that it counts."""
        data, asked = problem.data, problem.data["asked"]
        known = {name.lower(): number for number, name in enumerate(data["objects"])}
        if ground.startswith(_THESE):
            names = _AND.split(ground.removeprefix(_THESE))
            numbers = [known.get(name.strip(' *_`"').lower()) for name in names]
            if asked["kind"] != "count" or None in numbers:
                return False
            inside = tuple(sorted({number for number in numbers if number is not None}))
            claim = Claim("all", asked["direction"], asked["of"], inside)
            return (await self._verdict(problem, claim, _OTHER)).ok is True
        name, _, way = ground.removeprefix(_LISTS).rpartition(": ")
        number, direction = known.get(name.lower()), wording.direction_of(way)
        if number is None or number == asked["of"]:
            return True
        claim = Claim("in", direction, asked["of"], (number,))
        if asked["kind"] == "direction":
            return number != asked["object"] or (
                (await self._verdict(problem, claim, _OTHER)).ok is not False
            )
        said = direction == asked["direction"]
        there = replace(claim, direction=asked["direction"])
        return (await self._verdict(problem, there, _OTHER)).ok is not (not said)

    async def _leads(self, problem: Problem, above: str, form: str) -> bool:
        """Whether a clause above an answer says nothing else of what is asked for."""
        asked, objects = problem.data["asked"], tuple(problem.data["objects"])
        above = _turned(" ".join(above.split()))
        if self.normalise(problem, above) == form:
            return True
        whole = above if " of " in above else f"{above} of {objects[asked['of']]}"
        if told := claims.claims_in(whole, objects):
            told = [one for one in told if _is_asked(asked, one) or _of_it(problem.data, form, one)]
            return all([(await self._verdict(problem, one, _OTHER)).ok for one in told])
        names = sum(name.lower() in above.lower() for name in objects)
        if names > 1 and _OF_WHERE.search(above):  # it is not understood
            return False
        short = _SHORT.fullmatch(above) if " of " not in above else None
        if short is None or (short["k"] and re.search(rf"(?i)\b{wording.DIRECTION}\b", above)):
            return self.normalise(problem, above) is None
        return self.normalise(problem, short["k"] or short["d"]) in (form, None)

    async def _verdict(self, problem: Problem, claim: Claim, kind: str) -> Verdict:
        """What the map says of a claim; ``kind`` is the error if it is contradicted."""
        data = problem.data
        found = await layout.judged(_relations(data), len(data["objects"]), claim)
        said = _show(data["objects"], claim)
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


def parse(text: str, id: str = "") -> Problem:
    """The problem in ``text``: a map, a question and, if it has them, options.

    Asks Z3 whether they make sense, which takes milliseconds.

    Raises:
        BadInput: If a sentence or the question cannot be read, if sentences contradict each other,
            or if no option can be the answer.
    """
    if len(text) > MAX_TEXT:
        raise BadInput(f"spatialmap: the problem has more than {MAX_TEXT:,} characters")
    if not text.strip():
        raise BadInput(f"spatialmap: the problem is empty; example: {_EXAMPLE}")
    try:
        rest, options, behind = choices.parts(text)
    except BadInput as error:
        raise BadInput(f"spatialmap: {error}") from error
    if left := instructions.without(behind).strip(" .\n"):
        raise BadInput(f"spatialmap: could not read {left[:60]!r} among the options")
    told, question = wording.question_in(rest)
    elsewhere = "\n".join([question, *options.values()])
    objects, sentences, relations = wording.map_in(told, elsewhere)
    asked = wording.asked_in(question, objects)
    letters: dict[str, str] = {}
    for letter, said in options.items():
        value = wording.value_of(said.strip(" ."), asked["kind"], objects)
        if value is None:
            wanted = {"object": "an object of the map", "count": "a number"}
            what = wanted.get(asked["kind"], "a direction")
            raise BadInput(f"spatialmap: option {letter}, {said[:60]!r}, is not {what}")
        if value in letters.values():
            raise BadInput(f"spatialmap: option {letter}, {said[:60]!r}, is there twice")
        letters[letter] = value
    listed = [f"{letter}. {value}" for letter, value in letters.items()]
    data = {
        "map": " ".join(told.split()),
        "question": question,
        "options": "\n".join(["Options:", *listed]) if listed else "",
        "objects": objects,
        "sentences": sentences,
        "relations": [list(relation) for relation in relations],
        "asked": asked,
        "letters": letters,
    }
    if why := entailment.wait(_nonsense, data):
        raise BadInput(f"spatialmap: {why}")
    return Problem(text.strip(), "spatialmap", id or text.strip(), data=data)


def _grounds(text: str) -> list[str]:
    """The clauses beside the answer that say where an object is."""
    text = _SEVERAL.sub(_one_by_one, text)
    told = map(_turned, [*conclusions.clauses(text), *conclusions.behind(text)])
    found = [ground for ground in told if len(ground) <= _MAX_LINE and _OF_PLACE.match(ground)]
    again = (one for one in conclusions.behind(text) if _CONCLUDES.fullmatch(one))
    return [*found, *(one for one in again if one not in found)]


def _turned(clause: str) -> str:
    """``A is to the North of B``, for ``A relative to B is North``."""
    return _RELATIVE.sub(r"\g<a> is to the \g<d> of \g<b>", clause)


def _one_by_one(found: re.Match[str]) -> str:
    """``A is north of C. B is north of C``, for ``A and B are north of C``."""
    names = re.split(r", and |, | and ", found["names"])
    return ". ".join(f"{name} is {found['where']}" for name in names)


def _asks_the_same(problem: Problem, line: str) -> bool:
    """Whether a headline about one object relative to another one is about those asked for."""
    asked, low = problem.data["asked"], line.lower()
    if asked["kind"] != "direction":
        return False
    names = [problem.data["objects"][asked[one]].lower() for one in ("object", "of")]
    sides = low.partition("relative to")
    return all(
        name.removeprefix("the ") in side for name, side in zip(names, sides[::2], strict=True)
    )


def _is_asked(asked: Mapping[str, Any], claim: Claim) -> bool:
    """Whether a claim is about what a question asks for."""
    if asked["kind"] == "direction":  # of the two, whichever is named first
        return {claim.of, *claim.objects} == {asked["of"], asked["object"]}
    if claim.of != asked["of"]:
        return False
    counted = claim.kind in ("count", "all")
    return bool(claim.direction == asked["direction"]) and counted == (asked["kind"] == "count")


def _of_it(data: Mapping[str, Any], form: str, claim: Claim) -> bool:
    """Whether a claim is about the object that is the answer, or about one of those that are
    counted."""
    asked = data["asked"]
    if asked["kind"] == "object":
        return {claim.of, *claim.objects} == {asked["of"], data["objects"].index(form)}
    counted = asked["kind"] == "count" and claim.of == asked["of"]
    return counted and bool(claim.direction == asked["direction"])


def _these(found: re.Match[str]) -> list[str]:
    """What :data:`_THESE_SO` says of which objects there are."""
    return [
        f"{_THESE}{(found.groupdict().get('names') or found['held']).strip(' .').replace(';', ',')}"
    ]


def _listed(text: str) -> list[str]:
    """Where the lines above an answer that are nothing else say that an object is, and which
    objects the last of them counts."""
    before = text[: answers.begins(text)]
    lines = [line.strip() for line in before.split("\n")[:-1] if line.strip()][-_MAX_LISTED:]
    told = list[str]()
    for line in lines:
        pieces = [_PLACED.fullmatch(one) for one in (line, *re.split(r"[,;] ", line))]
        places = pieces[:1] if pieces[0] else pieces[1:]
        if all(places):
            told += [f"{_LISTS}{one['name']}: {one['d']}" for one in places if one]
    last = lines[-1].rstrip(" .").replace("**", "") if lines else ""
    these = _THESE_SO.fullmatch(last)
    return [*told, *(_these(these) if these and not these["of"] else [])]


def _above(text: str) -> list[str]:
    """The clauses above the answer, and those beside and below that say not where an object is."""
    beside = [*filter(_LIES.search, conclusions.clauses(text)), *conclusions.behind(text)]
    beside = [one for one in beside if not _OF_PLACE.match(_turned(one))]
    told = [*conclusions.above(text), *beside]
    return [f"{conclusions.ABOVE}{one}" for one in told if len(one) <= _MAX_LINE]


def _bare(answer: str) -> str:
    """An answer without emphasis, a full stop and the like around it."""
    text = " ".join(markup.unmarked(answer.strip()).split()).rstrip(" .!").lstrip(":").strip()
    return text[1:-1].strip() if text[:1] == "(" and text[-1:] == ")" else text


def _value(data: Mapping[str, Any], said: str) -> str | None:
    """The normal form of an answer that stands alone, or in a sentence of the form in which it is
    asked for: ``A is to the Northwest of B``, ``Northwest of B``."""
    objects: tuple[str, ...] = tuple(data["objects"])
    asked = data["asked"]
    if (value := wording.value_of(said, asked["kind"], data["objects"])) is not None:
        return value
    if asked["kind"] == "direction" and wording.begins_with_direction(said):
        said = f"{objects[asked['object']]} is {said}"
    read = claims.claims_in(wording.as_in_a_map(said), objects)
    if not read or len(read) > 1 or read[0].of != asked["of"]:
        return None
    claim = read[0]
    if claim.kind == "in" and asked["kind"] == "direction" and claim.objects == (asked["object"],):
        return claim.direction
    if claim.direction != asked.get("direction"):
        return None
    if claim.kind == "in" and asked["kind"] == "object":
        return objects[claim.objects[0]]
    return str(claim.count) if claim.kind == asked["kind"] == "count" else None


def _nonsense(data: dict[str, Any]) -> str | None:
    """Why no answer makes sense; in Z3's thread."""
    relations, letters = _relations(data), data["letters"]
    if (core := layout.contradiction(relations)) is not None:
        return f"the map contradicts itself: {'; '.join(data['sentences'][one] for one in core)}"
    size = len(data["objects"])
    outcomes = {
        layout.judge(relations, size, _stated(data, value)).outcome for value in letters.values()
    }
    if outcomes == {"contradicted"}:
        return f"none of the options can be the answer to: {data['question']}"
    return None


def _relations(data: Mapping[str, Any]) -> layout.Relations:
    return tuple((a, direction, b) for a, direction, b in data["relations"])


def _stated(data: Mapping[str, Any], form: str) -> Claim:
    """What an answer claims."""
    asked = data["asked"]
    match asked["kind"]:
        case "direction":
            return Claim("in", form, asked["of"], (asked["object"],))
        case "object":
            number = data["objects"].index(form)
            return Claim("in", asked["direction"], asked["of"], (number,))
    return Claim("count", asked["direction"], asked["of"], count=int(form))


def _show(objects: Sequence[str], claim: Claim) -> str:
    """A claim in words."""
    where = f"the {claim.direction} of {objects[claim.of]}"
    named = [objects[number] for number in claim.objects]
    match claim.kind:
        case "in":
            return f"{named[0]} is to {where}"
        case "out":
            return f"{named[0]} is not to {where}"
        case "all":
            return f"the objects in {where} are: {', '.join(named) or 'none'}"
    return f"the number of objects in {where} is {claim.count}"
