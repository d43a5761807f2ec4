"""Remarks that say nothing against an answer, wherever they stand in a reply.

    Hope this helps!                            closes a text
    It must be 7.                               leaves the answer: says it again
    Both methods give 7.                            a source that gives it
    I verified this twice.                          its author stands by it
    8 is not the answer.                            rules out another one
    The problem has one solution.                   finds no fault with the problem
    We can now present the final answer.        hands it in
    The answer has been verified twice.             as one that has been looked at

Each kind is one list, with ``X`` for the answer; a word more or less, and a sentence is not known.
"""

from __future__ import annotations

import re

from agentflow.domains.answers.mentions import around
from agentflow.domains.answers.remark_words import SMILEYS
from agentflow.domains.spelling import lowered, phrases, plain

# What closes a text.
_MORE = r"(?:any |an? )?(?:further |more |other |additional )?(?:detailed )?"
_DETAILS = (
    r"(?:(?:any|all|more|each|the|a)(?: of the)?(?: \w+)? (?:steps?|details?|derivations?|work"
    r"|calculations?|reasoning|proof|explanation|breakdown)|it|this)"
)
_FURTHER = "(?: further| in (?:more|greater) detail)?"
_HELP = r"(?:questions?|help|explanations?|details?|clarifications?|assistance)"
_NEED = rf"you(?: have| need| want| would like|['’]d like) (?:{_MORE}{_HELP}|anything else|more)"
_YOU_LIKE = r"you(?: would|['’]d) like"
_OFFERED = r"(?![^.!?\n]*\b(?:answer|correct|right|real|true|actual)\b)[^.!?\n]{0,120}"
_DO = (
    r"(?:solve|see|explain|show|walk|go (?:over|through|on|deeper)|work|write|try|explore"
    r"|practice|learn|clarify|discuss|provide"
    r"|give|know|break|move|continue|dive|look|illustrate|visualize|trace)\b"
    r"(?![^.!?\n]*\b(?:answers?|correct\w*|right|real\w*|true|actual\w*|proper\w*|again|fix\w*"
    r"|re-?(?:do|check|solv|calculat|comput|consider|count|examin|evaluat|vis|view|work|writ)\w*"
    r"|wrong|mistake\w*|errors?|check\w*|verif\w*|instead|better|this time|careful\w*|double"
    r"|ahead|proceed|calls?|run|execute)\b)"
    r"[^.!?\n]{0,120}"
)
"""What is offered, which is no other answer."""
_THIS = r"(?:this|that|it|these|the|my) (?:explanations? |breakdown )?"
_MORE_OF = r"(?:an?|more|another|some|further|any|the) (?!(?:[\w-]+ )?(?:answer|solution|result)\b)"
_ASK_ME = (
    r"if you have (?:any |more |other |further )*(?:questions?|doubts?|problems?),?"
    r" (?:please |just |you can )*(?:ask|contact|tell)(?: (?:me|us))?"
)
_CLOSES = phrases(rf"""
    would you like (?:me )?to {_DO}\??; (?:do you )?want (?:me )?to {_DO}\??
    would you like {_MORE_OF}[^.!?\n]{{1,60}}\??; shall we {_DO}\??
    (?:does|did) (?:that|this|it) (?:make sense|help)(?: to you)?\??
    if you(?: would|'d)? (?:like|want|wish|prefer),? (?:i|we) (?:can|could|will) (?:also )?{_DO}
    if you(?: would|'d)? (?:like|want|wish|prefer),? i'd be (?:happy|glad) to {_DO}
    let me know if (?:that|this|it) makes sense; let me know if you want (?:me )?to {_DO}
    let me know if {_YOU_LIKE} {_MORE_OF}[^.!?\n]{{1,60}}
    (?:i(?:'m| am) |always )?happy to (?:help(?: with more [a-z]+)?|{_DO})
    feel free to (?:reach out|ask|write)(?: if {_NEED})?; if {_NEED}, just (?:ask|let me know)
    (?:i )?hope (?:this|that|it) clears (?:it|things|that|everything) up
    keep (?:practicing|learning|going|it up|up the good work); great question
    you(?:'re| are) welcome; happy (?:learning|studying|solving|puzzling)
    good luck (?:with|on) (?:your|the) \w+; verified
    sure(?: thing)?; of course; certainly; here you go
    i hope (?:this|that|it) (?:helps?|is helpful)(?: (?:to )?you)?
    {_ASK_ME}
    happy coding; done; finished; great; cheers; good luck; q\.?e\.?d; end; thanks?(?: you)?
    (?:i(?:'d| would) be )?(?:glad|happy) to help(?: with (?:that|this))?
    (?:i )?hope (?:this|that|it) helps(?: you)?(?: (?:plan|with) (?:your|this|the) \w+)?
    (?:please )?(?:let me know|feel free to ask) if {_NEED}; if {_NEED}, (?:please )?let me know
    if {_NEED}, (?:please )?feel free to ask; (?:please )?feel free to ask(?: {_MORE}questions?)?
    (?:is there )?anything else(?: (?:that )?i can help(?: you)? with)?\??
    let me know if {_YOU_LIKE} (?:me )?to explain(?: {_DETAILS})?{_FURTHER}
    let me know if {_YOU_LIKE} (?:(?:me )?to (?:see|show|go over) )?{_DETAILS}
    let me know if {_YOU_LIKE} (?:(?:me )?to (?:see|walk|work|go|know)|further|more)\b{_OFFERED}
    (?:i )?hope {_THIS}(?:was|is|are|has been) (?:clear|helpful|useful)(?: and \w+)?
    \\?blacksquare; end of (?:the )?(?:answer|solution|proof); hence proved; problem solved
    perfect; excellent; have a (?:great|good|nice|wonderful) day; p\.s
    would you like me to explain[^.?\n]{{0,30}}\??
    do you have any (?:further |more |other )?questions?\??
    (?:let me know|feel free to ask) if anything is unclear
    thank(?:s| you) for (?:the|your|this) (?:question|puzzle|problem)
""")
"""Small letters, plain apostrophes."""
_CLOSED = re.compile(rf"[\s*_]*(?:{_CLOSES})[\s.!*_]*")

# What leaves an answer.
TASK = r"(?:problem|question|puzzle|task)"
_THE = r"(?:the|this|that|my|our)(?: (?:above|final|correct|only|possible|right))*"
_IT = rf"(?:it|this|that|{_THE} (?:answer|solution|result)(?: above)?)"
_IS = r"(?:['’]s| is| must be| should be| has to be| can only be| stays| remains)"
_GIVEN = r"(?:conditions?|constraints?|clues?|rules?|requirements?|premises?)"
_STEPS = (
    r"(?:(?:the|my|each|every|all|both)(?: (?:of|the|my|given|single))* (?:steps?|calculations?"
    rf"|work|reasoning|arithmetic|lines?|{_GIVEN}|information|order of operations"
    rf"|{TASK}(?: statement)?)|every part)(?: of (?:the|this) {TASK}| above)?"
)
_SOURCE = (
    r"(?:an?|the|this|our|my|each|every|both|all)(?: (?:quick|second|careful|small|short|sanity"
    r"|final|brute-force|independent|different|reference))* (?:checks?|verification|methods?"
    r"|approach(?:es)?|ways|search|calculator|program|script|simulation|textbook|solution|recount)"
    rf"(?: (?:of|on) {_STEPS})?"
)
"""What may give an answer, or bear it out."""
_GIVES = r"(?:gives?|gave|returns?|leads? to|arrives? at|yields?)"
_CONFIRMS = r"(?:confirms?|verif(?:y|ies)|matches|agrees? with)"
_MET = r"(?:holds?|check out|(?:(?:is|are|has been|have been) )?(?:now )?(?:satisfied|met|used))"
_GRID = r"(?:(?:and|row|column|\d×\d|(?:sub-?)?grid|box|block|region|group)(?:, | |(?= )))+?"
_DIGITS = (
    r"(?:contains|has) the (?:numbers|digits) 1 (?:through|to) 9"
    r" (?:exactly once|without repetition)"
)
_PLACE = r"(?: (?:above|below|here|at the end|in the box))+"
_SURE = (
    r"(?:i(?:['’]m| am)|we(?:['’]re| are| can be)) (?:quite |very )?(?:certain|sure|confident"
    r"|convinced)"
)
_FAULT = r"(?:ambiguity|contradictions?|errors?|mistakes?|problems?|issues?)"
_ONE = r"(?:answer|option|solution|choice)"
_CARE = (
    r"after (?:careful(?:ly)? |thorough(?:ly)? )+(?:consideration|consider\w+|review\w*|check\w*)"
    r"(?: and (?:double-)?checking)?"
)
_TOLD = r"(?:[^.;, ]|,(?! )| (?!(?:but|i|or|if|unless)\b)){1,80}"
_OFFER = r"(?:i can|i(?:['’]m| am) happy to|i(?:['’]d| would) be happy to)"
_WELL = r"(?:(?:also|now|just|carefully|independently|successfully|fully) )*"
_CHECKED = (
    rf"{_WELL}(?:verified|validated|(?:double-?|re-?)?checked|reviewed|confirmed|explained|followed"
    r"|considered|solved|looked at|used(?: only)?|read|tested|walked through|completed|showed)"
)
_HOW = (
    r"(?: (?:carefully|again|twice|as well|too|above|step by step|by hand"
    rf"|by substituting(?: it)? back|by working backwards|against {_STEPS}))*"
    r"(?:,? and (?:it|everything) (?:works?|worked|holds?|held|fits?))?"
)
_LANGUAGE = (
    r"(?:arabic|bengali|chinese|dutch|french|german|hindi|italian|japanese|korean|polish"
    r"|portuguese|russian|spanish|swahili|telugu|thai|turkish|vietnamese)"
)
_WITH = r"(?: (?:us|him|her|them))?(?: with)?(?: a total of)?"
_TOO = r"(?: (?:again|as well|too))?"
_LEAVES = phrases(rf"""
    {_IT}{_IS}(?: (?:indeed|really|exactly))? X; X it is; it is true that {_IT} is X
    (?:{_IT}(?:['’]s| is) )?X,? (?:exactly|as (?:required|expected)|and (?:nothing else|no other))
    {_IT}(?:['’]s| is) X (?:(?:steps|moves|turns|objects) )?(?:in total|total|altogether|in all)
    {_IT} (?:gives|leaves|would (?:give|leave|be)){_WITH} X; {_IT}(?:['’]s| is) {_IT}
    {_IT} (?:would )?(?:give|leave)s? (?:us|him|her|them){_WITH} X [a-z]+; {_SOURCE} is X
    {_SOURCE} (?:{_GIVES}|{_CONFIRMS}|agree on) (?:X|the same (?:answer|result|value)){_TOO}
    {_SOURCE} {_CONFIRMS} {_IT}; {_SOURCE} {_CONFIRMS} that {_IT} is (?:X|right|correct)
    {_SOURCE} (?:pass(?:es|ed)?|succeed(?:s|ed)|agrees?|(?:is|was) (?:successful|complete))
    {_SOURCE} confirms that (?:nothing (?:was|is) missed|no errors? (?:was|were) made)
    an? check (?:of|on) each {_GRID} confirms that every {_GRID} {_DIGITS}
    {_IT} (?:makes sense|is reasonable)(?: in (?:the|this) context(?: of (?:the|this) {TASK})?)?
    {_IT} (?:is|was|has been) (?:given|stated|boxed|shown|found|written){_PLACE}
    {_IT} (?:was|is) (?:obtained|found) by following {_STEPS}
    {_IT} (?:{_CONFIRMS}|gives(?: us)?|(?:brings|leads) us to) {_IT}(?: directly)?
    {_IT} (?:matches|agrees with) what we (?:found|expected)
    {_IT} (?:corresponds to|matches) (?:the )?(?:answer|option|choice) X
    {_THE} {TASK} is (?:written |asked |stated )?in {_LANGUAGE}
    (?:{_CARE}, )?(?:i|we) (?:believe|conclude)(?: that)? {_IT}{_IS} (?:the )?correct {_ONE}
    {_IT} (?:does not|doesn['’]t) depend on {_TOLD}(?:, (?:but )?only on [^.;, ]+)?
    (?:this|that) (?:narrows|limits)(?: down)? (?:the|our) (?:options|choices)(?: down)? to \(?X\)?
    there(?:['’]s| is) (?:no other|only one|exactly one) (?:possible |correct |valid )?answer
    there are no other (?:possible |correct |valid )?answers
    we(?:['’]re| are) (?:now )?ready to (?:give|state|write) {_IT}
    {_THE} {TASK} has (?:an?|one|exactly one)(?: unique)? (?:solution|answer)
    {_THE} {TASK} (?:contains|gives) (?:no contradictions?|all the information(?: that)? we need)
    {_THE} {TASK} is (?:a simple one|straightforward|simple|solved|well[- ]defined|complete)
    {_THE} {TASK} can be solved (?:step by step|logically|with what is given)
    (?:all|each|every)(?: of)?(?: the)?(?: given)? {_GIVEN}(?: of {_THE} {TASK})? {_MET}
    i made no (?:mistake|error)s?(?: above)?; i (?:worked|figured) {_IT} out{_HOW}
    i (?:assumed|skipped|ignored|changed|added|missed) nothing(?: (?:above|beyond {_STEPS}))?
    i (?:assumed|added) nothing that {_THE} {TASK} does not say
    i (?:left out|skipped|ignored) (?:none|no part) of {_STEPS}
    i (?:arrived at|obtained|got|found|chose) X(?: (?:again|as {_IT}))?(?:,? and {_SURE})?
    i (?:do not|don['’]t) see any {_FAULT}(?: in {_THE} {TASK})?(?:, so i['’]ll go with {_IT})?
    (?:{_SURE}|i conclude)(?: that)? (?:{_IT} is|it['’]s) X; {_SURE} (?:in|of|about|by) {_IT}
    i(?:['’]d| would|['’]ll| will) (?:go with|say|choose) X; i (?:stand by|agree with) {_IT}
    {_OFFER} explain (?:{_IT}|{_STEPS}|any step)(?: (?:further|again|in more detail))?
    (?:i hope|(?:please )?let me know if) {_IT} (?:helps|is clear(?: now)?)
    if anything (?:about|in) {_IT} is unclear, (?:(?:just|please|feel free to) )?(?:ask|let me know)
    {_SURE}; i(?:['’]m| am) done; (?:double-?)?checked; edit: (?:formatting|layout|spelling)
    that(?:['’]s| is) all; {_IT}(?:['’]s| is) (?:correct|right); that(?:['’]s| is) it
    {_IT}(?:['’]s| is) (?:indeed )?the only (?:possible |valid |correct )?{_ONE}
    {_IT} matches (?:our|the) expectations?; no (?:further|more) steps are (?:needed|required)
    no other {_ONE} (?:is possible|fits|works|remains); there is no other (?:possibility|{_ONE})
    (?:there are )?no contradictions?(?: (?:were|was|are|is) found)?
""")
# What hands an answer in, and says that it has been looked at.
_EXPERT = (
    r"(?i:(?:both|the|an?|another|two|three|all|my)\s){0,2}(?i:(?:independent|different|second|third"
    r"|other)\s)*(?i:experts?)(?: [A-Z][a-z]+){0,3}(?: mathematicians?)?"
)
_EXPERTS = re.compile(rf"\b{_EXPERT}(?:,? and {_EXPERT})?")
"""Whom some prompts have a model play; they are read as ``we``."""
_BY_EXPERTS = re.compile(
    r"(?: (?:provided|given|found|proposed|suggested|obtained|produced))?"
    rf"(?P<checked> {_CHECKED}(?: as (?:accurate|correct|valid))?)? by {_EXPERT}"
    rf"(?:,? and {_EXPERT})?\b"
)
"""Who found, or checked, what a sentence speaks of."""
_WORK = (
    r"(?:it|everything|(?:the|this|my|our|we['’]s)(?: final| proposed| correct)?"
    r" (?:answers?|solution|results?|calculations?|reasoning|steps|code"
    r"|(?:arithmetic )?(?:expression|equation))"
    r"(?: (?:provided|given|found|proposed|obtained) (?:above|here|by we))?"
    rf"(?: (?:and )?{_CHECKED} by we)?)"
)
_WE = r"(?:i|we)(?: have| has|['’]ve)?"
_ACCURACY = r"(?: the (?:accuracy|correctness|validity) of)?"
_PYTHON = r"(?: (?:using|from|with|through) (?:our |the )?python(?: code| program)?)?"
_ALL_GIVEN = (
    rf"(?:all|the)(?: of)?(?: the)?(?: given)? {_GIVEN}(?: of (?:the|this) (?:game|{TASK}))?"
)
_CLAUSE = phrases(rf"""
    {_WORK} (?:has|have) been {_CHECKED}(?: and {_CHECKED})?(?: by we)?{_HOW}
    {_WE} {_CHECKED}(?: and {_CHECKED})?{_ACCURACY} (?:{_WORK}|{_IT}|{_STEPS}){_HOW}
    {_WE} {_WELL}(?:arrived at|agreed? on|obtained) the same (?:final )?(?:answer|result)
    {_WORK} (?:is|are|has been (?:verified|found) to be) (?:accurate|correct|complete)
    {_WE} agree(?:s|d)? on {_WORK}
    {_WE} {_WELL}(?:obtained|found|calculated|computed) {_WORK}{_PYTHON}
    {_WE} {_WELL}(?:obtained|found|calculated|computed) {_WORK} and {_CHECKED} {_WORK}
    (?:{_WORK} )?(?:directly )?answers the (?:original )?(?:question|problem)
    (?:{_WORK} )?(?:follows|meets|satisfies) {_ALL_GIVEN}
""")
_CLAUSES = rf"(?:{_CLAUSE})(?:(?:,? and (?:that )?|, )(?:{_CLAUSE}))*"
_FORMAT = (
    r"(?: in (?:the (?:required |requested |specified |right |desired |given )?format"
    r"|(?:[mdy]{1,4}/){2}[mdy]{2,4})| to the (?:original )?(?:question|problem)| below"
    r"| with confidence| as an? (?:single )?(?:line|list|string|number|word|sentence|letter)"
    r"(?: of [a-z]+)?(?: separated by [a-z]+)?)?"
)
_GOING_TO = (
    r"(?:(?:i|we)(?:['’]ll| (?:will|can|may|am ready to|are ready to))?"
    r"(?: (?:now|confidently|finally))* "
    r"|let(?:['’]s| me| us) (?:now )?)?"
)
_FIND = r"(?:get|find|obtain)"
_NEED_TO = r"(?:we (?:just |now )?(?:need to |can )?|let['’]s )?"
_HANDS_IN = phrases(rf"""
    {_GOING_TO}(?:present|provide|submit|state|report|write|give) {_IT}{_FORMAT}
    {_GOING_TO}(?:present|provide|submit|state|report|give) {_IT} as (?:the|my|our) final answer
    {_SURE} (?:in|of|about) (?:presenting|providing|giving|the (?:accuracy|correctness) of) {_IT}
    (?:match|compare) {_IT} (?:to|with) (?:the|one of the)(?: given)? (?:options?|choices?)
    {_NEED_TO}(?:add|subtract|multiply|divide|combine|perform) [^.,;:]{{1,60}} to {_FIND} {_IT}
    (?:match|select|choose|determine|{_FIND}) {_IT}
""")

# What may stand around them.
_LEAD = (
    r"[\s*_\"“(✓✅#>•-]*(?:(?:so|and|yes|then|thus|therefore|hence|now|indeed|also|note"
    r"|finally|great|(?:double-)?check(?:ing)?(?=:)|verification(?=:)|explanation(?=:)"
    r"|method(?=:))\b[,:]? )*"
)
_END = rf"[.!:]{{0,3}}[\s*_\"”){SMILEYS}]*"
_LEAVES_IT = re.compile(rf"{_LEAD}(?:{_LEAVES}){_END}")
_PRESENTS = re.compile(
    rf"{_LEAD}(?:(?:(?:since|because|as|now that|given that) )?{_CLAUSES}"
    rf"(?:, {_LEAD}(?:{_HANDS_IN}))?|{_HANDS_IN}){_END}"
)
_HANDED_IN = re.compile(rf"(?:{_HANDS_IN}){_END}")
_BECAUSE = re.compile(rf"{_LEAD}(?:since|because|as|now that|given that) ")
_CONFIRMED = re.compile(
    r"\b(?:confirm(?:s|ed)|verif(?:y|ies|ied)|validated|(?:double-?|re-?)?checked|agree[ds]?)\b"
)
"""What was done so that an answer can be handed in."""
_CLOUDED = re.compile(
    r"\d|n['’]t\b|\b(?:not|no|none|never|nor|neither|nothing|nobody|cannot|without|unable|but"
    r"|hardly"
    r"|however|though|although|yet|except|unless|whether|if|or|only|partly|some|most|part|half"
    r"|other than|rather|instead|might|may|could|would|should|seems?|appears?|possibl[ey]"
    r"|prob\w+|like|perhaps|maybe|guess\w*|assum\w+|doubt\w*|un(?:sure|certain|clear)"
    r"|fail\w*|wrong|false|incorrect|invalid|error\w*|mistake\w*|disagree\w*|differ\w*|another)\b"
)
"""What may cloud it: a denial, a doubt, a part, a number."""
_OTHER = r"([a-j]|-?\d{1,9})"
_NOT = re.compile(
    rf"{_LEAD}(?:{_OTHER} is not (?:{_THE}|an?)(?: valid)? answer"
    rf"|(?:{_THE} answer|it) cannot be {_OTHER}"
    rf"|a common mistake is to (?:answer|say) {_OTHER}){_END}"
)
"""What rules out another answer."""
_REPLY = re.compile(
    rf"{_LEAD}(?P<said>yes|no), (?:it|he|she|they|there|we|you|this|that) (?:is|are|was|were"
    rf"|do|does|did|can|could|has|have|had|will|would|must|should)(?P<denied>n['’]t| not)?{_END}"
)
"""A short reply to a question: ``Yes, it does.``"""
_LONGEST = 400
"""Characters of such a sentence."""
_MARKUP = re.compile(r"</?[A-Za-z]+>|\*\*")
_OPTION = re.compile("[A-J]")
_INTEGER = re.compile(r"-?\d{2,9}")
"""A number that is not that of an option, whose text may be the other one."""


def closes(sentence: str) -> bool:
    """Whether a sentence only ends a text."""
    return _CLOSED.fullmatch(plain(sentence).lower()) is not None


def presents(sentence: str) -> bool:
    """Whether a sentence hands in an answer, or says that it has been checked, and no more; or
    hands it in because something has been confirmed."""
    if len(sentence) > _LONGEST:
        return False
    said = lowered(_EXPERTS.sub("we", sentence))
    return _PRESENTS.fullmatch(said) is not None or _is_confirmed(said)


def _is_confirmed(said: str) -> bool:
    """Whether a sentence hands in an answer because something was found to be so."""
    why, _, then = said.rpartition(", ")
    led = _BECAUSE.match(why)
    confirmed = led is not None and _CONFIRMED.search(why, led.end()) is not None
    return confirmed and _HANDED_IN.fullmatch(then) is not None and not _CLOUDED.search(why)


def without_experts(sentence: str) -> str:
    """A sentence without the experts by whom something was found or checked."""
    return _BY_EXPERTS.sub(lambda found: found["checked"] or "", sentence)


def leaves(sentence: str, answer: str = "") -> bool:
    """Whether a sentence speaks of an answer, its author or a check, and is known to leave the
    answer as it is.

    Args:
        sentence: A sentence of a reply.
        answer: The answer of the reply; empty where it is a program, or does not matter.
    """
    said = _MARKUP.sub("", sentence)
    about = "X".join(map(lowered, around(said, answer)))
    if _LEAVES_IT.fullmatch(about) or presents(said):
        return True
    reply = _REPLY.fullmatch(lowered(said))
    if reply and reply["said"] == lowered(answer).strip(" ."):
        return (reply["said"] == "no") is (reply["denied"] is not None)
    found = _NOT.fullmatch(lowered(said))
    other = next(filter(None, found.groups())) if found else answer
    if _OPTION.fullmatch(answer):
        return other.upper() != answer and other.isalpha()
    return _INTEGER.fullmatch(answer) is not None and answer != other and not other.isalpha()
