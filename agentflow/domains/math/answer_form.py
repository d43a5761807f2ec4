"""What a final answer in mathematics looks like: a whitelist of signs, commands and kinds of words.

A sentence, a placeholder (``your answer``, ``...``) or a doubt (``12? no, 13``) is no answer.
"""

from __future__ import annotations

import json
import re

from agentflow.domains.math.units import WORDS
from agentflow.domains.spelling import word_set
from agentflow.tools.named_values import named
from agentflow.tools.quantities import NUMBER_WORDS, read_number, things

MAX_LENGTH = 1_000
"""Longer texts are no final answers."""

_COMMANDS = word_set("""
frac sqrt pi infty cup cap in notin pm mp cdot times div le ge lt gt ne neq approx equiv pmod bmod
mod sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp binom begin end
emptyset varnothing mathbb mathbf mathcal vec hat bar overline underline dot circ angle triangle
perp parallel sim cong setminus subset subseteq to mid lvert rvert vert lfloor rfloor lceil rceil
max min gcd lcm sum prod int lim e i alpha beta gamma delta epsilon zeta eta theta iota kappa
lambda mu nu xi rho sigma tau phi varphi chi psi omega Delta Gamma Lambda Omega Phi Psi Sigma
Theta land lor neg quad qquad prime ast star
""")
_ENVIRONMENTS = word_set("""
pmatrix bmatrix matrix vmatrix array cases aligned
""")
_FUNCTIONS = word_set("""
sin cos tan cot sec csc arcsin arccos arctan log ln exp sqrt mod
""")
_PHRASES = frozenset(
    {"no", "yes", "true", "false", "none", "never", "always", "sometimes", "undefined", "dne"}
    | {"no solution", "no solutions", "no real solution", "no real solutions", "does not exist"}
    | {"infinite", "infinitely many", "infinitely many solutions", "all real numbers"}
    | {"not possible", "impossible"}
)
_NOT_NAMES = word_set("""
a about above all also am an and another answer answers any approximately are around as at be
because been best below boxed but by calculated can cannot check choice computed could depends
determine determined did do does done either equal equals error example expression final find
following for format found from get gives given goal got guess had has have he hence here hmm how
however i idea if insert instead into is it its just know known like likely let maybe may me might
must my need neither next no nor not number of off okay on one option or our perhaps please
possible possibly previous probably problem put question really response result same say says see
she should simply since so solution some something somewhere sorry step still such sure text than
that the their them then there therefore these they think this those thus to todo try uncertain
unclear unknown unsure use value variable wait want wanted was we were what when where whether
which who why will with would wrong x xx xxx yet you your
""")
"""Words that no name of a thing, a person or a unit consists of; placeholders among them."""
_UNIT_WORDS = word_set("""
a an per of square squared cubic cube sq cu units unit percent am pm mph kph degrees radians
january february march april may june july august september october november december
""")
_JOINING = frozenset({"and", "or"})
_TOKEN = re.compile(
    r"(?P<number>\d[\d,]*\.?\d*|\.\d+)|\\(?P<command>[a-zA-Z]+)|(?P<escaped>\\[%{}$|\\&#_ ,;!])"
    r"|(?P<word>[^\W\d_]{2,}(?:[-'’.][^\W\d_]+)*\.?)|(?P<letter>[^\W\d_])"
    r"|(?P<sign>[-+*/^_=<>()\[\]{}|,;:!%&'$€£¥.~])|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{([a-z]*)\}(?:\{[lcr|]*\})?")
_MATHBB = re.compile(r"\\math(?:bb|bf|cal|rm)\{[A-Za-z]\}")
_CONSTANT = re.compile(
    r"(.*[^\s+]) ?\+ ?(?:[CcK](?:_\{?\d\}?)?|\\text\{C\}|\\mathrm\{C\})[\s$.]*", re.DOTALL
)
_PRODUCT = re.compile(
    r"\s*(?!\b(?:an|as|at|be|by|do|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)\b)"
    r"[a-z]{2}(?=\s?[-+^=(])"
)
"""A product of two letters in front of a sign: ``mx+b``."""
_LISTED = re.compile(r"[,;]| and ")
_SEVERAL = re.compile(r"(?i)\b(?:or)\b|\\lor\b")
_ASKS_FOR_SEVERAL = re.compile(
    r"(?i)\b(?:all|both|values|solutions?|solve|roots|numbers|integers|possible|possibilities|pairs"
    r"|either|which|list|zeros|zeroes|intercepts|answers|options|each|every|triples|ordered)\b"
)


def offers_several(answer: str) -> bool:
    """Whether an answer says ``or``."""
    return _SEVERAL.search(answer) is not None


def asks_for_several(question: str) -> bool:
    """Whether a question may have several answers."""
    return _ASKS_FOR_SEVERAL.search(question) is not None


def without_constant(one: str, other: str) -> tuple[str, str] | None:
    """Two antiderivatives without the constants that they have (``x^2 + C``); None for any other
    two answers."""
    found = _CONSTANT.fullmatch(one), _CONSTANT.fullmatch(other)
    if not any(found):
        return None
    return (found[0][1] if found[0] else one), (found[1][1] if found[1] else other)


def has_form(answer: str) -> bool:
    """Whether a text is an answer: an expression, with a unit or without, or a short name.

    Args:
        answer: In the spelling of :func:`agentflow.tools.equality.normal_form`.
    """
    if len(answer) > MAX_LENGTH:
        return _is_data(answer)
    if answer.lower() in _PHRASES or answer.lower() in NUMBER_WORDS or _is_data(answer):
        return True
    if values := _values(answer):
        return has_form(values)
    environments = _ENVIRONMENT.findall(answer)
    if not all(name in _ENVIRONMENTS for name in environments):
        return False
    text = _MATHBB.sub("R", _ENVIRONMENT.sub(" ", answer))
    found = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text)]
    kinds = {kind for kind, _ in found}
    if "other" in kinds or not kinds & {"number", "command", "word", "letter"}:
        return False
    if any(kind == "command" and one[1:] not in _COMMANDS for kind, one in found):
        return False
    if answer in ("X", "XX", "XXX", "N/A"):
        return False
    words = [one.lower().rstrip(".") for kind, one in found if kind == "word"]
    return not words or _are_names(text, found, words) or _are_units(text, found, words)


def _values(answer: str) -> str:
    """What the equations of an answer give a name (``AB=4, CD=5``); empty for anything else."""
    if whole := named(answer):
        return whole[1]
    found = [named(part.strip()) for part in _LISTED.split(answer)] if "=" in answer else []
    return ", ".join(one[1] for one in found if one) if all(found) else ""


def _is_data(text: str) -> bool:
    """Whether a text is an object or a list in JSON, as questions about calls of functions want."""
    if not text.startswith(("{", "[")) or '"' not in text:
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _are_names(text: str, found: list[tuple[str, str]], words: list[str]) -> bool:
    """Whether the text is a name of a few words: ``Evelyn``, ``right triangle``, ``(C) east``."""
    if any(kind in ("number", "command", "escaped") for kind, _ in found) or len(words) > 4:
        return False
    signs = {one for kind, one in found if kind == "sign"}
    named = [word for word in words if word not in _JOINING]
    return signs <= {"(", ")", ",", "."} and len(text) <= 60 and not _NOT_NAMES & {*named}


def _are_units(text: str, found: list[tuple[str, str]], words: list[str]) -> bool:
    """Whether the words of an expression are functions, units or join its parts."""
    if text.strip() and text.strip()[0].isalpha() and words[0] not in _FUNCTIONS | _UNIT_WORDS:
        first = next(kind for kind, _ in found if kind != "space")
        if first == "word" and not _PRODUCT.match(text):
            return False
    number = read_number(text)
    for word in words:
        singled = word in WORDS or word in _UNIT_WORDS or word in _FUNCTIONS or word in _JOINING
        variables = len(word) <= 3 and word not in _NOT_NAMES and not text.isupper()
        counted = things([word]) > 0 and _follows(text, word)
        if not (singled or variables or counted or number):
            return False
    return number is not None or len(words) <= 6


def _follows(text: str, word: str) -> bool:
    """Whether a word stands behind a number, a bracket or another word: as a unit does."""
    place = text.lower().find(word)
    before = text[:place].rstrip()
    return bool(before) and (before[-1].isalnum() or before[-1] in ")}]%/.")


_SIGNED = re.compile(
    r"[\s$\\(]*(?:~|--|(?:c|ca|approx)\. ?(?=\d)"
    r"|-?\d[\d.,]*!+[\s$\\).]*\Z|\|-?\d[\d.,]*\|[\s$\\).]*\Z)"
)
_SET = re.compile(r"[\s$]*\\?\{[^{}]*,[^{}]*\\?\}[\s$.]*")
_ASKS_PLACE = re.compile(r"(?i)\b(?:(?:mid)?point|coordinates|ordered (?:pair|triple)|vector)\b")


def is_no_number(question: str, answer: str) -> bool:
    """Whether an answer has a sign that makes it another one, or none: ``~6``, ``c. 6``, ``6!``,
    ``|6|``, ``{5, 1}`` where a point is asked for. ``--`` is no sign, ``~`` in LaTeX a space."""
    if _SET.fullmatch(answer):
        return _ASKS_PLACE.search(question) is not None
    return _SIGNED.match(answer) is not None


_LAST = re.compile(
    r"(?:\A|\n)[ \t*]*(?:(?i:(?:final )?answer:)[ *]*)?\$?(?P<said>\d[\d.,]*!"
    r"|\\?\{ ?-?\d[-\d., /]*,[-\d., /]*\\?\})\$?[*\s.]*\Z"
)


def last_signed(text: str) -> str | None:
    """The number, or the set, of the last line of a text, with the signs that make it one: ``6!``,
    ``{5, 1}``; None for any other last line."""
    found = _LAST.search(text[-200:])
    return found["said"] if found else None
