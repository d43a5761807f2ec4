"""One spelling for the many words in which people speak of a maze.

The exit (E) sits two rows beneath the start.    E sits 2 rows below S
At row 3, column 5 it bends upwards.             at <3,5> it turn up
The route makes no changes of direction.         PATH makes 0 turns
"""

from __future__ import annotations

import re
from collections.abc import Container

from agentflow.domains import spelling
from agentflow.domains.maze.claims import plain
from agentflow.domains.plain_words import OF_PLACES, PlainWords
from agentflow.domains.spelling import word_set

CELL = r"<\d{1,4},\d{1,4}>"
WAY = "(?:up|down|(?:left|right)(?:ward)?)"
KIND = "(?:right|left)"
CLOCK = "(?:clockwise|counterclock)"
SIDED = {"clockwise": "right", "counterclock": "left", "right": "right", "left": "left"}
"""What a turn is called -> its kind."""
GOING = PlainWords(
    without=OF_PLACES
    | word_set("""
        above all amount answer below both cell choice column count double each every no not number
        only option part row same sum tally times total
    """),
    also=word_set("""
        across another ascend ascends back before begin beginning begins behind bend bending bends
        change changed changes changing climb climbs come comes coming corridor cross curve curves
        descend descends direct directed drop drops end ending ends
        enter face faces facing final first fly follow followed following for go goes going have
        headings lastly lead leading leads leave leaves leaving left let's march maze more move
        moves moving next onto over PATH reach reached reaches reaching run running runs second
        segment start starting starts stop straight swing swings third tile toward towards travel
        traveling travelling travels trek turn turned turning turns until up upon
    """),
)
"""Words beside directions that only tell that one goes."""
_COL = r"col(?:umn)?s?(?: number)?"
_AT = r"(?: ?[=:]| is)? ?"
_TURN = (
    r"(?:corner|bend|(?:change|switch|shift)s? (?:of|in) (?:movement )?direction"
    r"|direction(?:al)? (?:change|switch)|turning point|turn point|90[ -]?degree turn|deg turn)"
)
_THE = (
    r"(?:the |this )(?:whole |entire |provided |given |marked |shown |blue |single |x-|x )*(?:path"
    r"|route|trail)(?!s)"
)
_FROM_TO = r"(?:,? (?:from|between) S (?:to|and) E)?"
_FROM_0 = (
    r",? ?\(?\b(?:(?:both|all) )?(?:counting|numbering|counted|numbered|indexing|indexed"
    r"|starting)?(?: (?:the|rows?|and|columns?|both|,|from the (?:top|left),?))* (?:from|at"
    r"|(?:beginning|starting) with) (?:0|zero)\b(?: (?:at|in) the top[- ]left)?\)?"
)
_TOP_LEFT = r"(?:the )?top[- ]left(?:-hand)?(?: corner| cell)?"
_ORIGIN = (
    rf",? ?\(?\b(?:(?:with|taking|where|and|so) )?(?:{_TOP_LEFT} (?:as|at|is|being) \(0, ?0\)"
    rf"|\(0, ?0\) (?:as|at|is|being|in) {_TOP_LEFT}|the top(?:most)? (?:row|wall|line) ?(?:as|is"
    r"|being|=|:|counts as|is called) (?:row )?(?:0|zero)|top row ?= ?row 0)\)?"
)
"""Where rows and columns are counted from: ``the top wall being row 0``"""
_ALONG = r"(?=the (?:very )?(?:top|bottom|left|right)(?:most|-hand)? (?:edge|row|col|wall|side))"
"""In front of a side of the maze, along which one goes."""
_LINE = re.compile(r"\b(?:the )?(?:very )?(\d+)th (line|character)(?: from the (?:top|left))?")


def _counted(found: re.Match[str]) -> str:
    """``the sixth line`` of the drawing is row 5"""
    return f"{'row' if found[2] == 'line' else 'column'} {int(found[1]) - 1}"


_RULES = tuple(
    (re.compile(one), other)
    for one, other in (
        (r"\\(?:right|left|long)*arrow|\\to\b|\\implies", "->"),
        (r"\\times|×|✕", "x"),
        (r"\\(?:text|mathrm|mathbf|textbf|boxed)\b|\\[()\[\],;!]|[{}$\"`*]", " "),
        (r"=>", "->"),
        ("\u2191", " up "),
        ("\u2193", " down "),
        ("\u2190", " left "),
        (r"\(row, ?col(?:umn)?\)", "coordinates"),
        (r" (?:in|as|using) coordinates(?: (?:form|format|notation|order|pairs))?\b", ""),
        (r",? ?\(?\b(?:using )?(?:0|zero)-(?:indexed|based)(?: (?:indexing|numbering))?\b\)?", ""),
        (_FROM_0, ""),
        (r"\bone (?:after|by) (?:another|the other|one)\b", ""),
        (_ORIGIN, ""),
        (r"\b(?:in[- ])?between (?:s and e|e and s|the (?:two|2))\b", "between them"),
        (r"\bone (?:\w+ )?\w+ at a time\b", ""),
        (r"\ball the way\b ?", ""),
        (r"\bsame (?:horizontal line|height|level)\b", "same row"),
        (r"\bsame vertical line\b", "same column"),
        (r"\blevel with\b", "in the same row as"),
        (r"\bright (?=before|after\b)", ""),
        (r"\b(every|each) one of\b", "each of"),
        (r"\bthe (?:page|maze|drawing)'s (left|right)(?:-hand)? side", r"the \1 side of the page"),
        (r"((?:top|bottom|upper|lower)[- ](?:left|right))(?:-hand)? corner\b", r"\1 edge"),
        (r"\bto its (left|right)\b", r"to the \1"),
        (r"\b(of (?:them|which|these|those)) (right|left)\b", r"\1 are \2"),
        (r"\bi\.e\.,?|\be\.g\.,?", "that is"),
        (r"\((?:north|south|east|west)\)", ""),
        (r"°", " degrees"),
        (r"\b(there|they|we|you)'re\b", r"\1 are"),
        (r"\b(that|it|here|what|which|there)'s\b", r"\1 is"),
        (r"\b(i|you|we|they)'ve\b", r"\1 have"),
        (r"\b(i|you|we|it|that|they)'(?:ll|d)\b", r"\1"),
        (r"\b(is|are|does|do|was)n't\b", r"\1 not"),
        (r"\b(?:cannot|can't|can not|could not|couldn't) be\b", "is not"),
        (r"\b(?:anti|counter)-? ?clockwise\b|\bccw\b", "counterclock"),
        (r"\bcw\b", "clockwise"),
        (r"\b(?:up|north)wards?\b|\bnorth\b", "up"),
        (r"\b(?:down|south)wards?\b|\bsouth\b", "down"),
        (r"\b(?:left|west)wards?\b|\bwest\b", "leftward"),
        (r"\b(?:right|east)wards?\b|\beast\b", "rightward"),
        (
            r"\b(?:to|towards?) the (left|right)(?:-hand)? side\b(?: of the (?:maze|grid|page"
            r"|drawing|map))?",
            r"\1ward",
        ),
        (rf"\b(?:climb|ascend)(?:s|ing)? {_ALONG}", "goes up along "),
        (rf"\bdescend(?:s|ing)? {_ALONG}", "goes down along "),
        (rf"\b(up|down) {_ALONG}", r"\1 along "),
        (rf"\b(?:cross|travers)(?:es?|ing)? {_ALONG}", "crosses along "),
        (r"\b(right|left)-hand\b(?= (?:turn|corner|bend))", r"\1"),
        (
            r"\b(?:the )?(?:exit|goal|finish|end ?point|destination)(?: (?:point|cell"
            r"|position))?(?: \(e\))?(?![\w])",
            "E",
        ),
        (r"\bthe end (?:point|cell|position)(?: \(e\))?", "E"),
        (
            r"\b(?:the |your )?(?:starting|start) (?:point|cell|position|location"
            r"|square)(?: \(s\))?",
            "S",
        ),
        (r"\bthe start(?: \(s\))?(?![\w])", "S"),
        (r"(?<![\w'])\(?\be\b\)?(?=\W|\Z)", "E"),
        (r"(?<![\w'])(?:\(s\)|\bs\b)(?=\W|\Z)", "S"),
        (r"\bthe (?=[SE]\b)", ""),
        (r"\b([SE]) \1\b", r"\1"),
        (
            rf"(?:\( ?)?\brow{_AT}(\d+) ?(?:,|and|,? in|,? at|/|&|;)? ?{_COL}{_AT}(\d+)\b"
            r"(?! is (?:to the |further )?(?:left|right|smaller|less|greater|larger)\b)(?: ?\))?",
            r"<\1,\2>",
        ),
        (rf"(?:\( ?)?\b{_COL}{_AT}(\d+) ?(?:,|and|of|,? in)? ?row{_AT}(\d+)(?: ?\))?", r"<\2,\1>"),
        (r"[(\[] ?(\d+) ?, ?(\d+) ?[)\]]", r"<\1,\2>"),
        (_THE, "PATH"),
        (r"\bPATH \(?(?:is )?marked (?:by|with|as) '?x'?s?\)?", "PATH"),
        (r"\bthe x(?:'s|s| marks| cells)", "PATH"),
        (rf"\bPATH{_FROM_TO}", "PATH"),
        (rf"\b{_TURN}(s?)\b", r"turn\1"),
        (r"\ban? (?:single|lone|sole)\b", "1"),
        (r"\b(?:single|lone|sole)\b", "1"),
        (r"\bchanges direction\b", "turns"),
        (r"\b(to|on) (?:your|the traveller's|its own) (left|right)\b", r"\1 the \2"),
        (r"\b(asks?) for\b", r"\1 about"),
        (r"\bthe very (?=first\b)", "the "),
        (r"\bis the only\b", "is the 1"),
        (r"\bare not any\b", "are 0"),
        (r"\b(is|are) ([^✗✘❌]*?) ?[✗✘❌]", r"\1 not \2"),
        (r"\bonce\b", "1 time"),
        (r"\btwice\b", "2 times"),
        (r"\b(?:thrice)\b", "3 times"),
        (r"\bno (?=(?:\w+ )?(?:turns?|displacement|segments?)\b)", "0 "),
        *((rf"\b{one}\b", f"{k + 1}th") for k, one in enumerate(spelling.ORDINALS)),
        (r"\b(\d+)(?:st|nd|rd)\b", r"\1th"),
        *((rf"\b{one}\b", f"{k}") for one, k in spelling.NUMBERS.items()),
        (r"(?<=\d )(?:straight )?(?:legs|runs|stretches|sections|pieces|lines)\b", "segments"),
        (r"\b(?:beneath|underneath|under)\b", "below"),
        (r"(?:(?<=up )|(?<=down ))(\d+) rows?\b|(?<=ft |ht |rd )(\d+) columns?\b", r"\1\2 cells"),
        (r"\b(?:corridor|passage|passageway|hallway|lane)s?\b", "corridor"),
        (r"\bfarther\b", "further"),
    )
)
_ARROWS = re.compile("[\u2190\u2191\u2193]")
_RIGHT = re.compile("(?<![\\w)\u2190-\u2193])(?<![\\w)\u2190-\u2193] )→|→(?! ?[\\w\u2190-\u2193])")
"""An arrow that is a direction, beside other ones: ``↑ to →``; not that of ``↑ → ←``."""
_LETTERS = re.compile(r"(?<![\w'-])[rdlu](?:(?: ?(?:,|->|-|>) ?| )[rdlu]\b)+(?![\w'-])")
_NAMES = {"r": "right", "d": "down", "l": "left", "u": "up"}


_COMPASS = re.compile(
    r"(?<![\w'-])(?=[NESW, >→-]{0,200}[NW]|[ES] ?(?:→|->) ?[ES] ?:)"
    r"[NESW](?: ?(?:,|→|->|-) ?[NESW]\b)+(?![\w'-])(?P<kind> ?: ?[RL]\b)?"
)
"""Points of the compass in a row, of which S and E alone may be the ends: ``W, N, E``; two with the
kind of turn between them: ``E → S: R``."""
_POINTS = {"N": "up", "S": "down", "W": "left", "E": "right", "R": "right", "L": "left"}
_ONE_STEP = re.compile(
    rf"\A({CELL}) ?-> ?({CELL}) ?(?::|\(|-|,) ?(?:moves? |go(?:es)? )?({WAY})\)?"
)
"""A step and its direction: ``(3,1) → (3,2): right``."""


def _pointed(found: re.Match[str]) -> str:
    """The directions of points of the compass."""
    said = re.sub(r" ?(?:→|->) ?", " -> ", found[0])
    return re.sub(r"[NESWRL]", lambda one: _POINTS[one[0]], said)


def spoken(text: str) -> str:
    """A sentence in that spelling."""
    text = _COMPASS.sub(_pointed, text)
    text = plain(_RIGHT.sub(" right ", text) if _ARROWS.search(text) else text)
    text = _LETTERS.sub(
        lambda m: (" -> " if "->" in m[0] else ", ").join(
            _NAMES[one] for one in re.findall("[rdlu]", m[0])
        ),
        text,
    )
    for one, other in _RULES:
        text = one.sub(other, text)
    text = " ".join(_LINE.sub(_counted, text).split())
    return _ONE_STEP.sub(r"from \1 \3 to \2", text)


def way(said: str) -> str:
    """A direction as a grid calls it."""
    return said.removesuffix("ward").upper()


def cell(said: str) -> tuple[int, int]:
    """The cell that ``<3,5>`` is."""
    row, column = said.strip("<>").split(",")
    return int(row), int(column)


def tokens(text: str, form: re.Pattern[str], words: Container[str]) -> list[re.Match[str]] | None:
    """The tokens of a text, one behind the other; None where it has anything else, or a word that
    is neither one of ``words`` nor of :data:`GOING`.

    Args:
        form: A token; its group ``word`` is a word that no other group takes.
    """
    found, place = list[re.Match[str]](), 0
    while place < len(text):
        token = form.match(text, place)
        if token is None:
            return None
        if (word := token["word"]) and word not in GOING and word not in words:
            return None
        found.append(token)
        place = token.end()
    return found
