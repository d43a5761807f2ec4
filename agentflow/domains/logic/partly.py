"""What a reply says beside its answer that a problem denies which is understood only in part.

Where a premise or the conclusion is not understood, nothing is verified; yet what the others rule
out, and what denies the conclusion in its own words, does not go with the answer.
"""

from __future__ import annotations

import re
from dataclasses import asdict, replace

from agentflow.domains.logic import english, fol, question, wordings, words
from agentflow.domains.logic.last_line import CONCLUDES, MARKS
from agentflow.domains.spelling import lowered, plain, stem, word_set
from agentflow.problem import Problem

_NOT = word_set("not never cannot no neither nor")
_HELPS = word_set("is are was were be being can could able to do does did will must has the a an")
_WORD = re.compile(r"[a-z]+")
_MARKS = ("", wordings.SO, wordings.FALSE, CONCLUDES)


def understood(problem: Problem) -> Problem | None:
    """The problem of those sentences that are understood, and whose words go together; None where
    there are no premises among them."""
    premises = question.read(problem.text).premises
    kept = list[str]()
    for sentence in [*premises, problem.data["conclusion"]]:
        try:
            english.readings([*kept, sentence])
        except english.NotControlled:
            continue
        kept.append(sentence)
    if kept in ([], [problem.data["conclusion"]]):
        return None
    formulas = [fol.show(english.weakest(one)) for one in english.readings(kept)]
    listed = {name: sorted(own) for name, own in asdict(english.words_of(kept)).items()}
    last = len(kept) - (kept[-1] == problem.data["conclusion"])
    data = {"premises": formulas[:last], "claim": formulas[-1], "words": listed}
    return replace(problem, data={**problem.data, **data})


def said(ground: str) -> str | None:
    """What a ground says of the problem as a fact; None if it is of another kind."""
    mark = next((one for one in _MARKS[1:] if ground.startswith(one)), "")
    rest = ground.removeprefix(mark)
    if mark == wordings.FALSE:
        return f"not {rest}"
    return None if re.match(r"[a-z]+(?: [a-z]+)?: ", rest) else rest


def denies(claim: str, asked: str, answer: str) -> bool:
    """Whether a claim is the conclusion in the same words, and says the opposite of an answer."""
    (one, negated), (other, asked_negated) = _told(claim), _told(asked)
    return one == other and (
        answer == "Uncertain" or (negated != asked_negated) == (answer == "True")
    )


def comes_out_otherwise(ground: str, asked: str, answer: str) -> bool:
    """Whether a ground says of the premises and the conclusion, in the same words, that they go
    together otherwise than an answer has it."""
    mark, _, what = ground.partition(": ")
    mark += ": "
    if mark in MARKS:
        return answer not in MARKS[mark]
    (one, negated), (other, asked_negated) = _told(what), _told(asked)
    if mark not in wordings.OUTCOMES or one != other:
        return False
    truths = {"agree": "True", "contradict": "False", "uncertain": "Uncertain"}
    if negated != asked_negated:
        truths |= {"agree": "False", "contradict": "True"}
    return answer not in {truths.get(str(one)) for one in wordings.OUTCOMES[mark]}


def _told(text: str) -> tuple[list[str], bool]:
    """(the words of a sentence, whether it is denied)."""
    text = re.sub(r"n['’]t\b", " not", plain(words.named(text)))
    found = _WORD.findall(lowered(text).replace("cannot", "can not"))
    kept = [stem(one) for one in found if one not in _NOT | _HELPS]
    return kept, sum(one in _NOT for one in found) % 2 == 1
