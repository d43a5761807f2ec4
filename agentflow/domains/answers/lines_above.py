"""Whether the text above an answer speaks against it: denies it, gives up, or gives another one.

The answer isn't 7. The answer is 7.      denied
I cannot solve this. The answer is 7.     given up
Result: 6, and below it: Answer: 7        two answers
"""

from __future__ import annotations

import re

from agentflow.domains.answers.alike import alike
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.answers.fronts import UNKNOWN
from agentflow.domains.answers.headlines import heads_work
from agentflow.domains.answers.mentions import around
from agentflow.domains.answers.remark_words import TRUTH
from agentflow.domains.answers.typesetting import unopened
from agentflow.domains.answers.values import differ, trimmed
from agentflow.domains.sentence_ends import sentences
from agentflow.domains.spelling import LETTER_OR_DIGIT, lowered, phrases, word_set

_IS = r"(?:is|was|are|would be)"
_CANNOT = r"(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|must not) be"
_NOT = (
    rf"(?:{_IS} (?:surely |clearly |certainly )?(?:not|never|no longer)|(?:is|was|are)n['’]t"
    rf"|{_CANNOT})"
)
_IT = r"(?:right|correct|true|possible|valid|it|(?:the|my|our) answer|the (?:right|correct) \w+)"
_WRONG = (
    rf"(?:(?:{_IS}|can be|(?:has|have) been) (?:an? )?(?:\w+ly |just )?"
    r"(?:wrong|incorrect|false|impossible|out|excluded|eliminated|ruled out|spurious|extraneous"
    r"|inadmissible|unacceptable|invalid"
    r"|rejected|discarded|dismissed|dropped)\b"
    r"|(?:must|has to|should|needs to|can) be (?:rejected|discarded|dismissed|excluded|dropped)\b"
    rf"|{_NOT} {_IT}\b|fails\b(?! to)|[✗❌✘]"
    r"|(?:violates|breaks) |can be crossed out|(?:is|was) (?:no\b|wrongly\b|once\b|formerly\b)"
    r"|(?:lost|loses) (?:that|this|its|the) \w+|(?:does|did)(?: not|n['’]t)[.!;\n]"
    r"|(?:does|do|did)(?: not|n['’]t) (?:satisfy|work|fit|hold|solve|check|make sense|qualify))"
)
_REJECT = r"(?:reject|discard|exclude|deny|dismiss|eliminate|rule out|ruled out)(?:s|d|ed)?"
_CALLED = r"(?:answer|result|solution|value|it|conclusion|statement)"

_BEFORE_IT = r"so|options?|choices?|answer|that|but|and|value|root|solution|candidate|[a-z] ?="
"""What may stand before an answer that is said to be wrong."""

_IT_SAID = '["“(*]*\0'
"""An answer that is mentioned."""
_NOT_IT_SAID = rf"\b{_CALLED} {_NOT} {_IT_SAID}"
_BEGINS = rf"(?:\A|[.!?;,:(]\s*+|\n[^\S\n]*+|\b(?i:{_BEFORE_IT}) ){_IT_SAID}"
_BUT_IT = (
    r"\b(?i:(?:all|any|every|each)(?:thing|one|body)?)\b[^.!?\n]{0,30} (?:but|except|save|besides"
    rf"|other than) (?:option |choice |for )?{_IT_SAID}"
)
"""What is said of all others."""
_AGAINST = re.compile(
    rf"{_BUT_IT}|{_BEGINS}[\"”')*]* {_WRONG}|{_NOT_IT_SAID}|\b{_REJECT} {_IT_SAID}"
)
_AGAINST_OPTION = re.compile(
    rf"{_BUT_IT}|{_BEGINS}(?:,? (?:and |or )?[A-J])*[\"”')*]* {_WRONG}|{_NOT_IT_SAID}"
    rf"|\b(?i:{_REJECT}) (?:[A-J],? (?:and |or )?)*{_IT_SAID}"
)
"""What speaks against an answer; an option may be one of several."""
_OPTION = re.compile("[A-J]")

_UNABLE = (
    r"(?:cannot|can['’]t|could(?: not|n['’]t)|(?:un|not )able to|fail(?:ed)? to|impossible to)"
    r" (?:be )?(?:\w+ )?(?:solv|determin|answer|decid"
    r"|(?:find|get|tell|know|reach) (?:the|an?|wh\w+)\b)"
)
_GUESSES = phrases(r"""
    (?:must|have to|can only|will|just|simply|only|i|i['’]ll|we) guess; (?:a|my|our|wild) guess
    (?:i|we) (?:just )?(?:pick|picked|choose|chose) (?:\w+ )?at random
    there (?:is|are|was) no (?:solutions?|answers?|way); no (?:solution|answer) exists
    none of (?:this|that|it|the above|these) (?:is|are|was) (?:true|right|correct)
    (?:a|the|my|an) (?:wrong|false|incorrect|fake|deliberate\w*)(?: \w+)? (?:answer|solution|one)
    (?:below|what follows|the following) (?:\w+ ){0,3}(?:lie|false|wrong|untrue|joke|fake)
    (?:opposite|reverse|contrary) of (?:the )?(?:truth|answer|right|correct)
    (?:it|this) is impossible to (?:get|make|reach|solve|find|form); i (?:give up|quit|pass)
""")
_SUPPOSES = (
    r"[\W_]*(?:(?:so|but|now|then|well),? )?(?:(?:suppose|assume|imagine|pretend)\b"
    r"|(?:ignor\w+|forget|disregard|skip|drop) (?:\w+ ){0,2}"
    r"(?:premise|rule|clue|fact|condition|constraint|that|this)\b"
    r"|under (?:the |an? )?(?:assumption|hypothesis|supposition)\b)"
)
_GIVES_UP = re.compile(rf"\A(?:{_SUPPOSES})|\b{_UNABLE}|\b(?:{_GUESSES})\b")
"""A sentence above an answer by which it is nobody's, or a guess."""
WRITER = (
    r"(?:\A|[,;(–—-]\s*|\b(?:so|but|and|because|since|that|as|then|now|hence|thus) )"
    r"i(?:['’]\w+)? (?!(?:do(?: not|n['’]t) think so|was (?:wrong|mistaken))\b)"
)
_WORK = (
    r"(?:addition|subtraction|multiplication|division|calculation|computation|operation|check|step"
    r"|verification|substitution|search|analysis|count|simplification|sum|integration)"
)
FOUND = phrases(rf"""
    think; believe; conclude; see; saw; find; found; get; got; obtain(?:ed)?; know; have; had; can
    will; need; must; note; noticed?; verif(?:y|ied); confirm(?:ed)?; determined?; deduced?; am
    write; wrote; read; looked; went; put; say; would say; choose; chose; select(?:ed)?; go; provide
    present; enclose; proceed; return; give; show; state; box; answer; express; format; observe
    set; let; took; confident; certain; sure; forgot; missed; overlooked; misread; misc\w+
    made an? (?:\w+ )?(?:mistake|error|slip); round(?:ed)?; sum(?:med)?; try; tried; test(?:ed)?
    (?:double-|re-?)?(?:check|count|calculat|comput)(?:e|ed)?
    (?:compar|combin|convert|add|appl|us|multipl|subtract)(?:e|y|ed|ied)?
    (?:divid|solv|simplif|trac|follow|start|work|pars|analy[sz]|evaluat|substitut)(?:e|y|ed|ied)?
    recall(?:ed)?; recogni[sz]ed?; understand; understood; broke; break; ran; run; did; made sure
    want to (?:find|know|check|verify|be sure|calculate|compute); going to; plan to; now ready
    concluded; shown; showed; halved; doubled; walk(?:ed)?; would (?:summarize|be happy to help)
    (?:re-?|cross-?)?(?:validat|review|verif|confirm|check|examin)(?:e|y|ed|ied)?
    perform(?:ed)? (?:the|this|these|those|each|all|both|an?) (?:\w+ )?(?:{_WORK})s?
    (?:explor|search|simulat|inspect|reason|translat|format|box|need)(?:e|ed)?
    plug(?:ged)?
    was asked (?:for|to find) (?:the|how many); have (?:to|verified|shown|found|checked)
    (?:arriv|deriv|enumerat|list|consider|assign|plac|mark|sort|group)(?:e|y|ed|ied)?
""")
_OF_WRITER = re.compile(
    rf"{WRITER}"
    rf"(?!(?:(?:can|will|have|then|now|also|first|already|next|just|am|\w+ly) )*(?:{FOUND})\b)"
    rf"|{WRITER}(?:\w+ )?(?:(?:do|did|could|can|was|am|have) ?not|cannot|never|no|\w+n['’]t)\b"
    rf"|{WRITER}(?=[^.]*(?:\b(?:nothing|nobody|wrong|random\w*|guess\w*|idea|not (?:sure|certain)"
    r"|doubt\w*|hop\w+|coin|dice|pretend\w*|suppos\w+|assum\w+|invent\w*|lie[sd]?|lying|joke\w*"
    r"|cheat\w*|ma(?:k|d)(?:e|ing)[ -](?:\w+ )?up|blind\w*|broke the rules|out of time|otherwise"
    r"|another (?:number|answer|value)|opposite|contrary|fails?|little|filler|placeholder|later"
    r"|eyes closed|vaguely|magic|rumou?rs?|tea|web|online|internet"
    r"|forum|oracle|psychic|gut|instinct|tricks?)"
    r"\b|n['’]t\b))"
    r"|\blet me (?:guess|pretend|lie|imagine|suppose|assume|speculate|hope|invent)\b"
    r"|\byou (?:asked|told|said|wanted|ordered|forced|begged)"
    r" (?!for (?:the|a|an) (?:final |exact )?(?:total|sum|number|answer|result|value|probability"
    r"|direction|count|area)\b(?: only| of [a-z ]+)?\W*\Z)(?:me|for|that|to)\b"
    r"|\b(?:next|following) (?:line|sentence|statement|claim|answer|word|paragraph|remark)s?"
    r" (?!is:)(?:is|are|was|will|must|should|do|contain)"
    r"|\b(?:ignore|disregard|skip|distrust|doubt|delete|cross out) (?:\w+ ){0,3}"
    r"(?:line|sentence|statement|answer|below|follows)\b"
)
"""A sentence of the writer's above an answer that does not say how it was found."""
_FAULTS = (
    r"(?:errors?|issues?|mistakes?|problems?|faults?|contradictions?|doubts?|gaps?|inconsisten\w+)"
)
_HARMLESS = re.compile(
    rf"\bi (?:(?:do not|don['’]t|could not|couldn['’]t|can(?:not|['’]t)) (?:see|find|spot) any"
    rf"|(?:found|see|saw|find|have|spot) no) (?:\w+ )?{_FAULTS}"
    r"(?: (?:with|in|about) (?:this|that|it|my \w+|the \w+))?(?=\W*\Z)"
    r"|\bi (?:do not|don['’]t) need any (?:other|more|further)\b"
    r"|\bi hope (?:this|that|it|the explanation)(?: \w+)? (?:is clear|helps?|makes sense)\b"
)
"""What the writer says that doubts nothing."""
_VARIABLE = re.compile(
    r"(?<=[-+*/^=(,] )i\b(?!['’])|(?<=[-+*/^=(\d])i\b(?!['’])"
    r"|\bi(?= ?[-+*/^=)<>]|,? (?:is (?:the imaginary|an? variable|[-\d])|squared|cubed|equals)\b)"
)
"""The letter where it is no pronoun."""
_OPEN = word_set("""
    uncertain unknown undetermined cannot none no not nothing impossible infeasible undefined empty
    0
""")
"""Words of answers that say that there is none."""
_TAG = re.compile(
    r"(?im)^[ \t]*<(?P<closes>/?)(?!(?:br|hr|img|wbr)>)(?P<name>[a-zA-Z][\w-]*)>[ \t]*$"
)
"""A tag on a line of its own."""
_SAID_IN = word_set("""
    answer final final_answer output response result solution reply conclusion summary explanation
    scratchpad step steps check verify rationale justification note u calculation work plan
    reasoning analysis reflection thinking think thought proof verification
    body html main section article div span center details table tbody thead tr td ul ol li p pre
    code b i em strong blockquote
""")
"""Tags that hold what a text says itself."""
_LABELLED = re.compile(
    r"(?i)(?!\s{2}|\s*[-*•]\s)[\W_]*(?:(?:the|my|our) )?(?:(?:final )?"
    r"(?:results?|output|response|verdict|conclusion|choice|prediction|decision|reply)|final"
    r"|ground truth|(?:expected|actual|correct|true|reference|right) answer|truth value|label|gold"
    r"|reference|truth)\b[*_]*\s*[:=][\s*_]*(?P<said>\S.*)"
)
"""``Result: 6``"""
_CONCLUDED = re.compile(
    r"(?i)[\s*_]*(?:(?:so|thus|therefore|hence|then|finally)\b,? )?(?:the |my |our )?"
    r"(?:final )?(?:result|output|total|sum|answer)"
    r" (?:is|equals|=|comes to|(?:must|has to|should) be)\s(?P<said>.+)"
)
"""``So the result is 63.``"""
_EQUALS = re.compile(r"[\s*_$]*=\s*(?P<said>[^=\n]+?)[\s.$]*")
"""The last line of a calculation: ``= 63``"""
_WORDS = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_NUMBER = re.compile(r"(?<!\w)\d+(?:[.,]\d+)*(?!\w)")
_LEADING = re.compile(r"(?i)[\s*_]*(?:so|thus|therefore|hence|then|now|next|finally|and)\b")
_ALONE = re.compile(
    r"(?i)[\s*_#>$(\"“]*(?:(?:so|thus|therefore|hence),? )?"
    r"(?:it(?: is|['’]s) |i (?:choose|pick|say|conclude|go with) |my choice is )?[*_(]*"
    r"(?P<said>true|false|uncertain|unknown|yes|no|(?:north|south)[ -]?(?:east|west)?|east|west"
    r"|(?-i:[A-J])|\d[\d,]*(?:\.\d+)?)[\s*_$).\"”]*"
)
"""A line that can be nothing but an answer."""


def speaks_against(before: str, answer: str) -> bool:
    """Whether the text above an answer speaks against it.

    Args:
        before: The text up to where the answer is stated.
        answer: The answer, without signs around it.
    """
    return _denies(before, answer) or _gives_up(before, answer) or _gives_another(before, answer)


def speaks_of_none(answer: str) -> bool:
    """Whether an answer may say that there is none."""
    return not _OPEN.isdisjoint(re.findall(r"[a-z0-9]+", lowered(answer)))


def set_apart(before: str) -> bool:
    """Whether a comment, or a tag that is not known to hold what its author says, is open at the
    end of a text."""
    if before.rfind("<!--") > before.rfind("-->"):
        return True
    opened = list[str]()
    for tag in _TAG.finditer(before):
        name = tag["name"].lower()
        if not tag["closes"]:
            opened.append(name)
        elif name in opened:
            del opened[len(opened) - 1 - opened[::-1].index(name) :]
    return not _SAID_IN.issuperset(opened)


def _denies(text: str, answer: str) -> bool:
    """Whether a text says that an answer is wrong, and no word behind takes that back."""
    if not answer or len(answer) > 40:
        return False
    parts = [one.strip() for one in answer.split(",")]
    if len(parts) > 1 and all(re.fullmatch(r"[-\w./\\{}]{1,20}", one) for one in parts):
        return any(_denies(text, one) for one in parts)
    if answer not in text:
        return False
    against = _AGAINST_OPTION if _OPTION.fullmatch(answer) else _AGAINST
    text = "\0".join(around(text.replace("$", ""), answer.replace("$", "")))
    found = list(against.finditer(text))
    behind = text[found[-1].end() :] if found else ""
    return bool(found) and not (TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind))


def _gives_up(before: str, answer: str) -> bool:
    """Whether the sentence above says that what follows is a guess, or wrong, or only supposed."""
    if speaks_of_none(answer):
        return False
    before = unopened(before)
    pieces = list(sentences(before))
    if pieces and UNKNOWN.search(lowered(pieces[-1])):
        return True
    said = before.rstrip()
    ended = "\n" in before[len(said) :] or said.rstrip("*_\"”')").endswith((".", "!", "?", ":"))
    if pieces and not ended:  # the sentence that states the answer has begun
        pieces.pop()
    sentence = " ".join(lowered(pieces[-1][-300:]).split()) if pieces else ""
    if _GIVES_UP.search(sentence):
        return True
    return _OF_WRITER.search(_HARMLESS.sub("", _VARIABLE.sub("x", sentence))) is not None


def _gives_another(before: str, answer: str) -> bool:
    """Whether the line above is another answer: a truth value or an option that stands alone, or
    what is called the result."""
    lines = [line for line in before.split("\n")[:-1] if LETTER_OR_DIGIT.search(line)]
    *_, further, above = "", "", *lines
    found = (one.fullmatch(above) for one in (_LABELLED, _CONCLUDED, _EQUALS))
    if said := next((trimmed(one["said"]) for one in found if one), ""):
        return differ(said, answer) or is_like(said, answer)
    stands_alone = not above.rstrip("* ").endswith(".") and not heads_work(above)
    if stands_alone and is_like(above, answer) and not is_like(further, answer):
        return True
    listed = _ALONE.fullmatch(above) and _ALONE.fullmatch(further)  # what there is to choose from
    return not listed and another(above, answer)


def is_like(said: str, answer: str) -> bool:
    """Whether a text looks like an answer, sign by sign and word by word, and is another one."""
    texts = [" ".join(trimmed(one).split()) for one in (said, answer)]
    letters = {re.fullmatch("[A-J]", one) is not None for one in texts}  # an option's says no word
    if len(letters) > 1 or _LEADING.match(said) or any(one.lower() in TRUTH for one in texts):
        return False
    shapes = {_WORDS.sub("w", _NUMBER.sub("n", one).replace("-", "+")) for one in texts}
    return len(shapes) == 1 and bool(answer) and not alike(trimmed(said), answer)


def another(line: str, answer: str) -> bool:
    """Whether a line can be nothing but an answer, and is another one."""
    found = _ALONE.fullmatch(line)
    return found is not None and differ(found["said"], answer)
