"""What stands right beside an answer, and has to do with nothing: no thing of the problem, no other
sentence of the reply, and no step of anybody's work.

    The data do not suffice.      Answer: 54      whoever reads this cannot tell what it means
    She bakes twice as many.      Answer: 54      of the problem: others judge it
    Let us put it all together.   Answer: 54      only tells how one goes on

Such a sentence may say anything of the answer (that it is a guess, a lie, or somebody else's), in
whatever words. It is not understood, and so the answer is undecided. Looked at are the sentence
above the answer, what leads to the answer on its line, and what stands behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentflow.domains import answers, narration
from agentflow.domains.answers.behind import leaves_open, only_closes
from agentflow.domains.answers.explaining import introduces
from agentflow.domains.answers.fronts import calls_it_answer
from agentflow.domains.answers.given_texts import has_answer
from agentflow.domains.answers.headlines import heads_work
from agentflow.domains.answers.known_remarks import leaves
from agentflow.domains.answers.lines_above import WRITER, speaks_of_none
from agentflow.domains.answers.mentions import around
from agentflow.domains.answers.other_options import heads_others
from agentflow.domains.answers.sentences import announces
from agentflow.domains.answers.typesetting import unmarked
from agentflow.domains.plain_words import PlainWords
from agentflow.domains.sentence_ends import SENTENCE_END, sentence_end
from agentflow.domains.spelling import lowered, plain, stem, word_set

UNRELATED = "apart: "
"""What marks such a sentence among the grounds of an answer."""
_WORDS = word_set("""
    add adding addition arithmetic boxed calculations code combination conclusion deduce deduced
    deduction divide dividing division equation equations equivalently expand expanding fact
    facts factor factoring format hmm inequality integers json latex math mathematical
    mathematics method model multiply multiplying multiplication number numbers option options
    choice choices output premise premises product python rule rules script second third fourth
    fifth sixth side sides statement statements subtract subtracting subtraction sum term text
    total totals value values given yes ok so well alright fine good answers solutions wait
    maths variables variable true such only valid characters satisfied square root taking
    counting elimination consistency individual components correctly amounts amount holds seems
    pretty putting within taken each necessarily proposition possibilities consistent
    contradicts contradict scenario neither both unsat sat countermodel uncertain unknown entail
    entails practical purposes stop pattern however think becomes becoming returned returns
    methods substitution confirms recalculated clear absurd says gave return finish action
    observation run wikipedia mr mrs ms dr structure provides reasoning answered questions
    person receives should verifying find two three four five six seven eight nine ten last
    rounding round rounded selection select selected she he they his her their has have had
    was were end there problems same short ready difficulty easy
""")
"""Words that claim nothing, either, between a calculation or a proof and its answer."""
_GENERAL = word_set("""
    answ ques conc stat prem solu line opti choi valu numb resu poss foll true fals not
    none ever noth nobo some any all with from has had have been who whom will can may must does
    did only very just also coul woul shou migh ther thei them than then she her his him hers
    was were are you your out too both eith neit
""")
"""Beginnings of words that any problem may have, and that tie no sentence to it."""
_FORMULA = re.compile(r"[\d=+*/\\^|<>{}≈≤≥≠×÷·√∀∃→⇒¬∧∨%$€£]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_ADVICE = re.compile(
    r"(?i)it(?:['’]s| is) (?:essential|important|crucial|necessary|helpful|vital) to "
    r"(?P<rest>[a-z ,'’]+)\.?"
)
"""``It's essential to be careful with the units to ensure accuracy.``"""
_FAULTS = r"(?:errors|mistakes|confusion)"
_AIM = re.compile(rf"\b(?:to|and) (?:avoid|prevent) (?:any )?{_FAULTS}(?: (?:and|or) {_FAULTS})?\b")
_ADVISED = word_set(
    "accuracy accurate accurately break careful down manageable running smaller unit units"
)
"""Words of advice that claim nothing of the work beside it."""
_BEGINNING = 4
_DOUBTS = word_set("probably probable")
"""Words that begin as others do that say what a text is about: ``probability``."""
_NOT_ABOUT = narration.WORDS | _WORDS | _DOUBTS
_SENTENCE = sentence_end()
_OF_WRITER = re.compile(WRITER)
_OWNED = re.compile(r"(?i)(?<!let)(?<!here)['’]s [a-z]")
_NO_FAULT = re.compile(
    r"[\W_]*(?i:(?:there are )?no|(?:i )?(?:can['’]t|cannot|don['’]t) (?:see|find|spot) any)"
    r" (?:contradictions?|errors?|mistakes?)(?: (?:here|in (?:this|that|it)))?[\W_]*"
    r"|(?i:i do(?: not|n['’]t) think so)\W*"
)
_VERDICT = re.compile(
    r"(?i:(?:(?:so|thus|therefore|hence),? )?(?:the|this) (?:statement|conclusion|claim) is) [*_]*"
    r"(?P<said>true|false|uncertain|unknown)[*_.]*"
)
"""What says a truth value again of what is asked."""
_ENDS = re.compile(r"[.!][\"”)*_]*\Z")
_IS = re.compile(r"\b(?:is|was|are|were|by)\b")
_NO_THING = re.compile(
    r"(?i)\W*(?:\w+(?: (?:that|this|it))?\W*\Z|(?:do not|don['’]t|never) [a-z]+\b"
    r"|(?:the|this|that|my) (?:\w+ )?(?:lines?|answer|sentences?|text|statement|reply|response"
    r"|paragraph|message|post|words?) (?:above|below|before)\b)"
)
"""One word, an order, or what speaks of the text itself: it names no thing in the world."""
_EVERYDAY = PlainWords(
    also=word_set("""
    nobody nothing none never hardly barely scarcely no not everybody everyone anybody anyone
    nor data experts expert people historians source sources sentence lie lies liar fiction myth
    joke trap mistake mistakes error fall falls fell fooled common guess false wrong untrue todo
    opposite contrary luck absolutely definitely certainly unsolvable impossible unknown unclear
    disputed disagree disagrees suffice suffices believe line dream dreams room plenty stop
    stops done round other many most far approach method naive
    much few little
""")
)
"""Words of which all of a sentence may consist that names no thing in the world."""


def told(text: str, answer: str) -> Iterator[str]:
    """The sentences beside the answer of a text that have to do with no other one of it, and may
    have to do with the problem."""
    text = narration.own(text).rstrip()
    found = answers.statements(text)
    if found:
        start, end = found[-1].start, found[-1].end
    elif text.lower().startswith(answer.lower()):
        start, end = 0, len(answer)
    else:
        start, end = answers.begins(text), len(text)
    above, lead, behind = _parted(text, start, end)
    parts = [one.strip() for one in _SENTENCE.split(above) if _WORD.search(one)]
    leading = [f"{lead.strip()}:"] if lead else []
    corrects = any(one.text != answer for one in found[:-1])
    last = [one for one in parts[-1:] if not (corrects or _heads(one))]
    beside = [*last, *leading, *_SENTENCE.split(behind)]
    for one in dict.fromkeys(beside):
        if not _says_something(one, answer):
            continue
        others = " ".join(other for other in (*parts, *leading, behind) if one not in other)
        if _beginnings(_without(one, answer)).isdisjoint(_beginnings(others)):
            yield f"{UNRELATED}{one.replace(';', ',')}"


def is_one(ground: str) -> bool:
    """Whether a ground is such a sentence."""
    return ground.startswith(UNRELATED)


def goes_with(asked: str, grounds: Iterable[str], *, of_the_world: bool = False) -> bool:
    """Whether each of those sentences has to do with what is asked.

    Args:
        of_the_world: Whether a reply may name things that its problem does not.
    """
    known = _beginnings(asked)
    for ground in grounds:
        if is_one(ground):
            said = ground.removeprefix(UNRELATED)
            names = of_the_world and _names(said)
            if not names and _beginnings(said).isdisjoint(known):
                return False
    return True


def without(grounds: Iterable[str]) -> list[str]:
    """The other grounds."""
    return [one for one in grounds if not is_one(one)]


def _parted(text: str, start: int, end: int) -> tuple[str, str, str]:
    """(what is above the sentence of an answer, its words beside the answer, what is behind)."""
    lead = SENTENCE_END.split(text[:start])[-1]
    stop = SENTENCE_END.search(text, end)
    behind = text[stop.end() :] if stop else ""
    return text[: start - len(lead)], "" if calls_it_answer(lead) else lead, behind


def _says_something(sentence: str, answer: str) -> bool:
    """Whether a sentence says something, without a formula, that is not known to do no harm."""
    rest = _without(sentence, answer)
    if _FORMULA.search(rest) or not _WORD.search(rest):
        return False
    if introduces(sentence) or heads_others(sentence) or _advises(sentence):
        return False
    if all(one in _WORDS for one in _unknown(rest)):
        return sentence.endswith("?") and " you " in f" {rest.lower()} "
    if _OF_WRITER.match(lowered(sentence)) and not speaks_of_none(answer):
        return False  # others see what an author says that is not how the answer was found
    if (verdict := _VERDICT.fullmatch(sentence)) and verdict["said"] == answer.lower():
        return False
    if _NO_FAULT.fullmatch(sentence) or (speaks_of_none(answer) and leaves_open(sentence)):
        return False
    known = leaves(sentence, answer) or only_closes(sentence) or has_answer(sentence)
    return not (known or answers.statements(f"{sentence}\n"))


def _advises(sentence: str) -> bool:
    """Whether a sentence only says how one should go about any problem."""
    found = _ADVICE.fullmatch(sentence.strip())
    rest = _unknown(_AIM.sub("", found["rest"])) if found else [""]
    return all(one in _WORDS | _ADVISED for one in rest)


def _heads(line: str) -> bool:
    """Whether a line heads what stands below it, in words that others know, or in one word."""
    alone = line.endswith(":") and len(_unknown(line)) == 1
    known = announces(line) or (heads_work(line.rstrip(" :,")) and not _OWNED.search(line))
    return bool(known) or alone


def _without(sentence: str, answer: str) -> str:
    """A sentence without the answer, and without what sets it off."""
    return " ".join(around(unmarked(sentence).replace("**", ""), answer)) if answer else sentence


def _names(said: str) -> bool:
    """Whether a sentence may name things in the world; what leads to an answer has to say of what
    it is one."""
    if _NO_THING.match(said):
        return False
    if _ENDS.search(said):
        return not all(one in _EVERYDAY for one in _words(said))
    return _IS.search(said) is not None


def _unknown(text: str) -> list[str]:
    """The words of a text, but for letters that stand alone, that not every narration may have."""
    return [one for one in _words(text) if len(one) > 1 and one not in narration.WORDS]


def _words(text: str) -> list[str]:
    return [*narration.words(plain(text).lower())]


def _beginnings(text: str) -> set[str]:
    """How the words begin that say what a text is about."""
    words = (one.lower() for one in _WORD.findall(plain(text)))
    return {stem(one)[:_BEGINNING] for one in words if one not in _NOT_ABOUT} - _GENERAL
