r"""What a sentence of a reply of Game of 24 claims of numbers but equations, and whether it holds.

    That leaves the 2 and the 5.         are not used by what was tried last
    So I need 3 from 2, 5 and 11.        leads to 24, out of numbers that are at hand
    8 is used twice.                     the answer has it twice
    I still need 4 more.                 what came out last is 20
    No fractions are needed.             all parts of the answer are whole

What is read here is taken out of its sentence; what remains has to be narration.

A form is a regular expression in which words in capitals stand for all words of one meaning
(``BE`` for ``is``, ``are``, ``would be``), with the name of their group before a colon
(``items:ITEMS``), and a space for all that may stand between two words without a meaning of its own
(``are also just``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from agentflow.domains.game24 import checks
from agentflow.domains.game24.checks import Found
from agentflow.domains.game24.known import Known
from agentflow.domains.game24.spoken import ITEM, ITEMS, NUMBER
from agentflow.domains.spelling import NUMBERS

_GAP = (
    r",? (?:(?:already|also|always|both|all|each|just|exactly|precisely|simply|still|now|then"
    r"|again|really|actually|conveniently|quite|itself|either|here|together|immediately|easily"
    r"|an?|the|us|me|you|our|these|those|this|that),? )*"
)
_COUNTED = "|".join(word for word, n in NUMBERS.items() if 0 < n < 14)
_SENSES = {
    "BE": r"(?:is|are|was|were|'s|be|being|gets?|got|(?:would|will|has|have|had|can) (?:be|been))",
    "HOLDS": r"(?:is(?: worth)?|are|equals?|means|amounts to|works like|gives?|makes?|yields?|has"
    r"|does|becomes|(?:evaluates?|comes?(?: out)?|simplif(?:y|ies)|reduces?|works out) to)",
    "MAKE": r"(?:(?:mak|giv|produc|creat|com)(?:e|es|ing)|(?:get|build|form|obtain|find|reach|have"
    r"|yield|combine|turn)(?:s|t?ing)?)(?: up with| in?to)?",
    "NOT": r"(?:(?:can|could|do|does|did|will|would|is|are|was) (?:not|never))",
    "OVER": r"(?:more|greater|larger|above|over|too (?:many|much|big|high|large))",
    "UNDER": r"(?:less|smaller|below|under|short|too (?:few|little|low|small))",
    "TARGET": r"(?:24|the target|the goal)",
    "OFTEN": r"(?:only )?(?P<times>once|twice|thrice|(?:one|two|three|four) times?)",
    "SIGN": r"(?:(?:add|sum|multipl|subtract|divid|division|product|difference|quotient)\w*)",
    "FROM": r"(?: (?:from|out of|using|with|of) (?:just |only |the )?(?:two |three )?"
    rf"(?:numbers?,?:? ?\(?)?(?P<given>{ITEMS})\)?)",
    "WAYS": r"(?:(?:possible|different|other|valid|correct) )*(?:(?:way|solution|answer|expression"
    r"|option|combination)s?|possibilit(?:y|ies)|approach(?:es)?)",
    "FRACTIONS": r"(?:fractions?|decimals?)",
    "AMOUNT": rf"(?:{NUMBER}|{_COUNTED})",
    "ALONE": rf"(?:{NUMBER}(?! ?[-+*/=]))",
    "FREE": rf"(?:(?<![-+*/=≈(.\d] ){NUMBER})",
    "PLACE": r"(?:bracket|parenthes[ei]s|denominator|divisor|numerator|factor)",
    "ITEMS": ITEMS,
    "ITEM": ITEM,
    "NUMBER": NUMBER,
    "WANTS": r"(?:(?:need|want|require)[sd]?|(?:look|search|aim|go)(?:ed|ing)? (?:for|at)"
    r"|(?:trick|idea|goal|plan|task|question|us|how|way)(?: is| was)? to|(?:needs?|want|ha(?:ve|s)"
    r"|try|trying|aim)(?: to)|(?P<can>(?:can|could)(?: (?:i|we|you))?|possible to|able to))",
    "SOME": r"(?:(?:an? |the )?(?:number|value|factor|result|way|combination|pairs?|two|numbers|of"
    r"|that|to|which|something|products|sums|differ(?:ing)? by)\b ?)*",
}  # fmt: skip
_CAPITALS = re.compile(r"(?:\b([a-z]+):)?\b([A-Z_]{2,})\b|\b([a-z]+):\(")
_FORMS: list[tuple[str, Callable[[Found, Known], bool]]] = [
    ("(a:FREE(,? which)?|which|that|it|this) (BE|'s) (by:AMOUNT )?(over:OVER|under:UNDER)"
     " (than |of )?(b:ALONE|TARGET)", checks.apart),
    ("by:AMOUNT (BE )?(over:OVER|under:UNDER)( than| of)?( TARGET)?", checks.apart),
    ("a:ITEM and b:ITEM differ by by:NUMBER", checks.apart),
    ("names:SIGN (BE )?(used )?OFTEN", checks.signs_often),
    ("items:ITEMS ((BE|appears?|occurs?) )*(used )?OFTEN", checks.used_often),
    ("(names:SIGN( (inside|in) PLACE)?|PLACE) HOLDS number:ALONE", checks.comes_out),
    ("PLACE (contain|hold|include|use|ha)s? items:ITEMS", checks.grouped),
    ("items:ITEMS ((BE|would|goes) )?(over:(left over|left out|over|out(?! of)|unused|not used)"
     "|left|remaining|remains?)", checks.left),
    ("leav(es?|ing)( with)?( only)? items:ITEMS(?! as )( over\\b)?", checks.left),
    ("no WAYS ((that|which|stays?|uses?|using|with|in) )+(integers|whole numbers)",
     checks.needs_fractions),
    ("(needs?|requires?|ha(s|ve) to (use|involve)|calls? for) (a |some |using )?FRACTIONS",
     checks.needs_fractions),
    ("(no|without( any| using)?) FRACTIONS( BE)?( needed| used| required)?", checks.whole),
    ("((at least )?count:(two|three)|several|other|another|more|many|multiple|different|various"
     "|few) WAYS",
     checks.several),
    ("(does|did|do|will|can|could) not (seem to )?(work( out)?|help|fit|lead (anywhere|to 24)"
     "|other:(MAKE (to )?TARGET))", checks.fails),
    ("other:(not (equal to |quite )?24)|not (quite )?TARGET"
     r"|over:(too (big|large|high|much)|(over|above) TARGET)|dead end|no (use|good|luck)"
     "|under:(too (small|low|little)|(under|below) TARGET)|not (valid|helpful|allowed|useful)"
     r"|(?<!is\s)not number:NUMBER", checks.fails),
    ("(^|, )((which|that|this|it) (is|'s) )?(not possible|impossible)(?=\\s?$|\\s?[(;])",
     checks.cannot),
    ("WANTS(( to)? MAKE)? SOME(MAKE )?goal:ITEMS(FROM)?", checks.goal),
    ("MAKE goal:ITEM(FROM)(?P<can>)", checks.goal),
]  # fmt: skip


class Form(NamedTuple):
    """A form of claims, and what tells whether one holds."""

    pattern: re.Pattern[str]
    holds: Callable[[Found, Known], bool]

    @property
    def aims(self) -> bool:
        """Whether it says what is looked for, which the rest of the sentence may use."""
        return self.holds is checks.goal

    @property
    def denies(self) -> bool:
        """Whether it says that what was looked for, or tried, leads nowhere."""
        return self.holds in (checks.cannot, checks.fails)


def _expanded(form: str) -> str:
    """The regular expression that a form with words in capitals is short for."""

    def meant(found: re.Match[str]) -> str:
        name, sense, opens = found.groups()
        if opens:
            return f"(?P<{opens}>"
        inner = _CAPITALS.sub(meant, _SENSES[sense])
        return f"(?P<{name}>{inner})" if name else inner

    return _CAPITALS.sub(meant, form.replace(" ", _GAP))


FORMS = [
    Form(re.compile(rf"(?<![a-z'])(?<![=≈] )(?:{_expanded(form)})(?![a-z])"), holds)
    for form, holds in _FORMS
]


def claims(said: str) -> Iterator[tuple[Found, Form]]:
    """The claims of a sentence, in an order in which none stands in another."""
    taken = list[tuple[int, int]]()
    for form in FORMS:
        for found in form.pattern.finditer(said):
            start, end = found.span()
            if start < end and all(end <= low or start >= high for low, high in taken):
                taken.append((start, end))
                yield found, form
