"""What may stand around calls: what leads up to them, tells what they do, or ends a text.

    The user wants the weather. Here is the call: [...]     they are meant
    [...] This gets the weather in Paris.                   they are meant
    You did not say which Paris: [...]                      is open
    [...] The unit is missing.                              is open

A sentence of another kind may deny the calls, put them off, change them, or say that they are an
example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains.answers.behind import stands
from agentflow.domains.answers.doubt import RESET
from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.spelling import NUMBERS, phrases, plain

_SILENT = re.compile(
    r"(?i)(?:[\s`\"'\[\](){}<>|｜:;,.\\/#*_=✓✔✅+-]|~~~|<\?xml\?>"
    r"|\b(?:action|answer|assistant|begin_of_text|calls?|content|end_header_id|eom_id|eot|eot_id"
    r"|longcat_tool_call|(?:minimax|seed)(?=:tool_call)"
    r"|action_end|action_start|functools|plugin|python_end|python_start|toolcall|end_action"
    r"|start_action|(?:(?<=[|｜])dsml(?=[|｜]))|tool_call_(?:end|start)|tools(?:_prefix|_suffix)?"
    r"|final|function|function_calls?|im_end|im_start|javascript|json|java|output"
    r"|print|python|python_tag|response|result|return|s|solution|start_header_id|tool_calls?"
    r"|tool_code|tool|type|xml)\b|(?<=\":)null\b|(?<=\": )null\b"
    r"|<[|｜](?:tool[▁_](?:calls?[▁_](?:begin|end)|sep)|end▁of▁sentence|tool_calls_section_(?:begin|end))[|｜]>"
    r"|\b\w{1,40} = (?=\W*$))*"
)
"""What is no sentence: fences, tags, keys, headings, a variable."""
HEADS = re.compile(r"(?i)[\W_]*(?:explanation|note)[\W_]*")
"""What may head a sentence behind calls; in front of them it makes them a part of itself."""
_COMMENT = re.compile(r"(?:(?<!#)##?|//|--|;|%|\[ ?\])[^\w\n#\[({]*[\[({\"'`]*\Z")
"""What makes what stands behind it on its line a comment, or a thing that is still to be done."""
_RECORDED = re.compile(r"\s*\{\"content\": \"(?:[^\"\\]|\\.)*\", \"tool_calls\":[\s\[]*")
"""What stands in front of the calls in an API's message: those are made, if it does not deny it."""
DENIES = re.compile(
    r"(?i)\b(?:ignore|disregard) (?:it|that|these|this)\b"
    r"|\b(?:ignore|disregard|cancel|undo) (?:all |the |these |this )?calls?\b"
    r"|(?:\bcalls?|\A\W*(?:it|that|this)) (?:is|are|was|were) (?:\w+ )?(?:wrong|mistaken?)\b"
    r"|(?:\b(?:not|never|no|without|cannot)\b|n['’]t\b)[^.]{0,40}"
    r"\b(?:call|run|execut)(?:s|ed|ing|e|ings)?\b"
)
"""What a text in a message with calls says against them."""
_NONE = re.compile(r"\[\s*\]|\{\s*\}")
"""No call."""
_THOUGHT = re.compile(r"\s*Thought:")
"""What a model thinks in front of its action (Yao et al., ReAct)."""
_QUOTES = re.compile(r"\s*>(?!>)")
_ENDS = re.compile(r"(?i)(?:[:.!]|\b(?:are|be|call|calls|is|use|with))[\s*_`\"'(]*$")
"""How a sentence ends that is whole, or goes on with calls."""
_MARK = re.compile(
    r"\s*(?:<[|｜]?(?:(?:longcat_|minimax:|seed:)?tool_calls?|tool[▁_]calls[▁_]begin|function_calls?|python_tag)[|｜]?>|\[TOOL_CALLS\])\s*\Z"
)
"""What marks calls right behind a sentence: ``Let me look.<tool_call>``"""
SENTENCE = re.compile(r"\S(?:[^.!?:\n]|[.!?:](?=\S))*+[.!?:]*")
_MARKUP = re.compile(
    r"^[\s*_#>+(\[\"'-]{1,12}(?:\d{1,2}[.)]\s)?(?:\w+\] )?|\*\*|\(s\)|[\s*_\"'`]+$"
)
_NAME = re.compile(
    r"`([^`\n]{1,80})`|\"([^\"\n]{1,80})\"|(?<!\w)'([^'\n]{1,80})'(?!\w)"
    r"|((?<!\w)\w+(?:[._]\w+)+(?:\(\))?|(?<=[\w,] )[A-Z]\w*[a-z]\w*(?: [A-Z]\w+)*)"
)
"""Functions, parameters and values that a sentence names."""
_HARMLESS = re.compile(
    r", not [\w ]{1,30}(?=[,.]|$)|\bin (?:the )?(?:\w+ )?format\b|\bthe provided\b"
)
"""What only sounds like denial: ``Paris, not London``, ``in JSON format``."""

_ACTS = phrases(r"""
    access; add; (?:attempt|try) to; try(?= \w+ing\b); retry
    begin; book; buy; calculate; call; check; combine; compare
    compute; convert; create
    determine; estimate; evaluate; execute; fetch; find; generate; get; invoke; load; look
    make (?:an? |one |the |two |three )?(?:following )?(?:function )?calls?; open; order; pass
    perform; play; proceed; produce; provide; query; reserve; retrieve; return; run; save
    schedule; search; send; set; solve; start; submit; track; translate; update; use
""")
_TELLING = r"(?:answer|ask|give|list|show|take|tell)"
_DID = r"(?:called|invoked|made the (?:function )?calls?|passed|set|updated|used)"
_KIND = (
    r"(?:the |my |my first |our |an? |all |both |above |appropriate |complete |correct "
    r"|corresponding |final "
    r"|following |function |name |necessary |needed |python |required |right |single |tool |api )*"
)
_NOUN = r"(?:action|answer|calls?|code|functions?|json|lines?|response|results|solution|tools?)"
_NOW = r"(?: also| first| just| now| simply| then| go ahead and| quickly)*"
_MAY = r"(?: can| should| must| need to| have to)"
_WILL = rf"(?:'ll|'m going to| will| am going to| are going to|{_MAY})?{_NOW}"
_SAYS_SO = phrases("""
    so; therefore; thus; hence; now; okay; ok; sure(?: thing)?; certainly; of course; great; first
    next; then; finally; yes; well; alright; absolutely; no problem
""")
_COURTESY = re.compile(
    r"(?:sure(?: thing)?|of course|certainly|absolutely|okay|ok|alright|great|no problem|understood"
    r"|got it|happy to help|glad to help|yes|(?:just )?one moment(?:,? please)?)"
)
_WHY = (
    r"(?:to|since|as|because|based on|given|for|in (?:this|both) (?:cases?|solution)"
    r"|according to)\b"
)
_OPENING = re.compile(
    rf"(?:(?:{_SAYS_SO})[,!]? |here, )*"
    rf"(?:(?P<why>{_WHY}[^:]*), |to (?:answer|do|solve) (?:it|that|this) )?"
)
_ANNOUNCES = (
    rf"(?:here(?:'s| is| are)|this is|these are|below (?:is|are)) {_KIND}{_NOUN}(?: of code)?"
    rf"(?=$| to (?:{_ACTS}|answer|configure)\b| for\b| using\b| based on\b"
    r"| you (?:need|asked for|want)$"
    r"| in (?:\w+ ){1,2}format\b| that (?:answers|fits|matches)\b)"
    rf"|{_KIND}{_NOUN}\b(?: (?:to|for|that) (?:be returned|this|(?:{_ACTS}|answer)s?)\b[^:]*?)?"
    r" (?:is|are|(?:will|would) be$|(?:would |will |should )?looks? like(?: this)?"
    r"|should be (?:called|invoked|used)$)(?!\w)"
    rf"|(?:i|we|you|this|it){_NOW} needs?(?: to make)? {_KIND}(?:\w+ )?{_NOUN}$"
    r"|(?:i'm|i am) (?:calling|using)\b"
    rf"|(?:i|we){_WILL}(?: help you)? (?:{_ACTS})\b|let(?:'s| me| us){_NOW} (?:{_ACTS})\b"
    rf"|you{_MAY}{_NOW} (?:{_ACTS})\b"
    r"|(?:calling|executing|invoking|making|running|using)\b(?!.* is\b)"
    r"|(?:it|that|this) can be (?:answered|done|solved) (?:by|using|with)\b"
    r"|(?:the )?(?:question|request|task|user) "
    r"(?:(?:asks|is asking)(?: me)? (?:about|for|to)|requests|wants|would like)\b"
    r"|the \w+ (?:is|are) (?:asked for|needed|requested|wanted)\b"
    r"|(?:please )?hold on for a moment|here (?:you|we) (?:go|are)"
    r"|(?:i can|i will|i'll|let me|i'd be (?:glad|happy) to)(?: gladly)? help(?: you)?"
    r"(?: with (?:it|that|this))?"
)
"""How a sentence begins that leads up to calls."""
_SUBJECT = (
    rf"(?:this|these|it|they|name|{_KIND}{_NOUN})(?: {_NOUN}| of (?:code|these calls))*(?: name)?"
)
_DESCRIBES = (
    r"(?:these|the|both) calls (?:can|should) be (?:executed|made|run) (?:in parallel|together)$"
    rf"|{_SUBJECT}{_NOW} (?:{_ACTS}|{_TELLING})e?s(?: if| whether)?\b"
    rf"|(?:{_SUBJECT}{_NOW} (?:will|can be used to|(?:is|are) used to)"
    rf"|(?:they|{_KIND}(?:calls|functions|lines|tools))){_NOW}"
    rf" (?:{_ACTS}|{_TELLING})\b"
    rf"|{_SUBJECT} (?:is|are) (?:called|invoked|used) (?:to|twice|with)\b"
    rf"|(?:i|we)(?:'ll|'ve| have| will| can)?{_NOW} (?:{_ACTS}|{_DID})\b"
    rf"|the results?(?: of {_SUBJECT})? (?:is|are|will be) (?:returned|the)\b"
    r"|let me know if you (?:would |'d )?(?:like|need|want) (?:any|more|the)\b"
)
"""How a sentence begins that tells what calls do."""
_STATES = (
    r"(?:note that )?(?:(?:here,? )?(?:(?:all |both )?(?:the )?(?:required |optional )?"
    r"(?:name )?(?:arguments?|name|parameters?|values?)|the \w+)(?: name)? (?:is|are)"
    r" (?:set to|passed|given|provided|specified|optional|not required|name\b|the name\b)"
    r"|no (?:other |further |additional )?(?:information|parameters?) (?:is|are)"
    r" (?:missing|needed|required)"
    r"|(?:it|this) (?:does not|doesn't) (?:need|require) any (?:additional|further|other)\b"
    r"|the (?:arguments|parameters)(?: used| set)? are$)"
)
"""How a sentence begins that tells what parameters are."""
_INTRODUCES = re.compile(
    rf"(?:(?:{_SAYS_SO}|also|and|second|third|lastly|step \d)[,:]? )*"
    rf"(?:(?:i|we){_WILL} |to |let me )?"
    rf"(?:(?:{_ACTS})\b|(?:for )?(?:the )?name$|for (?:the )?\w+$|the (?=\w+$))"
)
"""How a heading or a comment begins that says which of several calls is next: ``Then the Hilton:``;
its words have to be those of the calls."""
_NUMBER_OF_LIST = re.compile(r"(?m)^[\s*_`-]*\d{1,2}[.)]\s+")
_LEADS = re.compile(rf"(?:{_ANNOUNCES}|{_STATES})")
_TELLS = re.compile(rf"(?!these calls (?:are|were)\b)(?:{_DESCRIBES}|{_STATES})")
_MANY = "|".join(set(NUMBERS) - {"zero", "one", "two", "three"})
_NUMBER = re.compile(rf"(?<![\w.])(?<![a-z]-)(?:\d+(?:\.\d+)?|{_MANY})(?![\w.]\d|\w)")
_TIME = re.compile(r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>[ap])\.?m\b\.?")
_LISTED = re.compile(r"^[\s*_>-]*\d{1,2}[.)]\s|\bstep \d+")
_SET = r"\b(?:set to|passed as|given as|specified as|defaults? to"
_SET_TO = re.compile(
    rf"{_SET}) (?:the )?(?P<value>celsius|fahrenheit|kelvin|metric|imperial|true|false)\b"
    rf"|{_SET}|us(?:es?|ing)) [`\"']?(?P<other>[a-z]+)[`\"']?\W*$"
)
_REPORTS = re.compile(
    r"(?:(?:once|when|as soon as|after) (?P<first>[^,]+), )?"
    r"(?:i|we)(?:['’]ll| will| can)(?: then)? "
    r"(?:let you know|tell you|report(?: back)?|share|show you|give you|get back to you"
    r"|update you|provide(?: you)?|present|summarize|be able to (?:tell|give|show) you)\b"
    r"(?P<what>.*?)(?(first)|(?: once| when| as soon as| after) (?P<last>.+))"
)
"""What is promised for when calls are made: ``I'll let you know once the table is booked``."""
_NEXT = re.compile(
    r"(?:then|next|after(?:wards| that)|finally|also|later)\b,? "
    r"(?:i|we)(?:['’]ll| will| am going| can)\b"
)
"""What is to be done behind the calls, and is not in them."""
_CALLED = re.compile(r"\"(?:name|function)\": ?\"(\w{1,80})\"|\b([A-Za-z_]\w{0,80})\(")
_PLAN = re.compile(
    r"(?:and )?if (?:(?:it|that|this|the \w+(?: \w+)?) (?:(?:still )?(?:fails|does not exist"
    r"|doesn['’]t exist)|(?:is|was)(?: still)? not (?:available |found |there )?"
    r"|isn['’]t (?:available |found |there )?)|(?:it )?(?:still )?not found)"
    r"[^,.;]{0,60}, (?:then )?(?:i|we)(?:['’]ll| will)\b"
)
"""How a sentence begins that tells what is done where a call made before fails."""
_FIRST = re.compile(
    r"\b(?:i|we)(?:['’]ll| will| should| need to)(?: (?:now|then))? (?:first|start by|begin by)\b"
)
"""What says which call is made before."""
_LATER = re.compile(r",? (?:and )?(?:then|finally|if)\b")
_GIVES_UP = re.compile(
    r"\b(?:i|we) (?:cannot|can['’]t|am unable|are unable|could not|couldn['’]t|won['’]t)\b"
)
_FOREIGN = "(unknown)"
"""What stands behind a name that the calls do not have."""
_ANOTHER = re.compile(
    r"(?:^|\b(?:call|for|function|invoke|to|use|uses|with)) (?:the )?\S+ \(unknown\)"
)
_ELSEWHERE = re.compile(
    r"\b(?:after|as soon as|before|bad|dummy|empty|explanation|first|forbidden|later|once|only"
    r"|others?|place of|docs|old|tomorrow|until|what|when|whether|why"
    r"|you (?:asked|made|sent|wrote))\b"
    r"|^ (?:an? \d|no\b|nothing)"
)
"""What puts calls off, or makes them another's."""
_LIKE = "This is what the call does "
"""A beginning with which the rest of a sentence is one that :func:`stands` reads."""


def is_silent(text: str) -> bool:
    """Whether there is no sentence in a text, only markup and keys."""
    return _SILENT.fullmatch(text) is not None


def lead_up(front: str, calls: str) -> bool:
    """Whether the last sentence in front of calls leads up to them, or there is none."""
    if _RECORDED.fullmatch(front):
        return DENIES.search(front) is None
    if _COMMENT.search(front) or front.rfind("/*") > front.rfind("*/"):
        return False
    said, front = "", _MARK.sub("", front)
    for line in reversed(front.replace("\\n", "\n").split("\n")):
        if _QUOTES.match(line):
            return False
        if not (is_silent(line) or _THOUGHT.match(line)):
            said = line
            break
    if not said:
        return True
    sentences = list(_sentences(said, calls))
    if not sentences or not _ENDS.search(said) or tells_else(said, calls):
        return False
    if _FIRST.search(plain(front).lower()):
        sentences = [one for one in sentences if not is_plan(one)] or ["ok"]
    if any(_GIVES_UP.search(one) for one in sentences):
        return False
    if _COURTESY.fullmatch(sentences[-1]):
        return True
    last = RESET.split(sentences[-1])[-1].strip() or sentences[-1]
    last = _acts(calls).sub(r"\1call", last, count=1)
    opening = _OPENING.match(last)
    why, rest = (opening["why"] or "", last[opening.end() :]) if opening else ("", last)
    return not rest or closes(rest) or (_plainly(_LEADS, rest) and _is_plain(why))


def is_plan(sentence: str) -> bool:
    """Whether a sentence tells what is done where a call that is made before fails."""
    return _PLAN.match(plain(sentence).lower().strip()) is not None


def parted(sentence: str) -> tuple[str, str]:
    """(what a sentence says to be done first, what is done later): all of it is the one or the
    other, or both are in it."""
    if is_plan(sentence):
        return "", sentence.partition(", ")[2]
    if not _FIRST.search(plain(sentence).lower()):
        return sentence, ""
    first, *later = _LATER.split(sentence, maxsplit=1)
    return first, "".join(later)


def _acts(calls: str) -> re.Pattern[str]:
    """What says that somebody does what a function of calls is called: ``I will approve``."""
    names = _CALLED.findall(calls)
    words = {re.split(r"_|(?<=[a-z])(?=[A-Z])", one)[0].lower() for pair in names for one in pair}
    acts = "|".join(sorted(map(re.escape, words - {""}))) or "(?!)"
    return re.compile(rf"(\b(?:i|we)(?:'ll| will| need to| can){_NOW} )(?:{acts})\b")


def tells(text: str, calls: str) -> bool:
    """Whether all sentences of a text in a message lead up to its calls, or tell what they do."""
    for line in text.split("\n"):
        for sentence in _sentences(line, calls):
            opening = _OPENING.match(sentence)
            rest = sentence[opening.end() :] if opening else sentence
            told = any(_plainly(kind, rest) for kind in (_LEADS, _TELLS))
            if not (told or not rest or closes(sentence) or _COURTESY.fullmatch(rest)):
                return False
    return True


def introduces(front: str, calls: str) -> bool:
    """Whether all that stands in front of one of several calls leads up to it, or only says which
    it is: ``2. Then the Hilton:``."""
    front = _NUMBER_OF_LIST.sub("", front)
    if front.rfind("/*") > front.rfind("*/"):
        return False
    lines = [one for one in front.split("\n") if not is_silent(one)]
    return all(
        lead_up(one, calls)
        or (
            not _QUOTES.match(one)
            and not tells_else(one, calls)
            and all(_plainly(_INTRODUCES, said) for said in _sentences(one, calls))
        )
        for one in lines
    )


def hold(behind: str, calls: str) -> bool:
    """Whether all sentences behind calls only tell what they do, or end the text."""
    if _NONE.search(behind):
        return False
    for line in behind.replace("\\n", "\n").split("\n"):
        if is_silent(line) or HEADS.fullmatch(line):
            continue
        sentences = list(_sentences(line, calls))
        if not sentences:
            return False
        if tells_else(line, calls):
            return False
        for sentence in (one for one in sentences if not (is_silent(one) or HEADS.fullmatch(one))):
            if reports(sentence):
                continue
            if _NEXT.match(sentence):
                return False
            opening = _OPENING.match(sentence)
            rest = sentence[opening.end() :] if opening else sentence
            why = (opening["why"] or "") if opening else ""
            if not (closes(sentence) or (_plainly(_TELLS, rest) and _is_plain(why))):
                return False
    return True


def reports(sentence: str) -> bool:
    """Whether a sentence promises to tell what calls come to, once they do."""
    found = _REPORTS.fullmatch(sentence.lower().strip(" .!"))
    said = " ".join(filter(None, found.groups())) if found else ""
    when = (found["first"] or found["last"]) if found else ""
    of_you = re.search(r"\b(?:you|your)\b", when)
    denies = re.search(r"\d|\(unknown\)|\b(?:not|no|if|unless)\b|n't", said)
    return not (not found or of_you or denies)


def remarks(front: str, behind: str) -> list[str]:
    """What is said around calls that are meant, line by line: what leads up to them, what was
    thought or announced above it, and all that stands behind them."""
    if _RECORDED.fullmatch(front):
        front = front.rpartition('"tool_calls"')[0].partition(":")[2].replace('\\"', "'")
    above = [one for one in front.replace("\\n", "\n").split("\n") if not is_silent(one)]
    below = [one for one in behind.replace("\\n", "\n").split("\n") if not is_silent(one)]
    last = above.pop() if above else ""
    told = (_THOUGHT.sub("", one) for one in above if _THOUGHT.match(one) or _announces(one))
    return [" ".join(one.split()) for one in [*told, _THOUGHT.sub("", last), *below] if one.strip()]


def _announces(line: str) -> bool:
    """Whether a line says that something is called."""
    return any(_LEADS.match(one) for one in _sentences(line, ""))


def _sentences(line: str, calls: str) -> Iterator[str]:
    """The sentences of a line in small letters, without markup; what they name is a ``name``."""

    def named(found: re.Match[str]) -> str:
        said = next(one for one in found.groups() if one)
        return " name" if said.lower().replace('"', "'") in low else f"{found[0]} {_FOREIGN}"

    low = calls.lower().replace('"', "'")
    for sentence in SENTENCE.findall(_NAME.sub(named, plain(line))):
        bare = _MARKUP.sub("", sentence.lower())
        said = " ".join(bare.rstrip(".!:").split())
        if said:
            yield said


def at_24_hours(said: str, calls: str) -> str:
    """What is said, with the times of day that calls have as 19:00 and a text as 7 pm."""

    def spelled(found: re.Match[str]) -> str:
        hour = int(found["hour"]) % 12 + (12 if found["half"] == "p" else 0)
        time = f"{hour:02}:{found['minute'] or '00'}"
        return time if time in calls else found[0]

    return _TIME.sub(spelled, said)


def tells_else(line: str, calls: str) -> bool:
    """Whether a line tells a number, or what a parameter is set to, that the calls do not have."""
    low, said = calls.lower(), at_24_hours(plain(line).lower(), calls)
    numbers = [str(NUMBERS.get(one, one)) for one in _NUMBER.findall(_LISTED.sub("", said))]
    values = [found["value"] or found["other"] for found in _SET_TO.finditer(said)]
    has = set(re.findall(r"[^\W_]+(?:\.\d+)?", low))
    return any(one not in has for one in numbers) or any(one not in low for one in values)


def _plainly(kind: re.Pattern[str], sentence: str) -> bool:
    """Whether a sentence is of a kind, and goes on without denial or doubt."""
    found = kind.match(sentence)
    return found is not None and _is_plain(sentence[found.end() :])


def _is_plain(said: str) -> bool:
    if _ELSEWHERE.search(said) or _ANOTHER.search(said):
        return False
    said = _HARMLESS.sub("", said.replace(_FOREIGN, ""))
    return stands(f"{_LIKE}{said}.", "call")
