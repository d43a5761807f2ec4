"""What a reply says beside its answer: each sentence is understood, or the answer is undecided.

Pier: southeast of Mill            a claim, which the map has to entail
y(Pier) < y(Mill)                  another one
Two objects: Pier, Hall            which objects are counted
Which object is south of Mill?     the question, where that is what is asked
So we choose option B.             the answer, among words that claim nothing
Let's look at Pier.                words that claim nothing
The map is drawn to scale.         is not understood
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from agentflow.domains import closings, markup, narration, spelling
from agentflow.domains.spatialmap import canonical, claims, drawing, placing, wording
from agentflow.domains.spatialmap.claims import WHO, N
from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.placing import Context
from agentflow.domains.spatialmap.problem import stated
from agentflow.domains.spelling import NUMBERS, word_set

_WORDS = word_set("""
    after analysis analyse analyze analyzing agrees ask asked asks boxed br briefly box carefully
    chain checked choice choices choose clear combine combined combining confirm confirmed
    confirming confirms consistent correctly corresponds corresponding count counted counting data
    description direction directions directly examine fact facts hope helps involving json key
    list listed listing locate location locations map maps match matches matching mentioned
    multiple number object objects option options parse place places point position positions
    premises question reason reasons recalculated relation relations relative relationship
    relationships relevant respect reversing satisfied satisfies select sentence sentences spatial
    statement statements text tex total track trace transitivity true think understand valid
    working been have has would must can could
    good great nice fun interesting eliminate eliminating elimination exclude excluding rule ruling
    positioned arranged listed via anchor pivot intermediate question direction direct ignore skip
    putting merging joining adding taking noting note recalling recall observing observe comparison compare comparing tally evaluation elimination setup approach strategy method idea
    observation insight trick deduction inference route holds hold verdict relative direct link
    along axes axis apply applying chaining coordinate coordinates grid picture sketch draw drawing
    imagine layout transitive transitively rule rules logic logical deduce deduced infer inferred
    immediate immediately straightforward easy compass candidate candidates target reference means
    meaning says say said states stated stating tells mentions describes reads written explicitly
    literally answers fits fit rest whole entire remaining gather gathering inspect scan scanning
    asks asking task key pieces piece vertical vertically horizontal horizontally separately apply
    opposite reverse reversed reverses inverse flip flipping flipped swap swaps swapped swapping
    invert inverting inverted converse both together reason directly link links linking linked
    build building places placing placed puts put concerned concerns question's map's go over
    every any involves involve contain contains name names help helpful hello hi happy glad
    certainly absolutely course here's below above following previous respectively per axis-wise
    intersect intersection condition conditions needs component components part parts conclude
    concluding conclusion summarize summary summarizing bottom line short brief quickly glance quick
    check checks verified verify verifying confirm read reading simply exactly required desired
    wanted corresponding corresponds letter letters pick picking chosen choosing mark label labelled
    appear appears appearing occur occurs stand stands standing sits lies lie located
""")
"""Words of which a sentence on a map may consist that claims nothing of it."""
_POINTS = word_set("""
    a about analyze and at between check checking compare consider considering determine direction
    examine find finding first focus for from how involving let lets look looking locate location
    need next now object of on our position relation relations relationship relationships start
    starting step the then through to us we with via ignore skip bridge pivot anchor intermediate relative solve statement statements sentence sentences fact facts
    that which mention mentions mentioning involve involves involving relevant concerning concern
    this those these relate relates relating information known given map says tells and each all
    now here use using reference point start perspective viewpoint center centre origin around
    candidates candidate options option other others objects list collect go gather read
""")
"""Words beside an object that only point to it."""
_STATES = word_set("""
    is are be been answer answers correct right result conclusion value solution back do does doing
    done follows leads verified verification conclude last first would sure check checked
    agrees agree correctly match matches matching matched satisfied satisfies true valid consistent
    confirmed confirms confirming choose choosing chosen select pick picking choice choices boxed fits
    fit holds hold opposite reverse reversed reverses inverse flip flipped flips both together
    also likewise similarly again like too along
    intersect link links linked count counts counted counting tally target swapped swap swaps
    converse inverted must wanted required desired needed transitive transitively
    excluded exclude correspond corresponds corresponding answers asked compare compared consider
    eliminate eliminating ruling rule excluding contain contains label labelled mark appear appears
    occur occurs
""")
"""Words that say something of an object beside which they stand."""
_SHORT = re.compile(r"'(?:s|re|ll|ve|d|m)\Z")
_NAMING = (narration.WORDS | _WORDS) - _STATES
_POINTERS = word_set("""
    look looking consider considering check checking compare comparing examine examining focus find
    finding start starting begin beginning take taking use using position positions direction location
    place relation relations relationship relationships statement statements sentence sentences
    fact facts mention mentions mentioning mentioned involve involves involving ignore skip via
    reference about regarding concerning concern relate relates relating objects object options
    candidates need relative chain path trace tracing follow following map information locate
    locating analyze determine viewpoint perspective go going move moving scan scanning list
    collect gather bridge pivot anchor
""")
"""Words that point to an object; without any of them its name goes on with what was said."""
_FOUND = re.compile(
    r"\b(?:find|found|get|gets|see|identify|identified|left|gives?|leaves?|we have|i have)(?: that| only)?:?"
    rf" (?:the )?{N}"
)
"""Words that would say that an object is one that is asked for."""
_TURNS = re.compile(r"\b(?:opposite|revers\w+|invers\w+|invert\w*|convers\w+|flip\w*|swap\w*)\b")
_OF_ASKED = re.compile(r"\b(?:is|are|answers?|asked|asks|question|what)\b")
_PLACING = re.compile(
    r"\b(?:above|all|back|below|first|last|next|once"
    r"|one(?! (?:valid |possible |correct )?(?:answer|choice)\b| (?:by|at a)\b)"
    r"|only|over|out|right|together|up)\b"
)
"""Words that would say something beside an object, or beside *is*."""
_BE = re.compile(r"\b(?:is|are|be|there|been|has|have)\b")
_THINGS = re.compile(
    r"\b(?:map|text|data|description|list|sentences?|statements?|facts?|relation\w*)\b"
)
"""What is not counted."""
_SIGN = re.compile(r"[^\w\s.,:;!()\[\]{}*\"'`#/\\$&✓✔✅☑🗺🧭📍🎯👍😊🙂🎉\ufe0f-]|\.\.\.|~")
"""A sign that is not known to claim nothing."""
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[A-J]\.)(?<!\bi\.e\.)(?<!\be\.g\.)[)\"'*_]*\s+|\n|; ")
_OPENED = re.compile(r"\. | ?[()\[\]] ?|: | ?[-=]> ?| - | ?<- ?| ?← ?")
_REASON = re.compile(
    r",? (?:so|thus|therefore|hence|because|since|but|as|which means(?: that)?|with|while|whereas|although|though|that is|namely|i\.e\.|e\.g\.)(?!\w),? ?"
)
_CUTS = re.compile(rf"{_OPENED.pattern}|{_REASON.pattern}|, (?:and )?| and | (?=[✗✘❌])")
"""Where a clause may end."""
_MOST = 12
"""Cuts that a clause may go across."""
_MOST_WORDS = 14
"""Words that claim nothing which may stand before a claim."""
_SPACE = re.compile(r",? ")
_STOPS = re.compile(
    rf"{N}|{canonical.D}|\d|\b(?:only|no|not|all|other|if|which (?:is|are))\b|[^\w\s,'-]"
)
"""What no words that claim nothing have before a claim."""
_TAIL = re.compile(r"(?<=[\ue000-\uf8ff])[ ,]+[a-z ,'-]+$")
"""The words behind the last name, or direction."""
_TOPIC = re.compile(rf"(?P<who>{WHO})(?: ?(?::| -) ?| ?(?=\())", re.I)
"""What a line is about."""
_HEADED = re.compile(
    rf"^[^{chr(claims.FIRST)}-\uf8ff]*(?P<who>{WHO})(?:,? [^{chr(claims.FIRST)}-\uf8ff]*| ?):$",
    re.I,
)
"""A headline about an object."""
_ASIDE = re.compile(rf"(?<=(?P<who>{N})) \((?P<said>[^()]*)\)")
"""What is said of an object in parentheses."""
_OPTION = re.compile(rf"(?i:option )?\(?(?P<letter>[A-J])(?:[.):] ?| - | )(?P<who>(?i:{WHO}))")
_MARK = re.compile(
    r"\\(?:boxed|text(?:bf|rm)?|mathrm)\b|</?(?:answer|br|solution)>"
    r"|[{}]|\$\$?|\\[()\[\]]|^\s*#+|\]\]|\[\[",
    re.M,
)
_FENCE = re.compile(r"^\s*(?:```\w*|---+|\|?[-:| ]+\|[-:| ]*)\s*$", re.M)
_OBJECT = re.compile(r"\{[^{}]*\}")
_OWN = re.compile(
    r"(?i)['’]s (?:relative )?(?:position|direction|location)"
    r"(?= (?:is |lies )?(?:relative|in rel|with))"
)
_ROW = re.compile(r"^\s*\|(.*)\|\s*$")
_NUMBERED = re.compile(
    r"\b(?P<what>step|sentence|statement|fact|clue|relation|relationship)s? #?"
    rf"(?P<k>(?:\d{{1,2}}|{'|'.join(NUMBERS)})(?:(?:,| and|, and|-| to) \d{{1,2}})*)\b"
)
_NAMES = re.compile(rf"{WHO}(?:(?:,|,? and|,? &) {WHO})*", re.I)
_CLAIM = re.compile(rf"(?:both )?{WHO}|(?:relative to|as seen from|(?:in|to) the) ", re.I)
"""Where a claim may begin."""
_WHERE = rf"(?P<where>(?:{wording.IN})?{wording.DIRECTION} of {WHO})"
_HALF = "(?:north|south|east|west)"
_HALVES = re.compile(
    rf"(?P<who>{WHO}) (?P<is>is|lies|must be) (?:both )?(?:further |farther )?(?:to the )?"
    rf"(?P<one>{_HALF})(?: (?:of|than) (?P<same>{WHO}))? and (?:is )?(?:also )?"
    r"(?:further |farther )?"
    rf"(?:to the )?(?P<two>{_HALF}) (?:of|than) (?P<of>{WHO})",
    re.I,
)
"""``A is further north and further east than B``"""
_SCREEN = {"up": "north", "above": "north", "down": "south", "below": "south"} | {
    "right": "east",
    "left": "west",
}
_ON_SCREEN = re.compile(
    r"(?i)\b(?:(?:up(?:ward)?|down(?:ward)?) and (?:to the )?(?:right|left)"
    r"|(?:above|below) and to the (?:right|left)|to the (?:right|left)) of\b|\b(?:above|below)\b"
)
"""Directions as on a screen."""
_LOCATED = re.compile(
    rf"(?i) is (?:located|situated|positioned|placed) (?={wording.DIRECTION} of )"
)
_LOOSE = re.compile(rf"(?P<who>{WHO}) (?:is|lies) (?P<d>{_HALF}) of (?P<of>{WHO})", re.I)
"""``A is north of B``, which is said of what is just further north, too."""
_ARROW = re.compile(
    rf"(?P<who>{WHO}) ?(?::|[-=]>|-|\||=|,) ?{_WHERE}",
    re.I,
)
_IS_THE = re.compile(
    rf"(?P<who>{WHO}) is the (?:only )?object (?:that is |which is |located )*"
    rf"{_WHERE}",
    re.I,
)
_THERE = re.compile(
    rf"(?P<where>{wording.IN}{wording.DIRECTION} of {WHO}),? "
    r"(?:we (?:find|have|see)|(?:there )?(?:is|are)"
    rf"|lies?):? (?P<names>{_NAMES.pattern})",
    re.I,
)
_SEVERAL = re.compile(
    rf"(?:both )?(?P<names>{WHO}(?:(?:,|,? and) {WHO})+) (?:are|lie)(?: both| all)? "
    rf"{_WHERE}",
    re.I,
)
_ORDER = re.compile(
    rf"(?P<one>(?P<axis>[xy])(?:\( ?|_ ?|-coordinate of ){WHO}(?: ?\))?)"
    r" (?P<sign>[<>]|is (?:larger|greater|bigger|higher|smaller|lower|less) than) "
    rf"(?P<other>(?:(?P=axis)(?:\( ?|_ ?|-coordinate of )|that of ){WHO}(?: ?\))?)"
)
_AXIS = re.compile(
    r"(?:let|write|take|call) (?:y (?:be|for|denote|mean) how far north"
    r"|x (?:be|for|denote|mean) how far east)"
    r" (?:something|a place|an object|each object|it) (?:is|lies)",
    re.I,
)
_PLACED = re.compile(
    rf"(?P<who>{WHO}) ?(?: is| lies|:|[-=]>|-|\|) ?(?:{wording.IN})?{wording.DIRECTION}[ ✓✔✅.]*",
    re.I,
)
_IN_MAP = re.compile(rf"{WHO} is (?:in|on) the map", re.I)
_EACH = re.compile(
    r"\b(?:every|each|all)(?: of)?(?: the)?(?: given)? "
    r"(?=(?:sentence|statement|fact|relation|step))"
)
_TOTAL = re.compile(
    r"(?i)(?:(?:there (?:is|are)|we (?:have|find|get|count)|(?:that|this|it|which) (?:makes|gives|leaves"
    r"|yields)(?: us)?|giving(?: us)?|making|in total|for a total of|a total of) )+"
    rf"(?:only |just |exactly )?(?P<k>{wording.COUNT})(?: (?:such )?(?:objects?|ones?|places?|match(?:es)?))?"
    r"(?: in total| in all| altogether)?"
)
"""How many objects there are that are asked for."""
_STATED = re.compile(r"(?:statement|sentence)s? #?\d+(?= ?(?::|says|states|tells us|$))")
"""A sentence of the map that is said to follow, by its number in whatever list."""
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        1,
    )
}
_ANY = -1
"""Any sentence of the map."""
_ORDINAL = re.compile(
    rf"(?:the )?(?:(?P<k>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS)}))"
    r"(?: of the (?:map's )?(?:sentences|statements|facts|relations|relationships|lines)"
    r"| (?:sentence|statement|fact|relation|relationship|line)(?: (?:of|in|on) the (?:map|text|list|description))?)"
)
"""The number of a sentence that is given behind it."""
_SOME = re.compile(r"\b(?:the|these|those|both|my)(?: (?:two|three|four))\b")
_OTHERS = re.compile(rf"\bthe (?:other|remaining) (?P<k>\d{{1,2}}|{'|'.join(NUMBERS)})\b")
_ASKS = re.compile(
    r"\b(?:we|i|you)(?: are| am|'re|'m) (?:being )?(?:asked|looking|searching|interested|after|told|given|trying|only interested)\b"
)
_UNNEEDED = re.compile(
    r"(?:no (?:further|other|more|additional) (?:\w+ )?(?:steps?|information|calculations?|reasoning"
    r"|statements?|sentences?|facts?|inferences?|deductions?|work) (?:is|are) (?:needed|required|necessary)"
    r"|(?:all )?(?:the )?(?:other|remaining|rest of the) (?:\w+ )?(?:statements?|sentences?|facts?|information|relations?|clues?"
    r"|map) (?:is|are)(?: not|n't) (?:needed|required|necessary|relevant)(?: here| for this)?"
    r"|(?:we|i|you) (?:do not|don't) need (?:the|any) (?:other|remaining|rest of the|further|more) ?(?:statements?|sentences?"
    r"|facts?|information|relations?|steps?|map)?)"
)
"""What says that no more is to be looked at."""
_MATTERS = re.compile(
    r"\bthe (?:one|statement|sentence|fact|relation) (?:that |which )?(?:(?:we|i) need|matters|is relevant|is needed|to look at|to use)\b"
)
_VERDICT = re.compile(
    r"(?:(?:that|this|which) (?:rules out|eliminates|excludes) )?(?P<letters>(?:(?:options?|choices?|and|,) ?|[A-J]\b ?)+)"
    r"(?:(?:is|are|can be|must be|would be)(?: thus| therefore| also)? )?(?:(?P<yes>right|correct|the (?:right|correct) (?:one|option|answer|choice)|it)"
    r"|(?P<no>out|wrong|incorrect|eliminated|ruled out|excluded|not (?:it|correct|right)))?"
)
_DIRECT = re.compile(
    r" \((?:(?:stated|given|direct|directly|explicit|explicitly|known|from|the|map|by|transitivity|as|in|text) ?)+\)"
)
"""Where it is known from that an object in a list is there."""
_AXES = re.compile(
    r"\b(?:north ?[-/] ?south|south ?[-/] ?north|east ?[-/] ?west|west ?[-/] ?east|n ?[-/] ?s|e ?[-/] ?w)\b"
)
_GENERAL = re.compile(
    r"\b(?:all|every\w*|each|any|others?|another|some|rest|options|choices|candidates|objects)\b"
)
_JUDGES = re.compile(
    r"\b(?:match\w*|correct\w*|valid|satisf\w+|true|right|fits?|works?|agree\w*|consistent\w*"
    r"|qualif\w+|answers?|correspond\w*)\b"
)
"""Words that, of all or of others, would say something."""
_THE_ONE = re.compile(
    r"(?:this|that|which) is (?:just |exactly |precisely )?(?:the (?:one|statement|relation|fact|sentence"
    r"|relationship|direction|object)|what) (?:that |which )?(?:we|i|is|was|you|the question)"
    r" ?(?:need|want|look(?:ing)? for|are looking for|asked(?: for| about)?|asks(?: for| about)?)(?: here)?"
)
_LETTER = re.compile(
    r"(?:(?<=option )|(?<=choice ))\(?(?P<a>[A-J])\b\)?"
    r"|(?<![\w'])(?P<b>[B-HJ]|A(?! [^\W_])|I(?=\W*\Z))(?![\w'])"
)

_IN_ORDER = re.compile(
    r"(?:east-west|north-south), further to the (?P<way>east|north) being more: ?"
    rf"(?P<names>{WHO}(?: ?< ?{WHO})+)"
)
"""``east-west, further to the east being more: A < B``"""
_NO_LINE = re.compile(r"(?i)the map puts no two objects in line")
"""What every map supposes: its directions are strict."""

Normal = Callable[[str], str | None]


def claims_of(data: dict[str, Any], text: str, form: str, normal: Normal) -> list[Claim] | None:
    """What a text claims beside its answer; None if a sentence of it is not understood.

    Args:
        data: The problem's.
        form: The answer, in its normal form.
        normal: The normal form of an answer, or None.
    """
    told, now = list[Claim](), begun(data, form)
    for _, found in _told(data, without_options(data, text), form, normal, now):
        if found is None:
            return None
        told += found
    return told


def begun(data: dict[str, Any], form: str) -> Context:
    """What is spoken of before a word is said: whom the question, or the answer, is about."""
    now = Context(data["asked"], form, tuple(data["objects"]))
    now.subject = data["asked"].get("object")
    if now.asked["kind"] == "object":
        now.subject = now.objects.index(form)
    return now


def without_options(data: dict[str, Any], text: str) -> str:
    """A text without a list of all options."""
    options = [rf"\(?{one}[.):]+ *{re.escape(said)}" for one, said in data["letters"].items()]
    every = r"[\s,;.*-]+".join(options)
    return re.sub(every, " ", text, flags=re.IGNORECASE) if options else text


def _told(
    data: dict[str, Any], text: str, form: str, normal: Normal, now: Context
) -> Iterator[tuple[str, list[Claim] | None]]:
    """Each sentence of a text, with its claims."""
    for line in _lines(canonical.points(text), now.objects):
        now.topic = None
        for sentence in line:
            now.spoken, now.cited = False, 0
            yield sentence, _read(data, _labelled(data, sentence), form, normal, now)
            headline = _HEADED.search(sentence)
            now.head = claims.number(headline["who"]) if headline else now.head


def _labelled(data: dict[str, Any], sentence: str) -> str:
    """A sentence without the letter of an option, where what that says follows."""
    found = _OPTION.match(sentence)
    value = data["letters"].get(found["letter"]) if found else None
    names = data["objects"]
    if found and value in names and claims.number(found["who"]) == names.index(value):
        return sentence[found.start("who") :]
    return sentence


def _lines(text: str, objects: tuple[str, ...]) -> Iterator[list[str]]:
    """The sentences of each line of a text, each name one sign; a list of names goes with its headline."""
    text = _OBJECT.sub(_values, text)
    text = _MARK.sub(" ", _FENCE.sub("", text)).replace("**", "")
    listed = list[str]()
    for line in text.split("\n"):
        row = _ROW.match(line)
        line = " : ".join(row[1].split("|")) if row else line
        one = _DIRECT.sub("", claims.named(_OWN.sub("", line), objects))
        if not one.strip(" ."):
            continue
        alone = _NAMES.fullmatch(one.rstrip(" .✓✔✅")) is not None
        if listed and alone:
            listed.append(one.rstrip(" .✓✔✅"))
            continue
        yield _joined(listed)
        listed = []
        if alone or one.endswith(":"):
            listed = [one.rstrip(" .✓✔✅")]
            continue
        yield _SENTENCE.split(one)
    yield _joined(listed)


def _joined(listed: list[str]) -> list[str]:
    """A headline with the names below it, or these alone."""
    if not listed:
        return []
    head = listed[0] if listed[0].endswith(":") else ""
    names = ", ".join(listed[bool(head) :])
    return [f"{head} {names}".strip()]


def _values(found: re.Match[str]) -> str:
    """What an object in JSON says, each value on a line of its own."""
    try:
        held = json.loads(found[0])
    except ValueError:
        return found[0]
    told = list[str]()
    for key, value in held.items():
        told.append(f"{key.replace('_', ' ')}.")
        told += [str(one) for one in (value if isinstance(value, list) else [value])]
    return "\n" + "\n".join(told) + "\n"


def _read(
    data: dict[str, Any], sentence: str, form: str, normal: Normal, now: Context
) -> list[Claim] | None:
    """The claims of a sentence: of all its clauses, each as long as can be read."""
    sentence = _plain(sentence)
    topic = _TOPIC.match(sentence)
    if topic:
        now.topic = claims.number(topic["who"])
    for begin in dict.fromkeys((0, topic.end() if topic else 0)):
        cuts = [
            (0, 0),
            *(one.span() for one in _CUTS.finditer(sentence, begin)),
            (len(sentence),) * 2,
        ]
        cuts[0] = (begin, begin)
        dead = set[int]()
        if (found := _from(data, sentence, cuts, 0, form, normal, now, dead)) is not None:
            return found
    bare = _ASIDE.sub("", sentence)
    if bare == sentence or (told := _read(data, bare, form, normal, now)) is None:
        return None
    topic = now.topic
    for aside in _ASIDE.finditer(sentence):
        now.topic = claims.number(aside["who"])
        if (found := _read(data, aside["said"], form, normal, now)) is None:
            return None
        told = [*told, *found]
    now.topic = topic
    return told


def _from(
    data: dict[str, Any],
    sentence: str,
    cuts: list[tuple[int, int]],
    first: int,
    form: str,
    normal: Normal,
    now: Context,
    dead: set[int],
) -> list[Claim] | None:
    """The claims of a sentence from one of its cuts on; ``dead`` are cuts from which it cannot be
    read."""
    if first == len(cuts) - 1:
        return []
    if first in dead:
        return None
    for last in range(min(len(cuts) - 1, first + _MOST), first, -1):
        piece = _plain(sentence[cuts[first][1] : cuts[last][0]])
        whole = first == 0 and last == len(cuts) - 1
        before = replace(now)
        found = [] if not piece else _clause(data, piece, form, normal, now, whole)
        if found and now.cited:
            found = found if found[0] in _cited(data, now.cited) else None
            now.cited = 0
        if found is not None:
            now.met(found)
            rest = _from(data, sentence, cuts, last, form, normal, now, dead)
            if rest is not None:
                return found + rest
            vars(now).update(vars(before))
    dead.add(first)
    return None


def _cited(data: dict[str, Any], number: int) -> list[Claim]:
    """What the sentence of a number says; the first object may have a sentence, too."""
    relations = data["relations"]
    kept = relations if number == _ANY else relations[max(0, number - 2) : number]
    return [Claim("in", way, b, (a,)) for a, way, b in kept]


def _plain(piece: str) -> str:
    return markup.unlisted(piece).strip(" .!,:;✓✔✅*\"'>-")


def _clause(
    data: dict[str, Any], piece: str, form: str, normal: Normal, now: Context, whole: bool
) -> list[Claim] | None:
    """The claims of one that is understood as it is; names alone are a sentence, and no clause."""
    if ordinal := _ORDINAL.search(piece.lower()):
        now.cited = spelling.number(ordinal["k"]) if ordinal["k"] else _ORDINALS[ordinal["word"]]
        piece = _plain(piece[: ordinal.start()] + piece[ordinal.end() :])
    if _STATED.match(piece.lower()):
        now.cited = _ANY
    if not whole and _NAMES.fullmatch(piece) and not normal(claims.unnamed(piece, now.objects)):
        return None
    objects, asked = tuple(data["objects"]), data["asked"]
    value = None if piece.lower() == "no" else normal(claims.unnamed(piece, objects))
    if value == form:
        return [stated(data, form)]
    text = _respelled(piece)
    if (found := claims.read(text)) is not None:
        return found
    if value is not None:
        return None
    begin = _CLAIM.search(piece)
    lead = piece[: begin.start()] if begin else ""
    led = bool(lead) and not _PLACING.search(lead.lower()) and _narrates(data, lead, form)
    if led and (found := claims.read(_respelled(piece[len(lead) :]))) is not None:
        return found
    if placed := _PLACED.fullmatch(text):
        number, direction = claims.number(placed["who"]), wording.direction_of(placed["d"])
        return None if number == asked["of"] else [Claim("in", direction, asked["of"], (number,))]
    if _IN_MAP.fullmatch(text) or _NO_LINE.fullmatch(text):
        return []
    if (found := _formed(data, piece, form, now)) is not None:
        return found
    if asked["kind"] == "count" and (total := _TOTAL.fullmatch(text)):
        return [] if str(wording.count_of(total["k"])) == form else None
    if asked["kind"] == "count" and (counted := _counted(text, form)):
        inside = tuple(sorted({claims.number(one) for one in re.findall(N, counted)}))
        if inside and len(inside) != int(form):
            return None
        return [Claim("all", asked["direction"], asked["of"], inside)]
    return [] if closings.closes(piece) or _narrates(data, _AXIS.sub(" ", piece), form) else None


def _formed(data: dict[str, Any], piece: str, form: str, now: Context) -> list[Claim] | None:
    """The claims of a clause of a known form, among words that claim nothing."""
    if _UNNEEDED.fullmatch(piece.lower()):
        return []
    if (ruled := _ruled(data, piece, form)) is not None:
        return ruled
    if _THE_ONE.fullmatch(piece.lower()):
        return [] if _is_asked(data, form, now) else None
    text = canonical.canonical(piece)
    ends = [len(text)]
    tail = _TAIL.search(text)
    if tail and not _PLACING.search(tail[0]) and _only_points(re.findall(r"[a-z']+", tail[0])):
        ends.append(tail.start())
    begins = [0, *(one.end() for one in _SPACE.finditer(text))][:_MOST_WORDS]
    for begin in begins:
        lead = text[:begin]
        if begin and (_STOPS.search(lead) or not narration.only(lead, _WORDS)):
            return None
        for end in ends:
            said = text[begin:end].strip(" ,:")
            if placing.definition(said):
                return []
            for found in (placing.read(said, now), drawing.read(data, said, now)):
                if found is not None:
                    return found
    return None


def _ruled(data: dict[str, Any], piece: str, form: str) -> list[Claim] | None:
    """What is said of options by their letters: ``so A and B are out``"""
    found = _VERDICT.fullmatch(piece)
    if found is None or not (found["yes"] or found["no"]):
        return None
    said = [data["letters"].get(one) for one in re.findall(r"\b[A-J]\b", found["letters"])]
    if not said or None in said or any((one == form) != bool(found["yes"]) for one in said):
        return None
    others = [one for one in said if one != form and data["asked"]["kind"] == "object"]
    return [replace(stated(data, one), kind="out") for one in others if one]


def _is_asked(data: dict[str, Any], form: str, now: Context) -> bool:
    """Whether what was claimed last is the answer."""
    return bool(now.claims) and now.claims[-1] == stated(data, form)


def _counted(text: str, form: str) -> str:
    """The names of the objects that a clause counts, and nothing else: ``2 objects: A, B``."""
    found = re.fullmatch(
        rf"(?:(?:so |there (?:are|is) )*(?P<k>{wording.COUNT})(?: objects?)?(?:,? namely)?:? ?\(?"
        r"|(?:these|they|the objects?) (?:are|is):? "
        r"|(?:so |then |here |thus )?(?:we|i) (?:can )?(?:find|have|get|see|identify|found)(?: only| just)?:? )?"
        rf"(?P<names>{_NAMES.pattern})\)?",
        text,
        re.I,
    )
    if found is None or (found["k"] and str(wording.count_of(found["k"])) != form):
        return ""
    return str(found["names"])


def _respelled(text: str) -> str:
    """A clause in a spelling of :mod:`~agentflow.domains.spatialmap.claims`."""
    text = _LOCATED.sub(" is ", text)
    text = _ON_SCREEN.sub(_turned, text)
    text = _HALVES.sub(
        lambda m: (
            f"{m['who']} is further {m['one']} than {m['same'] or m['of']}, "
            f"{m['who']} is further {m['two']} than {m['of']}"
        ),
        text,
    )
    text = _LOOSE.sub(r"\g<who> is further \g<d> than \g<of>", text)
    text = _IN_ORDER.sub(_chained, _ORDER.sub(_compared, text))
    text = _IS_THE.sub(r"\g<who> is \g<where>", _ARROW.sub(r"\g<who> is \g<where>", text))
    text = _THERE.sub(r"objects \g<where>: \g<names>", text)
    text = _SEVERAL.sub(
        lambda m: ", ".join(f"{one} is {m['where']}" for one in re.findall(WHO, m["names"])), text
    )
    return wording.as_in_a_map(text)


def _turned(found: re.Match[str]) -> str:
    ways = [
        _SCREEN[one] for one in re.findall(r"(?:up|down|above|below|right|left)", found[0].lower())
    ]
    return f"{' and '.join(ways)} of"


def _compared(found: re.Match[str]) -> str:
    ways = ("west", "east") if found["axis"] == "x" else ("south", "north")
    one, other = (re.findall(N, found[name])[0] for name in ("one", "other"))
    more = re.search(r">|larger|greater|bigger|higher", found["sign"]) is not None
    return f"{one} is further {ways[more]} than {other}"


def _chained(found: re.Match[str]) -> str:
    names = re.findall(N, found["names"])
    way = found["way"]
    return ", ".join(f"{more} is further {way} than {one}" for one, more in pairwise(names))


def _narrates(data: dict[str, Any], text: str, form: str) -> bool:
    """Whether a clause repeats the question or the answer among words that claim nothing."""
    asked, letters = data["asked"], data["letters"]
    low = _asked(asked).sub(" ", text)
    repeats = low != text
    for letter in _LETTER.finditer(low):
        if letters.get(letter["a"] or letter["b"]) != form:
            return False
    rest = _LETTER.sub(" ", low)
    rest = _EACH.sub("", rest.lower())
    most = len(data["sentences"]) + 1  # the first object has a sentence, too
    if any(spelling.number(one) > most for one in _numbers(rest)):
        return False
    others = _OTHERS.search(rest)
    if others and spelling.number(others["k"]) != len(data["objects"]) - 1:
        return False
    rest = _MATTERS.sub(" ", _ASKS.sub(" ", _OTHERS.sub(" ", rest)))
    rest = _AXES.sub(" ", _NUMBERED.sub(" ", _SOME.sub(" ", rest)))
    if _TURNS.search(rest) and _OF_ASKED.search(rest):
        return False
    if _GENERAL.search(rest) and _JUDGES.search(rest):
        return False
    named = bool(re.search(N, rest)) or repeats
    rest, answers = " ".join(rest.split()), 0
    if not any(len(re.findall(N, one[0])) > 1 for one in _NAMES.finditer(rest)):
        rest, answers = _values_of(data, form).subn(" ", rest)
    if re.search(r"\d", rest) or _SIGN.search(
        re.sub(N, "", rest.replace("?", "") if repeats else rest)
    ):
        return False
    rest = rest.replace("?", " ")
    if (named or _BE.search(rest)) and _PLACING.search(rest):
        return False
    if names := re.findall(N, rest):
        rest = _NAMES.sub(" ", rest, count=1)
        words = re.findall(r"[a-z']+", rest)
        bare = not words and len(names) == len(re.findall(N, text))
        found = asked["kind"] != "direction" and _FOUND.search(text.lower())
        points = (bare or any(word in _POINTERS for word in words)) and not found
        several = bare and asked["kind"] == "object" and len(names) > 1
        return not (re.search(N, rest) or answers or several) and points and _only_points(words)
    if asked["kind"] == "count" and answers and not repeats and _THINGS.search(rest):
        return False
    if repeats and not answers and _BE.search(rest):
        return False
    return narration.only(rest, _WORDS)


def _numbers(text: str) -> list[str]:
    """The numbers of sentences that a text names."""
    said = " ".join(found["k"] for found in _NUMBERED.finditer(text) if found["what"] != "step")
    return re.findall(rf"\d+|{'|'.join(NUMBERS)}", said)


def _only_points(words: list[str]) -> bool:
    """Whether words beside an object only point to it."""
    words = [_SHORT.sub("", word) for word in words]
    return all(word in _POINTS or word in _NAMING for word in words)


def _values_of(data: dict[str, Any], form: str) -> re.Pattern[str]:
    """The answer among other words, in small letters."""
    kind = data["asked"]["kind"]
    if kind == "object":
        sign = chr(claims.FIRST + data["objects"].index(form))
        return re.compile(rf"(?:the )?{sign}(?!')")
    if kind == "direction":
        found = {"northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw"}
        low = form.lower()
        halves = f"{low[:5]}[ -]?{low[5:]}" if low in found else low
        short = rf"|{found[low]}\b" if low in found else ""
        return re.compile(rf"\b(?:(?:to|in|on) the )?(?:{halves}\b{short})(?! of\b)(?: direction)?")
    words = [word for word, number in wording.NUMBERS.items() if str(number) == form and number]
    behind = r"(?= ?(?:$|[^\w\s]|objects?\b|is\b|and\b|so\b|which\b|matches\b|corresponds\b))"
    return re.compile(rf"\b(?:{'|'.join([form, *words])})\b{behind}")


def _asked(asked: dict[str, Any]) -> re.Pattern[str]:
    """The question, or what it is about, in whatever words."""
    of = f"(?:the )?{chr(claims.FIRST + asked['of'])}"
    if asked["kind"] == "direction":
        what = f"(?:the )?{chr(claims.FIRST + asked['object'])}"
        seen = f"(?:relative to|in relation to|with respect to|compared to|as seen from) {of}"
        return re.compile(
            rf"(?i)(?:(?:in )?(?:which|what) direction (?:is )?{what} (?:is |lies )?{seen}"
            rf"|where {what} (?:is|lies|stands)(?: located)? {seen}"
            rf"|(?:the )?(?:relative )?(?:direction|position|location) from {of} to {what}"
            rf"|(?:the )?(?:(?:relative )?(?:direction|position|location) of )?"
            rf"{what} {seen})(?!\w|')"
        )
    way = low = asked["direction"].lower()
    way = f"{way[:5]}[ -]?{way[5:]}" if len(way) > 5 else way
    if len(way) > 5:
        way = rf"(?:{way}|(?:both )?{low[:5]} and (?:to the )?{low[5:]})"
    where = rf"(?:{wording.IN})?{way} (?:of|from) {of}(?!\w|')"
    here = rf"(?:{where}|{wording.IN}{way}(?! of|\w))"
    thing = r"(?:(?:objects?|places?|ones?|options?)|of (?:the|these) (?:options|objects|places))"
    return re.compile(
        rf"(?i)(?:how many|which|what) {thing} (?:(?:is|are|lies?) )?{here}"
        rf"|(?:those |the objects? )?(?:for|with|in|as|marked|labelled) (?:the )?{way}(?! of|\w)"
        rf"|(?:in (?:the )?)?{way} ?\?"
        rf"|(?:the |all |any |number of |count of )*(?:objects?|places?) "
        rf"(?:(?:that|which) (?:is|are|lies?|lie) )?{here}"
    )
