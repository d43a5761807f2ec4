"""What a reply of Game of 24 that searches says further up, above what its answer rests on.

(9 + 3) * 6 / 5 = 24        is wrong, whatever is tried
That is not 24.             and rejects it: it was a trial
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from agentflow.domains import arithmetic, narration
from agentflow.domains.answers.remark_words import ODD_SIGN
from agentflow.domains.game24 import reading, spoken
from agentflow.domains.game24.known import TARGET, Known, signs
from agentflow.domains.game24.operated import operated
from agentflow.domains.spelling import NUMBERS, word_set

_ALL = 4
DENIES = re.compile(
    r"(?i)\b(?:not|no|wrong|wait|fail\w*|if|were|break\w*|still|another|false)\b|n't\b|\""
)
"""What may say that an expression is no answer."""
_REJECTS = re.compile(
    r"(?i)\b(?:which|that|it|this|answer|calculation|solution|expression) is(?: not|n't)"
    r" (?:24|correct|right|valid)\b"
)
"""What rejects the trial of the line above."""
TRY = re.compile(
    r"\b(?:try|tried|trying|what about|how about|what if|attempt|suppose|imagine|first (?:idea"
    r"|thought)|candidate)\b"
)
_OF_NUMBERS = re.compile(
    r"(?:the|our)(?: given| four)? numbers\b|there are (?:(?:only|just) )?(?P<count>\w+) numbers\b"
)
"""How a sentence begins that says what numbers there are."""
_CALLING = word_set("arrive dr running script program short small tl turns")
"""Words that stand before what is called the answer."""


def wrong(lines: Sequence[str], answer: arithmetic.Expression) -> str:
    """The first line of a search that claims what is wrong, and is not rejected by the next one;
    empty for none."""
    pairs = pairwise([*lines, ""])
    return next(
        (one for one, below in pairs if _is_wrong(one, answer) and not _REJECTS.search(below)), ""
    )


def _is_wrong(line: str, answer: arithmetic.Expression) -> bool:
    """Whether a line of a search claims what is wrong whatever is tried: an equation, the numbers
    there are, or what it calls the answer."""
    for sentence in spoken.SENTENCE.split(reading.unmarked(reading.plain(line))):
        said = operated(spoken.unmarked(sentence), known := Known(answer))
        if DENIES.search(said) or TRY.search(said) or re.search(ODD_SIGN, said):
            continue
        said = narration.behind_leads(said)
        if (there := _OF_NUMBERS.match(said)) and not signs(said):
            count = there["count"]
            if (count and NUMBERS.get(count, _ALL) != _ALL) or (
                Counter(spoken.numbers(said[there.end() :])) - known.counts
            ):
                return True
        for run in spoken.RUN.finditer(said):
            sides = [side.strip(" .") for side in run[0].split("=")]
            read = [arithmetic.parse(reading.with_products(side)) for side in sides if side]
            values = {None if one is None else arithmetic.value(one) for one in read}
            if len(values - {None}) > 1 and "." not in run[0]:
                return True
            rest = f"{said[: run.start()]} {said[run.end() :]}"
            called = re.search(r"[^\W\d]", rest) or re.match(r"[\W_]*[|✅✔✓]", line)
            whole = read[0] is not None and len([*arithmetic.numbers(read[0])]) == _ALL
            if len(sides) == 1 and whole and called and narration.claims_nothing(rest, _CALLING):
                return values != {TARGET}
    return False
