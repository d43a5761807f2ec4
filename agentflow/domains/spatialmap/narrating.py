"""Whether a clause claims nothing of a map: it repeats what is asked, or tells how to go about it.

We need the objects southeast of Mill   the question, where that is what is asked
So we choose option B                   the answer, among words that claim nothing
Let's look at Pier                      words that point to an object
likewise Pier                           is none: it goes on with what was said before
"""

from __future__ import annotations

import re
from typing import Any

from agentflow.domains import narration, spelling
from agentflow.domains.spatialmap import claims, wording
from agentflow.domains.spatialmap.claims import NAMES, N
from agentflow.domains.spelling import NUMBERS, word_set

WORDS = word_set("""
    related trick turn either among way ways reversal
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
    putting merging joining adding taking noting note recalling recall observing observe
    comparison compare comparing tally evaluation elimination setup approach strategy method
    idea
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
    backwards backward forwards versus third alternatives alternative completeness own sake clarity
    safe side safety double sanity
    instance example interested wish hand using easiest fastest way key simplest method approach
    confirming final statement line lines clues clue help helps sorted sort ordering ordered
    indirect indirectly third-party pass passes passing apart mentioned earlier later ahead
    without against work works worked working goal objective useful turning around round chained
    manner fashion thing things note settle settles settled process thinking let's give giving
    translate convert converting rewrite rewriting rewritten restate restating express expressed
    organize organizing arrange arranging assign assigning keep keeping mind importantly notice
    noticing crucial crucially relevant helpful immediately obvious obviously evident evidently
    known unknowns formal formally informally intuitively intuition visual visualize visualizing
    visually mental mentally diagram plot plotting figure sense makes resulting final consequently
    accordingly moreover furthermore additionally besides meanwhile specifically namely
    particular essentially basically effectively equivalently likewise similarly
    wise both each turn turns term terms short form formula notation abbreviate
    abbreviation abbreviations system frame cardinal intercardinal standard convention usual
    common shared middle connecting connector connects connect bridge bridges bridging
    combination composition compose composed composing chain chains extend extends extended
    continuing continue carry carrying forward overall net path paths
    dig dive begin walk through go systematic careful detail details detailed analysis solve
    puzzle problem exercise today please thanks thank welcome
""")
"""Words of which a sentence on a map may consist that claims nothing of it."""
_POINTS = word_set("""
    a about analyze and at between check checking compare consider considering determine direction
    examine find finding first focus for from how involving let lets look looking locate location
    need next now object of on our position relation relations relationship relationships start
    starting step the then through to us we with via ignore skip bridge pivot anchor
    intermediate relative solve statement statements sentence sentences fact facts
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
    confirmed confirms confirming choose choosing chosen select pick picking choice choices
    boxed fits
    fit holds hold opposite reversed reverses inverse flip flipped flips both together
    also likewise similarly again like too along
    intersect link links linked count counts counted counting tally target swapped swap swaps
    converse inverted must wanted required desired needed transitive transitively
    excluded exclude correspond corresponds corresponding answers asked compare compared consider
    eliminate eliminating ruling rule excluding contain contains label labelled mark appear appears
    occur occurs same identical similarly equivalently each settle settles useful obvious evident
    common shared middle known standard connects connect bridges turn turns makes
""")
"""Words that say something of an object beside which they stand."""
_SHORT = re.compile(r"'(?:s|re|ll|ve|d|m)\Z")
_NAMING = (narration.WORDS | WORDS) - _STATES
_POINTERS = word_set("""
    look looking consider considering check checking compare comparing examine examining focus find
    finding start starting begin beginning take taking use using position positions direction
    location
    place relation relations relationship relationships statement statements sentence sentences
    fact facts mention mentions mentioning mentioned involve involves involving ignore skip via
    reference through about regarding concerning concern relate relates relating objects object
    options candidates need relative chain path trace tracing follow following map information
    locate
    locating analyze determine viewpoint perspective go going move moving scan scanning list
    collect gather bridge pivot anchor
""")
"""Words that point to an object; without any of them its name goes on with what was said."""
_FOUND = re.compile(
    r"\b(?:find|found|get|gets|see|identify|identified|left|gives?|leaves?|we have"
    r"|i have)(?: that| only)?:?"
    rf" (?:the )?{N}"
)
"""Words that would say that an object is one that is asked for."""
TURNS = re.compile(r"\b(?:opposite|revers\w+|invers\w+|invert\w*|convers\w+|flip\w*|swap\w*)\b")
_OF_ASKED = re.compile(r"\b(?:is|are|answers?|asked|asks|question|what)\b")
PLACING = re.compile(
    r"\b(?:above|all|back|below|first|last|next|once"
    r"|(?<!this )(?<!that )one(?! (?:valid |possible |correct )?(?:answer|choice)\b| (?:by"
    r"|at a)\b)"
    r"|only|over|(?<!work )(?<!figure )(?<!find )out|right(?! (?:answer|option|choice|one"
    r"|letter|direction)\b)|(?<!chained )(?<!combined )(?<!put )(?<!taken )together|up)\b"
)
"""Words that would say something beside an object, or beside *is*."""
_BE = re.compile(r"\b(?:is|are|be|there|been|has|have)\b")
_THINGS = re.compile(
    r"\b(?:map|text|data|description|list|sentences?|statements?|facts?|relation\w*)\b"
)
"""What is not counted."""
_SIGN = re.compile(r"[^\w\s.,:;!()\[\]{}*\"'`#/\\$&✓✔✅☑🗺🧭📍🎯👍😊🙂🎉\ufe0f-]|\.\.\.|~")
"""A sign that is not known to claim nothing."""
_NUMBERED = re.compile(
    r"\b(?P<what>step|sentence|statement|fact|clue|relation|relationship)s? #?"
    rf"(?P<k>(?:\d{{1,2}}|{'|'.join(NUMBERS)})(?:(?:,| and|, and|-| to) \d{{1,2}})*)\b"
)
_EACH = re.compile(
    r"\b(?:every|each|all)(?: of)?(?: the)?(?: given)? "
    r"(?=(?:sentence|statement|fact|relation|step))"
)
_SOME = re.compile(
    r"\b(?:the|these|those|both|my)(?: (?:two|three|four))\b"
    r"|\b(?:two|three|four) (?=(?:ways|steps|parts|things|moves|cases|stages)\b)"
    r"|^(?:first|second|third|lastly),? "
)
_OTHERS = re.compile(rf"\bthe (?:other|remaining) (?P<k>\d{{1,2}}|{'|'.join(NUMBERS)})\b")
_ASKS = re.compile(
    r"\b(?:we|i|you)(?: are| am|'re|'m) (?:being )?(?:asked|looking|searching"
    r"|interested|after|told|given|trying|only interested)\b"
)
_MATTERS = re.compile(
    r"\bthe (?:one|statement|sentence|fact|relation) (?:that |which )?(?:(?:we"
    r"|i) need|matters|is relevant|is needed|to look at|to use)\b"
)
_AXES = re.compile(
    r"\b(?:north ?[-/] ?south|south ?[-/] ?north|east ?[-/] ?west|west ?[-/] ?east"
    r"|n ?[-/] ?s|e ?[-/] ?w)\b"
)
_GENERAL = re.compile(
    r"\b(?:all|every\w*|each|any|others?|another|some|rest|options|choices|candidates|objects)\b"
)
_JUDGES = re.compile(
    r"\b(?:match\w*|correct\w*|valid|satisf\w+|true|right|fits?|works?|agree\w*|consistent\w*"
    r"|qualif\w+|answers?|correspond\w*)\b"
)
"""Words that, of all or of others, would say something."""
_LETTER = re.compile(
    r"(?:(?<=option )|(?<=choice ))\(?(?P<a>[A-J])\b\)?"
    r"|(?<![\w'])(?P<b>[B-HJ]|A(?! [^\W_])|I(?=\W*\Z))(?![\w'])"
)


_DOING = re.compile(
    r"(?:^|\b(?:by|after|when|upon|on|and|for|while) )(?!(?:no|any|every|some)?thing\b"
    r"|(?:contra|con|mis|dis|un|fail|lack|deny|err|doubt|exclud|miss|being|lying|remaining)\w*)"
    r"[a-z]{2,}ing\b"
)
"""What one does before a claim: ``By flipping this round``"""
_SEEN = re.compile(
    r"\b(?:exclud|check|eliminat|rul|consider|compar|examin|skip|ignor|inspect|verif|discard"
    r"|review"
    r"|go|look)\w*(?: out| at| through| over)? (?:(?:all|each|every|any)(?: of)? )?(?:the )?"
    r"(?:others\b|other (?:\w+ )?(?:objects?|options?|choices?|places?|ones?)\b)"
)
"""What is done with the others, of which nothing is said."""
_WHERE_ALL = re.compile(
    rf"\bwhere (?:each|every|all|any|the other|the|these|those)(?: of)?(?: the)?(?: other)?"
    rf"(?: objects?| places?| options?| ones?)? (?:is|are|lies?|sits?|stands?)(?: located)?,?"
    rf"(?: (?:relative|compared|in relation|with respect) (?:to|with) (?:the )?(?:{N}|it))?"
)


def leads(text: str) -> bool:
    """Whether words before a claim claim nothing."""
    return narration.only(_DOING.sub(" ", text.strip().lower()), WORDS)


def narrates(data: dict[str, Any], text: str, form: str) -> bool:
    """Whether a clause repeats the question or the answer among words that claim nothing."""
    asked, letters = data["asked"], data["letters"]
    low = _WHERE_ALL.sub(" ", _asked(asked).sub(" ", text))
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
    seen = _SEEN.search(rest)
    if seen and re.search(N, rest[seen.end() :]):
        return False  # a list of the others begins
    rest = _SEEN.sub(" ", rest)
    rest = _AXES.sub(" ", _NUMBERED.sub(" ", _SOME.sub(" ", rest)))
    if TURNS.search(rest) and _OF_ASKED.search(rest):
        return False
    if _GENERAL.search(rest) and _JUDGES.search(rest):
        return False
    named = bool(re.search(N, rest)) or repeats
    rest, answers = " ".join(rest.split()), 0
    if not any(len(re.findall(N, one[0])) > 1 for one in NAMES.finditer(rest)):
        rest, answers = _values_of(data, form).subn(" ", rest)
    if answers and re.search(r"\b(?:others?|another)\b", rest):
        return False
    if re.search(r"\d", rest) or _SIGN.search(
        re.sub(N, "", rest.replace("?", "") if repeats else rest)
    ):
        return False
    rest = rest.replace("?", " ")
    if (named or _BE.search(rest)) and PLACING.search(rest):
        return False
    if names := re.findall(N, rest):
        rest = NAMES.sub(" ", rest, count=1)
        words = re.findall(r"[a-z']+", rest)
        bare = not words and len(names) == len(re.findall(N, text))
        found = asked["kind"] != "direction" and _FOUND.search(text.lower())
        points = (bare or any(word in _POINTERS for word in words)) and not found
        several = bare and asked["kind"] == "object" and len(names) > 1
        return not (re.search(N, rest) or answers or several) and points and only_points(words)
    if asked["kind"] == "count" and answers and not repeats and _THINGS.search(rest):
        return False
    if repeats and not answers and _BE.search(rest):
        return False
    return leads(rest)


def _numbers(text: str) -> list[str]:
    """The numbers of sentences that a text names."""
    said = " ".join(found["k"] for found in _NUMBERED.finditer(text) if found["what"] != "step")
    return re.findall(rf"\d+|{'|'.join(NUMBERS)}", said)


def only_points(words: list[str]) -> bool:
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
            rf"|how {what} (?:relates?|compares?|is (?:\w+ )?(?:placed|positioned|located|related"
            rf"|oriented))(?: relative)? (?:to|with) {of}"
            rf"|(?:(?:relation|relationship|direction|position|connection|link|path|chain"
            rf"|route)s? )?"
            rf"(?:between|connecting|linking|relating) (?:{what} (?:and|to|with) {of}"
            rf"|{of} (?:and|to|with) {what})"
            rf"|(?:the )?(?:relative )?(?:direction|position|location) from {of} to {what}"
            rf"|(?:the )?(?:(?:relative )?(?:direction|position|location) of )?"
            rf"{what} {seen})(?!\w|')"
        )
    way = low = asked["direction"].lower()
    way = f"{way[:5]}[ -]?{way[5:]}" if len(way) > 5 else way
    if len(way) > 5:
        one, other = low[:5], low[5:]
        both = rf"{one} and (?:to the )?{other}|{other} and (?:to the )?{one}"
        way = rf"(?:{way}|(?:both )?(?:{both}))"
    where = rf"(?:{wording.IN})?{way} (?:of|from) (?:{of}|it|this object)(?!\w|')"
    here = rf"(?:{where}|{wording.IN}{way}(?! of|\w))"
    thing = r"(?:(?:objects?|places?|ones?|options?)|of (?:the|these) (?:options|objects|places))"
    return re.compile(
        rf"(?i)(?:how many|which|what) {thing} (?:(?:is|are|lies?) )?{here}"
        rf"|which(?: ones?)?(?: of (?:these|them|those|the (?:\w+ )?options))? (?:is|are"
        rf"|lies?) {here}"
        rf"|(?:an?|any|the|each|every) (?:object|place) (?:must|has to|needs to|should) be {here}"
        rf"|(?:those|the ones?) (?:(?:that|which) (?:is|are|lies?|lie) )?{here}"
        rf"|the {way} (?:one|object)s?"
        rf"|(?:those |the objects? )?(?:for|with|in|as|marked|labelled) (?:the )?{way}(?! of|\w)"
        rf"|(?:in (?:the )?)?{way} ?\?"
        rf"|(?:the |all |any |number of |count of )*(?:objects?|places?) "
        rf"(?:(?:that|which) (?:is|are|lies?|lie) )?{here}"
    )
