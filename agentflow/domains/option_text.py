"""Whether a text says what an option says, however its formulas are set.

    B. 0.506 \\lambda / a        \\( 0.506 \\frac{\\lambda}{a} \\)        the same
    C. -1, not renormalizable    $-1$, **not** renormalizable       the same
    A. 16.9%                     16.90%                             the same
    A. 2e^(3J)                   2e^(-3J)                           another one

Brackets, fractions, multiplication and powers only set a formula: they are left out on both sides,
and so two options may look the same. It is the letter that tells those apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from agentflow.domains.spelling import word_set

_TOKEN = re.compile(r"\\[a-zA-Z]+|\d+(?:,\d{3})*(?:\.\d+)?|[^\W\d_]+|<<|>>|.", re.DOTALL)
_KEPT = frozenset(",=<>≪≫≈≤≥≠~+-±→⇌√∞%°!#&")
"""Signs that say something."""
_SAME = {"<<": "≪", ">>": "≫", "⟨": "<", "⟩": ">", "〈": "<", "〉": ">", "ℏ": "ħ"}
_SAME |= dict.fromkeys("−‐‑‒–—", "-")
_COMMANDS = {
    **{"hbar": "ħ", "langle": "<", "rangle": ">", "ll": "≪", "gg": "≫", "approx": "≈"},
    **{"leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "pm": "±"},
    **{"to": "→", "rightarrow": "→", "sqrt": "√", "infty": "∞", "sim": "~", "lt": "<", "gt": ">"},
}
_SETS = word_set("""
    left right text mathrm mathbf mathit textbf textit vec hat bar frac dfrac tfrac cdot times
    quad qquad displaystyle operatorname big Big bigl bigr boxed circ mathcal overline
""")
"""Commands that only set what stands behind them."""
_GREEK = {
    unicodedata.name(sign).rpartition(" ")[2].lower(): sign for sign in "αβγδεζηθικμνξπρστυφχψω"
} | {"lambda": "λ", "varepsilon": "ε", "epsilon": "ε", "varphi": "φ", "phi": "φ"}
_LETTERED = re.compile(r"\s*(?:[Oo]ption |[Cc]hoice )?\(?(?P<letter>[A-J])(?:\)[.:]?|[.:])\s{1,3}")
_SAYS = re.compile(r"[^\W_]")
_NAUGHT = re.compile(r"(?<=_)o(?![a-zA-Z])")
"""How the index 0 may be written."""
_MOST = 1_000
"""Characters of what is compared."""
_SYMBOL = 2
"""Letters of a symbol at most, of which the case counts."""


def end(text: str, start: int, option: str) -> int | None:
    """Where a text ends to say an option, which it does from ``start`` on; None if it does not."""
    wanted, said, place = _key(option), "", start
    if not wanted:
        return None
    for token in _TOKEN.finditer(_NAUGHT.sub("0", text), start, start + _MOST):
        told = _told(token[0])
        if said == wanted and (told or token[0].isspace()):
            return place
        said += told
        if not wanted.startswith(said):
            return None
        if told:
            place = token.end()
    return place if said == wanted else None


def is_of_another(answer: str, options: Mapping[str, str]) -> bool:
    """Whether an answer has the letter of one option, and says what another one does, and not what
    its own does."""
    found = _LETTERED.match(answer)
    if found is None or found["letter"] not in options:
        return False
    having = [
        one
        for one, option in options.items()
        if (stop := end(answer, found.end(), option)) and not _SAYS.search(answer, stop)
    ]
    return bool(having) and found["letter"] not in having


@lru_cache(maxsize=256)
def _key(text: str) -> str:
    return "".join(_told(token[0]) for token in _TOKEN.finditer(_NAUGHT.sub("0", text[:_MOST])))


def _told(token: str) -> str:
    """What a word, a number or a sign says; empty for one that only sets."""
    if token[0] == "\\" and len(token) > 1:
        name = token[1:]
        if name in _SETS:
            return ""
        greek = _GREEK.get(name.lower())
        if greek:
            return greek.upper() if name[0].isupper() else greek
        return _COMMANDS.get(name, token)
    token = _SAME.get(token, token)
    if token[0].isdigit() and len(token) > 1:
        token = token.replace(",", "")
        return token.rstrip("0").rstrip(".") if "." in token else token
    if token[0].isalnum():
        plain = unicodedata.normalize("NFKC", token)
        return plain.casefold() if len(plain) > _SYMBOL else plain
    return token if token in _KEPT else ""
