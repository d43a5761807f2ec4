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
from collections.abc import Callable, Iterator
from typing import NamedTuple

from agentflow.domains.game24 import checks, relations
from agentflow.domains.game24.known import Known
from agentflow.domains.game24.spoken import ITEM, ITEMS, NUMBER, numbers


class Form(NamedTuple):
    """A form of claims, and what tells whether one holds."""

    pattern: re.Pattern[str]
    holds: Callable[[checks.Found, Known], bool]

    @property
    def aims(self) -> bool:
        """Whether it says what is looked for, which the rest of the sentence may use."""
        return self.holds in (checks.goal, checks.comes_from)


_OFTEN = rf"(?:exactly |only |just )?(?P<times>{'|'.join(checks.TIMES)})"
_THAT = r"(?:(?:,? ?but|and|so|yet|,)? ?(?:(?:that|this|it|which|we|i|you)(?: only| just| still)?))"
_AUX = r"(?: is| was|'s| would be| comes out| are| were)?"
_FROM = (
    r"(?: (?:from|out of|using|with|of) (?:just |only |the )?"
    r"(?:(?:other |remaining |given |leftover )*(?:two |three |four )?numbers?,?:? ?\(?)?"
    rf"(?P<given>{ITEMS})\)?)"
)
_MAKE = (
    r"(?:making|getting|building|forming|obtaining|creating|producing|make|get|obtain|form"
    r"|create|produce|build|find|reach|have|yield|give|construct"
    r"|come up with|turn into)"
)
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


_WAYS = (
    r"(?:way|solution|answer|expression|route|approach(?:e(?=s))?|path|pairing|arrangement|method"
    r"|option|form|possibilit(?:y|ie(?=s))|combination|one)"
)

_FORMS = [
    Form(re.compile(pattern), holds)
    for pattern, holds in (
        *relations.FORMS,
        # what all can see in the problem
        (r"\b(?:the )?(?:(?:four )?(?:given )?numbers|they|all four|all of them|everything)"
         r"(?: all| simply| just| together)* (?P<how>add|sum|multiply)(?: up| together)? to"
         rf"(?: exactly)? (?P<total>{NUMBER})", checks.adds_up),
        (r"\b(?P<how>add|sum|adding|summing|multiply|multiplying)(?: up| together)? (?:them all"
         r"|all"
         r"|everything|all of them|all (?:of )?(?:the )?(?:four )?(?:given )?numbers"
         r"|the four numbers"
         r"|them(?: all)?)(?: up| together)?\b(?P<total>(?!))?", checks.one_sign),
        (rf"(?P<items>{ITEMS}) (?:is|are) (?:both |all |each |an? )?"
         rf"(?P<property>{'|'.join(checks.PROPERTIES)})(?: numbers?)?\b", checks.has_property),
        (r"\b(?:the )?(?P<which>largest|biggest|greatest|smallest)(?: of)?(?: the)?(?: four)?"
         r"(?: given)?(?: numbers?| one| value)?,?(?: is| being)?(?: the)? "
         rf"(?P<number>{NUMBER})", checks.extreme),
        (r"\bthe (?:largest|biggest|highest|smallest|lowest) (?:given )?(?:number|one"
         r"|value)s?(?= first|$|[:;])",
         checks.always),
        (rf"(?P<low>{NUMBER}) (?:is a (?:factor|divisor) of"
         rf"|(?:evenly )?divides(?: evenly)?(?: into)?"
         rf"|goes (?:evenly )?into) (?P<high>{NUMBER})", checks.divides),
        (rf"(?P<high>{NUMBER}) is (?:divisible by"
         rf"|a multiple of) (?P<low>{NUMBER})", checks.divides),
        (rf"(?P<items>{ITEMS}) (?:is|are) (?:already |both |also |all )*(?:available|given|there"
         r"|at hand|present|at our disposal|one of (?:the|our) (?:given |four )*numbers"
         r"|(?:among|in) (?:the|our) (?:given |four )*(?:numbers|list|set))\b", checks.at_hand),
        (rf"\b(?:i|we|you)(?: already| still| also| now| do)? have (?P<items>{ITEMS})"
         r"(?! (?:left|remaining|unused|to (?:go|spare)))", checks.at_hand),
        (rf"\b(?:already|still) have (?P<items>{ITEMS})", checks.at_hand),
        (rf"(?:divid\w+|division) by (?P<one>{NUMBER}|\(1/\d+\)) (?:is|equals|means|amounts to"
         r"|has the same effect as|does the same as|works like)(?: the same as| just"
         r"| equivalent to| like)? (?:multipl\w+|multiplication) by "
         rf"(?P<other>{NUMBER})", checks.inverse),
        (rf"\bthe (?:two |both )?(?P<which>larg|bigg|small)(?:er|est) (?:two )?(?:numbers|ones"
         rf"|values)"
         rf"(?=[^.;=]*?(?P<a>{NUMBER}) ?[-+*/] ?(?P<b>{NUMBER}))", checks.extremes),
        (rf"\b(?:all|each|every one|every"
         rf"|all four)(?: of)?(?: the)?(?: four)?(?: given)? (?:numbers?|them)"
         rf" (?:is|are) (?:all |an? )?(?:(?P<property>{'|'.join(checks.PROPERTIES)})"
         rf"|(?:multiples? of"
         rf"|divisible by) (?P<low>{NUMBER}))", checks.all_have),
        (rf"\bthe (?:two |both |three )?(?P<property>even|odd|prime) (?:numbers|ones|values)"
         rf"(?=[^.;=]*?(?P<items>{NUMBER}(?: ?[-+*/] ?{NUMBER})+))", checks.have),
        (r"\b(?:only|just|purely|solely|nothing but)(?: (?:by|with|uses?|using|needs?|requires?"
         r"|the))*"
         r" (?P<names>(?:add|sum|multipl|subtract|divi)\w*(?:(?:,? and |, )(?:add|sum|multipl"
         r"|subtract"
         r"|divi)\w*)*)(?: (?:is|are|was|were) (?:used|needed|required|involved))?"
         r"(?! ?(?:\d|the|it|this|that|them|up|all|\(|by|from|to|both|these"
         r"|everything))", checks.only_signs),
        (r"\b(?P<names>(?:add|sum|multipl|subtract|divi)\w*(?:,? and (?:add|sum|multipl|subtract"
         r"|divi)\w*)?) (?:only|alone)\b", checks.only_signs),
        (r"\b(?P<how>sum|product) of (?:all |the |these |your |our )*(?:four|given"
         r"|numbers)(?: given)?(?: numbers)?"
         r"\b(?P<total>(?!))?", checks.one_sign),
        # what is used
        (
            r"\b(?:four |all )?(?P<same>identical|equal|the same|different|distinct"
            r"|unequal) numbers\b"
            r"|\bnumbers are (?:all )?(?P<same2>identical|equal|the same|different|distinct)\b",
            checks.alike,
        ),
        (
            r"\bno (?P<names>(?:add|sum|multipl|subtract|divi)\w*(?:(?:,? or |, )(?:add|sum"
            r"|multipl|subtract"
            r"|divi)\w*)*)(?: (?:is|are|was))?(?: (?:needed|required|necessary|used|involved))?",
            checks.no_signs,
        ),
        (
            rf"\b(?P<by>{NUMBER}) (?:(?P<over>more|greater|larger|higher|above)|(?P<under>less"
            rf"|fewer|smaller"
            r"|lower|below)) than (?:24|the target|we (?:need|want))",
            checks.beyond,
        ),
        (
            r"\b(?:the )?(?:(?P<place>first|second) )?(?:bracket|parenthes[ei]s|denominator"
            r"|divisor|numerator"
            r"|group|one|factor) (?:is|equals|becomes|gives|comes to|evaluates to|makes"
            r"|simplifies to) "
            rf"(?P<number>{NUMBER})",
            checks.of_part,
        ),
        (rf"(?P<items>{ITEMS}) (?:(?:is|are|was|were|gets?|have been|has been|appears?|occurs?"
         rf"|each|both"
         rf"|all) )+(?:used |appears? )?{_OFTEN}\b", checks.used_often),
        (rf"\b(?:uses?|using|used) (?P<items>{ITEMS}) (?:each )?{_OFTEN}\b", checks.used_often),
        (rf"(?<!only )\buses(?: up)? (?P<items>{ITEMS})(?!,? (?:and )?\d| (?:exactly |only "
         rf"|just )?"
         r"(?:once|twice|two))", checks.uses),
        (r"\buses (?:all|every"
         r"|each)(?: of)?(?: the)?(?: four)?(?: given)? numbers?\b", checks.uses_all),
        (rf"(?:{_THAT} |but |,)? ?(?:leav(?:es?|ing)|left with|left)(?: us| me| you)?(?: with"
         rf"| out)?"
         rf"(?: only| just)? (?P<items>{ITEMS}) (?:unused|left over|over|out|spare|untouched"
         rf"|not used|wasted"
         r"|behind|unaccounted for|as a leftover)\b", checks.unused),
        (rf"\b(?P<then>(?:since|then|because|as|and|,|otherwise)[ ,]+(?:then )?)?"
         rf"(?P<items>{ITEMS}) (?:is|are|was|were|would be|would go|goes|would still be|will be"
         r"|remains?|would remain)(?: still)? (?:unused|left over|left out|not used|wasted"
         r"|unaccounted for"
         r"|untouched|left|missing|sitting (?:around|idle)|idle|homeless)\b", checks.unused),
        (rf"(?:does(?: not|n't)|did(?: not|n't)|without) (?:use"
         rf"|using) (?P<items>{ITEMS})(?: at all)?",
         checks.unused),
        (r"\b(?:leav(?:es?|ing) out|miss(?:es|ing)|omits?|omitting|skips?|wast(?:es|ing)"
         r"|ignor(?:es|ing))"
         rf" (?P<items>{ITEMS})", checks.unused),
        (rf"\bleav(?:es?|ing)(?: us| me| you)?(?: with)?(?: only| just)? (?P<items>{ITEMS})"
         r"(?: left| remaining| still to (?:use|place)| to (?:work with|use))?\b",
         lambda found, known: known.left(numbers(found["items"]))),
        (rf"(?P<items>{ITEMS}) (?:(?:is|are|would be) )?(?:still )?(?:left|remaining"
         rf"|remains?)\b(?! over| out)",
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
         r"|\bonly once\b", checks.all_used),
        # where a trial comes to
        (rf"(?:{_THAT}|but|so|,)? ?(?:does|did|do|wo|will|can|could)(?: not|n't|not) (?:quite "
         rf"|really"
         r" |seem to )?(?:work(?: out)?|help|fit|lead (?:anywhere|to 24)|use (?:all|every"
         r"|each)(?: of)?"
         r"(?: the)?(?: four)?(?: given)?(?: numbers?| of them)?"
         rf"|(?P<other>(?:give|equal|reach|make|hit|get)(?: us)?(?: to)? (?:exactly )?(?:24"
         rf"|the target|there)))\b",
         checks.fails),
        (rf"(?:{_THAT}|but|so|,)?{_AUX} ?(?:(?P<other>not (?:equal to |quite )?24\b)"
         r"|(?:just |a bit |a little |slightly |far |way |still )?(?:(?P<big>(?<!\d )too (?:big"
         r"|large"
         r"|high|much|many)\b"
         r"|over the target|above (?:the target|24)|over 24|overshoot\w*|exceeds 24)"
         r"|(?P<small>(?<!\d )too (?:small|low|little|few)\b|below (?:the target|24)|under 24"
         r"|short of 24"
         r"|falls short|not enough|not large enough|not big enough))"
         r"|(?:no (?:use|good|luck|solution)|not (?:helpful|valid|good|useful|quite(?: right"
         r"| there)?"
         r"|there yet|it|allowed|what we (?:want|need)|enough|a solution)|a dead end|dead end"
         r"|not (?:quite )?(?:the )?target|fails)\b)", checks.fails),
        (r"\bso no\b(?=:|,|;|$)|^no(?=[,:; ]*$|[,:;])|, no$|\(no\)|\bnope\b|^(?:so |very "
         r"|pretty )?close(?:,? but (?:no|not (?:quite|it|there)))?$"
         r"|[,:] (?:so )?close\b|\b(?:so|very|pretty|quite) close$", checks.fails),
        (rf"(?:can(?: not|not|'t)) (?:absorb|use|place|fit in|fit|incorporate|get rid of|include)"
         rf" (?P<items>{ITEMS})(?: (?:without changing the (?:result|value)|in|anywhere"
         rf"|as well))?",
         lambda found, known: checks.unused(found, known) and checks.fails(found, known)),
        (r"(?:^|, )(?:(?:which|that|this|it)(?: is|'s) )?(?:not (?:possible|reachable|available"
         r"|doable|achievable|an option)"
         r"|impossible|unreachable|out of reach)(?: either| here| with (?:a single|just one"
         r"|one) (?:operation|step))?(?= ?$| ?[(;])"
         r"|^we can ?not$"
         r"|,? (?:which|but that|that) (?:is|'s) (?:not possible|impossible)", checks.cannot),
        (r"^(?:yes|indeed)(?:, (?:we|i) can|, that works|, it does|, it is)?$",
         lambda found, known: known.sought is not False),
        (rf"(?<!is )\bnot (?P<number>{NUMBER})", checks.is_not),
        (r"\b(?:not|un)(?: immediately| yet| so)? ?(?:obvious|clear)\b", checks.always),
        (rf"(?P<items>{ITEMS}) (?:(?:will|then|simply|just|both"
         rf"|can) )*cancel(?: each other)?(?: out)?"
         r"(?:,? (?:to (?:give|make|form|leave|get)|giving|leaving|making|to"
         r"|into)(?: us)?(?: an?)? (?P<to>[01])\b)?",
         checks.cancel),
        (rf"(?P<items>{ITEM}(?: (?:in|inside|outside|below"
         rf"|above) the \w+)? cancels(?: out)?(?: with| against)"
         rf" {ITEM})", checks.cancel),
        (rf"\bfactor(?:ing|ed)? out (?P<items>{ITEM})", checks.at_hand),
        # where to go
        (rf"\b(?P<goal>{ITEM}),? (?:(?P<would>would|must|could|should|needs? to|has to|have to)"
         r"(?: have to| need to)?|can) (?:come|be (?:made|built|formed|obtained|reached))"
         rf"{_FROM}", checks.comes_from),
        (rf"\b(?:off by|differs? by|misses by|short by"
         rf"|over by) (?P<by>{NUMBER})", checks.distance),
        (rf"\b(?P<by>{NUMBER}) (?:(?P<more>more|short|missing|below|too (?:few|low|small|little))"
         r"|(?P<less>too (?:much|many|high|big|large)|over|above|less)|away"
         r"|off)\b(?: of)?(?: from)?"
         r"(?: the target| 24)?", checks.distance),
        (rf"\b(?:bring|get|take|reduce|lower|raise|go|come)?(?:ing)? ?(?:down "
         rf"|up )?(?:from )?(?P<from>{NUMBER})"
         rf" (?P<way>down |up )?to (?P<to>{NUMBER})(?:,? (?:i\.?e\.?,? |that is,? |so |meaning "
         rf"|we |i |must"
         r" |need to |have to |should |you )*(?P<how>subtract|remove|lose|drop|add|gain)"
         rf"(?: another"
         rf"| exactly)? (?P<by>{NUMBER}))?", lambda found, known: checks.brings(found, known)),
        (rf"\b(?:need|have|want|must|should)(?: to)? (?:(?P<less>subtract|remove|lose|drop)"
         rf"|(?P<more>add"
         rf"|gain)) "
         rf"(?:another |exactly )?(?:(?P<by>{NUMBER})(?: more)?(?! to| from| =)\b"
         rf"|(?=(?P<by2>{NUMBER}) =))",
         checks.distance),
        (rf"\b{_WANTS}(?: still| just| only| simply| now| then| somehow)?(?: to {_MAKE}"
         rf"| {_MAKE})?"
         rf"(?: exactly)? {_NOUN}(?:(?:give|make|equal|multiply to|with product|produce)s? )?"
         rf"(?P<goal>{ITEMS}){_FROM}?", checks.goal),
        (rf"\b{_MAKE} (?P<goal>{ITEM}){_FROM}(?P<can>(?!))?", checks.goal),
        (rf"\b(?:turn|make|convert|combine|transform)(?:ing)? (?P<given>{ITEMS}) (?:into"
         rf"|to (?:make|get|form"
         rf"|give)) (?P<goal>{ITEM})", checks.comes_from),
        # of what kind the answer is
        (r"\b(?:no|without(?: any| using)?|avoid\w*(?: any)?)(?: need (?:of"
         r"|for))? ?(?:fractions?|decimals?)(?: or (?:clever |fancy )?tricks?)?"
         r"(?: (?:are|is)?(?: needed| required| necessary| involved)?)?\b"
         r"|\b(?:only|all|just) (?:whole numbers|integers)", checks.whole),
        (r"\b(?:fractions?|fractional|decimals?|non-integers?)\b", checks.fractional),
        (rf"\b(?:at least )?(?P<count>two|three) (?:different |easy |simple |possible |other "
         rf"|nice |natural |good"
         rf" |quick |valid |distinct )*{_WAYS}s\b", checks.several),
        (r"\b(?:several|other|another|more|many|multiple|different|various|few)(?: possible"
         r"| valid| other| correct)*"
         rf" {_WAYS}s?\b(?: (?:exists?|(?:is|are)(?: also)? possible|work)(?: as well| too)?)?"
         rf"|\bnot the only {_WAYS}\b|\bmore than one {_WAYS}\b", checks.several),
        (r"\bno need for (?:any )?(?:fancy |clever |special )?(?:tricks?|parentheses)"
         r"|\bno (?:need to|reason to) (?:search|look|try|go|check|continue|explore"
         r"|keep (?:searching|looking))"
         r"(?: any)?(?: further| more| on| for more| anything else| elsewhere| longer"
         r"| other \w+)?\b"
         r"|\bnothing (?:more|else|further)(?: (?:is |was )?(?:needed|required|to do"
         r"|left to do))\b"
         r"|\bno (?:fancy|special|tricky|complicated|further|extra|other|additional|clever|more)"
         r" (?:operations?|tricks?|steps?|numbers?|work|manipulations?)(?: (?:are|is|was|were))?"
         r"(?: needed| required| necessary| used)?\b", checks.always),
        (rf"(?P<items>{ITEMS}) (?:is|are|was|were|gets?|got)(?: both| all| each)? (?:used"
         rf"|involved|included)"
         r"(?! (?:exactly|only|just|once|twice|one|two|three|more|up))", checks.uses),
        (r"\b(?:addition|multiplication)(?: and multiplication)? (?:is|are) (?:commutative"
         r"|associative)", checks.always),
        (r"\border (?:of (?:the )?(?:\w+ )?)?(?:(?:inside|in|within) the (?:parentheses"
         r"|brackets?|sum|product) )?"
         r"does not matter", checks.in_any_order),
        (r"\bwere (?:used|applied|needed|required|involved|combined)\b", checks.always),
        (r"\bthe (?:other|remaining|last) (?:two|three)\b|\b(?:three|3) (?:operations|steps)\b"
         r"|\b(?:all |both )?(?:three|two) of the (?:other"
         r"|remaining) numbers\b|\b(?:the|two|both|these|those)(?: other| remaining| last"
         r"| previous| inner| first| three)* (?:two |three )?(?:pairs|differences|results"
         r"|factors|groups|halves"
         r"|pieces|products|sums|numbers|parts|ones|quotients)\b|\btwo (?:pairs|parts|groups"
         r"|factors"
         r"|halves)\b", checks.always),
    )
]  # fmt: skip


def claims(said: str) -> Iterator[tuple[checks.Found, Form]]:
    """The claims of a sentence, in an order in which none stands in another."""
    taken = list[tuple[int, int]]()
    for form in _FORMS:
        for found in form.pattern.finditer(said):
            start, end = found.span()
            if start < end and all(end <= low or start >= high for low, high in taken):
                taken.append((start, end))
                yield found, form
