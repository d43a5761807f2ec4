"""Answers stated in other languages than English: ``La réponse est 42``, ``答案是42。``.

Only the plain statement is read: a question, a supposition and a denial have other words there.
"""

from __future__ import annotations

import re

HINTS = ("réponse", "respuesta", "respost", "rispost", "antwor", "antwoord", "odpowied", "ответ",
         "答", "解は", "정답", "답은", "答え", "الجواب", "الإجابة")  # fmt: skip
"""One of them stands in a line (in small letters) that states an answer so."""
_PLAIN = tuple(hint for hint in HINTS if hint.isascii())

_SO = (
    r"(?:donc|ainsi|bien|also|daher|somit|folglich|entonces|por (?:lo )?tanto|portanto|pois|quindi"
    r"|dunque|dus)"
)
_CUE = re.compile(
    r"(?:(?<!\w)(?:"
    r"réponse(?: (?:finale|correcte|exacte|juste|à la question))?(?:\s*:|\s+est)"
    r"|respuesta(?: (?:final|correcta))?(?:\s*:|\s+es)"
    r"|resposta(?: (?:final|correta|certa))?(?:\s*:|\s+é)"
    r"|risposta(?: (?:finale|corretta|giusta|esatta))?(?:\s*:|\s+è)"
    r"|antwort(?:\s*:|\s+(?:ist|lautet))"
    r"|antwoord(?:\s*:|\s+is)"
    r"|odpowied[źz](?:\s*:|\s+to)"
    r"|ответ(?:\s*[:—–-]|\s+равен)"
    rf")(?!\w)(?:,? {_SO},?(?= ))?"
    r"|(?:答案|正解|答え|解答|答)(?:应该|應該)?(?:是|为|為|は|就是|[:：])"
    r"|(?:정답|답)(?:은|[:：])"
    r"|(?:الجواب|الإجابة)\s*(?:هو|هي|[:：])"
    r")[\s*_:：]*"
)
_DOUBT = re.compile(
    r"\b(?:si|wenn|falls|ob|se|vielleicht|peut-être|quizás|talvez|forse|als|misschien|если|может)\b"
    r"|如果|假设|假設|假如|若|可能|也许|不|是否|もし|만약|لو|إذا"
)
_NO_VALUE = re.compile(
    r"(?:pas|nicht|no|não|non|niet|не|kein\w*|ne|noch|encore|aún|todavía|dass|que|wie|comme|als)\b"
    r"|不|否|什么|多少|错|對|对的|正确|何|아니"
)
_END = re.compile(
    r"[。！？；，、\n]|[.!?](?=\s|$)|,\s|\s(?:car|weil|porque|perché|omdat)\b|です|입니다"
)


def hints(low: str) -> bool:
    """Whether a text in small letters may state an answer so."""
    for hint in _PLAIN if low.isascii() else HINTS:  # noqa: SIM110 - it is asked of every line
        if hint in low:
            return True
    return False


def read(text: str, low: str) -> tuple[str, int, int] | None:
    """(the answer that a line states last, where the statement begins and ends), or None.

    Args:
        text: The line.
        low: The same in small letters.
    """
    cues = list(_CUE.finditer(low))
    if not cues:
        return None
    cue = cues[-1]
    begin = max(low.rfind(stop, 0, cue.start()) for stop in (". ", "? ", "! ", "。", "\n")) + 1
    end = _END.search(low, cue.end())
    close = end.start() if end else len(low)
    asks = low[close : close + 1] in ("?", "？") or low[:close].endswith(("吗", "嗎", "か", "까"))
    if asks or _DOUBT.search(low, begin, cue.start()) or _NO_VALUE.match(low, cue.end()):
        return None
    return text[cue.end() : close], begin, close
