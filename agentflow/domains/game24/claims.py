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
from agentflow.domains.game24.checks import PROPERTIES, Found
from agentflow.domains.game24.known import Known
from agentflow.domains.game24.spoken import AND, ITEM, ITEMS, NUMBER, number
from agentflow.domains.spelling import NUMBERS

_GAP = (
    r",? (?:(?:already|also|always|both|all|each|just|exactly|precisely|simply|still|now|then"
    r"|again|really|actually|conveniently|quite|itself|either|here|together|immediately|easily"
    r"|an?|the|us|me|you|our|these|those|this|that),? )*"
)
_COUNTED = "|".join(word for word, n in NUMBERS.items() if 0 < n < 14)
_NAME = r"(?:add|sum|multipl|subtract|divi)\w*"
_GIVEN = r"(?:(?:four|given|original|available|other|remaining|leftover) )*"
_SENSES = {
    "BE": r"(?:is|are|was|were|'s|be|being|gets?|got|(?:would|will|has|have|had|can) (?:be|been))",
    "HOLDS": r"(?:is(?: worth)?|are|equals?|means|amounts to|works like|gives?|makes?|yields?|has"
    r"|does|becomes|(?:evaluates?|comes?(?: out)?|simplif(?:y|ies)|reduces?|works out) to)",
    "MAKE": r"(?:(?:mak|giv|produc|creat|com)(?:e|es|ing)|(?:get|build|form|obtain|find|reach|have"
    r"|yield|construct|offer|equal|contribute|supply"
    r"|provide|combine|turn)(?:s|t?ing)?)(?: up with| in?to)?",
    "MADE": r"(?:made|built|formed|obtained|reached|produced|combined|turned|put|merged)",
    "POSSIBLE": r"(?:possible|reachable|available|doable|achievable|attainable|an option)",
    "NEEDED": r"(?:needed|required|necessary|used|involved|unavoidable|essential|to do)",
    "NOT": r"(?:(?:can|could|do|does|did|will|would|is|are|was) (?:not|never))",
    "OVER": r"(?:more|greater|larger|bigger|higher|above|over|beyond)",
    "UNDER": r"(?:less|fewer|smaller|lower|below|under|short|shy)",
    "SLIGHTLY": r"(?:(?:just|far|much|way|well|slightly|barely|a? ?(?:bit|little|tad|fraction)) )*",
    "TOO_BIG": r"(?:(?<!\d )too (?:big|large|high|much|many)|over the target|above the target"
    r"|(?:over|above) 24|overshoot\w*|exceeds 24)",
    "TOO_SMALL": r"(?:(?<!\d )too (?:small|low|little|few)|below the target|(?:under|below) 24"
    r"|short of 24|falls short|not (?:large |big )?enough)",
    "TARGET": r"(?:24|the target|the goal|we (?:need|want))",
    "TAKE": r"(?:subtract|remove|lose|drop)",
    "TOP": r"(?:larg|bigg|high|great)(?:er|est)",
    "BOTTOM": r"(?:small|low)(?:er|est)",
    "LEFT": r"(?:left|remaining|remains?|to spare|to go)",
    "UNUSED": r"(?:unused|left over|left out|over|out(?! of)|spare|untouched|not used|wasted"
    r"|missing|behind|unaccounted for|as a leftover|homeless|(?:sitting )?(?:around|idle))",
    "OMIT": r"(?:(?:leav(?:es?|ing) out|miss|omit|omitt|skip|wast|ignor)(?:es|s|ing)?)",
    "OFTEN": r"(?:only )?(?P<times>once|twice|thrice|(?:one|two|three|four) times?)",
    "THEY": r"(?:they|these|those|both|them)(?: two)?(?: numbers)?",
    "NUMBERS": rf"(?:{_GIVEN}(?:numbers?|ones|values?|integers|digits|of (?:them|the four|all)))",
    "SUBJECT": rf"(?:(?P<items>{ITEMS})|(?P<all>(?:each|every|all)(?: of)?(?: the)? {_GIVEN}"
    rf"(?:numbers?|them|one)|(?:the )?{_GIVEN}numbers|all four|all of them|everything)|THEY)",
    "PROPERTY": "(?:an? )?(?:" + "|".join(f"{one}(?! to)" for one in checks.PROPERTIES) + ")",
    "ALIKE": r"(?:identical|equal(?! to)|same|different|distinct|consecutive)",
    "SIGNS": rf"(?:{_NAME}(?:(?:,? (?:and|or) |, ){_NAME})*)",
    "FROM": r"(?: (?:from|out of|using|with|of) (?:just |only |the )?"
    rf"(?:{_GIVEN}(?:two |three )?numbers?,?:? ?\(?)?(?P<given>{ITEMS})\)?)",
    "WAYS": r"(?:(?:possible|different|easy|simple|other|nice|natural|good|quick|valid|distinct"
    r"|correct) )*(?:(?:way|solution|answer|expression|route|path|pairing|arrangement|method|option"
    r"|form|combination|one)s?|possibilit(?:y|ies)|approach(?:es)?)",
    "WHOLE": r"(?:integers?|whole[- ]numbers?)(?:-only)?",
    "FRACTIONS": r"(?:fractions?|decimals?)",
    "AMOUNT": rf"(?:{NUMBER}|{_COUNTED})",
    "ALONE": rf"(?:{NUMBER}(?! ?[-+*/=]))",
    "FREE": rf"(?:(?<![-+*/=≈(.\d] ){NUMBER})",
    "LIST": rf"(?:{NUMBER}(?:{AND}{NUMBER})*)",
    "PART": r"(?:\(1/\d+\))",
    "FAILS": r"(?:(?:fail|NOT)(?: (?:work|do|suffice|enough|exist|help|reach 24))?)",
    "LISTED": rf"(?:(?<!\d ){NUMBER}(?:(?: ?[-+*/] ?|{AND}){NUMBER})*)",
    "SEVERAL": rf"(?:{NUMBER}(?:{AND}{NUMBER})+)",
    "PAIRS": rf"(?:\({NUMBER}, {NUMBER}\)(?:{AND}\({NUMBER}, {NUMBER}\))*)",
    "PLACE": r"(?:bracket|parenthes[ei]s|denominator|divisor|numerator|factor)",
    "ITEMS": ITEMS,
    "ITEM": ITEM,
    "NUMBER": NUMBER,
    "WANTS": r"(?:(?:need|want|require|seek)[sd]?|requiring|(?:look|search|aim|go)(?:ed"
    r"|ing)? (?:for|at)|(?:should|must)(?= (?:make|give|produce|form|yield))|(?:trick|idea|goal"
    r"|plan|key|aim|strategy|approach|task|question|thing|like|us|how|remains|left|enough"
    r"|way)(?: is| was| would be)? to|(?:needs?|want|ha(?:ve|s)|try|trying|hope|hoping|look"
    r"|looking|aim|aiming|attempt|ought|nice|good|easy|used?) to|(?P<can>(?:can|could)(?: (?:i|we"
    r"|you))?|possible to|able to))",
    "SOME": r"(?:(?:an? |the )?(?:number|value|factor|result|way|combination|pairs?|two|numbers|of"
    r"|that|to|which|groups?|parts?|something|for|products|sums|squares|multiples|whose (?:product"
    r"|sum|difference) is|differ(?:ing)? by|(?:add|multiply|sum)(?:ing)?(?: up)? to)\b ?)*",
}  # fmt: skip
_CAPITALS = re.compile(r"(?:\b([a-z]+):)?\b([A-Z_]{2,})\b|\b([a-z]+):\(")
_FORMS: list[tuple[str, Callable[[Found, Known], bool]]] = [
    # numbers beside numbers
    (r"((a:FREE(,? which)?|which|that|it|this|(?<=[\d)])) (BE|'s)|by) SLIGHTLY(by:AMOUNT )?"
     "(over:OVER|under:UNDER|(away|off|from)) (than |of |from )?(b:ALONE|TARGET)", checks.apart),
    ("by:AMOUNT (over:OVER|under:UNDER) than TARGET", checks.apart),
    ("by:AMOUNT (BE )?(under:(more|short|missing|lacking|below|too (few|low|small|little))"
     "|over:(too (much|many|high|big|large)|over|above)|away|off)( (of|from))?( TARGET)?",
     checks.apart),
    ("(over:(overshoots?|exceeds?|over)|under:(short|misses|falls? short|undershoots?)"
     "|off) ((of )?(TARGET|it) )?by by:AMOUNT", checks.apart),
    (r"(need|have|want|must|should|i\.e\.,?)( to)? (over:TAKE|under:(add|gain)) (another )?"
     "by:ALONE(?! to| from)( more)?", checks.apart),
    ("(gap|shortfall|excess|surplus) (is|of) by:NUMBER", checks.apart),
    ("(close|near|next) to b:ALONE", checks.apart),
    (r"a:ITEM and b:ITEM (differ by|BE separated by|BE(?=\s\S+\sapart)) by:NUMBER( apart)?",
     checks.apart),
    ("SUBJECT (BE )?(multiples? of|divisible by|factors:(factors? of|divisors? of"
     "|(evenly )?divides?( evenly)?( into)?|goes (evenly )?into)) of:ITEMS", checks.multiples),
    ("(turn|mak|convert|chang|bring|tak|get|lift|reduc|rais|lower|go|com)(es?|s|ing)? (down |up )?"
     r"(from )?a:ITEM (back |all the way )?(?P<way>down|up|)\s?(in)?to b:ALONE", checks.turned),
    ("(divid|divis)[a-z]+ by a:(NUMBER|PART) (is|means|equals|amounts to|works like)( same as"
     "| like)? multipl[a-z]+ by b:NUMBER", checks.inverse),
    ("factor[a-z]* pairs?( of 24)?( are| is|:)* items:PAIRS", checks.factor_pairs),
    ("(split|pair|group|divide|break)[a-z]* (NUMBERS|them) (up )?(in|as|into) (two )?"
     "(pairs|groups|halves):? items:PAIRS", checks.at_hand),
    # operations
    ("SUBJECT (can |could )?names:(add|sum|total|multiply|divide|subtract) (up )?to "
     "(give |make )?number:ALONE", checks.comes_to),
    ("(their|whose) names:(sum|difference|product|quotient|ratio|total) HOLDS (only )?"
     "((?P<no>not )?property:PROPERTY|number:ALONE)", checks.comes_to),
    ("names:(sum|total|product) of SUBJECT HOLDS (only )?number:ALONE", checks.comes_to),
    ("(two |three )?(low:BOTTOM|TOP)( of)?( count:(two|three))? (one:(number|one|value)|NUMBERS|"
     r"(?=NUMBER))( are| is)?(?=[^.;=]*?[\s]items:LISTED)", checks.extremes),
    ("(BOTTOM|TOP) (number|one|value)s?(?= first|$|[:;])", checks.always),
    ("SUBJECT BE property:PROPERTY( numbers?)?", checks.has_property),
    (r"(two |three )?property:PROPERTY NUMBERS(?=[^.;=]*?[\s]items:SEVERAL)", checks.has_property),
    ("property:ALIKE (numbers|integers)",
     lambda found, known: PROPERTIES[found["property"]](known.own)),
    ("(only|purely|solely|nothing but)( by| with| uses?| using| needs?| requires?)* names:SIGNS"
     r"( BE NEEDED)?(?!\s?(\d|it|them|up|all|\(|by|from|to))", checks.only_signs),
    ("names:SIGNS (only|alone)", checks.only_signs),
    ("no names:SIGNS( BE)?( NEEDED)?", checks.no_signs),
    ("names:SIGNS (BE )?(used |done |needed )?OFTEN", checks.signs_often),
    (r"names:(add|sum|adding|summing|multiply|multiplying) (up )?(them all|them|all of them"
     r"|everything|all four|NUMBERS|all)( up| together)?(?!\s?[\d(])", checks.put_together),
    ("names:(sum|product) of NUMBERS", checks.only_signs),
    (r"order (of [a-z\s]+)?does not matter", checks.in_any_order),
    ("(addition|multiplication) (and multiplication )?is (commutative|associative)", checks.always),
    ("no (parentheses|brackets)( or (other|further|more) operations)?( BE)?( NEEDED)?",
     lambda _, known: known.signs in ({"+"}, {"*"})),
    ("(remaining |extra |last |other )?1( and 1)* (can|may|could|is|are|gets?)( be| multiplied"
     "| absorbed| included| thrown| in| as a factor| by multiplying| by it| without changing"
     " (anything|it|(value|result)))+",
     lambda _, known: known.has_neutral),
    # what can be made
    ("goal:FREE (which )?(NOT (be )?(MADE|POSSIBLE|come)|is (unreachable|out of reach|impossible))"
     " (from|with|out of|using) (items:ITEMS|THEY)", checks.not_made),
    ("(items:ITEMS|THEY) NOT (be MADE (in)?to (MAKE )?|MAKE )goal:ITEMS",
     checks.not_made),
    ("(items:(FREE and ITEM)|THEY) (can |could |would |must |should )?"
     "(only )?((need|have) to )?"
     r"MAKE (only )?(factor of |value of )?goal:LIST(?!\s?[-+*/=])",
     checks.makes_each),
    (r"\(((they|only|which|give|we|get|can) )*goal:SEVERAL\)", checks.makes_each),
    ("items:ITEM can not be given (one|NUMBER)(?=,? (since|because|as) )", checks.at_hand),
    # what is used
    ("items:ITEMS (BE )?(available|given|there|at hand|present|at our disposal|one of NUMBERS"
     "|(among|in) (NUMBERS|list|set))", checks.at_hand),
    ("(i|we|you|already|still) (do )?have items:ITEMS(?! (LEFT|unused))", checks.at_hand),
    ("factor(ing|ed)? out items:ITEM", checks.at_hand),
    ("items:ITEMS ((BE|appears?|occurs?) )*(used )?OFTEN", checks.used_often),
    ("(uses?|using|used) items:ITEMS OFTEN", checks.used_often),
    ("uses (only )?times:(one|two|three) items:NUMBER'?s?", checks.used_often),
    ("(uses?|using|needs?|involves?) only items:ITEMS|only (?P<those>ITEMS) BE NEEDED"
     "|(?P<these>ITEMS) (only|alone)(?! (need|ha[sv]e?)\\b)", checks.uses_only),
    (r"uses (up )?items:ITEMS(?!,?\s(and )?\d)", checks.uses),
    ("((which|they) (is|are) )?(what|ones|NUMBERS)( that)? (i|we|you) (was|were|are|have been)"
     " (given|supplied|provided)", lambda _, known: sorted(known.listed) in ([], known.own)),
    ("uses (all|every|each)( of)? NUMBERS",
     lambda _, known: not known.used or known.counts in known.used),
    (r"(?P<then>(since|then|because|as|and|,|otherwise)[\s,]+(then )?)?items:ITEMS "
     "((BE|goes|would go|would) )?(over:UNUSED|LEFT)", checks.left),
    ("over:((NOT|without) (use|using)|OMIT) items:ITEMS( at all)?", checks.left),
    (r"leav(es?|ing)( with)?( only)? items:ITEMS(?! as )( over\b)?"
     r"( (to|still) [a-z\s]*(use|place|with))?",
     checks.left),
    ("(no|without|with no|and no) (other )?(NUMBERS|number|digit|one) (BE )?(left( over| out)?"
     "|unused|repeated|reused|used twice|skipped|omitted|used more than once)"
     "|(nothing|none) (BE )?(left( over| out)?|unused|repeated)|without (repeating|reusing) "
     "(any|number)( number)?|((exactly|only) )?once and only once|only once",
     lambda _, known: known.solved or known.last is None or known.solves()),
    # of what kind solutions are
    (r"WHOLE ([a-z]+ )?FAILS|(?<!no\s)(?<!need\sfor\s)fractions? BE NEEDED"
     "|(need|require|demand|force)s? (to use |using )?fractions?"
     "|only (has )?solutions? (with|using|involving|through) fractions"
     "|(impossible|not possible|can not be (solved|done|reached|made)|not (solvable|doable)) "
     "without (using )?fractions?|no WHOLE (solution|way|path|route|combination)s?( exists?)?"
     "|no WAYS ((that|which|stays?|keeps?|sticks?|works?|uses?|using|with|in|to|within|involving|of"
     "|made|from|only) )+WHOLE( numbers)?",
     checks.needs_fractions),
    ("(no|without( any| using)?|avoid[a-z]*) (need (of|for) )?FRACTIONS( or tricks?)?"
     "( (BE )?NEEDED)?|(only|all) (whole numbers|integers)",
     lambda _, known: all(one.denominator == 1 for one in known.parts)),
    ("fractional|FRACTIONS|non-integers?", checks.fractional),
    ("(at least )?count:(two|three) WAYS", checks.several),
    ("(several|other|another|more|many|multiple|different|various|few) WAYS"
     "( exists?| (BE )?possible| work)?( as well| too)?|not the only WAYS|more than one WAYS",
     checks.several),
    ("PLACE HOLDS number:ALONE", lambda found, known: number(found["number"]) in known.inner),
    ("names:(sum|difference|product|quotient|division|multiplication|addition|subtraction)"
     "( (inside|in) PLACE)? HOLDS number:ALONE", checks.comes_out),
    ("PLACE (contain|hold|include|use|combine|have|ha|consist of)s? items:ITEMS", checks.grouped),
    # what a trial comes to
    ("(NOT|can) (absorb|use|place|fit in|fit|incorporate|get rid of|include) items:ITEMS"
     "( without changing (the )?(result|value)| in| anywhere| as well)*",
     lambda *read: checks.left(*read) and checks.fails(*read)),
    ("(does|did|do|wo|will|can|could) not (seem to )?(work( out)?|help|fit|lead (anywhere|to 24)"
     "|use (all|every|each)( of)? NUMBERS( of them)?|other:(MAKE (to )?(TARGET|there)))",
     checks.fails),
    ("other:(not (equal to |quite )?24)|over:TOO_BIG|under:TOO_SMALL|no (use|good|luck|solution)"
     "|not (helpful|valid|good|useful|quite( right| there)?|there yet|it|allowed|what [a-z]+ "
     "(want|need)|enough|a solution)|dead end|not (quite )?TARGET|fails|no wait$", checks.fails),
    (r"so no(?=:|,|;|$)|^no(?=[,:;\s]*$|[,:;])|, no$|\(no\)|nope|^(so |very |pretty )?close(,? but "
     r"(no|not (quite|it|there)))?$|;\sno$|[,:] (so )?close|(so|very|pretty) close$", checks.fails),
    (r"(?<!is\s)not number:NUMBER", checks.fails),
    (r"(?<=\d\s)rather than items:ITEMS", checks.differs),
    ("NOT (be )?((cancell?|us|absorb|plac|remov|fitt|neutrali[sz]|eliminat)ed|made to fit)"
     "( out| up| in| away| anywhere)?", checks.fails),
    ("(^|, )((which|that|this|it) (is|'s) )?(not POSSIBLE|impossible|unreachable|out of reach)"
     r"( with (single|just one|one) (operation|step))?(?=\s?$|\s?[(;])|^we can ?not$"
     "|(which|that) (is|'s) (not possible|impossible)", checks.cannot),
    ("^(yes|indeed)(, ((we|i) can|that works|it does|it is))?$",
     lambda _, known: known.sought is not False),
    (r"(not|un)\s?(so |yet )?(obvious|clear)", checks.always),
    ("items:ITEMS (will |can )?(cancel|cancel (each )?other)( out)?", checks.cancel),
    # where to go
    ("goal:ITEM (would:(would|must|could|should|needs? to|has to|have to)( have to| need to)?|can) "
     "(come|be MADE)FROM", checks.comes_from),
    ("(turn|make|convert|combine|transform)(ing)? given:ITEMS (into|to MAKE) goal:ITEM",
     checks.comes_from),
    ("WANTS(( to)? MAKE)? SOME(MAKE )?goal:ITEMS(FROM)?", checks.goal),
    ("MAKE goal:ITEM(FROM)(?P<can>)", checks.goal),
    ("((multipl|divid)[a-z]+ (it |anything |everything )?by (remaining |extra |last |other |ones )?"
     r"1s?|NUMBER [*/] 1\)?|(add|subtract)(ing)? 0|NUMBER [-+] 0\)?|one:((factor of )?1s?))"
     "( and 1)*( twice| again| as well)?( (which|that|and|it))* (changes nothing"
     "|(do|does|will) not change (it|anything|value|result|product)"
     "|(leaves|keeps) (it|value|result|product|everything)"
     "( (as it is|unchanged|same|alone|intact))?|(has|have) no effect|is harmless|does nothing)",
     lambda found, known: found["one"] is None or known.has_neutral),
    ("(it|this|that|which) (does|do|will|would) not (change|affect|alter) (it|anything|value|result"
     "|product|total|sum|rest)", lambda _, known: 1 in known.inner or known.has_neutral),
    ("(which|what) [a-z]+ (comes?|are|gets?|lies?) (near|close to) (multiples? of )?TARGET",
     checks.always),
    ("neither (is|was) (allowed|valid|a solution|what [a-z]+ (want|need))|neither works",
     checks.fails),
    # what claims nothing
    ("(try|tried|trying) (the |some )?WHOLE (routes?|ways?|combinations?|options?|paths?)",
     checks.always),
    ("(a |the )?difference of (two )?squares( factor(s|ises|izes)?( (that|this) way)?)?",
     checks.always),
    ("no (need (for|to)|reason to) (any )?(fancy |clever |special )?(tricks?|parentheses|search"
     "|look|try|go|check|continue|explore|keep (searching|looking))( any)?"
     "( further| more| on| for more| anything else| elsewhere| longer| other [a-z]+)?"
     "|nothing (more|else|further)( BE)?( NEEDED)?"
     "|no (fancy|special|tricky|complicated|further|extra|other|additional|clever|more)"
     " (operations?|tricks?|steps?|numbers?|work|manipulations?)( BE)?( NEEDED)?", checks.always),
    ("items:ITEMS BE (used|involved|included)(?! (OFTEN|more|up))", checks.uses),
    ("were (used|applied|needed|required|involved|combined)", checks.always),
    ("(?!(two|three) (operations|steps))"
     "((two|three|these|those|both|other|remaining|last|previous|inner|first|of) )*"
     "(pairs|differences|results|factors|groups|halves|pieces|products|sums|parts|quotients"
     "|operations|steps|numbers|ones)|(other|remaining|last) (two|three)", checks.always),
]  # fmt: skip


class Form(NamedTuple):
    """A form of claims, and what tells whether one holds."""

    pattern: re.Pattern[str]
    holds: Callable[[Found, Known], bool]

    @property
    def aims(self) -> bool:
        """Whether it says what is looked for, which the rest of the sentence may use."""
        return self.holds in (checks.goal, checks.comes_from)

    @property
    def denies(self) -> bool:
        """Whether it says that what was looked for, or tried, leads nowhere."""
        return self.holds in (checks.cannot, checks.fails, checks.not_made)


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
