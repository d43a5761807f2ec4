"""Whether a reply leaves its own answer open, in a sentence anywhere in it.

The working above an answer may say anything of the things in the problem. A sentence that speaks of
the answer itself, of its author or of a check has to be known to say nothing against the answer:

    The answer is 7.                     says it again
    To find the answer, we add them.     tells how it is sought
    7 is not the only valid answer.      is not understood
    I skipped the second half.           is nothing that finds an answer
    The last check fails.                is no check that holds

What stands above the last sign of thinking aloud (``Wait``) may be taken back since, and is not
read; nor is a program.
"""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import filterfalse

from agentflow.domains import narration
from agentflow.domains.answers import bare_values, languages, of_the_text
from agentflow.domains.answers.alike import same_option
from agentflow.domains.answers.asides import leave_open
from agentflow.domains.answers.behind import stands
from agentflow.domains.answers.doubt import TAKEN_BACK, is_doubted
from agentflow.domains.answers.fronts import KIND_OF_IT
from agentflow.domains.answers.given_texts import of_given, of_original
from agentflow.domains.answers.known_remarks import TASK, leaves
from agentflow.domains.answers.lines import statements, strongest
from agentflow.domains.answers.lines_above import FOUND, WRITER, speaks_of_none
from agentflow.domains.answers.marks import EMPTY
from agentflow.domains.answers.mentions import around
from agentflow.domains.answers.other_options import without as without_other_options
from agentflow.domains.answers.remark_words import BAD_SIGN
from agentflow.domains.answers.remarks import takes_back
from agentflow.domains.answers.rivals import Statement
from agentflow.domains.answers.sentences import hints
from agentflow.domains.answers.typesetting import unmarked
from agentflow.domains.answers.values import differ
from agentflow.domains.sentence_ends import ANY_END, sentences
from agentflow.domains.spelling import LETTER_OR_DIGIT, TURNED, lowered, phrases, word_set

_FENCED = re.compile(r"(?ms)^[ \t]*(?P<fence>```|~~~).*?(?:^[ \t]*(?P=fence)|\Z)")
_ALOUD = re.compile(
    r"(?i)\b(?:wait|hmm+|alternatively|maybe|perhaps|i think|okay, so|let['’]s see"
    r"|let me (?:try|think|see|re\w+))\b[^\n]*"
)
_UNREAD = re.compile(
    rf"(?<!~)~~(?!~)|<!--|<(?:details|del|s|strike)\b|{TURNED.pattern}"
    r"|\\(?:[bx]?cancel|sout|st|xout)\s*\{[^{}]*\\boxed|\\boxed\{\s*\\(?:[bx]?cancel|sout|st|xout)\b"
)
"""Markup that hides what it holds, strikes it out, or turns it around."""
_DIFF = re.compile(r"(?m)^[ \t]*-[ \t]*(?P<old>\S[^\n]*)\n[ \t]*\+[ \t]*\S")
"""A line of a patch that is taken out, above one that is put in."""
_CORRECTED = re.compile(r"~~(?P<old>[^~\n]{1,80})~~(?=[ *_$]*(?P<new>[^\s~*_$]+))")
"""What is struck out, in front of what takes its place."""
_ASKS = re.compile(r"[\s*_)\]}$\\\"”']*\?")
_BOX = re.compile(r"\\boxed\{[^{}]")
_DOUBTED = re.compile(rf"[^\W_]\W*(?=[\u2600-\u27bf\U0001f000-\U0001faff])(?:{BAD_SIGN})\W*\Z")
"""A picture behind an answer that is not known to say nothing."""
_OTHER_SIGN = re.compile(BAD_SIGN)
_SAYS = re.compile(r"[\w$\\]")
_OF_ANSWER = re.compile(
    r"(?<!to )(?<!['’]s )(?<![</])\b"
    r"(?:answer(?! (?:this|the|that|it|a|choices?|options?)\b)(?!>)"
    r"|(?:correct|valid|right|acceptable|possible|different|several|two) answers"
    r"|(?:correct|acceptable) solution"
    rf"|solution (?:to|of|for) (?:the|this|our) (?:\w+ )?{TASK})\b"
)
_AIMS = re.compile(
    r"\W*to [a-z]+ (?:at )?(?:the |this |our |an )?(?:\w+ )?(?:answer|solution)\b"
    r"|\W*(?:let['’]s|let us|let me|here(?:['’]s| is) how to|we (?:need|have|will)(?: to)?"
    r"|i(?:['’]ll| will)) (?!.*\b(?:no|not|nothing|never|guess|coin|dice|random\w*|ignor\w*)\b)"
    r"[^.;:!?]{1,150} (?:to|and) (?:determine|find|identify|select|arrive at|get|reach|choose)"
    r" (?:the|our) (?:correct |right |final |best )?(?:answer|option|solution)\W*\Z"
)
_IN_FORM = re.compile(
    r"\b(?:write|state|give|express|present|provide|report|round|convert|simplify|put|leave|enter)"
    r" (?:the|our|your|its|this) (?:final |numerical )?answer (?=as [$\\(\d]"
    r"|(?:as|in|with|to|rounded to)\b"
    r"(?: [a-z-]+){0,4}? (?:pair|triple|tuple|fraction|decimal|number|numeral|integer|form|notation"
    r"|terms|percent|percentage|units|place|places|list|interval|set|radicals|base|box|expression"
    r"|dollars|cents|degrees|radians|sentence)\b)"
)
"""What tells in which form the answer is asked for, or given next."""
_WILL_BE = re.compile(
    r"\W*(?:so |then )?the [a-z ]+ (?:is|will be) (?:our|the) (?:final )?answer\W*"
)
"""What tells what the answer will be, and does not say it yet."""
_SEEKS = word_set("""
    option options choice choices choose select below format required enclose tag tags number call
    provide represents function arithmetic equation math instructed should be must selected per box
    list moves
""")
"""Words with which an answer is sought, besides those of any narration."""
_PAST = re.compile(
    rf"{WRITER}(?:(?:have|\w+ly|just|only|also|first|then) )*"
    rf"(?!(?:{FOUND}|carried|used|need(?:ed)?|calculated|worked|prepared|presented)\b)"
    r"(?:[a-z]+ed|left|made|lost|broke|gave up)\b(?! (?:out )?(?:no|none|nothing)\b)"
)
"""What an author did who did not find the answer by it."""
_CHECKS = phrases("""
    checks?(?! out); verification; reasoning; search; script; program; simulation
    reference; textbook; argument; proof; calculator
""")
_NO_DENIAL = r"(?!.*\b(?:not|no|never|\w+n['’]t|else|other|another|different|wrong)\b)"
_TOLD = phrases(f"""
    states?; says?; asks?; asking; asked; gives?; tells?; involves; mentions; specif\\w+; requires
    wants; about; provides; refers to; revolves around; presents; describes
    lists?; lacks; (?:is|can be|was|be) (?:solved by|modell?ed|written)
    focuses on; concerns; deals with; related to
    is to (?:find|determine|calculate|compute|evaluate|count|work out)
    is (?:therefore |thus )?equivalent to {_NO_DENIAL}(?:ask|find|calculat|comput|determin)ing
    is an? (?:good|classic|typical) example of (?:how|[a-z]+ reasoning)
""")
_LEAD = phrases("""
    so; but; and; unfortunately; however; that said; strictly speaking; note that; also; now; then
    here; (?:double-?|cross-?)?check(?:ing)?(?=:); verification(?=:); testing(?=:)
""")
_OF_CHECK = re.compile(
    rf"\W*(?:(?:{_LEAD})[,: ]+)*(?:the|this|that|my|our|an?|no|few"
    r"|(?:all|most|some|one)(?: of)?(?: the)?) "
    rf"(?<!this (?=condition))(?:[a-z]+[- ]){{0,2}}?"
    rf"(?:(?:{_CHECKS})\b(?![:-]| `)"
    rf"|(?<!in )(?:{TASK}|conditions?)\b(?![:-]| (?:\w+ )?(?:{_TOLD})\b))"
)
"""What speaks of a check, or of the problem as such, and does not tell what the problem says."""
_NONE = re.compile(
    r"(?:\A|[,;] )\W*(?:(?:so|thus|therefore|hence|but|and|unfortunately|however)\b,? )?"
    r"(?:no (?:solution|answer|way)s? exists?|there (?:is|are) (?:no|not|in\w+) (?:\w+ ){0,3}?"
    r"(?:information|data|details?|solutions?|answers?)(?: to \w+(?: (?:it|this|that))?)?)\W*\Z"
)
"""What says that nothing can be said."""
_REASON = re.compile(r",? (?:because|since|as|which|so that|for)\b(?! [iI]\b)")
_NUMBER = re.compile(r"\b(?:gives?|returns?|shows?|is|be)\W+\d")
"""What comes to a number."""
_VALUE = re.compile(r"(?:\S+ ){5}|\d|\b[A-Z]|\b(?:true|false|uncertain|yes|no)\b")
"""What may be an answer on the way to the last one."""
_POINTS = re.compile(
    r"\W*(?:(?:so|but|and|or|well|no|yes|then|now)\b,? )?"
    r"(?:it|this|that|either|both|neither|not|somewhere|between)\b"
)
_IS_SAID = re.compile(r"\W* (?:fails?|cannot|could|would|seems?|looks?|may|might)\b")
"""How it goes on behind an answer that it speaks of."""
_ARRIVES = re.compile(
    r"\W*(?:(?:and|so|yes|then),? )?(?:that(?:['’]s| is) how"
    r"|(?:that|this|it) (?:gives|means|matches|fits|makes|leaves)"
    r"|that is, [^,;]{1,60}, which (?:is|gives|equals|makes)"
    r"|this (?:transformation|relation(?:ship)?|turn|move|direction|function|graph|equation|shape"
    r"|set) (?:is (?:represented|given|shown) by|corresponds to|matches) (?:option|choice))\b"
)
"""What comes to an answer."""
_POINTED = re.compile(rf"{_POINTS.pattern}|\W*i\b")
"""What speaks of the answer, or of its author, where it stands behind."""
_REPLACED = re.compile(
    rf"\b(?:instead of|rather than|in place of)\W+X|\bnot\W+X\W+but\b"
    r"|\A[\s*_]*X[\s*_]*(?:→|->|=>)[\s*_]*[\w.,/]+[\s.*_]*\Z"
    rf"|\A(?![\d?])(?:{BAD_SIGN})\W*X"
)
"""What something else takes the place of, or a sign denies."""
_WORD = re.compile(r"\w")
_IF = re.compile(r"(?<!check )(?<!see )(?<!verify )\b(?:if|unless)\b")
_HEADING = re.compile(r"\W*(?:(?:the|my|our) )?(?:final )?(?:answer|solution)\W*")
_NO_OTHER = re.compile(
    r"\W*(?:so |but )?the (?:correct |right )?answer (?:is|was)(?: not|n['’]t)"
    r" (?P<other>\S+?)[.!]*\W*"
)
"""What denies another answer than the one that is given."""
_REJECTED = re.compile(
    r"\W*(?:so |but )?(?:the )?(?:answer|choice|option) \S+"
    r" (?:is|was) (?:false|wrong|incorrect|not (?:right|correct))"
    r"(?:\W*|,? (?:as|because|for|since) .+)"
)
"""What rejects an answer by its name, or by its letter."""
_IS_IT = re.compile(
    r"(?P<front>[^,;:.?!]{1,100},)?(?: and)?\W*(?P<said>(?:[\w'’\"“”().=-]+ ){1,8})"
    r"is the (?:correct |right |final )?answer"
    r"(?: to (?:the|this) (?:original |given )?(?:question|problem))?\W*"
)
"""What is called the answer by its name; whether it is another one, others see."""
_DIGITS = re.compile(r"\d+")
_DENIES = re.compile(r"\b(?:not|no|nobody|none|never|nor|if|unless|whether|\w+n['’]t|cannot)\b")
_FOLLOWS = re.compile(
    r"\W*(?:so|thus|therefore|hence)\b"
    r"|\W*(?:based on|from|by) (?:the|this|these|our) (?:reasoning|analysis|calculations?|steps?),"
)
"""How the clause begins behind which something is called the answer."""
_TO_COME = re.compile(
    r"\W*(?:(?:so|thus|therefore|hence),? )?(?:the|our|my) (?:final |correct )?answer"
    rf"(?: {KIND_OF_IT})? is[\s*_]*"
)
"""What leads to an answer on the next line."""
_REQUIRES = re.compile(
    r"\W*(?:it|this|that|the (?:problem|question|solution)) (?:requires|involves)"
    r" (?P<what>[a-z -]{1,150}?) to (?:arrive at|find|get|reach|obtain|determine)"
    r" (?:the|our) (?:final |correct )?answer\W*"
)
"""What tells how an answer is sought."""
_WORKS = re.compile(
    r"\A(?:add|subtract|multiply|divid|splitt|break|us|apply|find|solv|calculat|comput|count|compar)"
    r"ing\b"
)
_OPENS = re.compile(
    r"\bthey say\b|\bgive or take\b|\b(?:is|are) (?:out of the question|off the table|a lie)\b"
    r"|\bfor (?:want|lack) of\b|\bprovided (?:that )?i\b|\basks? for something else\b"
    r"|\bgives? an? (?:different|other) (?:value|answer|number|result)\b"
    r"|\bfor (?:the|a|another) variant\b|\bcan you (?:please )?(?:confirm|check|verify)\b"
    r"|\bhad the \w+ been\b|\bthe (?:reverse|opposite|contrary) (?:holds|is true)\b"
    r"|\bas (?:its|the) opposite\b|\bremains to be (?:shown|seen|proved|proven)\b|(?<=\s)/s\s*\Z"
)
"""What leaves an answer open in words that claim nothing, each alone."""
_CROSSED = re.compile(r"[✗✘❌✖☒👎🚫]\W*\Z")
_MAX_SIGNED = 80
"""Characters at the end of a text that are looked at for what crosses its answer out."""
_QUOTED = re.compile(r"\s*>(?!>)[^>]*\w")
"""How a reply begins that is somebody else's words; two such signs are an arrow, or a label."""
_SETTLED = frozenset(("true", "yes"))
_OPEN = re.compile(
    r"(?:\A|[.!]|\n)\W*(?:so |but |and )?(?:we|i|one|you|it|this|that) (?:do|does|can|could|is)"
    r"(?: ?not|n['’]t) (?:be )?(?:know|tell|decide|determine|say|sure|certain|clear|conclude"
    r"|follow(?! that\b))"
    r"|\bwhether [^.]{1,60} is (?:open|unknown|undetermined|uncertain|unclear)\b"
)
"""What says behind a truth that it is none that is known."""
_OPENING = 3
"""Sentences of a reply that may say what all of it is."""
_OBJECTS = re.compile(
    r"(?:wait|hmm+|hold on|but|however|although|though|unless|except|on second thought|actually"
    r"|hang on|oh|oops|no(?= )|on the other hand|on reflection|nevertheless|nonetheless|that said"
    r"|in contrast|conversely|still|yet|except)\b[^.!?]*"
)
"""The beginning of an objection, which has no end."""
_GOES_ON = re.compile(
    r"\W*(?:(?:wait|hmm+|hold on|but|so|okay|ok|well|actually|now|then|first)\b\W*)*"
    r"let (?:me|us) (?!know\b|end\b|(?:quickly |double-?)?(?:check|verify|confirm|explain)\b)[a-z]+"
)
"""How a sentence begins that announces work, and no proof of what it has."""
_SHORT = 9
"""Words that a sentence has at most that only says something of the answer."""


def disclaimed(text: str, *, in_a_block: bool = False, verbatim: bool = False) -> bool:
    """Whether a reply leaves its own answer open.

    Args:
        text: The reply, without the thinking before it.
        in_a_block: Whether the answer is a block of code, so that no sentence states it.
        verbatim: Whether it is a program or calls, which may be no part of the text: the work that
            is announced is then what they do.
    """
    text = narration.own(text)
    stated = [] if in_a_block else statements(text)
    found = tuple(one for one in stated if not _heads_program(text, one))
    program = [text.find("\n") + 1 or len(text), *(one.end() for one in _FENCED.finditer(text))][-1]
    best = strongest(found) if found else Statement("", "", 0, program)
    answer, end = best.text, best.end
    for fence in _FENCED.finditer(text):  # a heading may lead to a program
        end = fence.end() if fence.start() < end < fence.end() else end
    text = text[:end] + without_other_options(text[end:], answer)
    behind = _FENCED.sub("\n", text[end:])
    if TAKEN_BACK.search(behind) or (found and EMPTY.search(behind)):
        return True
    if found and any(_takes_back(one, answer) for one in sentences(behind)):
        return True
    if lowered(answer).strip("*. ") in _SETTLED and _OPEN.search(lowered(behind)):
        return True
    gap = max(0, text.rfind("\n\n", 0, best.start))
    if _OPENS.search(lowered(text[text.rfind("\n", 0, gap) + 1 :])):
        return True
    told = _FENCED.sub("\n", text)
    if leave_open(told, answer):
        return True
    if best.how != "json" and (
        answer.rstrip("! ").endswith("?") or _ASKS.match(text, end) or _DOUBTED.search(answer)
    ):
        return True
    if not found and _BOX.search(told):  # it is denied, quoted, or asked for
        return True
    if not found and _CROSSED.search(text[-_MAX_SIGNED:]) and "\n" not in text.strip():
        return True
    stands = bool(found) or "```" in text
    if ((stands or not verbatim) and _announces(behind)) or (stands and _has_a_sign(behind)):
        return True
    called = {one.text for one in found}
    if found and any(_names_another(one, answer, called) for one in sentences(told)):
        return True
    aloud = [one.end() for one in _ALOUD.finditer(told)]
    told = told[aloud[-1] if aloud else 0 :]
    told = _CORRECTED.sub(lambda one: "" if _is_corrected(one, answer) else one[0], told)
    if _UNREAD.search(told) or (found and any(bare_values.others(told, answer))):
        return True
    if found and answer in (one["old"].strip(" *_$.") for one in _DIFF.finditer(text)):
        return True
    said = sentences(told)
    corrected = [one for one in said if found and of_original(one) and text.find(one) < best.start]
    if any(
        _leaves_open(one, answer) and not (one in corrected or (found and of_given(said, at)))
        for at, one in enumerate(said)
    ):
        return True
    if _QUOTED.match(text):
        return True
    if found and behind.rstrip("*_ \n").endswith(":"):
        return True
    return _objects(behind) or _is_disowned(text[: best.start] if found else _above_program(text))


def _heads_program(text: str, found: Statement) -> bool:
    """Whether what was taken for the answer stands behind a program, to which its heading leads."""
    if found.how != "heading":
        return False
    fences = [one for one in _FENCED.finditer(text) if one.end() <= found.start]
    return bool(fences) and text[: fences[-1].start()].rstrip("*_ \n").endswith(":")


def _above_program(text: str) -> str:
    """What stands above the one program of a text; all of a text without one. Of several, others
    see which is meant."""
    told, *further = _FENCED.split(text)[::2]
    return "" if len(further) > 1 else told


def _is_disowned(above: str) -> bool:
    """Whether a sentence that opens a reply, or stands right above its answer, speaks of the reply,
    and is not understood."""
    said = sentences(_FENCED.sub("\n", above))
    return any(
        of_the_text.not_understood(one, _beginnings(above.replace(one, " ", 1)), first=at == 0)
        for at, one in enumerate(said)
        if at < _OPENING or at == len(said) - 1
    )


def _beginnings(text: str) -> set[str]:
    return {of_the_text.beginning(word) for word in narration.words(lowered(text))}


def _objects(behind: str) -> bool:
    """Whether a text breaks off in an objection behind its answer."""
    *_, last = ANY_END.split(behind.rstrip())
    return _OBJECTS.fullmatch(lowered(last).strip("*_ ")) is not None


def _announces(behind: str) -> bool:
    """Whether a text breaks off before the work that it announces behind its answer."""
    *_, last = "", *sentences(behind)
    return _GOES_ON.match(lowered(last)) is not None


def _is_corrected(struck: re.Match[str], answer: str) -> bool:
    """Whether another answer is struck out in front of the one that is given."""
    return struck["new"].rstrip(".") == answer and answer not in struck["old"]


def _has_a_sign(behind: str) -> bool:
    """Whether a sign stands alone behind an answer that is not known to say nothing."""
    if not _OTHER_SIGN.search(behind):
        return False
    return any(map(_OTHER_SIGN.search, filterfalse(_SAYS.search, ANY_END.split(behind))))


def _names_another(sentence: str, answer: str, known: Container[str]) -> bool:
    """Whether a sentence, or what it quotes or has behind a colon, calls something else the answer
    than what is ``known`` to be called so, which others judge."""
    said = sentence.strip("> `")
    if not hints(unmarked(said)):
        return False
    called = statements(f"{said}\n")[-1:]
    marked = not called or called[0].how not in ("sentence", "line", "conclusion")
    if said.rstrip("*_ ").endswith(":"):  # a count on the way, which is explained behind it
        marked = marked or called[0].how == "conclusion"
    return not marked and called[0].text not in known and differ(called[0].text, answer)


def thinks_aloud(text: str) -> bool:
    """Whether a text tries this and that, and may take back later what it says."""
    return _ALOUD.search(text) is not None


def _takes_back(sentence: str, answer: str) -> bool:
    """Whether one sentence behind an answer takes it back."""
    low = lowered(sentence)
    taken = _POINTED.match(low) and takes_back(low)
    return bool(taken) and not (leaves(sentence, answer) or stands(low, answer))


def _leaves_open(sentence: str, answer: str) -> bool:
    """Whether one sentence of a reply leaves the answer open."""
    low = lowered(sentence)
    if languages.denies(low) or _PAST.search(low):
        return not leaves(sentence, answer)
    if answer and _NONE.search(low) and not speaks_of_none(answer):
        return not leaves(sentence, answer)
    leads = sentence.rstrip("*_ ").endswith((":", "?")) or sentence.startswith("#")
    if leads or _TO_COME.fullmatch(low):
        return False
    if (requires := _REQUIRES.fullmatch(low)) and _WORKS.search(requires["what"]):
        return _DENIES.search(low) is not None
    of_answer = _OF_ANSWER.search(_IN_FORM.sub("", low)) and not (
        _AIMS.match(low) or _WILL_BE.fullmatch(low)
    )
    if of_answer or _OF_CHECK.match(low):
        known = leaves(sentence, answer) or _leads(sentence, answer)
        known = known or stands(sentence, answer or "it")
    else:
        known = not _says_of(sentence, low, answer)
        known = known or leaves(sentence, answer) or stands(sentence, answer)
    return not (known or _gives(sentence, low, answer))


def _is_sure_of(called: re.Match[str], low: str, answer: str) -> bool:
    """Whether a sentence calls something the answer without a doubt, and no other number."""
    said = called["said"]
    front = called["front"] or ""
    known = not front or _FOLLOWS.match(front) is not None
    if not known or _DENIES.search(front) or is_doubted(said, "is the answer") or takes_back(low):
        return False
    _, equals, given = said.rpartition("=")
    numbers = {*_DIGITS.findall(given)}
    return numbers <= {*_DIGITS.findall(answer)} and (
        not equals or given.strip() == lowered(answer).strip(" .$")
    )


def _leads(sentence: str, answer: str) -> bool:
    """Whether a sentence says no more than the answer, or how it is sought."""
    if _IF.search(lowered(sentence)):
        return False
    if said := statements(f"{sentence}\n"):
        told = _REASON.split(said[-1].text, 1)[0]
        told = told if answer in told or not _VALUE.search(told) else ""
        sentence = f"{sentence[: said[-1].start]} {told}"
    sentence = re.split(r"\b(?:is|be) that\b", sentence, maxsplit=1)[0]
    sentence = sentence.replace(answer, " ") if answer else sentence
    return not _NUMBER.search(sentence) and narration.only(sentence, _SEEKS)


def _says_of(sentence: str, low: str, answer: str) -> bool:
    """Whether a short sentence names the answer, and is about nothing else."""
    said = lowered(answer)
    if not answer or said not in low:
        return False
    if _REPLACED.search("X".join(around(low, said))):
        return True
    if said in ("a", "i") or answer not in sentence or "=" in sentence:
        return False  # an article, or the author
    place = low.index(said)
    about = not _WORD.search(low, 0, place) and _IS_SAID.match(low, place + len(said))
    if not (about or _POINTS.match(low)) or _ARRIVES.match(low):
        return False
    return len(sentence.split()) <= _SHORT and len(around(sentence, answer)) > 1


def _gives(sentence: str, low: str, answer: str) -> bool:
    """Whether a sentence ends with the answer, where it is read as that, heads it, or denies
    another one."""
    last = statements(f"{sentence}\n")[-1:]
    ends = any(
        (one.text == answer or same_option(one.text, answer))
        and not LETTER_OR_DIGIT.search(sentence[one.end :])
        for one in last
    )
    other = _NO_OTHER.fullmatch(low)
    denies = other is not None and lowered(answer) not in (other["other"], "")
    bare = lowered(answer).strip("(). ")
    named = bare and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", low)
    denies = denies or (bool(bare) and not named and _REJECTED.fullmatch(low) is not None)
    called = _IS_IT.fullmatch(low)
    calls = called is not None and _is_sure_of(called, low, answer)
    return _HEADING.fullmatch(low) is not None or denies or calls or (ends and not _IF.search(low))
