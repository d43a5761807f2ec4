"""The only option whose letter a reply names is its answer, though no words call it so.

Pier is southeast of Mill, so C.     C; whoever takes it reads all that stands beside it
**C. Southeast** The map says so.    C
C. Hmm, it should be B.              none: two letters are named
Perhaps it is C. C is out.           none: it is doubted, and ruled out
Let's look at C.                     none: nothing says that it is chosen
"""

from __future__ import annotations

import re

from agentflow.domains import answers
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, is_doubted, rejected
from agentflow.domains.spelling import lowered

_SENTENCE = re.compile(r"(?:\s*\d{1,2}[.)] )?[^.!?\n]*[.!?\n]*[*_\"”')✓✔✅]*\s*")
_LETTER = re.compile(
    r"(?<![\w'’.])(?P<letter>[B-HJ]|A(?=\W*(?:$|\n)|[.):,;*}]| (?:is|and|or|[(–—-])))(?![\w'’])"
    r"|\b[Oo]ption \(?(?P<option>[A-J])\b"
)
_CHOSEN = re.compile(
    r"(?:^[\W_]*(?:Option |Choice )?\(?[A-J](?=[.):]|[\W_]*$| [–—-] |,? (?:because|since|as)\b"
    r"| (?:fits|works|matches|remains|is (?:right|correct|the (?:only|right|correct)))\b)"
    r"|(?:\b(?:so|thus|therefore|hence|i\.e\.|(?:that|which|it) is|go with"
    r"|only|choose|pick)|→|⇒|=>|->)[,:]? "
    r"(?:it(?:'s| is) )?[*(]*(?:option |choice )?[*(]*[A-J]\b"
    r"|(?:^|[,;:] |\b(?:so|thus|therefore|hence) )\W*(?:the )?(?:final |correct |right )*"
    r"(?:answer|option|choice|count|number|direction|object|it) (?:is|must be|has to be):?"
    r" [*(]*(?:option |choice )?[*(]*[A-J]\b"
    r"|[\w*] \((?:option |choice )?[A-J]\)|\\boxed\{)",
    re.I,
)
"""A letter where what is chosen stands."""
_TITLED = re.compile(
    r"\W*((?:[A-Z][\w'’-]*|of|the|and)(?: [A-Z][\w'’-]*| of| the| and)* \([A-J]\))\W*"
)
"""What an option says, with its letter: both are the answer."""
_AGAINST = re.compile(
    r"\b(?:exclud|eliminat|skip|rul(?:es?|ed|ing) out|out\b|discard|dismiss|drop|ignor|except\b"
    r"|consider|check|look|asked? about|first|begin|start|opposite|reverse (?:of|option)|instead"
    r"|rather|inverse|common|popular|tempting|favou?rite|reversed?(?: (?:it|that))?\W*$)"
)


def only_one(text: str) -> str | None:
    """The one option that a text names, by its letter, where it is chosen, no sentence that names
    it speaks against it, and none takes anything back."""
    if TAKEN_BACK.search(text) or SECOND_THOUGHTS.search(text):
        return None
    titled: re.Match[str] | None = None
    letters, chosen = set[str](), any(_LETTER.search(one.text) for one in answers.statements(text))
    for sentence in map(str.strip, _SENTENCE.findall(text)):
        if found := {one["letter"] or one["option"] for one in _LETTER.finditer(sentence)}:
            low = lowered(sentence)
            if is_doubted(low, "") or rejected(sentence) or _AGAINST.search(low):
                return None
            chosen = chosen or _CHOSEN.search(sentence) is not None
            titled = _TITLED.fullmatch(sentence) or titled
        letters |= found
    if len(letters) != 1 or not chosen:
        return None
    return titled[1] if titled else letters.pop()
