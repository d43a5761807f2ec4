"""Whether the words in front of a mark, in its sentence, may lead to an answer: a whitelist.

    The area of the triangle is \\boxed{6}.     states something of a thing
    The final answer is \\boxed{6}.             calls it the answer
    Ignoring the last rule, it is \\boxed{6}.   neither

What speaks of an answer has to be one of the listed phrases. Any other sentence has to begin as a
statement does: connectives, clauses of grounds, then a thing that is, has or does something.
"""

from __future__ import annotations

import re

from agentflow.domains.answers import languages
from agentflow.domains.answers.remark_words import FORMULA, PAST
from agentflow.domains.spelling import A_LETTER, LETTERS, lowered, phrases, word_set

KIND_OF_IT = (
    r"\((?:in |as )?(?:an? |one |the )?(?:single |arabic |whole )?(?:numerals?|numbers?|digits?"
    r"|integers?|words?|letters?|yes or no|yes/no|true or false|mm/dd/yyyy)\)"
)
"""What of an answer may be said in brackets before it: ``the answer (a number) is``."""
_KIND_OF_IT = re.compile(rf"(?<=answer ){KIND_OF_IT}")
_BOX = re.compile(r".*\\f?boxed\s*\{[^{}]*\}", re.DOTALL)
_CLAUSE = re.compile(r"[,;]")
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf|mbox|textit)\s*\{([^{}]*)\}?")
_MARKS = re.compile(r"\\(?:f?boxed|begin|end)\{[^{}]*\}?|</?\w+>?|[*_#>`$\[\](){}|&\"“”]")
_COMMAND = re.compile(r"\\[a-z]+\*?")
_NUMBER = re.compile(r"\d")
_NUMBERED = re.compile(r"\A\W*\d{1,2}\s*[.):]")
_SAID_AGAIN = re.compile(
    r"\b(the (?:conclusion|statement|claim|proposition)) that [^,:]{3,100}(?= is\W*\Z| ?:\W*\Z)"
)
_ITS_VALUE = re.compile(r"(?<=[:a-z] )[\dx][\d.,/°%]*\W*\Z")
_LABEL = re.compile(r"\W*(?:so|thus|therefore|hence)?\W*(?:(?:the|my) )?(?:final )?answer\b")
_BEGINS = re.compile(
    r"(?:(?:\\\]|\$\$|\\end\{\w+\*?\})\s*|[:.]\s*)(?=(?:Thus|Therefore|So|Hence|The)\b)"
    r"|\.(?:\$|\\\)|\*\*)\s+(?=[A-Z])"
)
"""What a sentence begins behind without a full stop, or a space: a displayed formula, a heading."""

_SO = re.compile(
    r"(?:(?:"
    + phrases(r"""
    thus; therefore; so; hence; finally; consequently; and; now; then; as a result; accordingly
    overall; ultimately; altogether; but; however; also; again; here; indeed; specifically; clearly
    in (?:conclusion|summary|total|all|fact|the end); to (?:conclude|summarize)
    putting (?:it|this|these|everything|the pieces) (?:all )?together
    (?:step|part) (?:\d{1,2}|[a-h])
    (?:this|which) (?:means|shows|implies|verifies|gives us)(?: that)?; it follows(?: that)?
    we (?:can )?(?:conclude|find|see|know|get|have|note)(?: that)?
    i (?:conclude|believe|think|would say)(?: that)?
    (?:the )?(?:final )?(?:answer|solution|result)(?= ?:); working (?:together|alone)(?=,)
    (?:final )?(?:answer|solution|result); (?:final )?(?:simplification|calculation|step)(?= ?:)
    in the (?:tags?|box); correction; edit; update; actually; wait; no; oops; sorry; conclusion
    q\.?e\.?d; \d{1,2}[.)]; [-•✅✓✔☑👉🎉]
    """)
    + r")(?![\w'’])[\s,:.]*)"
)
_GROUNDS = re.compile(
    r"(?:since|because|as|given|based on|from|using|adding|combining|putting|substituting"
    r"|multiplying|dividing|subtracting|simplifying|solving|considering|comparing|counting|summing"
    r"|applying|following|rounding|evaluating|calculating|converting|among|regardless of"
    r"|encapsulating|resolving"
    r"|due to|leading to|in (?:this|our) case"
    r")\b(?:(?<=case)|[^,:;]{1,200}?)[,:]\s*"
)
_VALUES = re.compile(r"(?:[a-z]\w{0,9} ?= ?-?\w{1,9}(?:\.\d{1,9})?, (?:and )?)+")
"""``a = 1, b = 0, and``"""
_WHERE = re.compile(
    r"(?:by|after|to|in|for|at|on|with|when|where|if|of|out of|rounded)\b[^,:;]{1,200}?,\s*"
)
_DONE = re.compile(
    r"(?:after|upon|by|working through|following|having)\b(?: [\w'-]+,?){2,20}(?:, (?:i|we) get)?:"
)
"""``After running the search:``"""
_OF_PROBLEM = re.compile(
    r"\b(?:problems?|questions?|clues?|rules?|conditions?|readings?|cases?|versions?|answers?"
    r"|options?|interpretations?|edits?|corrections?|part|example|wrong|others?|another|different"
    r"|sight|glance|try|absence|place of)\b"
)
"""Of what a clause of circumstances (``in ..., when ...``) does not speak."""

_GOOD = (
    r"(?:(?:final|correct|right|only|required|desired|simplified|exact|numerical|best|overall|valid"
    r"|most (?:likely|plausible|reasonable|logical|suitable|appropriate|accurate)"
    r"|integer|single|unique|boxed|concise|full"
    r"|complete|following|remaining|given|resulting|step-by-step|detailed|corrected|revised|encrypted|decrypted|simplest|reduced|total|combined)"
    r"[ ,]+){0,3}"
)
_SHOWS = (
    r"(?:(?:here|below)(?: is|['’]s) |(?:let me|i will|i['’]ll) (?:now )?(?:provide|give|write"
    r"|state|present) )"
)
_ANSWER = re.compile(
    rf"(?:{_SHOWS}?(?:(?:the|our|my|its) )?{_GOOD}(?:answers?|ans|results?|options?|choices?"
    r"|solutions?|conclusions?|letter|output|grid|expression|response|verdict|value)"
    r"|let['’]?s box (?:the|our) (?:final )?answer"
    rf"|{_SHOWS}?(?:a|an|one) (?:(?:possible|valid|correct|such|[a-z]+ian) ){{0,2}}"
    r"(?:solution|(?<!possible )answer|expression|way|path|assignment|arrangement|order(?:ing)?"
    r"|sequence)"
    rf"|{_SHOWS}(?:the|our|my) {_GOOD}"
    r"(?:path|list|sequence|order|board|moves|grid|table|assignment))"
    r"(?:, [a-z]+(?:ed|ing) [^,:]{1,60},)?(?: exactly| rearranged| formatted| written)?"
    r"(?P<tail>,? (?:to|into|of|for|in|that|from|we|i|which|with|here|on|is (?:x(?= (?:is|[:=]))"
    r"|(?:given|obtained|found) by|(?:simply |just )?the (?:sum|product|difference|total|ratio))"
    r")\b[^:]{0,120}?)?"
    r"(?:,? ?(?:therefore|thus|then|hence|indeed|simply|just|clearly|also|now|so),?)?"
    r"(?: ?[:=]| (?:is|are|equals?|becomes?|must be|should be|would be|will be|has to be"
    r"|can be (?:written|expressed|given) as|comes out (?:to be|as|to)|turns out to be|remains"
    r"|is (?:determined|found) to be)"
    r"(?: (?:equal to|as follows|given by|therefore|thus|indeed|simply|just|clearly|option|answer"
    r"|choice|exactly|then|also))?)?[\s:=,]*"
)
"""What calls something the answer."""
_WRITES = re.compile(
    r"(?:we|i) (?:(?:can|could|may|now|then|will|also) ){0,3}"
    r"(?:write|express|state|give|arrange|present|format)"
    r" (?:the|our) (?:final )?(?:answer|result|solution)(?: in [a-z ]{1,30})? as(?: x is| follows)?"
    r"(?:, (?:separat|wrapp|enclos|encapsulat|surround)(?:ed|ing) [^,:]{1,60}){0,3}[\s:,]*"
)
"""``We can write the final answer as``, with how it is set"""
_OF_IT = re.compile(
    r",? (?:(?:to|for) (?:the|this|that|our|these|an?|how|what|which|x|each|all|part|question"
    r"|problem|\d)|into|of|in|from|here|on)\b.*"
    r"|,? is (?:x|(?:given|obtained|found) by (?:x|[a-z]+ing)\b.*"
    r"|(?:simply |just )?the (?:sum|product|difference|total|ratio)\b.*)"
    r"|,? with units|,? (?:to|that|which) (?:make|get|reach|obtain|form|give|equal|evaluate"
    r"|total|use)s?(?: to)? (?:the number |each (?:number|of)|all\b|x\b|\d).*"
    r"|,? that i (?:found|got|obtained)"
    r"|,? (?:that|which|we|with) (?:also |best |we |was |is |are |were )?"
    r"(?:satisf(?:y|ies)|fits?|works?|match(?:es)?|meets?|makes?|solves?|fulfil\w*|answers|completes|found|seek"
    r"|want(?:ed)?|need(?:ed)?|looking for|asked for|get|got|obtain(?:ed)?|have"
    r"|required|follows?|results?|corresponds|could be|might be considered)\b.*"
)
"""What may stand between the word ``answer`` and its verb: whose answer it is, and to what."""
_NOT_IT = re.compile(
    r"\b(?:not|never|coin|dice|toss\w*|discard\w*|reject\w*|correction|mistake\w*|contradict\w*"
    r"|violat\w*|opposite|reverse|contrary|negation|before|they|avoid\w*|wrong\w*|lie)\b|[—–!¬\"“]"
)
_CALLED = re.compile(r"\b(?:answers?|options?|choices?)\b")
_SPOKEN_OF = re.compile(r"\b(?:same answers?|to get the answer|where the answer is in the form)\b")
"""What speaks of an answer, and calls nothing so."""
_OTHERS = re.compile(
    r"\b(?:part|example|other|another|different|easier|similar|related|you|your|his|her"
    r"|(?!(?:t?here|it|that|let|what)['’])[a-z]+['’]s)\b"
)
"""What makes it the answer to something else, or somebody else's."""

_STATUS = phrases(r"""
    guess(?!es (?:needed|required)|ed )\w*; hunch; decoy; distractors?; (?:the|a) (?:lie|negation)
    (?:my|your|our) rivals?; careless\w*; (?:everybody|everyone|nobody) (?:hates|likes|picks)
    (?:extraneous|spurious|discarded|excluded|rejected) (?:root|solution|value|answer|candidate)s?
    (?<!for )(?:forgetting|misreading|miscounting|double[- ]counting)(?: \w+){0,4} (?:gives|yields)
    most (?:people|students|readers|models) \w+
    estimat(?:e|ion); candidates?; runner-up; tentativ\w*; draft; attempts?
    dropp(?:ed|ing); ignor\w+; wish\w*; hope\w*; intuiti\w+; naive\w*; trap
    (?:upper|lower) (?:limit|bound)
    (?:any|every)thing (?:but|except); (?:other|another|different) (?:problem|question|puzzle)s?
    sarcas\w+; iron(?:y|ic\w*); satir\w+; fiction\w*; parod\w+; jok(?:e|ing)\w*; hoax; prank
    bluff\w*; (?<!i )(?<!we )would (?:say|think|answer|guess|claim)
    (?:before|after|prior to) (?:the |a |any )?(?:correction|revision|mistake)
    (?:student|classmate|friend|beginner|child|pupil|grader|teacher)s? (?:got|gets?|wrote|found|put)
    as an? (?:\w+ )?\w+, i; (?:enemy|friend|rival)s? (?:say|think|claim)s?
    rumou?r\w*; so-called; alleged\w*; suppos\w+; claim\w*; wrong\w*; incorrect\w*; mistak\w*
    faulty; erron\w*; random pick; default; dummy; placeholder; worst; second best; least likely
    unrounded; reference(?! (?:angle|point|frame|line))
    previous; old; yesterday; (?:could|should|would) have been; ought to
    had better; i feel
    you (?:gave|said); used to (?:think|be|believe); rough; quick; torn; inclined; suspect; error
    (?:intermediate|interim|partial|first) (?:result|value|answer|solution)
    (?:calculator|program|tool|statement|book|key|internet|wikipedia|google|chatgpt) (?:gives|says)
    the (?:target|goal|premise|input|hint|prompt|aim) is
""")
_WITH = "".join(
    f"(?<!{one} )"
    for one in ("come up", "end up", "ends up", "left", "go", "going", "started", "starts", "began")
)
"""What an answer may stand behind ``with`` of."""
_ENDS = phrases(r"""
    about; around; roughly; nearly; near; close to; far from; under; over; some
    (?<!there were )(?<!there was )(?:originally|initially); at first; once
    previously; formerly; earlier; from; than; like; unlike; except
    besides; before; after; next to
    WITH; different; against; out; anything but; not; never
    either; neither; (?:divisible|followed|preceded) by; used to be; more; less; fewer
    (?:multiple|factor|divisor|opposite|part|half|none|any|one) of; want(?:ed)?; forget; delete
    (?:mention|print|return|exclud|eliminat|avoid|contradict|exceed|discard|reject|differ)\w*
    (?:answer|result|solution|output|it|must|should) (?:must |should )?contain\w*
    (?:begin|start|end|precede)s?; (?<!as )follows?; replace
""").replace("WITH", f"{_WITH}with")
_OTHERS_SAY = (
    r"(?:everybody|everyone|somebody|someone|nobody|people|students?|readers?|models?|others)"
    r" (?:say|think|guess|answer|claim|believe)s?"
)
_DOUBTFUL = re.compile(
    rf"\b(?:{_STATUS}|{_OTHERS_SAY})\b|\b(?:{_ENDS})[\s:,]*\Z|[≈~≠≃]\s*\Z"
    r"|(?<!\d)!=\s*\Z"
)
"""What gives what is marked another standing than that of an answer."""
_SAYS = re.compile(
    r"\A\W*(?:And |So |But )?"
    r"(?!(?:The|It|This|That|We|I|He|She|They|There|Which|Each|Final)\b)[A-Z]\w*"
    r"(?:['’]s [a-z]+| [A-Z]\w*|(?:(?<=\bMy)|(?<=\b(?:Her|His|Our))) [a-z]+)?"
    r" (?:answer(?:s|ed)|say(?:s)?|said|wr(?:ote|ites)|claim(?:s|ed)"
    r"|repl(?:ies|ied)|thinks?|thought|believe[sd]?|guess(?:es|ed))\b"
)
"""Somebody whose answer it is: ``Alice answered``."""
_SCARE = re.compile(r"[\"“'‘](?:answer|solution|result|right|correct|final)[\"”'’]")

_DOES = (
    r"(?:is|are|was|were|be|will|would|can|could(?! be)|must|should|has|have|had"
    r"|(?!(?:this|its|his|less|yes|thus|plus|minus|us)\b)[a-z]{2,}(?:s|ed)"
    rf"|{PAST}|get|need)"
)
_THING = re.compile(
    r"(?:the|each|every|all|both|mom|mum|dad|grandma|grandpa|its|his|her|their|our|my|there|these|they|he|she|x|an?|only|exactly|no"
    r"|this (?:sum|product|expression|fraction|ratio|integral|number|total|point|line|angle"
    r"|vector|matrix)"
    r"|total|any|another|\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten)\b.*"
)
_NAMED = re.compile(
    rf"[a-z][\w'’-]*(?:,? [\w'’-]+){{0,12}}? {_DOES}\b.*"
    r"|[a-z][\w'’-]* and [a-z][\w'’-]* [a-z]{2,}\b.*"
)
_NO_NAME = word_set("""
    i we you let let's it this that in as on at by of to from for with without under over had were
    when if contrary apart except but yesterday before after instead rather avoid take consider
    say trying testing checking dropping ignoring note
""")
_WE = re.compile(
    r"(?:we|i|you) (?:(?:can|could|then|now|therefore|thus|finally|also|will|must|should|would)"
    r" ){0,3}(?:get|have|find|obtain|conclude|see|need|compute|calculate|arrive at|choose|pick"
    r"|select|say|write|add|sum|know|use|put|take|propose|simplify|note|box|are|try"
    r"|found that|evaluate|express|rewrite|combine|substitute"
    r"|cancel|solve|determine|count|multiply|divide|subtract|round|confirm"
    r"|verify|prove)\b.*|you (?:can|could|will) (?:make|form|create|buy|order|build|fit|pick)\b.*"
)
_IT = re.compile(
    r"(?:(?:here|below)(?:['’]s| is| are)|let['’]s (?:list|write|put|arrange)"
    r"|(?:it|this|that|which) (?:[a-z]+s|had|must|should|will|would|can"
    r"|follow))\b.*"
)
_IT_IS = re.compile(
    r"(?:(?:it|this|that)(?: (?:is|equals|gives|makes|must be|comes to))?|(?:we|i) (?:get|have|find"
    r"|conclude|choose|pick|select|say)|which is)(?: (?:therefore|thus|option|indeed))?[\s:=,]*"
)
"""What says nothing of what is in a mark: ``So it is``."""
_DOING_SO = re.compile(
    r"(?:dividing|multiplying|adding|subtracting|substituting|simplifying|solving|evaluating"
    r"|expanding|factoring|combining|rearranging|squaring|integrating|differentiating|taking"
    r"|applying) [^,:;]{1,120}? (?:gives|yields|results in|leads to|produces)\b.*"
)
"""What is worked out, as a subject: ``dividing both sides by 2 gives``"""
_TO_DO = re.compile(
    r"(?:let['’]?s )?(?:calculate|compute|simplify|reduce|divide|multiply|add|subtract|evaluate"
    r"|solve|cancel|combine|box|express|convert|choose the positive)\b[^:]*:?"
)
"""What heads a displayed formula: ``Finally, calculate the product:``"""
_QUANTITY = re.compile(
    r"(?:total|number|area|volume|length|perimeter|sum|values?|roots|zeros|coordinates|product|difference|probability|cost"
    r"|price|distance|time|age|weight|height|speed|average|mean|median|coefficient|remainder"
    r"|percentage|amount|simplified)\b[^:=]{0,80}(?:[:=]|: x is)?"
)
_FUNCTIONS = word_set("sin cos tan log ln gcd lcm max min mod")
_SHORT_WORDS = word_set("""
    a an and are as at be but by for get had has he i if in is it not of on or our she so the then
    to was we with
""")
_SIGNS = frozenset("+-*/=(^×÷·")
_CONTINUES = re.compile(r"\W*[a-z]{2}")
_AND_SO = re.compile(
    r".*(?:[,;]|\band)\s+(?:(?:and )?(?:so|thus|therefore|hence)\b,?|(?:confirming|showing) that"
    r"|and(?= (?:the|our|my) (?:final )?answer))"
)
"""What the last clause of a sentence follows from."""
UNKNOWN = re.compile(
    r"(?:we|i) (?:do not|don['’]t|cannot|can['’]t) (?:know|determine|conclude|tell|say|decide)"
    r" (?:whether|if|that) [^:]{1,80}"
)
"""What an answer follows from that says so: ``We cannot tell whether Ben is kind, so``."""
_MOST = 6
"""Connectives and clauses that a sentence has in front of its statement at most."""


def is_of_others(lead: str) -> bool:
    """Whether words in front of a mark say that it is somebody else's, or of another standing."""
    return _DOUBTFUL.search(lowered(lead)) is not None or _SAYS.search(lead) is not None


def may_lead(lead: str, *, begins: bool = True, displayed: bool = False) -> bool:
    """Whether the words in front of a mark let it be an answer.

    Args:
        lead: What stands between the beginning of the sentence and the mark.
        begins: Whether the sentence surely begins there; else only what is doubtful keeps it from
            leading to an answer.
        displayed: Whether the mark stands in a formula below.
    """
    lead = _BEGINS.split(lead)[-1]
    if earlier := _BOX.match(lead):  # a sentence may have several marks
        lead, begins = _CLAUSE.split(lead[earlier.end() :])[-1], False
    low = _plain(lead)
    if _DOUBTFUL.search(low) or _SCARE.search(lowered(lead)) or _SAYS.match(lead):
        return False
    if not begins or _CONTINUES.match(lead):
        return True
    if languages.is_foreign(low):
        return languages.may_lead(low)
    if low.endswith("="):
        low = _without_equation(low)
    elif displayed:
        low = _ITS_VALUE.sub("", low)
    low = _SAID_AGAIN.sub(r"\1", low)
    for _ in range(_MOST):
        if not A_LETTER.search(low):  # ``Answer: 3,`` in front of another one
            stated = _NUMBER.search(_NUMBERED.sub("", low)) and _LABEL.match(_plain(lead))
            return displayed or not stated
        if _WRITES.fullmatch(low):
            return True
        if called := _ANSWER.fullmatch(low):
            return _OTHERS.search(low) is None and _is_of_it(called["tail"])
        if (shorter := _without_grounds(low)) == low:
            break
        low = shorter
    so = _AND_SO.match(low)
    behind = low[so.end() :].strip() if so else ""
    if so and _WRITES.fullmatch(behind):
        return _states(lead, low)
    if so and behind and (called := _ANSWER.fullmatch(behind)):
        states = _states(lead, low) or UNKNOWN.fullmatch(low[: so.end()]) is not None
        return _OTHERS.search(behind) is None and _is_of_it(called["tail"]) and states
    return not _CALLED.search(_SPOKEN_OF.sub("", low)) and _states(lead, low)


def calls_it_answer(lead: str) -> bool:
    """Whether the words in front of a mark only call it the answer, or say nothing."""
    low = _plain(_BEGINS.split(lead)[-1])
    while so := _SO.match(low):
        low = low[so.end() :]
    if not A_LETTER.search(low) or _IT_IS.fullmatch(low):
        return True
    called = _ANSWER.fullmatch(low)
    return called is not None and _is_of_it(called["tail"])


def _is_of_it(tail: str | None) -> bool:
    """Whether what stands behind the word ``answer`` only says of what it is one."""
    return not tail or (_OF_IT.fullmatch(tail) is not None and _NOT_IT.search(tail) is None)


def _plain(lead: str) -> str:
    """The words in small letters; ``x`` for a formula."""
    low = _TEXT.sub(r" \1 ", FORMULA.sub(" x ", _KIND_OF_IT.sub("", lowered(lead))))
    return " ".join(_COMMAND.sub(" x ", _MARKS.sub(" ", low)).replace("\\", " ").split())


def _without_equation(low: str) -> str:
    """A sentence that ends in an equation, up to its last sign, with a name for that."""
    words, behind = low.split(), ""
    while words and (
        all(map(_is_term, LETTERS.findall(words[-1]))) or _is_variable(words[-1], behind)
    ):
        behind = words.pop()
    return " ".join([*words, "x is"]) if words else ""


def _is_term(word: str) -> bool:
    """Whether letters are no word, but variables or a function."""
    return word in _FUNCTIONS or (len(word) < 4 and word not in _SHORT_WORDS)


def _is_variable(word: str, behind: str) -> bool:
    """Whether a letter that may be a word is none: a sign stands behind it."""
    return len(word) == 1 and (behind in _SIGNS or behind == "x")


def _without_grounds(low: str) -> str:
    """A sentence without the connectives it begins with, and without a clause behind them that says
    on what grounds, or where, it holds."""
    while so := _SO.match(low) or _VALUES.match(low):
        low = low[so.end() :]
    if grounds := _GROUNDS.match(low):
        return low[grounds.end() :]
    where = _WHERE.match(low) or _DONE.fullmatch(low)
    return low[where.end() :] if where and not _OF_PROBLEM.search(where[0]) else low


def _states(lead: str, low: str) -> bool:
    """Whether a sentence says of a thing that it is, has or does something."""
    if any(one.fullmatch(low) for one in (_THING, _WE, _IT, _QUANTITY, _TO_DO, _DOING_SO)):
        return True
    first = low.split(" ", 1)[0]
    place = lowered(lead).find(first)
    return (
        lead[place : place + 1].isupper() and first not in _NO_NAME and bool(_NAMED.fullmatch(low))
    )
