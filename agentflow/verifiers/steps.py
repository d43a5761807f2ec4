"""A solution's text as steps: what a critic counts, and what a reward model scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agentflow.whole_words import whole_words

_WINDOW = 80
"""Characters in front of a word that are looked at."""
_LEAD = re.compile(
    r"(?:^[ \t]{0,8}[-*•>#]{1,3}[ \t]+)?"
    r"(?:(?<![^\W_])(?:but|so|and|or|oh|ok|okay|no|now|just|well|let me|let's|to)"
    r"[,.…—-]{0,3}[ \t]+){0,9}[*_\"'“‘(\[]{0,3}\Z",
    re.IGNORECASE | re.MULTILINE,
)
"""What a sentence may have in front of the words at which it hesitates."""
_CLOSERS = "\"'”’)]}*_$`"
_ENDS = ".!?…。！？"

_FENCE = re.compile(r"\s{0,12}(?:`{3,}|~{3,})")
_DISPLAY = re.compile(r"\$\$|\\\[|\\\]|\\(?:begin|end)\{[^{}\n]{1,30}\}")
_NUMBERED = re.compile(
    r" {0,3}(?:#{1,6} ?)?(?:\*\*|__)?(?:step\s{1,3}\d{1,3}\b|\d{1,3}[.)](?=[ \t*_]))", re.IGNORECASE
)
_HEADING = re.compile(
    r"\s{0,3}(?:#{1,6} [^\n]*|\*\*[^*\n]{1,200}\*\*:?\s*|step \d{1,3}[^\w\n]*\s*)", re.IGNORECASE
)
_GOES_ON = re.compile(
    r"\s*(?:[a-zà-öø-ÿ]|\$\$|\\\[|\\begin|[=+×·,;)\]}&]|\\(?:quad|implies|Right))"
)
"""How a paragraph begins that goes on with a sentence: in small letters, or with a formula."""


def segment(text: str, words: Sequence[str]) -> list[str]:
    """A reasoning trace as steps, cut in front of every sentence that begins with a hesitation
    (Solve-Detect-Verify, section 3.1).

    The steps joined are the text. A step that would hold nothing but the hesitation (``Wait,`` in
    front of ``let me verify``) begins the next one. A hesitation inside of a sentence (``it is to
    make sure that ...``) cuts nothing.

    Args:
        words: What a hesitation begins with, whatever its case.
    """
    if not text:
        return []
    starts, read = [0], 0  # from the last start up to where it was read, nothing is said
    for found in re.finditer(whole_words(words), text, re.IGNORECASE) if words else ():
        start = _sentence(text, found.start())
        if start is None or start < read:
            continue
        said, read = text[read:start], start
        if re.search(r"\w", re.sub(whole_words(words), "", said, flags=re.IGNORECASE)):
            starts.append(start)
    return _cut(text, starts)


def paragraphs(text: str) -> list[str]:
    """A solution as a reward model's steps: its paragraphs, and its numbered steps.

    The steps joined are the text, and each says something. A heading belongs to what stands below
    it; code and formulas are not cut, nor is a sentence that goes on in the next paragraph. The
    lines are the paragraphs of a text without blank lines.
    """
    blank = re.search(r"\S[^\S\n]*\n[^\S\n]*\n\s*\S", text) is not None
    starts = [0]
    for start, behind_blank in _line_starts(text):
        before = text[starts[-1] : start]
        numbered = _NUMBERED.match(text, start) is not None
        if not (behind_blank or not blank or numbered) or not re.search(r"\w", before):
            continue
        if (not numbered and _goes_on(before, text[start : start + 80])) or _is_heading(before):
            continue
        if re.search(r"\w", text[start:]):
            starts.append(start)
    return _cut(text, starts) if text else []


def _sentence(text: str, at: int) -> int | None:
    """Where the sentence begins that has a word at ``at`` as its first; None where it is not."""
    lead = _LEAD.search(text, max(0, at - _WINDOW), at)
    start = lead.start() if lead else at
    before = text[max(0, start - _WINDOW) : start]
    said = before.rstrip()
    gap = before[len(said) :]
    if not said:
        return start
    ended = said.rstrip(_CLOSERS)
    last = ended[-1:]
    letter = next((one for one in text[start : at + 1] if one.isalpha()), "")
    broken = gap.count("\n")
    trails = ended.endswith(("..", "…")) and letter.islower() and not broken
    if gap and last and last in _ENDS and not trails:
        return start
    return start if broken > 1 or (broken and (last == ":" or letter.isupper())) else None


def _line_starts(text: str) -> Iterator[tuple[int, bool]]:
    """(where a line with something in it begins, whether a blank one stands before it), outside of
    code and formulas."""
    offset, blank, fenced, depth = 0, False, False, 0
    for line in text.splitlines(keepends=True):
        if not line.strip():
            blank = True
        else:
            if offset and not fenced and not depth:
                yield offset, blank
            blank = False
            fenced ^= _FENCE.match(line) is not None
            for mark in () if fenced else _DISPLAY.findall(line):
                if mark == "$$":
                    depth = 0 if depth else 1
                elif mark.startswith((r"\[", r"\begin")):
                    depth += 1
                else:
                    depth = max(0, depth - 1)
        offset += len(line)


def _goes_on(before: str, behind: str) -> bool:
    """Whether the sentence at the end of a text goes on behind it."""
    said = before.rstrip()
    last = said.rstrip(_CLOSERS)[-1:]
    if said[-1:] in (":", ",") or last in (":", ","):
        return True
    return _GOES_ON.match(behind) is not None and (not last or last not in _ENDS)


def _is_heading(text: str) -> bool:
    return all(_HEADING.fullmatch(line) for line in text.splitlines() if line.strip())


def _cut(text: str, starts: Sequence[int]) -> list[str]:
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def joined(steps: Sequence[str]) -> str:
    """Steps as one text: those that were cut from one are that text, others are lines of it."""
    text = ""
    for step in steps:
        apart = text[-1:].isspace() or step[:1].isspace() or not text
        text += step if apart else f"\n{step}"
    return text


def numbered(steps: Sequence[str]) -> str:
    """The steps as a critic reads them, counted from 0."""
    return "\n".join(f"<step_{n}>\n{step.strip()}\n</step_{n}>" for n, step in enumerate(steps))
