"""What a sentence of a reply of Game of 24 claims of numbers but equations, and whether it holds.

    That leaves the 2 and the 5.         are not used by what was tried last
    So I need 3 from 2, 5 and 11.        leads to 24, out of numbers that are at hand
    8 is used twice.                     the answer has it twice
    I still need 4 more.                 what came out last is 20
    No fractions are needed.             all parts of the answer are whole

What is read here is taken out of its sentence; what remains has to be narration.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from agentflow.domains import arithmetic
from agentflow.domains.game24.known import TARGET, Known, makes
from agentflow.domains.game24.spoken import ITEM, ITEMS, NUMBER, number, numbers

Found = re.Match[str]


class Form(NamedTuple):
    """A form of claims, and what tells whether one holds."""

    pattern: re.Pattern[str]
    holds: Callable[[Found, Known], bool]

    @property
    def aims(self) -> bool:
        """Whether it says what is looked for, which the rest of the sentence may use."""
        return self.holds in (_goal, _comes_from)


_TIMES = {"once": 1, "one time": 1, "twice": 2, "two times": 2, "three times": 3, "thrice": 3,
          "four times": 4}  # fmt: skip
_OFTEN = rf"(?:exactly |only |just )?(?P<times>{'|'.join(_TIMES)})"
_THAT = r"(?:(?:,? ?but|and|so|yet|,)? ?(?:(?:that|this|it|which|we|i|you)(?: only| just| still)?))"
_AUX = r"(?: is| was|'s| would be| comes out| are| were)?"
_FROM = (
    r"(?: (?:from|out of|using|with|of) (?:just |only |the )?"
    r"(?:(?:other |remaining |given |leftover )*(?:two |three |four )?numbers?,?:? ?\(?)?"
    rf"(?P<given>{ITEMS})\)?)"
)
_MAKE = r"(?:make|get|obtain|form|create|produce|build|find|reach|have|yield|give|construct|come up with|turn into)"
_NOUN = (
    r"(?:(?:an? |the )?(?:(?:number|value|factor|result|way|combination|pair|pairs|two|numbers?"
    r"|of"
    r"|that|to|which|groups?|parts?|something|for|whose (?:product|sum) is)\b ?)*)"
)
_WANTS = (
    r"(?:needs?|want|wants|require[sd]?|requiring|looking for|look for|search(?:ing)? for"
    r"|aim(?:ing)? (?:for|at)"
    r"|(?:should|must|have to|has to|needs? to|ought to)(?: only| just"
    r"| now)?(?: cancel out or)?(?= (?:make|give|produce|form|yield))"
    r"|'d need|would need|seek|go(?:ing)? for|(?:trick|idea|goal|plan|key|aim|strategy|approach"
    r"|task|question|thing|try|trying|hope|hoping|like|us|how|remains|left|enough|possible|way)"
    r"(?: here| now| then)?(?: is| was| would be)?(?: simply| just)? to"
    r"|(?:need|want|have|try|trying|look|looking|aim|aiming|attempt|nice|good|easy|used?) to"
    r"|(?P<can>(?:can|could)(?: (?:i|we|you))?(?: also| easily)?|possible to|able to))"
)


def _goal(found: Found, known: Known) -> bool:
    """Whether a number that is looked for helps, and can be made where that is said."""
    wanted = numbers(found["goal"])
    given = numbers(found["given"]) if found["given"] else None
    known.sought = None
    if given is None:
        return known.helps(wanted) or wanted == [TARGET]
    if Counter(given) - known.results or len(given) > len(known.own):
        return False
    if sorted(given) == known.own and wanted != [TARGET]:
        return False
    if len(wanted) == 1:
        known.sought = makes(wanted[0], given)
        known.numbers |= {*wanted}
    asked = "?" in found.string[found.end() :] or found.groupdict().get("can") is None
    return asked or known.sought is not False


def _comes_from(found: Found, known: Known) -> bool:
    given = numbers(found["given"])
    if Counter(given) - known.results:
        return False
    known.sought = makes(number(found["goal"]), given)
    return found.groupdict().get("would") is not None or known.sought


def _unused(found: Found, known: Known) -> bool:
    """Whether numbers are not used by what is tried; nothing is by a solution."""
    listed = numbers(found["items"])
    supposed = found.groupdict().get("then") is not None
    some = len(listed) < len(known.own) and not Counter(listed) - known.counts
    known.given_up = not supposed
    return known.unused(listed) or (supposed and some and not known.solves())


def _fails(found: Found, known: Known) -> bool:
    """Whether what was tried last is no solution."""
    last = known.last
    if re.search(r"\b(?:the|my|this|final) (?:answer|solution|expression)\b", found.string):
        return False
    if last is None or known.solved or not (known.tried or known.used):
        return False
    big, small, other = (found.groupdict().get(one) for one in ("big", "small", "other"))
    return not (
        (big and last <= TARGET) or (small and last >= TARGET) or (other and last == TARGET)
    )


def _all_used(found: Found, known: Known) -> bool:
    return known.solved or known.last is None or known.solves()


def _distance(found: Found, known: Known) -> bool:
    """Whether what is missing, or too much, is what leads from the last result to 24."""
    last, said = known.last, found["by"]
    if last is None or last == TARGET:
        return False
    known.numbers |= {abs(TARGET - last)}
    more = found.groupdict().get("more") is not None
    less = found.groupdict().get("less") is not None
    right = abs(TARGET - last) == number(said)
    return right and not (more and last > TARGET) and not (less and last < TARGET)


def _brings(found: Found, known: Known) -> bool:
    """Whether one number is above another, or below, as it is said to be brought there."""
    one, other = number(found["from"]), number(found["to"])
    if found.groupdict().get("by"):
        known.numbers |= {abs(one - other)}
        if abs(one - other) != number(found["by"]):
            return False
        if (one > other) != (found["how"] in ("subtract", "remove", "lose", "drop")):
            return False
    way = {"down": one > other, "up": one < other}.get(found["way"] or "", True)
    return way and {one, other} <= known.numbers


def _used_often(found: Found, known: Known) -> bool:
    listed = numbers(found["items"])
    if sorted(listed) == known.own:
        return _TIMES[found["times"]] == 1
    return all(known.counts[one] == _TIMES[found["times"]] for one in listed)


_PROPERTIES: dict[str, Callable[[Fraction], bool]] = {
    "even": lambda one: one % 2 == 0,
    "odd": lambda one: one % 2 == 1,
    "prime": lambda one: one > 1 and all(one % low for low in range(2, min(int(one), 10_000))),
    "negative": lambda one: one < 0,
    "whole": lambda one: one.denominator == 1,
}


def _property(found: Found, known: Known) -> bool:
    return all(map(_PROPERTIES[found["property"]], numbers(found["items"])))


def _extreme(found: Found, known: Known) -> bool:
    pick = min if found["which"].startswith("small") else max
    return pick(known.own) == number(found["number"])


def _extremes(found: Found, known: Known) -> bool:
    """Whether the two numbers of an operation are the largest, or smallest, of all."""
    there = known.own[:2] if found["which"] == "small" else known.own[-2:]
    return sorted([number(found["a"]), number(found["b"])]) == there


def _have(found: Found, known: Known) -> bool:
    """Whether the numbers of an operation have a property."""
    return all(map(_PROPERTIES[found["property"]], numbers(re.sub("[-+*/]", " ", found["items"]))))


def _all_have(found: Found, known: Known) -> bool:
    if found["property"]:
        return all(map(_PROPERTIES[found["property"]], known.own))
    low = number(found["low"])
    return low > 0 and all((one / low).denominator == 1 for one in known.own)


def _only_signs(found: Found, known: Known) -> bool:
    """Whether the answer has no other operations than those named."""
    names = {"add": "+", "sum": "+", "mul": "*", "sub": "-", "div": "/"}
    found_names = re.findall(r"add|sum|mul|sub|div", found["names"])
    return known.signs == {names[one] for one in found_names}


def _divides(found: Found, known: Known) -> bool:
    one, other = number(found["low"]), number(found["high"])
    return one > 0 and (other / one).denominator == 1


def _inverse(found: Found, known: Known) -> bool:
    one, other = number(found["one"]), number(found["other"])
    known.numbers |= {one, other}
    return one * other == 1


def _at_hand(found: Found, known: Known) -> bool:
    return not Counter(numbers(found["items"])) - known.results


def _adds_up(found: Found, known: Known) -> bool:
    """Whether all of the numbers together come to what is said."""
    total = sum(known.own, Fraction(0))
    if not found["how"].startswith(("add", "sum")):
        total = Fraction(1)
        for one in known.own:
            total *= one
    said = TARGET if found["total"] is None else number(found["total"])
    return total == said


def _one_sign(found: Found, known: Known) -> bool:
    """Whether the answer has no other operation than that which all numbers are put in."""
    return known.signs == ({"+"} if found["how"].startswith(("add", "sum")) else {"*"})


def _whole(found: Found, known: Known) -> bool:
    return all(one.denominator == 1 for one in known.parts)


def _fractional(found: Found, known: Known) -> bool:
    return any(one.denominator != 1 for one in {*known.parts, *known.history})


def _several(found: Found, known: Known) -> bool:
    """Whether the numbers have more solutions than one."""
    forms = set[str]()
    for one in arithmetic.reaching(TARGET, known.own):
        forms.add(arithmetic.normal_form(one))
        if len(forms) > 1:
            return True
    return False


def _cannot(found: Found, known: Known) -> bool:
    """Whether what was looked for last cannot be made."""
    return known.sought is False or (known.sought is None and _fails(found, known))


def _always(found: Found, known: Known) -> bool:
    return True


_NOT = r"(?:not|n't)"
_FORMS = [
    Form(re.compile(pattern), holds)
    for pattern, holds in (
        # what all can see in the problem
        (r"\b(?:the )?(?:(?:four )?(?:given )?numbers|they|all four|all of them|everything)"
         r"(?: all| simply| just| together)* (?P<how>add|sum|multiply)(?: up| together)? to"
         rf"(?: exactly)? (?P<total>{NUMBER})", _adds_up),
        (r"\b(?P<how>add|sum|adding|summing|multiply|multiplying)(?: up| together)? (?:them all"
         r"|all"
         r"|everything|all of them|all (?:of )?(?:the )?(?:four )?(?:given )?numbers"
         r"|the four numbers"
         r"|them(?: all)?)(?: up| together)?\b(?P<total>(?!))?", _one_sign),
        (rf"(?P<items>{ITEMS}) (?:is|are) (?:both |all |each |an? )?"
         rf"(?P<property>{'|'.join(_PROPERTIES)})(?: numbers?)?\b", _property),
        (r"\b(?:the )?(?P<which>largest|biggest|greatest|smallest)(?: of)?(?: the)?(?: four)?"
         r"(?: given)?(?: numbers?| one| value)?,?(?: is| being)?(?: the)? "
         rf"(?P<number>{NUMBER})", _extreme),
        (rf"(?P<low>{NUMBER}) (?:is a (?:factor|divisor) of"
         rf"|(?:evenly )?divides(?: evenly)?(?: into)?"
         rf"|goes (?:evenly )?into) (?P<high>{NUMBER})", _divides),
        (rf"(?P<high>{NUMBER}) is (?:divisible by|a multiple of) (?P<low>{NUMBER})", _divides),
        (rf"(?P<items>{ITEMS}) (?:is|are) (?:already |both |also |all )*(?:available|given|there"
         r"|at hand|present|at our disposal|one of (?:the|our) (?:given |four )*numbers"
         r"|(?:among|in) (?:the|our) (?:given |four )*(?:numbers|list|set))\b", _at_hand),
        (rf"\b(?:i|we|you)(?: already| still| also| now| do)? have (?P<items>{ITEMS})"
         r"(?! (?:left|remaining|unused|to (?:go|spare)))", _at_hand),
        (rf"\b(?:already|still) have (?P<items>{ITEMS})", _at_hand),
        (rf"(?:divid\w+|division) by (?P<one>{NUMBER}|\(1/\d+\)) (?:is|equals|means|amounts to)"
         r"(?: the same as| just| equivalent to| like)? (?:multipl\w+|multiplication) by "
         rf"(?P<other>{NUMBER})", _inverse),
        (rf"\bthe (?:two |both )?(?P<which>larg|bigg|small)(?:er|est) (?:two )?(?:numbers|ones"
         rf"|values)"
         rf"(?=[^.;=]*?(?P<a>{NUMBER}) ?[-+*/] ?(?P<b>{NUMBER}))", _extremes),
        (rf"\b(?:all|each|every one|every"
         rf"|all four)(?: of)?(?: the)?(?: four)?(?: given)? (?:numbers?|them)"
         rf" (?:is|are) (?:all |an? )?(?:(?P<property>{'|'.join(_PROPERTIES)})|(?:multiples? of"
         rf"|divisible by) (?P<low>{NUMBER}))", _all_have),
        (rf"\bthe (?:two |both |three )?(?P<property>even|odd|prime) (?:numbers|ones|values)"
         rf"(?=[^.;=]*?(?P<items>{NUMBER}(?: ?[-+*/] ?{NUMBER})+))", _have),
        (r"\b(?:only|just|purely|solely|nothing but)(?: (?:by|with|uses?|using|needs?|requires?"
         r"|the))*"
         r" (?P<names>(?:add|sum|multipl|subtract|divi)\w*(?:,? and (?:add|sum|multipl|subtract"
         r"|divi)\w*)?)"
         r"(?! ?(?:\d|the|it|this|that|them|up|all|\(|by|from|to|both|these"
         r"|everything))", _only_signs),
        (r"\b(?P<how>sum|product) of (?:all |the |these |your |our )*(?:four|given"
         r"|numbers)(?: given)?(?: numbers)?"
         r"\b(?P<total>(?!))?", _one_sign),
        # what is used
        (rf"(?P<items>{ITEMS}) (?:(?:is|are|was|were|gets?|have been|has been|appears?|occurs?"
         rf"|each|both"
         rf"|all) )+(?:used |appears? )?{_OFTEN}\b", _used_often),
        (rf"\b(?:uses?|using|used) (?P<items>{ITEMS}) (?:each )?{_OFTEN}\b", _used_often),
        (rf"(?:{_THAT} |but |,)? ?(?:leav(?:es?|ing)|left with|left)(?: us| me| you)?(?: with"
         rf"| out)?"
         rf"(?: only| just)? (?P<items>{ITEMS}) (?:unused|left over|over|out|spare|untouched"
         rf"|not used"
         r"|behind|unaccounted for|as a leftover)\b", _unused),
        (rf"\b(?P<then>(?:since|then|because|as|and|,|otherwise)[ ,]+(?:then )?)?"
         rf"(?P<items>{ITEMS}) (?:is|are|was|were|would be|would go|goes|would still be|will be"
         r"|remains?|would remain)(?: still)? (?:unused|left over|left out|not used"
         r"|unaccounted for"
         r"|untouched)\b", _unused),
        (rf"(?:does(?: not|n't)|did(?: not|n't)|without) (?:use"
         rf"|using) (?P<items>{ITEMS})(?: at all)?",
         _unused),
        (r"\b(?:leav(?:es?|ing) out|miss(?:es|ing)|omits?|omitting|skips?|ignor(?:es|ing))"
         rf" (?P<items>{ITEMS})", _unused),
        (rf"\bleav(?:es?|ing)(?: us| me| you)?(?: with)?(?: only| just)? (?P<items>{ITEMS})"
         r"(?: left| remaining| still to (?:use|place)| to (?:work with|use))?\b",
         lambda found, known: known.left(numbers(found["items"]))),
        (rf"(?P<items>{ITEMS}) (?:(?:is|are) )?(?:left|remaining|remains?)\b(?! over| out)",
         lambda found, known: known.left(numbers(found["items"]))),
        (rf"\b(?:only |just )?have (?:only |just )?(?P<items>{ITEMS}) (?:left|remaining)\b",
         lambda found, known: known.left(numbers(found["items"]))),
        (r"\b(?:no|without|with no|and no)(?: given| other)? (?:numbers?|digits?|one)(?: (?:is"
         r"|are|being|gets?))?"
         r"(?: left(?: over| out)?| unused| repeated| reused| used twice| skipped| omitted"
         r"| used more than once)\b|\b(?:nothing|none)(?: (?:is|are|was))? (?:left over"
         r"|left out|left"
         r"|unused|repeated)|\bwithout (?:repeating|reusing) (?:any|a)(?: number)?\b"
         r"|\b(?:exactly|just|only) once and only once|\bonce and only once"
         r"|\bonly once\b", _all_used),
        # where a trial comes to
        (rf"(?:{_THAT}|but|so|,)? ?(?:does|did|do|wo|will|can|could)(?: not|n't|not) (?:quite "
         rf"|really"
         r" |seem to )?(?:work(?: out)?|help|fit|lead (?:anywhere|to 24)|use (?:all|every"
         r"|each)(?: of)?"
         r"(?: the)?(?: four)?(?: given)?(?: numbers?| of them)?"
         rf"|(?P<other>(?:give|equal|reach|make|hit|get)(?: us)?(?: to)? (?:exactly )?(?:24"
         rf"|the target|there)))\b",
         _fails),
        (rf"(?:{_THAT}|but|so|,)?{_AUX} ?(?:(?P<other>not (?:equal to |quite )?24\b)"
         r"|(?:just |a bit |a little |slightly |far |way |still )?(?:(?P<big>too (?:big|large"
         r"|high|much|many)\b"
         r"|over the target|above (?:the target|24)|over 24|overshoot\w*|exceeds 24)"
         r"|(?P<small>too (?:small|low|little|few)\b|below (?:the target|24)|under 24|short of 24"
         r"|falls short|not enough|not large enough|not big enough))"
         r"|(?:no (?:use|good|luck|solution)|not (?:helpful|valid|good|useful|quite(?: right"
         r"| there)?"
         r"|there yet|it|allowed|what we (?:want|need)|enough|a solution)|a dead end|dead end"
         r"|not (?:quite )?(?:the )?target|fails)\b)", _fails),
        (r"\bso no\b(?=:|,|;|$)|^no(?=[,:; ]*$|[,:;])|, no$|\(no\)|\bnope\b|^(?:so |very "
         r"|pretty )?close(?:,? but (?:no|not (?:quite|it|there)))?$|, (?:so )?close\b", _fails),
        (rf"(?:can(?: not|not|'t)) (?:absorb|use|place|fit in|fit|incorporate|get rid of|include)"
         rf" (?P<items>{ITEMS})(?: (?:without changing the (?:result|value)|in|anywhere"
         rf"|as well))?",
         lambda found, known: _unused(found, known) and _fails(found, known)),
        (r"^(?:(?:that|this|it)(?: is|'s) )?(?:not possible|impossible)(?: either| here)?$"
         r"|^we can(?:not|'t)$"
         r"|,? (?:which|but that|that) (?:is|'s) (?:not possible|impossible)", _cannot),
        (r"^(?:yes|indeed)(?:, (?:we|i) can|, that works|, it does|, it is)?$",
         lambda found, known: known.sought is not False),
        (rf"(?<!is )\bnot (?P<number>{NUMBER})", lambda found, known: (
            _fails(found, known) and known.last != number(found["number"]))),
        (r"\b(?:not|un)(?: immediately| yet| so)? ?(?:obvious|clear)\b", _always),
        (rf"(?P<items>{ITEMS}) (?:will |then |simply |just )?cancel(?: each other)?(?: out)?",
         lambda found, known: len({*numbers(found["items"])}) == 1 and _at_hand(found, known)),
        (rf"\bfactor(?:ing|ed)? out (?P<items>{ITEM})", _at_hand),
        # where to go
        (rf"\b(?P<goal>{ITEM}),? (?:(?P<would>would|must|could|should|needs? to|has to|have to)"
         r"(?: have to| need to)?|can) (?:come|be (?:made|built|formed|obtained|reached))"
         rf"{_FROM}", _comes_from),
        (rf"\b(?:off by|differs? by|misses by|short by|over by) (?P<by>{NUMBER})", _distance),
        (rf"\b(?P<by>{NUMBER}) (?:(?P<more>more|short|missing|below|too (?:few|low|small|little))"
         r"|(?P<less>too (?:much|many|high|big|large)|over|above|less)|away"
         r"|off)\b(?: of)?(?: from)?"
         r"(?: the target| 24)?", _distance),
        (rf"\b(?:bring|get|take|reduce|lower|raise|go|come)?(?:ing)? ?(?:down "
         rf"|up )?(?:from )?(?P<from>{NUMBER})"
         rf" (?P<way>down |up )?to (?P<to>{NUMBER})(?:,? (?:i\.?e\.?,? |that is,? |so |meaning "
         rf"|we |i |must"
         r" |need to |have to |should |you )*(?P<how>subtract|remove|lose|drop|add|gain)"
         rf"(?: another"
         rf"| exactly)? (?P<by>{NUMBER}))?", lambda found, known: _brings(found, known)),
        (rf"\b(?:need|have|want)(?: to)? (?:(?P<less>subtract|remove|lose|drop)|(?P<more>add"
         rf"|gain)) "
         rf"(?:another |exactly )?(?P<by>{NUMBER})(?: more)?(?! to| from)\b", _distance),
        (rf"\b{_WANTS}(?: still| just| only| simply| now| then| somehow)?(?: to {_MAKE}"
         rf"| {_MAKE})?"
         rf"(?: exactly)? {_NOUN}(?:(?:give|make|equal|multiply to|with product|produce)s? )?"
         rf"(?P<goal>{ITEMS}){_FROM}?", _goal),
        (rf"\b{_MAKE} (?P<goal>{ITEM}){_FROM}(?P<can>(?!))?", _goal),
        (rf"\b(?:turn|make|convert|combine|transform)(?:ing)? (?P<given>{ITEMS}) (?:into"
         rf"|to (?:make|get|form"
         rf"|give)) (?P<goal>{ITEM})", _comes_from),
        # of what kind the answer is
        (r"\b(?:no|without(?: any| using)?|avoid\w*(?: any)?)(?: need (?:of"
         r"|for))? ?(?:fractions?|decimals?)(?: or (?:clever |fancy )?tricks?)?"
         r"(?: (?:are|is)?(?: needed| required| necessary| involved)?)?\b"
         r"|\b(?:only|all|just) (?:whole numbers|integers)", _whole),
        (r"\b(?:fractions?|fractional|decimals?|non-integers?)\b", _fractional),
        (r"\b(?:several|other|another|more|many|multiple|different|various|few)(?: possible"
         r"| valid| other| correct)*"
         r" (?:ways?|solutions?|answers|expressions)\b|\bnot the only (?:way|solution|one)\b"
         r"|\bmore than one (?:way|solution)\b", _several),
        (r"\bno need for (?:any )?(?:fancy |clever |special )?(?:tricks?|parentheses)"
         r"|\bno (?:need to|reason to) (?:search|look|try|go|check|continue|explore"
         r"|keep (?:searching|looking))"
         r"(?: any)?(?: further| more| on| for more| anything else| elsewhere| longer"
         r"| other \w+)?\b"
         r"|\bnothing (?:more|else|further)(?: (?:is |was )?(?:needed|required|to do"
         r"|left to do))\b"
         r"|\bno (?:fancy|special|tricky|complicated|further|extra|other|additional|clever|more)"
         r" (?:operations?|tricks?|steps?|numbers?|work|manipulations?)(?: (?:are|is|was|were))?"
         r"(?: needed| required| necessary| used)?\b", _always),
        (r"\b(?:three|3) (?:operations|steps)\b|\b(?:all |both )?(?:three|two) of the (?:other"
         r"|remaining) numbers\b|\b(?:the|two|both|these|those)(?: other| remaining| last"
         r"| previous| inner| first| three)* (?:two |three )?(?:pairs|differences|results"
         r"|factors|groups|halves"
         r"|pieces|products|sums|numbers|parts|ones|quotients)\b|\btwo (?:pairs|parts|groups"
         r"|factors"
         r"|halves)\b", _always),
    )
]  # fmt: skip


def claims(said: str) -> Iterator[tuple[Found, Form]]:
    """The claims of a sentence, in an order in which none stands in another."""
    taken = list[tuple[int, int]]()
    for form in _FORMS:
        for found in form.pattern.finditer(said):
            start, end = found.span()
            if start < end and all(end <= low or start >= high for low, high in taken):
                taken.append((start, end))
                yield found, form
