"""Whether what is said of a program has only words that go with it and with its task.

``It keeps the first of each.``   goes with ``seen``, ``if one not in seen`` and a task that says so
``It keeps the last of each.``    is strange: neither the code nor the task has a last one
``The list is not sorted.``       is strange where the code sorts: a denial of what it does

A word goes with a program where it is a name in it, or a word for what it does; with a task where
it stands there. The others may only tell how one goes about a program (:data:`_STOCK`).
"""

from __future__ import annotations

import ast
import re
from itertools import product
from typing import NamedTuple

from agentflow.domains import narration
from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.python import claims, complexity, facts, steps, words_for_code
from agentflow.domains.python.source import code_alone, nodes_of
from agentflow.domains.spelling import LETTERS, NUMBERS, plain, stem, word_set

_STOCK = word_set("""
    accept account achieve actual adhere advanced algorithm already alternative always amount
    anything appropriate args argument array aspect assign attempt automatic available avoid basic
    basis behave behavior behaviour being benefit block body bound boundary brute built but call
    case cases cell change character characteristic class code coin column common complexity
    comprehension concise condition constraint contain contents convert core correctness
    correspond cost could cover create criteria current data date day declare define degree
    demonstrate depend describe description designed detect digit docstring doctest during edge
    efficient either elegant element empty encounter english enough entire entry etc euclid
    euclidean euler every everything execute exist expect fact fail false feature few fibonacci
    file fix float form formatted full function gauss general generate graph grid hold hour
    however immediately implement import include index indicate indices individual info initialize
    input integer intermediate intuition invalid item iterable iterate job key language large
    library line liner list long loop main maintain manipulate manipulation mark mathematical
    matrix may mention minute mistake module month must naive necessary new newline node none
    normal number object occur occurrence operator optimal optimize option original other
    otherwise outline output own paragraph parameter parse pass pattern people per person
    placeholder plain point position possible potential prefer prepare previously price principle
    produce program project properly property punctuation purpose python pythonic queue range
    rather readable receive recommend record refactor relate require requirement rest return row
    rule run satisfy script second section segment sentence sequence setup several should
    signature simultaneous single size snippet some space specify stack standard statement still
    storage store string student style subarray sublist subproblem subsequence substring such
    suppose target temperature template test text than themselves third three time trace traverse
    tree trial true turn tutorial two type types typical unchanged underlying until untouched
    update usage user usual valid validate variable version via visit walkthrough was were when
    whenever whether whichever whitespace who whole why within word worst wrong year yes
""")
"""Words of the trade that say nothing of what a program does."""
_PLACES = word_set("first last before after")
_LEADS = re.compile(
    r"^(?:(?:first|second|third|last|finally|next|then)(?:ly)?,? (?:we|i|it|the|a)?\b"
    r"|unlike [^,]+, )"
)
"""What puts a sentence in its place among others."""
_FREE = re.compile(
    r"\bunit (?=tests?\b)|\bmore (?=compact|concise|efficient|elegant|general|readable|pythonic)"
    r"|\b(?:first|last|next|single) (?=lines?\b)|\bat (?:most|least) (?=once\b)"
    r"|\bcount(?:s|ing)? (?=down|up)|\bfirst(?=,)|\bwhere n is the (?:length|number|size)\b"
    r"|'(?:ll|ve|re|s|d|m)\b|\bshort\b(?= and\b|[.,]|$)|\bonce more\b"
    r"|\bdrop(?:s|ped)? (?:below|to|under)\b|\bsuch as -?\d+|\b[a-z]+(?:error|exception)\b"
    r"|\bprint(?=\()|\bpython ?[23](?:\.\d+)?\+?|(?<=\bi\.e)\."
    r"|(?<=\bthe )two (?=(?:elements|integers|items|lists|numbers|strings|values)\b)"
    r"|\b(?:two|three|four|five) (?=(?:main )?steps\b)"
    r"|\b(?:at|by) the end\b(?! of the (?:list|string|text))|\btwo (?=variables\b)"
    r"|(?<=\b(?:it|we|is) )first(?= \w+)|(?<=\b(?:code|then|will) )first(?= \w+)"
    r"|(?<=\bfunction )first(?= \w+)|\banother (?=(?:helper )?function\b)"
    r"|\b(?:how|as) (?:many|often)\b|\bbreak down\b|\bmultiple(?= \w+s\b)|\bmanner\b"
    r"|\bmeets? (?=(?:all |the |these |a |this |your )*(?:criteria|conditions?|requirements?)\b)"
    r"|\binside (?=(?:the|this|each|a) (?:\w+ )?(?:loop|function)\b)|(?<=-)th\b"
    r"|(?<=\bloop )exits?\b|\bwithout (?:leaving )?(?:a|any) remainder\b"
    r"|\Apseudo-?code\W*\Z|(?<=\busing the )same (?=function\b)"
    r"|\bthat many (?=elements|items|numbers)\b|\benters? (?=(?:a|the) (?:\w+ )?loop\b)"
    r"|(?<=\bwith )different (?=(?:inputs?|numbers|values)\b)"
    r"|\b(?:constant|linear|quadratic|logarithmic)(?: amount of)?(?: extra| additional| auxiliary)?"
    r" (?=(?:time|space|memory)\b)"
    r"|\breplace (?=.*\byour own\b)|(?<!\w)o\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"
)
"""What says nothing of what a program does."""
_DENIES = re.compile(
    r"(?<!`)\b(?:no|not|never|(?<!output: )none|nothing|without|neither|nor|cannot"
    r"|(?<!to )avoid\w*)\b|n't\b"
)
_MORE = "greater|larger|more|bigger|higher"
_OTHER_WORDS = (
    (re.compile(r"(?<=[ent]s the )number of\b(?! times)"), "count"),
    (re.compile(r"\bcalls itself\b"), "recursion"),
    (re.compile(r"\btwo[- ]pointers?\b"), "inwards"),
    (re.compile(r"\bboth (?:upper|lower)(?:case)? and (?:upper|lower)(?:case)?\b"), "insensitive"),
    (
        re.compile(
            r"(?<=error)(`?)(?: with an appropriate message,?)? (?:because|since|as)"
            r"(?= [^,.;]{1,80} (?:is|are) (?:not |un)defined\b)"
        ),
        r"\1 if",  # it is raised only then
    ),
    (
        re.compile(rf"\buntil ([^,.;:]{{1,80}}) (?:{_MORE}) than or equal(?: to)?\b"),
        r"until \1 untilabove",
    ),
    (re.compile(rf"\b(?:{_MORE}) than or equal(?: to)?\b"), "orequalabove"),
    (re.compile(r"\b(?:less|smaller|fewer|lower) than or equal(?: to)?\b"), "orequalbelow"),
)
"""What is said in several words -> one for it."""
_ITSELF = {
    stem(word)
    for word in word_set("""
    a an and answer answers asked be code does did for function good here how i is it meant mine my
    of one our program question really right s solution solve solves still suitable that the these
    this to valid want wanted was what will work works would you your
""")
}
"""Words of a sentence that denies nothing but the program: ``This is not the solution.``"""
_OF_ALL = re.compile(
    r"\W*(?:it(?! is|'s)|this|the (?:function|code|program|result|output|solution)|returns?|finds?"
    r"|computes?|counts?)\b"
)
"""How a clause begins that is about all of a program: no word of the trade is free in it."""
_OF_PROGRAM = re.compile(
    r"\W*(?:it|this|that|these|i|we|the (?:answer|function|code|program|solution|result|output)"
    r"|returns?|(?:comput|determin|calculat)es|finds|counts|gives?)\b"
)
"""How a comment begins that is about all of a program, and no order for one of its steps."""
_ORDERS = re.compile(r"[a-z]{3}est\b|\b(?:first|last)\W*\Z")
"""What may say which of several things is meant, or in which order."""
_I_DO = re.compile(r"\W*(?:so )?(?:i|we) (?!returns?\b|give\b)")
_SIGNS = re.compile(
    r"[\x00-\u024f\u0370-\u03ff\u2000-\u2bff\ufe0f🎉😊📌🧪🔍🔎🧾📝🧠💡🔧🛠📚📖📋🔑📊🧩🎯✨🚀]*"
)
_USES_NO = re.compile(rf"(?:{_DENIES.pattern})(?: \w+)? (?:hav|need|requir|us)\w+\b")
_ELSEWHERE = re.compile(
    r"\bto avoid [^,;.]*"
    r"|\b(?:unlike|compared (?:to|with)|instead of|rather than|as opposed to|in contrast to) [^,;]*"
    r"(?:, which .*)?"
    r"|\b(?:a more efficient (?:approach|algorithm|implementation|solution|version)"
    r" (?:would|could|might)"
    r"|(?:it(?: i|['’])s recommended|you (?:might|may|could) want"
    r"|it (?:might|may) be more efficient)"
    r" to use (?:an?|alternative|other|the built-in)\b(?=.*\b(?:algorithms?|approach|built-in"
    r"|library|libraries|loop|method)\b))"
    r"(?!.*\b(?:but|correct\w*|fix\w*|instead|must|proper\w*|right|should|test\w*|working|wrong)\b)"
    r".*"
)
"""What is said of another program."""
_LEFT = re.compile(
    r"\b(?:discard|drop|exclud|filter|ignor|like|otherwise|prevent|reject|remov|skip|than|would)"
)
"""What makes a clause speak of what a program leaves."""
_IF = re.compile(r"\b(?:if|when|unless|until|whether|while)\b")
_HANDLES = re.compile(r"\b(?:accept|cover|handle|support|work)\w*\b")
_HANDLED = word_set("negative positive zero large small invalid odd even duplicate null")
_LAST = re.compile(r"\blast (?:two |three )?(?:elements?|items?|numbers?|values?)\b")
"""What a program may take from the end of what it makes."""
_CLAUSE = re.compile(r"[,;:]\s|\s-+\s|\b(?:and|but|so|because|since|then)\b")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)")
_OFFERS = re.compile(
    r"let me know if you(?: want| need|['’]d like| would like)(?: me)? to (?:add|adapt|customi[sz]e"
    r"|explain|extend|include|see|support)\b(?! (?:it|that|this)\b)"
)
_DEEMS_IT = re.compile(
    r"\b(?:but|bugs?|correct\w*|errors?|fails?|fix\w*|instead|must|proper\w*|real|right|should|so"
    r"|that|this|working|wrong)\b|n['’]t\b|[,;:.] \w"
)
"""What makes an offer one of a better program."""
_LISTED = re.compile(
    r"\A\W*(?:\d{1,2}[.)]"
    r"|(?:approach|case|example|method|option|solution|step|version) \d+[:.]?)(?:\s|\Z)"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?!=)")
_IES = re.compile(r"(?<=\w\w)i(?:es|ed)\Z")
_E_FORM = re.compile(r"(?<=\w[aeiou][^aeiousx]e)[ds]\Z")
_SHORT_FORM = 5
"""Letters of ``times`` and ``named``: :func:`stem` leaves words of four alone."""
_LITERAL = re.compile(r"[\[{]\s*[-'\"\d\[({][^\]}]*[\]}]")
"""A list, a set or a dictionary with something in it."""


def is_english(sentence: str) -> bool:
    """Whether enough words of a sentence are known, whatever they say."""
    words = LETTERS.findall(sentence)
    known = sum(stem_of(one) in _ENGLISH for one in words)
    return known * 3 >= len(words) and _SIGNS.fullmatch(sentence) is not None


def sentences(text: str) -> list[str]:
    """The sentences of a text in small letters."""
    lines = plain(text).lower().replace("**", "").split("\n")
    found = (one for line in lines for one in _SENTENCE.split(_LISTED.sub("", line)))
    return [one for each in found if re.search(r"\w", one := each.strip(" \t*_#>-•|✅✔✓"))]


def strange(
    text: str, code: str, ask: str | None = None, *, free: bool = False, inside: bool = False
) -> list[str]:
    """The sentences of a text that have words, numbers or denials that go neither with a program
    nor with its task, or tell a running time, or a calculation, that cannot be so.

    Args:
        code: The program, with what is run of it.
        ask: The task; None where that is not known, so that a denial may be one of what it says.
        free: Whether words may stand there of which nothing is known, as ``Gauss``; those for what
            programs do may not.
        inside: Whether the text is that of a program's own comments. They may name what a step is
            about; what one says of all of the program, denies or counts is read to its last word.
    """
    written = ask or ""  # what is said again says nothing of the program
    asked = {*sentences(written), *sentences(written.replace("\\n", "\n"))}
    told = [one for one in sentences(text) if not (one in asked or closes(one) or _is_offer(one))]
    found = [(one, *facts.read(one)) for one in told]
    if not found:
        return []
    bare = code_alone(code)
    own, numbers = _known(bare)
    known = own | _stems(ask or "", _in_one_word((ask or "").lower()))
    said = _Said(known, own, _stems(bare), bare.lower(), ask and ask.lower(), free, inside)
    numbers |= _numbers(ask or "")
    packed = "".join(f"{bare}\n{ask or ''}".split()).lower()
    return [
        whole
        for whole, held, one in found
        if not (inside and _is_step(one, said))
        and (
            not held
            or (ask is None and claims.made(one) and one not in said.code)
            or not complexity.may_be(one, bare)
            or (any(_is_strange(it, said) for it in _clauses(one)) and not _in_detail(one, said))
            or (_WRITER.match(one) and (_stems(one) - _GENERAL).isdisjoint(known))
            or (
                not free
                and (
                    not _numbers(_FREE.sub("", one)) <= numbers
                    or any("".join(it.split()) not in packed for it in _LITERAL.findall(one))
                    or (ask is None and _DENIES.search(one))
                )
            )
        )
    ]


def without_free(sentence: str) -> str:
    """A sentence, in small letters, without what says nothing of what a program does, and without
    what is said of another one."""
    return _FREE.sub("", _ELSEWHERE.sub("", _in_one_word(sentence)))


def uses_no(sentence: str) -> bool:
    """Whether a sentence, in small letters, says that a program does without something."""
    return _USES_NO.search(sentence) is not None


def words_of(sentence: str) -> list[str]:
    return LETTERS.findall(sentence)


def denials(sentence: str) -> list[str]:
    """The words of a sentence, in small letters, that deny something."""
    return [one[0] for one in _DENIES.finditer(sentence)]


def _is_offer(sentence: str) -> bool:
    """Whether a sentence only asks what its reader may want besides."""
    return _OFFERS.match(sentence) is not None and _DEEMS_IT.search(sentence) is None


def _is_step(sentence: str, said: _Said, *, listed: bool = False) -> bool:
    """Whether a sentence orders a step of a program, and the program does what is ordered. What
    comes of it is tried by tests."""
    found = steps.ordered(sentence, listed=listed)
    if found is None or _DEEMS.search(sentence):
        return False
    if listed and _RESTRICTS.search(_NOT_DATA.sub("", sentence)):
        return False
    claimed = (_stems(sentence) if listed else {*map(stem_of, found)}) & _CLAIMS
    return claimed <= said.known


def without_steps(text: str, code: str) -> str:
    """A text without the items of its lists that order steps of a program."""
    bare = code_alone(code)
    known = _known(bare)[0]
    said = _Said(known, known, _stems(bare), bare.lower(), None, False, False)
    listed = {one for one in steps.items(text) if _are_steps(one, said)}
    return "\n".join(one for one in text.split("\n") if one not in listed)


def _are_steps(item: str, said: _Said) -> bool:
    told = sentences(item)
    return bool(told) and all(_is_step(one, said, listed=True) for one in told)


def _clauses(sentence: str) -> list[str]:
    """The parts of a sentence, without what says nothing of a program."""
    sentence = _in_one_word(sentence)
    return _CLAUSE.split(_FREE.sub("", _ELSEWHERE.sub("", _LEADS.sub("", sentence))))


def _in_one_word(text: str) -> str:
    """A text with one word for what is said in several."""
    for how, word in _OTHER_WORDS:
        text = how.sub(word, text)
    return text


_LONG = 16
"""Different words of a long sentence; one that goes into detail has half of them."""
_DETAILED = 3
"""Words of a program and its task that such a sentence has for each other one."""
_NOT_DATA = re.compile(
    r"\b(?:that|which|who) (?:is|are|do|does|has|have|was|were)(?: not|n't)\b(?: already)?"
    r"|\b(?:if|when|while|until|whether) [^,;]*"
)
"""What is denied of data, and not of the program."""
_RESTRICTS = re.compile(
    rf"{_DENIES.pattern}|\b(?:only|except\w*|unless|but|instead|rather|skip\w*|ignor\w*|drop\w*"
    r"|exclud\w*|omit\w*|miss\w*|discard\w*|leav\w+ out|reject\w*|remov\w*|fail\w*)\b"
)
"""What says that something is not so, or left out."""
_DEEMS = re.compile(
    r"\b(?:i|my|me|mine|you|your|they|he|she|somebody|someone|nobody|might|may|perhaps|maybe"
    r"|probab\w+|suppos\w+|should|would|could|had|was|were|been|above|below)\b"
)
"""What speaks of somebody, of what may be, or of what was."""
_WRITER = re.compile(
    r"i(?:['’]ve| have| had)? (?!(?:also |just |simply )?(?:us|writ|wrot|test|add|check|assum"
    r"|cho|keep|kept|implement|includ|ma[dk]e|defin|start|handl|hope|ran|run|need|went|go)[a-z]*\b)"
)
"""How a sentence begins that says of its author what is no work on a program."""


class _Said(NamedTuple):
    """What is known where a text is read.

    Attributes:
        known: The words for what a program does, and those of its task.
        done: Those for what it does.
        used: The words that stand in it.
        code: It, in small letters.
        ask: Its task, in small letters; None where that is not known.
        free: Whether other words may stand there.
        inside: Whether it is a comment in the program.
    """

    known: set[str]
    done: set[str]
    used: set[str]
    code: str
    ask: str | None
    free: bool
    inside: bool

    def turns(self, word: str, other: str) -> bool:
        """Whether a word may turn round what the task, or the program, says by another one."""
        return not self.has(word) and (self.ask is None or self.has(other))

    def has(self, word: str) -> bool:
        """Whether the task, or the program, has a word, or another one that says the same."""
        written = f"{self.code} {self.ask or ''}"
        same = _SAME.get(word, [word])
        return any(
            re.search(rf"(?<![a-z]){one}s?(?![a-z])" if len(one) < _INSIDE else one, written)
            for one in same
        )


def _is_strange(clause: str, said: _Said) -> bool:
    """Whether a clause has another word than those that are known, denies what these say, or has
    the opposite of what the task says."""
    words = _stems(_DENIES.sub("", clause))
    words -= {  # the nth
        one
        for one in words
        if one.endswith("th") and re.search(rf"\b{one.removesuffix('th')}\b", said.code)
    }
    denies = _DENIES.search(clause) is not None
    if _turns(clause, said):
        return True
    general = _GENERAL | (_HANDLED_STEMS if _HANDLES.search(clause) else set())
    if "would" in clause:
        general |= _TABLE
    if said.free:
        general |= words - (_CLAIMS | _TRADE if _OF_ALL.match(clause) else _CLAIMS)
    elif said.inside and not (_OF_PROGRAM.match(clause) or _ORDERS.search(clause)):
        general |= words - _CLAIMS - _TRADE
    if "would" in clause or not denies or _IF.search(clause):
        return not words <= said.known | general
    denied = words - general
    if said.free:
        return not denied.isdisjoint(said.done & _DONE)
    if words <= _ITSELF:
        return True
    known = said.used if _USES_NO.search(clause) else said.known
    return not denied <= said.known | _TABLE or not denied.isdisjoint(known)


def _turns(clause: str, said: _Said) -> bool:
    """Whether a clause has the opposite of what the task, or the program, says."""
    if _DENIES.search(clause) or _LEFT.search(clause) or _I_DO.match(clause):
        return False
    spoken = {*LETTERS.findall(clause)}
    return any(
        one in spoken
        and other not in spoken
        and said.turns(one, other)
        and not (one == "last" and one in said.done and _LAST.search(clause))
        for one, other in _POLES
    )


def _in_detail(sentence: str, said: _Said) -> bool:
    """Whether a sentence has so many known words that the few others only name what these are
    about: none that says what a program does, leaves out or is not, and none of its author's."""
    if _RESTRICTS.search(_NOT_DATA.sub("", sentence)) or _DEEMS.search(sentence):
        return False
    clauses = _clauses(sentence)
    if any(_turns(one, said) for one in clauses):
        return False
    words = _stems(*clauses)
    other = words - said.known - _GENERAL
    barred = _CLAIMS if len(words) > _LONG else _CLAIMS | _TRADE
    enough = (
        len(words) >= _LONG / 2 and len((words & said.known) - _GENERAL) >= len(other) * _DETAILED
    )
    return enough and other.isdisjoint(barred)


def _known(code: str) -> tuple[set[str], set[str]]:
    """(the words, the numbers) that go with a program."""
    count = [len(one.args.args) for one in nodes_of(code) if isinstance(one, ast.FunctionDef)]
    return _stems(*words_for_code.words(code)), _numbers(code) | {"0", "1", *map(str, count)}


def _numbers(text: str) -> set[str]:
    """The numbers of a text, in digits or in words."""
    words = (NUMBERS[one] for one in LETTERS.findall(text.lower()) if one in NUMBERS)
    return {*_NUMBER.findall(text), *(str(one) for one in words)}


def _stems(*texts: str) -> set[str]:
    words = (one for text in texts for one in LETTERS.findall(plain(text).lower()))
    return {stem_of(one) for one in words if one not in NUMBERS and len(one) > 1}


def stem_of(word: str) -> str:
    """Its stem, where no other ending is left: ``different`` and ``differs`` have one, and so have
    ``multiplies`` and ``multiply``, ``times`` and ``time``."""
    word = _IES.sub("y", word)
    if len(word) == _SHORT_FORM:
        word = _E_FORM.sub("", word)
    while (short := stem(word.removesuffix("est") if len(word) > 5 else word)) != word:
        word = short
    return word


_TABLE = _stems(*words_for_code.ALL)
_OPPOSITES = (
    ("odd", "even"),
    ("largest biggest greatest highest max maximum", "smallest lowest min minimum"),
    ("longest", "shortest"),
    ("ascending increasing", "descending decreasing"),
    ("uppercase upper", "lowercase lower"),
    ("vowels", "consonants"),
    ("prefix", "suffix"),
)
"""Words of which some say the opposite of the others."""
_SAME = {word: side.split() for pair in _OPPOSITES for side in pair for word in side.split()}
"""Word -> those that say the same."""
_INSIDE = 5
"""Letters of a word that may stand within a name: ``isupper``; ``min`` is not in ``admin``."""
_PAIRS = [pair for one, other in _OPPOSITES for pair in product(one.split(), other.split())]
_POLES = [*_PAIRS, *((other, one) for one, other in _PAIRS), ("last", "first")]
"""(a word, another one that says the opposite)"""
_GENERAL = {stem_of(one) for one in (narration.WORDS | _STOCK) - _PLACES}
_ENGLISH = _GENERAL | _TABLE | _stems("of to by or but code first")
_HANDLED_STEMS = {stem_of(one) for one in _HANDLED}
_DONE = _stems("sort recursion recursive recursively dictionary heap queue")
"""Words of which a denial is against a program that does it."""
_TRADE = _TABLE - _GENERAL - _stems(*_PLACES)
_CLAIMS = _stems("""
    anonymous average binary cache concatenate consonant count cube descend dictionary discard
    double drop duplicate exponential factorial frequency heap inwards lambda memo memoise memoize
    mirror modify multiplication multiply negate overflow palindrome print product queue quotient
    raise recurse recursive remove reverse rounded sieve sort strip subtract ternary trim triple
    union
""")
"""Words that say what a program does: it does, or its task speaks of it."""
