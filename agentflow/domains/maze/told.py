"""What a reply says beside its answer: all of it has to be understood, and right.

From S, go right two cells.        how the path goes (way)
left -> up: right turn             of single turns (corners)
There are 2 right turns.           how many turns there are (tally)
E is two rows below S.             where S and E are (lies)
So we choose option B.             the answer, among words that claim nothing
Let's trace the path.              words that claim nothing
The path is pretty.                is not understood
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from agentflow.domains import answers, markup, narration
from agentflow.domains.answers import known_remarks
from agentflow.domains.maze import counts, tables
from agentflow.domains.maze.asked import Asked
from agentflow.domains.maze.claims import Claim, plain, read
from agentflow.domains.maze.corners import Corners
from agentflow.domains.maze.counts import MAX_LINE
from agentflow.domains.maze.facts import Facts
from agentflow.domains.maze.judging import error
from agentflow.domains.maze.lies import Lies
from agentflow.domains.maze.problem import chosen, drawn_from
from agentflow.domains.maze.spoken import WAY, spoken
from agentflow.domains.maze.tally import Tally
from agentflow.domains.maze.way import Walker
from agentflow.domains.plain_words import DOUBTS, OF_PLACES, PlainWords
from agentflow.domains.spelling import word_set
from agentflow.problem import Problem

_WORDS = PlainWords(
    without=OF_PLACES | DOUBTS,
    also=word_set("""
        actually any axis between box boxed br change changes changing chart col
        consecutive coordinate coordinates correctly corridor could count counted
        counting counts cross definition drawing edit elaborate entire every full grid
        i'd i'll i've index left-to-right length maze move moves moving must path per
        position positions possible product relation relations route row rows segment
        segments short side sides spatial stretch stretches sum summing table tally
        total travel travelled turn turns under visual were
    """),
)
"""Words of which a sentence on a maze may consist that claims nothing of it."""
_SILENT = re.compile(r"[^\w\s.,:;!?()\[\]|'\"/*_#=>-]")
"""A sign that is not known to claim nothing."""
_PLACING = re.compile(
    r"\b(?:above|all|below|both|each|every|first|last|next|only|over|out|right|left|up|down|same"
    r"|different|straight\w*|any|sides?)\b"
)
"""Words that would say something beside S, E, a turn or the path."""
_SENTENCE = re.compile(
    r"(?<=[.!?])(?!(?<=\bno\.) \d)(?!(?<=\b[A-J]\.)\s+(?:[Yy]es|[Nn]o"
    r"|\d+)\b)(?<!\bi\.e\.)(?<!\be\.g\.)[)\"'*_]*\s+|\n|; "
)
_MARK = re.compile(
    r"\\(?:boxed|text(?:bf|rm)?|mathrm)\b|</?(?:answer|br|solution|think)>|[😀-🙄🎉🎯🧭👍✨]|[{}]|\$\$?"
    r"|\\[()\[\]]|^\s*#+(?= )|\]\]|\[\[|✓|✔|✅",
    re.M,
)
_NUMBERED = re.compile(r"\A(?:step|stage|part|leg|segment) #?\d+ ?(?:[:.)]|-(?!>)) ?(?=\S)")
_NTH = (
    r"(?:(?:step|turn|corner|segment|leg|stretch) #?\d+|(?:the )?(?:\d+th|last|final) (?:step|turn"
    r"|move|segment|leg|stretch))"
)
_STEP = re.compile(_NTH)
_TASK = re.compile(
    r"\b(?:count|counting|find|finding|determine|determining|identify|identifying|note|noting|list"
    r"|listing|check|checking|classify|classifying|consider|asks? (?:for|about)|look(?:ing)? for"
    r"|track(?:ing)?|number of|kind of|looking at|examine|here (?:is|are)|(?:before|after"
    r"|at)(?= each| every))(?: (?:the|all|each|every|any|number of|how many|which|only|total"
    r"|kind of|direction of))* (?:(?:right|left|straight) )?(?:turns?|stretch(?:es)?"
    r"|segments?)\b(?: directions?| only)?"
)
"""What somebody does with turns, that says nothing of how many there are."""
_LEAD = re.compile(
    r"(?:(?:so|thus|therefore|hence|then|and|but|since|with|while|when|because|as|also|finally|now"
    r"|here|although|though|while|overall|in total|altogether|clearly|indeed|in fact|again"
    r"|together|once more|we have|we get|this means(?: that)?|which means(?: that)?"
    r"|that means(?: that)?|meaning(?: that)?|note that|(?:from this,? )?(?:we|you"
    r"|i) (?:can )?(?:see|find|conclude|observe|know)(?: that)?|after that|as a result|that is"
    r"|in other words|i\.e\.|namely|here,?|where|which|that|i counted|recall(?: that)?"
    rf"|remember(?: that)?|the final|on (?:the|this) (?:page|drawing|map)|{_NTH})\b[,:]? ?"
    rf"|(?:the )?(?:changes|turns)(?: of direction)? are:? (?={WAY} ->))+"
)
_ARROW = re.compile(r" -> ")
_OPENED = re.compile(r" ?[()] ?|: | - | ?\.(?= |\Z)")
_REASON = re.compile(
    r",? (?:and |but )?(?:so|thus|therefore|hence|because|since|but|as|which means(?: that)?|while"
    r"|where|giving|for(?! \d)|after|before|although|meaning|gives?|means?|yields?"
    r"|(?<=turns )makes?|(?<=segments )(?:must |always |will |are )?(?:have|need|imply|make"
    r"|joined by))\b,? ?"
)
_COMMA, _AND = re.compile(r", (?:and )?"), re.compile(r",? and ")
_JOINED = re.compile(
    r",? (?=(?:without|there (?:is|are|can be)|we have|with|which|that is|going|heading|moving"
    r"|running|turning) )"
)
_BRACKETED = re.compile(r"\([^()]*\)")
_ASIDE = re.compile(r" ?\(([^()]*)\)")
_CLAUSE = re.compile(r",? and (?=(?:the )?(?:E|S|it|row|column)\b(?! (?:and|are)\b))")
_SPLITS = (_REASON, _CLAUSE, _OPENED, _COMMA, _ARROW, _AND, _JOINED)
_IT_IS = re.compile(
    r"(?:(?:so|it|this|that|we|is|get|the|answer|would be|must be|final|result|correct|therefore"
    r"|means|option|choice|have|which|gives|:) )+(?:is )?(yes|no|[a-j](?:[.):]+ ?(?:yes|no|\d+))?)"
)
_ITEM = re.compile(r"^\s*\d{1,3}[.)]\s+(?=\S)")
_EMPTY = re.compile(r"[\s\d.,:;!?()\[\]|*_>\"'#•✓✔✅😀-🙏🎉-]*")
_BUT = re.compile(r"(?i)(?:yes|no),? but\b")
_CAPITAL = re.compile(r"(?<=\w )([A-DF-HJ])\b(?!')")
"""The letter of an option within a sentence."""
_LAST_LETTER = re.compile(r"(?:\A|: ?)\(?([A-DF-HJ])\)?\Z")
_LETTER = re.compile(
    r"\b(?:option|choice|answer|letter)(?: (?:is|was|must be))?:? \(?(?P<a>[a-j])\b(?! \w)\)?"
    r"|\b(?:option|choice) \(?(?P<b>[a-j])\b\)?|\((?P<c>[a-j])\)|\b(?P<d>[a-j])(?=[.):] ?\w)"
)
_VALUE = re.compile(r"\b(?:yes|no|\d+)\b")
_OF_ANSWER = re.compile(r"\b(?:answer|option|choice|result|box|boxed|choose|select|pick|matches)\b")
_WAY = re.compile(rf"\b{WAY}\b")
_TURN_OF = re.compile(
    rf"(?P<one>{WAY})(?: ?-> ?| to )(?P<other>{WAY}) ?(?::|=|->|-|,|\(|is) ?(?:an? )?"
    r"(?P<kind>right|left)(?: turn)?\)?"
)
"""A turn with its kind: ``left -> up: right``."""
_CLOCKWISE = ("up", "right", "down", "left")
_LETTERS_ARE = re.compile(
    r"(?i)\(?(?:(?:u ?[=:] ?up|d ?[=:] ?down|l ?[=:] ?left|r ?[=:] ?right)\b(?:, ?| and )*){2,4}\)?"
)
"""What the letters of directions stand for."""
_SETS_OUT = re.compile(rf"(?:then |and )?{WAY} (?:from S|to E)")
"""What tells where one goes, and not how S and E lie."""
_KINDS = re.compile(r"\d+ (?:right|left)(?:, and |, | and )\d+ (?:right|left)")
_BACK = re.compile(r"\b(?:from|at) E\b|\b(?:to|reach) S\b")
_MIN_WORDS = 4
_AROUND = " .!?,:;*\"'-|_"


_VERB = re.compile(
    r"\b(?:is|are|has|have|lies?|turn\w*|goes|makes?|counts?|counted|there|runs?|moves?|head"
    r"|equals?)\b"
)
"""What a clause has that is a sentence."""
Normal = Callable[[str], str | None]


class Reader:
    """Somebody who reads a text on a maze from its beginning to its end, and remembers."""

    def __init__(self, problem: Problem, form: str, normal: Normal) -> None:
        """
        Args:
            form: The answer, in its normal form.
            normal: The normal form of an answer, or None.
        """
        self.grid = grid = drawn_from(problem)
        self.problem, self.form, self.normal = problem, form, normal
        asked = problem.data["asked"]
        self.own = plain(problem.text)
        self.corners = Corners(grid)
        self.walker = Walker(grid, asked.get("count") not in ("right", "left"))
        self.lies = Lies(grid, asked.get("of", ""))
        self.question = Asked(self.lies, asked.get("of", ""), asked.get("signs", ()), form)
        self.asked = asked.get("count", "")
        self.facts = Facts(grid, self.corners, self.walker, self.asked)
        self.tally = Tally(grid, self.corners, self.asked, form)

    def holds(self, text: str) -> bool:
        """Whether all that is said in a text is understood, and right."""
        above = text[: answers.begins(text)].rpartition("\n")[0].rstrip()
        near = above.count("\n") if above and answers.statements(text) else -1
        text = _MARK.sub(" ", text).replace("**", "")
        lines = (
            _ITEM.sub("", line)
            for k, line in enumerate(tables.told(text).split("\n"))
            if not self._is_known(line, k - near)
        )
        sentences = (one for line in lines for one in _SENTENCE.split(line))
        found = all(map(self._tells, sentences))
        listed = len(self.corners.listed) == len(self.corners.all)
        return found and (self.walker.done or listed) and self.corners.whole

    def _is_known(self, line: str, place: int) -> bool:
        """Whether a line is of the problem, or a step, which is judged by itself."""
        claims = read(plain(line), {})[1] if len(line) <= MAX_LINE else []
        kinds = {one["claim"] for one in claims}
        if (
            kinds
            and "unread" not in kinds
            and (kinds != {"relation"} or self._passes(claims, place))
        ):
            return True
        return self._is_own(line)

    def _passes(self, claims: list[Claim], place: int) -> bool:
        """Whether what a line says of how S and E lie is right, or need not be looked at: above
        the line in front of the answer (0), and there, where something else is asked."""
        asked = self.problem.data["asked"]
        return place < 0 or all(
            (place == 0 and any(one[key] != asked.get(key) for key in ("of", "signs")))
            or not error(self.grid, one)
            for one in claims
        )

    def _is_own(self, line: str) -> bool:
        """Whether a line is one of the problem."""
        words = markup.unlisted(plain(line)).strip(" .:*")
        return len(words.split()) >= _MIN_WORDS and words in self.own

    def _tells(self, sentence: str) -> bool | None:
        """Whether a sentence is right; None for one that is not understood."""
        sentence = re.sub(r"(?i),\s+right\?\W*\Z", "", sentence)
        piece = markup.unlisted(sentence).strip(f"{_AROUND}>")
        if not piece:
            numbers = re.findall(r"\d+", sentence)
            return (_EMPTY.fullmatch(sentence) is not None and {*numbers} <= {self.form}) or None
        value = self.normal(piece)
        if value is not None:
            return value == self.form and self.tally.answers()
        if known_remarks.closes(piece) or self._is_own(piece):
            return True
        piece = _LETTERS_ARE.sub(" ", piece)
        if (last := _LAST_LETTER.search(piece)) and not self._is_chosen(last[1]):
            return False
        if _BUT.match(piece) or not (
            piece.isupper() or all(map(self._is_chosen, _CAPITAL.findall(piece)))
        ):
            return None
        text = self.lies.placed(spoken(piece))
        text = text if text is None else self.tally.summed(text)
        if text is None:
            return False
        text = _NUMBERED.sub("", text)
        self.tally.turning = re.search(r"turn|\b(?:tally|count)", text) is not None
        self.walker.named = re.search(r"\b(?:right|left) turn\b", text) is not None
        return self._reads(text)

    def _reads(self, text: str) -> bool | None:
        """Whether what is said, or each of its clauses, is right."""
        text = text.strip(_AROUND)
        if _BRACKETED.fullmatch(text):
            text = text[1:-1].strip(_AROUND)
        if not re.search(r"\w", text):
            return _EMPTY.fullmatch(text) is not None or None
        if (turn := _TURN_OF.fullmatch(text)) and not _is_of_kind(turn):
            return False
        if (said := self._sure(text)) is not None:
            return said
        lead = _LEAD.match(text)
        if lead and (said := self._reads(text[lead.end() :])) is not None:
            return said
        outside, *inside = _ASIDE.sub("", text), *_ASIDE.findall(text)
        if inside and outside.strip(_AROUND) and self._sure(outside.strip(_AROUND)):
            return _all(map(self._reads, inside))
        for sign in _SPLITS:
            for cut in [one for one in sign.finditer(text) if _parts(text[: one.start()])][:1]:
                parts = text[: cut.start()], text[cut.end() :]
                return _all(
                    self._reads_label(one, cut[0]) if one is parts[0] else self._reads(one)
                    for one in parts
                )
        return None

    def _reads_label(self, text: str, sign: str) -> bool | None:
        """Whether what stands in front of a sign is right; it may open a list."""
        if sign.startswith(":") and (kind := self.tally.label(text)):
            return self.corners.begins(kind)
        return self._reads(text)

    def _sure(self, text: str) -> bool | None:
        """Whether a clause is right; None for one that is not understood, or is a part of one."""
        said = self._says(text)
        if said is False and _lists_ways(text) and not _KINDS.fullmatch(text):
            return False
        return None if said is False and (": " in text or not _VERB.search(text)) else said

    def _says(self, text: str) -> bool | None:
        """Whether a clause is right; None for one that is not understood as it is."""
        value = None if "turn" in text else self.normal(text)
        if value is not None:
            return value == self.form and self.tally.answers()
        if found := _IT_IS.fullmatch(text):
            return self.normal(found[1]) == self.form
        if known_remarks.closes(text) or _STEP.fullmatch(text):
            return True
        if (kind := self.tally.label(text)) is not None:
            return self.corners.begins(kind)
        if self.asked and _SETS_OUT.fullmatch(text):
            return self.walker.goes(text) or False
        if self.corners.kinds_in_a_row(text.strip("() .")):
            return True
        for reader in (
            self.facts.tells,
            self.tally.tells,
            self.corners.tells,
            self.question.tells,
            self.lies.tells,
        ):
            if (said := reader(text)) is not None:
                if said and reader == self.corners.tells:
                    self.walker.kind = ""
                return said or self.walker.goes(text) or False
        goes = self.walker.goes(text)
        if goes or (goes is False and _lists_ways(text)):
            return goes
        return self._narrates(text) or None

    def _is_chosen(self, letter: str) -> bool:
        """Whether an option is the answer."""
        option = self.problem.data["options"].get(letter.upper())
        return option is not None and chosen(self.problem, option) == self.form

    def _narrates(self, text: str) -> bool:
        """Whether a clause gives the answer among words that claim nothing."""
        low = text.lower()
        for letter in _LETTER.finditer(low):
            if not self._is_chosen(next(one for one in letter.groups() if one)):
                return False
        text = _TASK.sub(" ", _STEP.sub(" ", text))
        text = re.sub(r"\b1 (?=valid |possible |correct )|\b(?<=the )2 (?=positions)", "", text)
        rest = _LETTER.sub(lambda m: re.sub(r"\(?\b[a-j]\b[).:]*", " ", m[0]), text)
        values = _VALUE.findall(rest.lower())
        if values:
            if not _OF_ANSWER.search(rest.lower()) or {*values} != {self.form.lower()}:
                return False
            rest = _VALUE.sub(" ", rest)
        if len(ends := {*re.findall(r"\b[SE]\b", rest)}) == 1:
            self.lies.it = "".join(ends)
        if _SILENT.search(rest) or re.search(r"\d", rest):
            return False
        names = re.search(r"\b(?:[SE]|PATH|path|route|turns?|it)\b", rest)
        if re.search(r"\b(?:right|left|up|down)\b", rest):
            return False
        if names and _PLACING.search(rest):
            return False
        if self.asked and not self.problem.data["asked"].get("back") and _BACK.search(rest):
            return False
        rest = re.sub(r"\b(?:S|E|PATH)\b(?:'s)?", " ", rest)
        return narration.only(rest, _WORDS)


def _is_of_kind(turn: re.Match[str]) -> bool:
    """Whether a turn from one direction into another is of the kind that is said."""
    one, other = (_CLOCKWISE.index(turn[name].removesuffix("ward")) for name in ("one", "other"))
    return (other - one) % 4 == (1 if turn["kind"] == "right" else 3)


def _all(found: Iterable[bool | None]) -> bool | None:
    """Whether all hold; None where none is wrong, and some are not known."""
    known: bool | None = True
    for one in found:
        if one is False:
            return False
        known = known and one
    return known


def holds(problem: Problem, text: str, form: str, normal: Normal) -> bool:
    """Whether all that a text says beside its answer is understood, and right.

    Args:
        form: The answer, in its normal form.
        normal: The normal form of an answer, or None.
    """
    return Reader(problem, form, normal).holds(text)


def stated(text: str) -> list[str]:
    """The numbers of turns that the sentences of a text state."""
    said = map(counts.stated, _SENTENCE.split(text))
    return [one for one in said if one]


def last_sentence(line: str) -> str:
    """The last sentence of a line."""
    return _SENTENCE.split(line)[-1]


def _parts(before: str) -> bool:
    """Whether a text may be cut behind this: not within brackets."""
    return before != "" and before.count("(") <= before.count(")")


def _lists_ways(text: str) -> bool:
    """Whether a text has several directions, and says nothing of turns."""
    return len(_WAY.findall(text)) > 1 and not re.search(r"turn|[(:]|->", text)
