"""Whether a sentence behind an answer only explains it.

    The path turns right twice.       a plain sentence about a thing
    This satisfies all conditions.    speaks of the answer, and well of it
    The argument has a gap.           speaks of the answer, and not well: no explanation

What speaks of the answer, of how it was found, or of the problem as such has to be one of the
listed sentences that bear it out; any other sentence has to begin as a statement about a thing
does. Neither may have a word of doubt or denial, nor may an equation in it be wrong.
"""

from __future__ import annotations

import re

from agentflow.domains.answers.bearing_out import (
    ABOUT_IT,
    BEARS_OUT,
    BEGINS,
    OF_REASONING,
    ORDINAL,
    SHOWS,
    bears_out,
)
from agentflow.domains.answers.explaining import tells_of_option
from agentflow.domains.answers.headlines import disowns
from agentflow.domains.answers.remark_sums import (
    COUNTS,
    adds_up,
    counts_otherwise,
    leads_otherwise,
    says_another,
    states_otherwise,
    works_out,
)
from agentflow.domains.answers.remark_words import (
    CALL,
    DOUBTFUL,
    FEWEST,
    FORMULA,
    LETTER,
    MAX_SENTENCE,
    ODD_SIGN,
    OF_ITS_AUTHOR,
    PAST,
    PUTS,
    STANDS_BY,
    TRUTH,
    WORD,
    letter,
)
from agentflow.domains.spelling import lowered, phrases, word_set

_ENGLISH = word_set("""
    the a is are of it this that has have was were we with for which there its these those they to
    and in by at from each every all then sold bought spent paid gave ate
""")
_OTHER_SCRIPT = re.compile(r"[^\x00-\u024f\u2000-\u2bff\ufe0f\U0001f000-\U0001faff]")
_NEGATES = phrases(r"""
    no; not; but; if; opposite; low; swap\w*; replac\w*; calculation; \w+n['’]t; cannot
    previous\w*; earlier; another; other; else; key; said; says; hardly; barely; scarcely; rarely
    seldom; nearly; almost; more than; several; roughly; merely; partly; sometimes
""")
_DENIES = re.compile(rf"\b(?:{_NEGATES})\b|[→⇒]|[-=]>")
"""What a sentence does not say that is not introduced as an explanation."""
_RULE = re.compile(
    r"\bif (?=(?:someone|somebody|something|anyone|anything|an? [a-z]+|all [a-z]+) [^,]{1,80},"
    r" (?:then )?(?:they|he|she|it|that|the)\b)"
)
"""What begins a rule that holds of whatever there is: ``If someone is kind, they are happy.``"""
_SPOKEN_OF = word_set("""
    i we you my our one answer statement conclusion claim premise premises question option options
    true false uncertain unknown correct right wrong read reads holds
""")
"""Words of a condition on which the answer depends."""
_NAMED = re.compile(
    rf"\b(?<!long )(?:answer|option|choice)\b(?! (?:clearly )?(?:{STANDS_BY})\b)"
    r"|\b(?:right|correct|true|real|actual|proper|better) (?:one|value|number|result|name)\b"
)
_IS_NAMED = re.compile(
    r"[\W_]*(?:It|That|This)(?:['’]s| (?:is|was|ought to be|must be|should be))"
    r" (?:(?:the|exactly) )?\W{0,3}(?:[A-Z\d]|true\b|false\b|unknown\b)\S*(?: \S+){0,3}\Z"
)
"""What says in a few words what something is: ``It is Paris.``"""
_CONCLUDES = re.compile(
    r"[\W_]*(?:therefore|thus|hence|so|consequently|accordingly|ergo|finally|final|result|overall"
    r"|summary|(?:in )?conclusion|or|in other words)\b"
)
_OF_NUMBERS = re.compile(
    r"\bnot (?=an? (?:multiple|factor|divisor|square|cube|prime)\b|divisible|prime\b|even\b|odd\b)"
)
"""What a number is said not to be, which denies nothing else."""
_CALCULATES = re.compile(
    r"[\W_]*(?:then|next|now|after that|lastly|finally)\b,? (?:(?:we|i|you|just|also|must|need|have"
    r"|to|can) ){0,4}(?:add|subtract|multiply|divide|double|halve|round|square|convert|take)\b"
)
"""What goes on calculating: ``Then we add 1.``"""
_UNMET = re.compile(rf"\bfails?\b(?! to)|\binstead of\b|{ODD_SIGN}")
"""What in an explanation says that a check failed."""
_LEADS_TO = re.compile(
    r"[\W_]*(?:(?:and|so|also|then|first|next|finally|now|thus|therefore|hence|indeed|here|yes"
    r"|clearly|overall|specifically|long answer(?=[\s*_]*:)|note(?: that)?|explanation"
    r"|reason|reasoning|summary|why(?=[\s*_]*:)"
    r"|we (?:can )?(?:know|see|have|find|get)(?: that)?"
    r"|in (?:[a-z]+|base \d{1,2}|other words|the end)(?=,? (?:it|this|that)\b)"
    r"|(?:this|that|which) (?:means|shows|confirms|implies)(?: that)?)\b[\W_]*)*"
)
"""What a sentence may begin with that says nothing yet."""
_SO_CALLED = re.compile(
    r"(?:the )?(?:option|choice|answer) (?!(?:above|here|given|found|chosen|itself|we|that|is"
    r"|clearly|indeed)\b)([^.]{1,60}?) (?:is|must be) (?:indeed )?(?:the )?"
    r"(?:correct|right|valid|best)\b"
)
"""``Option Northeast is correct``"""
_RIGHT_ONE = re.compile(
    r"(?P<what>[^,;:]{1,60}?) (?:is|was|are) (?:indeed |clearly |also |in fact )?"
    r"(?:right|correct|the (?:right |correct |real |true )?(?:answer|option|choice|one))\W*"
)
"""``Northeast is right.``"""
_SAYS = r"(?:premises?|rules?|clues?|facts?) \d{1,2} (?:also )?(?:says?|states?|tells? us)\b"
_GIVEN_SAYS = re.compile(_SAYS)
_INTRODUCED = re.compile(
    rf"(?:it|there|they|these)\b|{_SAYS}|(?:the )?(?:\w+ )?(?:premises?|rules?|clues?|facts?)"
    r" (?:says?|states?|tells? us)\b"
    rf"|(?:the )?{ORDINAL} (?!(?:{OF_REASONING})\b)[a-z]+ [a-z]+"
)
"""What an explanation may say of its reasons."""
_BY_LETTER = re.compile(r"\b(?:option|choice) \W{0,3}[a-j]\b")
_OF_CLAIM = re.compile(
    r"(?:(?:the|this|that) (?:\w+ )?(?:statement|conclusion|claim)\b|it) (?:\w+ )?(?:"
    r"follows?|holds?|(?:is|was) (?:\w+ )?(?:correct|right|entailed|valid|proved|proven))\b"
)
"""What says that the statement asked about is true."""
_OF_A_THING = re.compile(
    rf"(?:{BEGINS}\b|(?:the|an?|his|her|their|its|he|she|multiplication|division|addition) )"
    rf".*[ *](?:is|are|was|were|has|have|had|can|will|must|comes?|came|{PAST}"
    r"|[a-z]{2,}(?:s|ed))\b"
    r"|[a-z]+ people are\b"
)
"""How a sentence about a thing may begin; a name is another way."""
_NAME = r"[A-Z][\w'’]*(?:[ -][A-Z][\w'’]*){0,4}"
_NAME_IS = re.compile(
    rf"(?:{_NAME}(?:, (?:and )?| and )){{0,6}}{_NAME}(?:,[^,]{{1,60}},)? "
    r"(?:(?:also|then|first|always|indeed) )?(?:is|are|was|were|has|have|had|can|will"
    rf"|must|[a-z]+(?:s|ed)|comes|came|{PAST})\b"
)
_NUMBERS_ARE = re.compile(
    r"\W*\d+(?:/\d+)?(?:,? (?:and )?\d+(?:/\d+)?)* (?:is|are|has|have|can) \w"
)
"""What tells of numbers, where the answer is the letter of an option."""
_CHAINED = re.compile(r"(?<=[a-z]) ?(?:→|⇒|->|=>) ?(?=[a-z])")
"""What leads from one thing said of something to the next: ``kind → happy``."""
_DID_IT = re.compile(rf"\W*{_NAME} (?:[a-z]+ )?[a-z]+ (?:it|this|that|them)\W*")
"""``Marlowe wrote it.``: who, or what, is asked for, where the answer is a name."""
_IT = re.compile(r"(?:it|he|she|they) ")
_IT_IS = re.compile(
    r"(?i:it|this|that|they|these|those) (?:is|was|are|were) (?:(?:located|an?|the|in|one of)\b)"
    r".*[a-z] [A-Z][a-z]{2}"
)
"""What describes a thing by a name: ``It is the capital of France.``"""
_DESCRIBES = re.compile(
    r"(?:also |indeed )?(?:is|was|are|were) (?:also |indeed )?(?:the|an?|one of"
    r"|located|known|made|home|found|written|composed)\b"
    r".* (?:of|in|on|at|by|from|to|for|with|that|which|who|whose|between|where|as)\b \S"
)
_SPOKEN_OF_IT = re.compile(
    rf"\b(?:is|was|are|were) (?:the|an?|one of the) (?:[a-z-]+ ){{0,3}}?(?:{OF_REASONING})\b"
)
_COMPARES = re.compile(
    r"\b(?:(?:more|less|fewer|larger|bigger|older) than|roughly|nearly|almost)\b"
)
_SUPERLATIVE = re.compile(r"\bbest(?:-| )known\b")
_NO_NAME = word_set("""
    something nothing everything anything quite whoops hang use treat add plus minus subtract
    multiply divide rounded checking looking reading thinking just only almost close again maybe off
    whether historians critics experts people scholars opinions some many most few none one two
    three several others i we you well true false uncertain unknown yes no correct wrong but or how
    why
""")
"""Words that may begin a sentence and are no names."""
_SHORT = 8
"""Words that a sentence has at most which only takes something back."""
_TAKES = re.compile(
    r"\b(?:other way (?:a)?round|(?:please|just) (?:disregard|ignore|forget)"
    r"|disregard (?:the|this|that)|(?:line|answer|statement|sentence|word) (?:above|before)"
    r" (?:is|was) (?:a )?(?:mistake|wrong|false))"
)
_FIRST_PERSON = re.compile(r"(?:i|i['’]\w+|my|let me)\b")
_LIMITS = re.compile(
    r"\b(?:only|just|more|too|merely|half|partly|sometimes|some|once|unused|missing|fits?|works?|beats"
    r"|also (?:fine|okay?|good|right|correct|acceptable|allowed|possible)"
    r"|(?:is|are|was|were|looks?|seems?) (?:\w+ )?(?:right(?! turn)|correct|better|likely|plausible"
    r"|accurate|best|true|false|out|excluded|eliminated|possible|impossible|open|disputed|unsupported))\b"
)
"""What makes less or more of a plain sentence than it seems to say, or judges something else."""
_SIGN = re.compile(r"(?<!\w)['‘][a-zA-Z]['’](?!\w)")
"""A letter in quotes, which is a sign of a map or the like, and no word."""
_BEST_POSSIBLE = re.compile(r"(?<=(?:est|ost)) possible\b")
"""What is possible in ``the shortest possible route``, which doubts nothing."""
_DEFINES = re.compile(r"\W*(?:where|here)\b")
_OF_SYMBOLS = word_set("""
    where here and is are the a an of denotes denote represents represent number constant constants
    arbitrary integer integers real any
""")


def is_plain(sentence: str, low: str, answer: str, introduced: bool) -> bool:
    """Whether a sentence only explains: it says nothing against the answer, and names no other.

    Args:
        sentence: One behind the answer.
        low: The same in small letters.
        introduced: Whether ``Reason:`` or the like stands before it, or at its beginning.
    """
    if letter(answer) is None:
        sentence, low = (_SIGN.sub("'q'", one) for one in (sentence, low))
    words, again = WORD.findall(low), {*WORD.findall(lowered(answer))}
    if len(sentence) > MAX_SENTENCE or not adds_up(sentence):
        return False
    sure = _BEST_POSSIBLE.sub("", low)
    if any(one.search(sure) for one in (_OTHER_SCRIPT, _UNMET, DOUBTFUL, OF_ITS_AUTHOR)):
        return False
    if PUTS.match(low):
        return False
    rule = _RULE.sub("", low, count=1) if _SPOKEN_OF.isdisjoint(words) else low
    rule = _OF_NUMBERS.sub("", _GIVEN_SAYS.sub("", rule))
    rule = _CHAINED.sub(" and ", rule)
    if not introduced and (_DENIES.search(rule) or _CALCULATES.match(low)):
        return False
    chosen = letter(answer)
    others = {found[0] for found in LETTER.finditer(sentence)} - {chosen}
    lead = _LEADS_TO.match(low)
    place = lead.end() if lead else 0
    if others and (chosen or _BY_LETTER.search(low)):
        return False
    if again <= TRUTH and {*WORD.findall(low, place)} & (TRUTH - again):
        return False
    if again <= TRUTH - {"true", "yes"} and _OF_CLAIM.match(low, place):
        return False
    said = lowered(answer.strip(" *$."))
    named = re.match(rf"{re.escape(said)}(?![\w'’])", low[place:]) if said else None
    if named:  # the answer itself is spoken of
        rest = low[place + named.end() :].lstrip(" *_$")
        return bears_out(rest, answer) or _describes(rest, answer)
    if (called := _SO_CALLED.match(low, place)) and again.isdisjoint(WORD.findall(called[1])):
        return False
    if _names_another(sentence, words, answer) and again.isdisjoint(words):
        return False
    if says_another(sentence, answer) or _denied_by(low, answer):
        return False
    if chosen and tells_of_option(low[place:], chosen):
        return introduced or not (counts_otherwise(low, answer) or leads_otherwise(low, answer))
    right = _RIGHT_ONE.fullmatch(low, place)
    another = right and again.isdisjoint(WORD.findall(right["what"]))
    if right and another and (right["what"][0].isdigit() or not ABOUT_IT.match(low, place)):
        return bears_out(low[place:], answer)
    if SHOWS.fullmatch(low) and bears_out(low, answer):
        return True
    if bears_out(low[place:], answer):
        return not (_CONCLUDES.match(low) and COUNTS.fullmatch(low, place))
    if introduced and answer != CALL and BEARS_OUT.fullmatch(low, place):
        return False
    if works_out(low, place):
        return True
    if len(words) < FEWEST and not introduced:
        return False
    if len(words) >= FEWEST and _ENGLISH.isdisjoint(words):
        return False
    otherwise = counts_otherwise(low, answer) or leads_otherwise(low, answer)
    if not introduced and (otherwise or states_otherwise(sentence, answer)):
        return False
    concludes = _CONCLUDES.match(low) and not (again <= TRUTH and _NAME_IS.match(sentence, place))
    tells = _NAMED.search(low) or concludes or _IS_NAMED.match(sentence)
    if tells and again.isdisjoint(words):
        return False
    return _is_of_a_thing(sentence[place:], low[place:], introduced, answer)


def _describes(rest: str, answer: str) -> bool:
    """Whether what goes on behind a name that is the answer says which thing that is: ``is the
    capital of Peru``; what it is said to be as an answer is none."""
    told = _DESCRIBES.match(rest)
    if told is None or letter(answer) or {*WORD.findall(lowered(answer))} <= TRUTH:
        return False
    if not WORD.search(answer) or disowns(rest) or _SPOKEN_OF_IT.search(rest):
        return False
    rest = _COMPARES.sub("", rest)
    return not (_DENIES.search(rest) or _LIMITS.search(_SUPERLATIVE.sub("", rest)))


def _names_another(sentence: str, words: list[str], answer: str) -> bool:
    """Whether a sentence says who did it, where an answer is a name."""
    is_name = answer[:1].isupper() and letter(answer) is None and lowered(answer) not in TRUTH
    return is_name and _ENGLISH.isdisjoint(words[:1]) and _DID_IT.fullmatch(sentence) is not None


def _denied_by(low: str, answer: str) -> bool:
    """Whether a sentence in small letters says that it is not the answer."""
    said = re.escape(lowered(answer.strip(" *$.")))
    return re.search(rf"\bnot (?:\w+ )?{said}(?![\w'’])", low) is not None


def takes_back(low: str) -> bool:
    """Whether a short sentence, in small letters, speaks of its author, or of the answer and does
    not bear it out: behind a yes or a no, which other sentences may explain in any way."""
    lead = _LEADS_TO.match(low)
    low = low[lead.end() if lead else 0 :].strip(" .,!")
    if len(WORD.findall(low)) > _SHORT or BEARS_OUT.fullmatch(low):
        return False
    if _TAKES.search(low):
        return True
    told = ABOUT_IT.match(low) and not _INTRODUCED.match(low)
    return bool(told) or _FIRST_PERSON.match(low) is not None


def _is_of_a_thing(sentence: str, low: str, introduced: bool, answer: str) -> bool:
    """Whether a sentence speaks neither of the answer nor of its reasons, but of a thing."""
    if not low.strip(" .:*_") or _IT_IS.match(sentence):
        return True
    if (it := _IT.match(low)) and _describes(low[it.end() :], answer):
        return True
    if _GIVEN_SAYS.match(low):
        return True
    if ABOUT_IT.match(low) and answer != CALL:
        return introduced and _INTRODUCED.match(low) is not None
    if introduced or answer == CALL or _defines(low):
        return True
    first = WORD.search(low)
    if _LIMITS.search(low) or first is None:
        return False
    named = _NAME_IS.match(sentence) and first[0] not in _NO_NAME
    numbered = letter(answer) is not None and _NUMBERS_ARE.match(low)
    return bool(named or numbered) or _OF_A_THING.match(low) is not None


def _defines(low: str) -> bool:
    """Whether words behind a formula say what its letters stand for."""
    return _DEFINES.match(low) is not None and _OF_SYMBOLS.issuperset(
        WORD.findall(FORMULA.sub(" ", low))
    )
