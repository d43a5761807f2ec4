"""Mazes in the manner of SpatialEval: follow the marked path, count its turns, compare S and E."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise, product

from agentflow.domains import answers, choices, conclusions, spelling
from agentflow.domains.answer_rivals import SENTENCE_END
from agentflow.domains.maze import wording
from agentflow.domains.maze.claims import Claim, direction_of, plain, read, statement, unread
from agentflow.domains.maze.grid import Grid, fit, shown, simulate
from agentflow.domains.maze.judging import error, move_error, reached
from agentflow.domains.protocol import UNREAD, Domain, Memory, Read
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

_MAX_TEXT = 100_000
_MAX_LINE = 300
_KINDS = ("right", "left", "total")
_SEEN_BACK = {"right": "left", "left": "right"}
"""What a turn is from E to S."""
_KIND = f"(?:({'|'.join(_KINDS)}) )?"
_WORDS = rf"{'|'.join(spelling.NUMBERS)}|no(?= (?:right |left |total )?turns)"
_NUMBER = re.compile(
    rf"(?:there (?:is|are) )?(?:{_KIND}turns? ?(?:=|:|is|are) ?)?(\d{{1,6}}|{_WORDS})"
    rf"(?: {_KIND}turns?(?: in total)?)?"
)
_IN = r"(?: (?:in|along|on) (?:the|this) (?:provided |given |marked )?path)?(?: from s to e)?"
_COUNTED = re.compile(
    r"(?i)[\W_]*(?:(?:so|then|thus|therefore|hence|in total|overall|altogether)\b,? )*"
    r"(?:(?:(?:the|this) (?:provided |given |marked )?path"
    r" (?:has|makes|contains|includes|takes|requires|involves|consists of)"
    r"|(?:we|i) (?:have|get|got|count|counted|find|found|see|saw)"
    r"|there (?:are|is)|(?:this|that) gives(?: us)?) "
    r"(?:exactly |only |just |a total of )?)?"
    rf"(?:(?:(?:the )?(?:total )?number|the (?:total )?count) of {_KIND}turns"
    rf"|(?:the )?{_KIND}turn count|(?:total )?{_KIND}turns)?{_IN}"
    r"(?: ?(?:=|:|is|are)[\s*]*)?(?:(?P<letter>[a-z])[.):] )?"
    rf"(?<![^\W_])(?P<n>\d{{1,6}}|{_WORDS})(?![^\W_])(?: {_KIND}turns?)?"
    r"(?: in total| altogether| at all)?"
    rf"{_IN}(?:(?:,? (?:which|this|that) (?:is|matches|corresponds to|makes it)| ?[-=]>)"
    r" (?:option |choice )?[\W_]*(?P<option>[a-z]))?[\W_]*"
)
_N = rf"(?:\d{{1,6}}|{_WORDS})"
_TWO_KINDS = (
    r"(?i)[\W_]*(?:(?:so|thus|therefore|hence),? )?"
    r"(?:(?:there are|the path has|the path makes|we have|i count) )?"
    rf"(?P<a>{_N}) (?P<one>right|left)(?: turns?)? and (?P<b>{_N}) (?P<other>right|left) turns?"
)
_BOTH = re.compile(rf"{_TWO_KINDS}{_IN}(?: in total)?[.!\s*_]*")
"""``There are 2 right turns and 0 left turns.``: the question asks for one of them."""
_ADDED = re.compile(
    rf"{_TWO_KINDS},?"
    r" (?:(?:so|thus|therefore|hence),? (?:the total(?: number of turns)? is|there are|that is)"
    r"|(?:for|giving|making|which gives|which makes) a total of|which is|a total of)"
    rf" (?P<n>{_N})(?: turns?)?(?: in total)?[.!\s*_]*"
)
"""``2 right turns and 0 left turns, so the total is 2``"""
_SUMMED = re.compile(
    rf"(?i)[\W_]*(?P<a>{_N}) (?P<one>right|left)(?: turns?)? \+ (?P<b>{_N}) (?P<other>right|left)"
    rf"(?: turns?)? = (?P<n>{_N})(?: (?:total )?turns?)?(?: in total)?[\W_]*"
)
"""``1 right turn + 1 left turn = 2 turns``"""
_TALLY = re.compile(
    r"(?i)[\W_]*(?:the )?(?:(?:final|grand|total) )?(?:total|count|tally|sum|number)"
    rf"(?: is|:)[\s*]*(?P<n>{_N})[\W_]*"
)
"""A clause above an answer that counts, and does not say what: ``Count: 2``"""
_SHORT_COUNT = re.compile(rf"(?i)(?:^|.*: )(?P<n>\d{{1,6}}|{_WORDS}) (?P<kind>right|left)s?")
"""A clause such as ``1 right`` in ``There are 2 turns: 1 right, 1 left``."""
_WAY = r"(?:right|left|up|down|straight|north|south|east|west)"
_WAYS = re.compile(
    rf"(?i)\b{_WAY}\b(?:(?: turn| again)?(?:\s?(?:[,;>–-]|->|→|⇒|/))?(?: (?:and|then|again|next"
    rf"|finally|it|once more|turns?|goes|moves?|a|another|followed by|to the))*,? ?{_WAY}\b)+"
    r"(?!(?:-hand)? turns\b)"
)
"""Several directions in a row: ``right, down, then left``."""
_ONE_WAY = re.compile(rf"(?i)\b{_WAY}\b")
_GOES = "way: "
"""What marks a ground that says how the path goes."""
_KINDS_ASKED = re.compile(r"\b(right|left)\b(?=.*\bturns?\b)(?!.*\d)")
_TOTAL = re.compile(r"(?i)[\W_]*(?:the )?(?:final |grand )?total(?: count)?\W*(?P<n>\d{1,6})\W*")
_TIMES = {"never": "0", "once": "1", "twice": "2", "thrice": "3"}
_TURNS_SO = re.compile(
    r"(?i)[\W_]*(?:(?:so|then|thus|therefore|hence|in total|overall|altogether)\b,? )*"
    r"(?:(?:(?:the|this) (?:provided |given |marked )?(?:path|route)|it|we|you|one) )?"
    r"(?:(?:also |only )?turns? )?(?:to the )?(?P<kind>right|left)(?: exactly| only)?"
    rf" (?P<times>{'|'.join(_TIMES)}|(?P<n>{_N}) times?){_IN}[.!\s*_]*"
)
"""How often a path turns so: ``The path turns right three times``, ``left once``."""
_ALL_SO = re.compile(
    r"(?i)both (?:(?:of the )?turns |of them )?are (?:to the )?(?P<kind>left|right)(?: turns)?"
)
"""``Both turns are left turns``"""
_STRAIGHT = re.compile(
    r"(?i)(?:the|this) (?:whole )?(?:path|route) (?:is (?:a )?straight(?: line)?"
    r"|never (?:bends|turns)|has no (?:bends|turns))"
)
_NO_PATH = re.compile(
    r"(?i)(?:the|this) (?:\w+ )?(?:path|route) (?:is|was) (?:\w+ )?(?:blocked|closed|broken"
    r"|interrupted|cut off|impassable|invalid)|there is no (?:\w+ )?(?:path|route|way)\b.*"
)
"""What denies that there is what a question is about."""
_YES_NO = re.compile(r"(yes|no)(?:(?:[,.;:]| -)? (\S.*))?")

_PLACED = re.compile(r" ?\((?:(?:row|col(?:umn)?)? ?\d{1,3}(?:, ?)?){1,2}\)")
"""Where S or E is, behind its name: ``E (row 1)``."""
_AGAIN = re.compile(r"(?P<n>\w+) \((?P<again>[^()]+)\)")
"""A number with a remark that says it again: ``2 (two right turns)``."""
_IS_SO = (
    (re.compile(r"\bis (?:higher|further up|farther up)(?: up)? than\b"), "is above"),
    (re.compile(r"\bis (?:lower|further down|farther down)(?: down)? than\b"), "is below"),
    (re.compile(r"\b(?:is (?:located|situated|positioned)|lies|sits|stands)\b"), "is"),
)
"""Other words for how S and E lie -> those that are read."""
_ALONE = re.compile(r"(?i)(?:yes|no|\d{1,3})\Z")
_UNREAD = re.compile(
    r"(?i)\b(?:never|every|each|no|none|all|only|always|without|hardly)\b.*\bturn"
    r"|\bturn\w*\b.*\b(?:never|always|only)\b|\bstraight line\b|\bturns? thrice\b"
    r"|\b(?:exit|goal|end|start|entrance|E|S)\b.*\b(?:higher|lower|over|under|atop|beneath|farther"
    r"|further|sits|lies|is located)\b"
)
"""What speaks of all turns, or of how S and E lie, in whatever words."""


class Maze(Domain):
    """The domain, with a verifier that simulates the path.

    The problem is a drawing (``#``, space, ``X``, one ``S``, one ``E``; the marked cells are a
    single path), one question and, mostly, options. The questions: how many right, left or total
    turns, and whether the exit lies so or so to the starting point, or the other way round.

    A ``step`` is one line in interwhen's format (appendix A.2.1): where S or E is, a move, what
    is said under a move (position, directions, turn, running count), a comparison, a relation, and
    what an answer line says of them. A ``candidate`` is an answer line or a boxed answer. A move
    may go several cells straight on, and may begin wherever the path has been followed to; behind
    a line that might be a move and cannot be read it may begin anywhere on the path.

    What is read: around the drawing a legend of its signs, what a right and a left turn are, one
    question, and how to answer; the turns may be asked for from S to E or from E to S (steps along
    the path are then not judged). Any other word there is a ``BadInput``. A line that begins like a
    step is read to its last word, or is a step that cannot be told (kind ``unread``), and so is an
    answer.

    Error kinds: ``location``, ``not_reached``, ``direction``, ``wall``, ``off_path``, ``position``,
    ``previous_direction``, ``turn``, ``count``, ``comparison``, ``relation``, and of answers
    ``wrong_answer``.
    """

    name = "maze"
    description = "Questions about the marked path through a drawn maze, and where S and E lie."
    example = (
        "#####\n#SX #\n##X##\n#EX #\n#####\n"
        "How many right turns are there in the provided path from S to E?\nA. 0\nB. 1\nC. 2"
    )
    form = "a number, Yes or No, or the letter of an option"
    complete = True
    """The final verifier accepts every right answer and no wrong one."""

    def parse(self, text: str, id: str = "") -> Problem:
        """:func:`parse`."""
        return parse(text, id)

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """What one line claims; the last move is remembered for the lines under it."""
        memory, states = self.with_candidates(self._steps, problem, line, offset, memory)
        subject = conclusions.of_subject(line)
        if subject and self.normalise(problem, _counted(subject) or "") is None:
            states = [state for state in states if state.kind != "candidate"]
        return memory, conclusions.ground(states, _grounds, line)

    def _steps(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        if len(line) > _MAX_LINE:
            claims = unread(plain(line[:_MAX_LINE]))
            states = [State("step", claim, offset, offset + len(line)) for claim in claims]
            return ({"gap": True} if claims else memory), states
        memory, claims = read(plain(line), memory)
        end = offset + len(line)
        return memory, [State("step", claim, offset, end) for claim in claims]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Where a move may begin depends on the earlier ones, all taken as right."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        grid, claim = _grid(problem), state.data
        if claim["claim"] == "unread":
            return self.unread(claim["text"])
        if problem.data["asked"].get("back") and ("move" in claim or claim["claim"] == "count"):
            return Verdict(None, "steps are judged on a path from S to E", UNREAD, source=self.name)
        wrong = move_error(grid, claim["move"]) if "move" in claim else None
        if claim["claim"] != "move":
            if wrong:
                return Verdict(None, "it speaks of a move that is wrong", source=self.name)
            reason = error(grid, claim)
            wrong = (claim["claim"], reason) if reason else None
        elif not wrong and not claim["gap"] and not reached(grid, earlier, claim["move"]["from"]):
            wrong = "not_reached", "the steps so far have not come to where this one begins"
        return self.wrong(*wrong) if wrong else Verdict(True, source=self.name)

    def answer(self, text: str) -> str | None:
        """:func:`answers.stated`, which may be the count, or the Yes or No, in the last line; a
        number in bold print with the turns of which it is said; with what the text says beside it
        of the turns, and of how S and E lie."""
        last = conclusions.last_line(text)
        if added := _added(last) or _both(last):
            return added
        found = answers.settled(
            text,
            lambda line: _counted(answers.unlabelled(line)) or _lying(last),
            conclusions.by_letter,
        )
        said = found.text if found else None
        subject = conclusions.of_subject(text) if said else None
        total = _TOTAL.fullmatch(subject) if subject else None
        said = total["n"] if total else said
        subject = None if total else subject
        said = _counted(subject) if subject else (said and conclusions.counted(text, said)) or said
        if not said or not found or "turn" in said:
            return said
        others = conclusions.others(text, said, found.beside)
        apart = [one for one in others if not read(plain(f"Answer: {one}"), {})[1]]  # else a step
        kinds = {*_KINDS_ASKED.findall(conclusions.headline(text).lower())}
        asked = [f"{conclusions.ASKS}{kind}" for kind in kinds] if len(kinds) == 1 else []
        return conclusions.grounded(said, [*apart, *asked, *_called(text, said), *_grounds(text)])

    def shown(self, answer: str) -> str:
        return conclusions.parted(answer)[0]

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Compare an answer with :func:`truth`; it passes only where its grounds hold."""
        said, right = self.normalise(problem, answer), truth(problem)
        if said is None:
            return self.unread(answer)
        grounds = conclusions.parted(answer)[1]
        if said == right:
            if not all(_holds(problem, ground) for ground in grounds):
                return self.unread(answer)
            return Verdict(True, source=self.name, evidence={"answer": said})
        if any(_chosen(problem, ground) == right for ground in grounds):
            return self.unread(answer)
        how = "follow the path" if "count" in problem.data["asked"] else "compare where S and E are"
        return self.wrong("wrong_answer", f"{said} is not the answer; {how} again")

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A number, ``Yes`` or ``No``, whether given as an option's letter or as itself.

        None for any answer with a word more, and for one that says two things.
        """
        if len(answer) > _MAX_LINE:
            return None
        options = problem.data["options"]
        answer, _ = conclusions.parted(answer)
        text = _bare(plain(answer.replace("**", "")))
        if both := _BOTH.fullmatch(text):
            return _asked_of(problem, {kind: _number(n) for kind, n in _counts(both).items()})
        again = _AGAIN.fullmatch(text)
        both_said = [_value(problem.data["asked"], one) for one in again.groups()] if again else []
        if both_said and None not in both_said:
            return both_said[0] if both_said[0] == both_said[1] else None
        option, rest = choices.named(text, options)
        named = None if option is None else _value(problem.data["asked"], option)
        if option is not None and not rest:
            return named
        said = _value(problem.data["asked"], _bare(rest), _grid(problem))
        return said if option is None or said == named else None

    def unfinished(self, problem: Problem, earlier: Sequence[State]) -> str | None:
        """Why the steps so far do not bear an answer; None if they do, or claim no way at all.

        Args:
            earlier: The steps that passed.
        """
        if "count" not in problem.data["asked"] or problem.data["asked"].get("back"):
            return None
        grid = _grid(problem)
        ends = [
            grid.path.get((row, column), 0)
            for state in earlier
            if state.kind == "step" and state.data["claim"] == "move"
            for row, column in [state.data["move"]["to"]]
        ]
        last = list(grid.path)[max(ends)] if ends else grid.ends["E"]
        return None if last == grid.ends["E"] else f"the path was followed only to {shown(last)}"


def parse(text: str, id: str = "") -> Problem:
    """The problem in ``text``: a maze, a question and, if there are any, options.

    Raises:
        BadInput: If the maze, the question or the options cannot be used; says which and why.
    """
    if len(text) > _MAX_TEXT:
        raise BadInput(f"maze: the problem has more than {_MAX_TEXT:,} characters")
    rows, around = _drawn(text)
    simulate(rows)
    try:
        before, said, behind = choices.parts(around)
    except BadInput as error:
        raise BadInput(f"maze: {error}") from error
    asked = wording.question_in(f"{before}\n{behind}")
    options = {letter: option.rstrip(" .") for letter, option in said.items()}
    values = [_value(asked, option) for option in options.values()]
    data = {"question": text.strip(), "rows": list(rows), "asked": asked, "options": options}
    problem = Problem(text.strip(), "maze", id or text.strip(), data=data)
    right = truth(problem)
    if options and values.count(right) != 1:
        listed = ", ".join(f"{letter}. {option}" for letter, option in options.items())
        how = "none" if right not in values else "more than one"
        raise BadInput(f"maze: the answer is {right}, which is {how} of the options {listed[:200]}")
    if None in values:
        option = list(options.values())[values.index(None)]
        raise BadInput(f"maze: could not read the option {option[:60]!r}")
    return problem


def truth(problem: Problem) -> str:
    """The right answer: a number, ``Yes`` or ``No``."""
    grid, asked = _grid(problem), problem.data["asked"]
    if "count" in asked:
        return str(_turns(problem, asked["count"]))
    return "Yes" if grid.lies(asked["of"], asked["signs"]) else "No"


def _drawn(text: str) -> tuple[tuple[str, ...], str]:
    """(the rows of the drawing: the lines that begin and end with a wall, the text around them)."""
    lines = [line.strip() for line in text.splitlines()]
    drawn = [i for i, line in enumerate(lines) if line[:1] == line[-1:] == "#" and len(line) > 2]
    if not drawn:
        raise BadInput("maze: no maze is drawn; its rows begin and end with #, as in #S X E#")
    if drawn[-1] - drawn[0] + 1 != len(drawn):
        raise BadInput("maze: there are two mazes, or rows that do not begin and end with #")
    rows = [lines[i] for i in drawn]
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            sizes = f"row {number} has {len(row)} cells, row 0 has {len(rows[0])}"
            raise BadInput(f"maze: not rectangular: {sizes}")
        if strange := set(row) - set("#SEX "):
            raise BadInput(
                f"maze: row {number} has {min(strange)!r}; a cell is one of # X S E space"
            )
    return tuple(rows), "\n".join([*lines[: drawn[0]], "", *lines[drawn[-1] + 1 :]])


def _bare(text: str) -> str:
    """An answer without quotes, brackets and a full stop around it."""
    text = text.strip().rstrip(" .!")
    for opening, closing in ("()", '""', "''"):
        if len(text) > 1 and text[0] == opening and text[-1] == closing:
            text = text[1:-1].strip()
    return text.rstrip(" .")


def _value(asked: Claim, text: str, grid: Grid | None = None) -> str | None:
    """The number, Yes or No that an option or an answer says, and nothing besides; else None.

    Args:
        grid: Where a Yes or a No may be told with what it means (``No, E is not above S``).
    """
    text = plain(text).rstrip(" .")
    if "count" in asked:
        number = _NUMBER.fullmatch(text)
        if number is None or {number[1], number[3]} - {None, asked["count"]}:
            return None
        return str(_number(number[2]))
    if (said := _YES_NO.fullmatch(text)) is None:
        return None
    if said[2] is not None:
        stated = statement(said[2]) if grid else None
        if not (grid and stated and _agree(asked, said[1], stated, grid)):
            return None
    return str(said[1].capitalize())


def _agree(asked: Claim, said: str, stated: Claim, grid: Grid) -> bool:
    """Whether a Yes or a No and what is said behind it can both hold, in this maze where the first
    does."""
    other = stated["signs"]
    if asked["of"] != stated["of"]:
        other = [None if sign is None else -sign for sign in other]
    places = [
        place
        for place in product((-1, 0, 1), repeat=2)
        if any(place) and fit(asked["signs"], place) == (said == "yes")
    ]
    if not any(fit(other, place) == stated["holds"] for place in places):
        return False
    true = grid.lies(stated["of"], stated["signs"]) == stated["holds"]
    return true or grid.lies(asked["of"], asked["signs"]) != (said == "yes")


def _number(said: str) -> int:
    return 0 if said == "no" else spelling.number(said)


def _counted(line: str) -> str | None:
    """The number of turns of one kind that a line states, with the option that it is; where no kind
    is named, of all."""
    found = _count(line)
    if found is None:
        return None
    kind, number, option = found
    counted = f"{number} {kind or 'total'} turns"
    return f"{option} ({counted})" if option else counted


def _added(line: str) -> str | None:
    """The number of all turns that a line adds up, with those of each kind as its grounds."""
    found = _ADDED.fullmatch(plain(line[-_MAX_LINE:]))
    counts = _counts(found) if found else {}
    if found is None or len(counts) < 2:
        return None
    grounds = (f"{number} {kind} turns" for kind, number in counts.items())
    return conclusions.grounded(f"{found['n']} total turns", grounds)


def _both(line: str) -> str | None:
    """The numbers of right and of left turns that a line states together, both as its grounds."""
    found = _BOTH.fullmatch(plain(line[-_MAX_LINE:]))
    counts = _counts(found) if found else {}
    if len(counts) < 2:
        return None
    told = [f"{number} {kind} turns" for kind, number in counts.items()]
    return conclusions.grounded(" and ".join(told), told)


def _asked_of(problem: Problem, counts: dict[str, int]) -> str | None:
    """The number that is asked for of two; None where it is right, and the other one is not."""
    asked = problem.data["asked"].get("count", "")
    right = {kind: _turns(problem, kind) for kind in counts}
    if asked not in counts or (counts[asked] == right[asked] and counts != right):
        return None
    return str(counts[asked])


def _counts(found: re.Match[str]) -> dict[str, str]:
    """The kinds of turns of which a text tells two numbers."""
    return {found["one"].lower(): found["a"], found["other"].lower(): found["b"]}


def _count(line: str) -> tuple[str, str, str] | None:
    """(the kind of turns, how many a line says there are, the option that it is); the kind and the
    option are empty where none is named."""
    text = plain(line[-_MAX_LINE:])
    if turns := _TURNS_SO.fullmatch(text):
        return turns["kind"].lower(), turns["n"] or _TIMES[turns["times"].lower()], ""
    found = _COUNTED.fullmatch(text)
    if found is None or "turn" not in found[0]:
        return None
    kinds = {kind for kind in found.groups() if kind in _KINDS}
    options = {found["letter"], found["option"]} - {None}
    if len(kinds) > 1 or len(options) > 1:
        return None
    return "".join(kinds), found["n"], "".join(options)


def _grounds(text: str) -> list[str]:
    """What a text says of the turns around its answer, of each kind the last, and beside it or
    above of how S and E lie."""
    counts = dict[str, str]()
    for clause in conclusions.clauses(text, around=True):
        if short := _SHORT_COUNT.fullmatch(clause):
            counts[short["kind"].lower()] = f"{short['n']} {short['kind'].lower()} turns"
        elif both := _ALL_SO.fullmatch(clause):
            counts[both["kind"].lower()] = f"2 {both['kind'].lower()} turns"
        elif tally := _TALLY.fullmatch(clause):
            counts[""] = f"{tally['n']} turns"
        elif summed := _SUMMED.fullmatch(plain(clause)):
            counts |= {kind: f"{n} {kind} turns" for kind, n in _counts(summed).items()}
            counts["total"] = f"{summed['n']} total turns"
        elif _STRAIGHT.fullmatch(clause):
            counts["total"] = "0 total turns"
        elif found := _count(clause):
            counts[found[0]] = f"{found[1]} {found[0]} turns".replace("  ", " ")
    near = [*conclusions.clauses(text), *conclusions.behind(text)]
    beside = filter(_tells, near)
    above = (one for one in conclusions.above(text) if _tells(one) or _ALONE.match(one))
    ways = (f"{_GOES}{one}" for line in _near(text) for one in _followed(line))
    unread = (one for one in near if _UNREAD.search(one) and not (_tells(one) or _count(one)))
    return [
        *counts.values(),
        *ways,
        *beside,
        *unread,
        *(f"{conclusions.ABOVE}{one}" for one in above),
    ]


def _near(text: str) -> list[str]:
    """The sentences of the line above an answer, of its own line, and behind it."""
    above = text[: answers.begins(text)].rstrip("\n $*#_").rfind("\n") + 1
    return SENTENCE_END.split(text[above:])


def _followed(sentence: str) -> list[str]:
    """The directions in a row that a sentence says, behind ``turns`` where it says so of turns."""
    turns = "turns " if "turn" in sentence.lower() else ""
    return [f"{turns}{found[0]}" for found in _WAYS.finditer(sentence)]


def _goes(problem: Problem, said: str) -> bool:
    """Whether the path goes, or turns, so."""
    grid = _grid(problem)
    ways = [direction_of(one) for one in _ONE_WAY.findall(said)]
    if problem.data["asked"].get("back"):
        return False
    turned = [f"{one}_TURN" for one in ways]
    if {*ways} <= {"LEFT", "RIGHT"}:
        turns = [turn for turn in grid.turns if turn and turn.endswith("_TURN")]
        if _is_within(turned, turns) or said.startswith("turns "):
            return _is_within(turned, turns)
    moves = list(grid.directions)
    again = any(one == other for one, other in pairwise(ways))
    return _is_within(ways, moves if again else [way for way, _ in groupby(moves)])


def _is_within(part: list[str], whole: list[str]) -> bool:
    """Whether one list stands in another, in one piece."""
    return any(whole[at : at + len(part)] == part for at in range(len(whole)))


def _called(text: str, said: str) -> list[str]:
    """An answer where a text gives it with a kind of turns, too: ``Answer: 2 left turns``."""
    told = (_count(one.text) for one in answers.statements(text) if one.how in answers.CALLED)
    return [
        f"{found[1]} {found[0]} turns" for found in told if found and found[0] and found[1] == said
    ]


def _placed(clause: str) -> Claim | None:
    """What a clause says of how S and E lie: ``E (row 1) is above S``, ``E is higher up than S``"""
    text = plain(_PLACED.sub("", clause))
    for lies, verb in _IS_SO:
        text = lies.sub(verb, text)
    return statement(text)


def _tells(clause: str) -> bool:
    """Whether a clause says how S and E lie, or that there is no path."""
    return _placed(clause) is not None or _NO_PATH.fullmatch(clause) is not None


def _holds(problem: Problem, ground: str) -> bool:
    """Whether a claim of :func:`_grounds` is right."""
    grid, asked = _grid(problem), problem.data["asked"]
    above, ground = ground.startswith(conclusions.ABOVE), ground.removeprefix(conclusions.ABOVE)
    stated = _placed(ground)
    if ground.startswith(conclusions.ASKS):
        return bool(ground.removeprefix(conclusions.ASKS) == asked.get("count"))
    if ground.startswith(_GOES):
        return _goes(problem, ground.removeprefix(_GOES))
    other = stated and any(stated[key] != asked.get(key) for key in ("of", "signs"))
    if above and other and statement(plain(ground)):
        return True  # a step, which is judged by itself
    if stated:
        return grid.lies(stated["of"], stated["signs"]) == bool(stated["holds"])
    if (found := _count(ground)) is None:
        return _chosen(problem, ground) == truth(problem)
    kinds = {found[0]} if found[0] else {"total", asked.get("count", "total")}
    return _number(found[1].lower()) in [_turns(problem, kind) for kind in kinds]


def _chosen(problem: Problem, ground: str) -> str | None:
    """The number, Yes or No that a ground says, or the option that it names."""
    option, rest = choices.named(ground, problem.data["options"])
    return _value(problem.data["asked"], ground if option is None or rest else option)


def _turns(problem: Problem, kind: str) -> int:
    """How often the path turns so, in the direction that is asked about."""
    seen = _SEEN_BACK.get(kind, kind) if problem.data["asked"].get("back") else kind
    return _grid(problem).counts[-1][seen]


def _lying(line: str) -> str | None:
    """A Yes or a No with what a line says behind it of how S and E lie."""
    text = plain(line[-_MAX_LINE:]).rstrip(" .")
    said = _YES_NO.fullmatch(text)
    return text if said and said[2] and statement(said[2]) else None


def _grid(problem: Problem) -> Grid:
    return simulate(tuple(problem.data["rows"]))
