"""Whether the answers that recorded outputs state are read, by file and model.

What a recording states is known from what its source extracted, from the gold answer where it was
found to be right, else from its last box or tag. That is compared with what is read, as text and,
where that differs, in mathematics.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any

from agentflow.domains import answers
from agentflow.thinking import split
from agentflow.tools.equality import compare
from real.recordings import Finding, Recording

GOAL = 0.97
"""Share of the stated answers that must be read."""

_EXTRACTED = ("recorded_answer", "final_answer_text", "parsed_answer", "pred", "extracted")
_BOX = re.compile(r"\\boxed\{([^{}]+)\}")
_TAG = re.compile(r"(?is)<answer>((?:(?!<answer>).)+?)</answer>")
_CODE = re.compile(r"[{}`]|\"\)|^\"")
_NONE = ("", "none", "null", "unknown", "[[]]", "[invalid]")
_LATEX = re.compile(r"\\(?:text|mathrm|mathbf|textbf|left|right|displaystyle|dfrac|tfrac)(?![a-z])")


def section(recordings: Sequence[Recording]) -> Finding:
    """The section of ``real_text.py``."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    unequal = list[tuple[Recording, str, str]]()
    for one in recordings:
        expected = expectation(one)
        if expected is None:
            continue
        said = last_candidate(one.output) or ""
        count = counts.setdefault((one.file, one.model), Counter())
        count["states"] += 1
        if plain(said) == plain(expected):
            count["read"] += 1
        else:
            unequal.append((one, said, expected))
    short = [one for one in unequal if 0 < len(one[1]) <= 120 and len(one[2]) <= 120]
    outcomes = compare([(said, expected) for _, said, expected in short])
    equal = {id(one) for one, outcome in zip(short, outcomes, strict=True) if outcome.equal}
    for one in unequal:
        counts[one[0].file, one[0].model]["read"] += id(one) in equal
    missed = [
        f"{one.row.get('id')} ({one.file}, {one.model}): {said[:60]!r}, not {expected[:60]!r}"
        for one, said, expected in (each for each in unequal if id(each) not in equal)
    ]
    rows = [
        {"file": file, "model": model, "states": n["states"], "read": n["read"]}
        for (file, model), n in counts.items()
    ]
    states, read = (sum(n[key] for n in counts.values()) for key in ("states", "read"))
    summary = f"{read} of {states} stated answers read, {read / max(states, 1):.1%}"
    return Finding(rows, read >= GOAL * states, summary, missed)


def expectation(recording: Recording) -> str | None:
    """The answer that a recording is known to state; None where nothing is known."""
    file, one = recording.file, recording.row
    text, extra = answer_part(recording.output), one.get("extra") or {}
    found: Any = None
    if file in ("bfcl_2024_08", "bfcl_gpt_oss", "tau_bench", "planbench"):
        return None  # calls and plans are no stated answers
    for key in _EXTRACTED:
        found = found or extra.get(key)
    if isinstance(found, list):
        found = found[-1]
    if file.startswith("reasoning_gym") and "<answer>" in text:
        found = extra.get("model_answer")
    if file == "countdown_qwen3":
        found = extra.get("extracted_expr")
    if found is None and one.get("correct") is True and file in ("mip_overthinking", "farel"):
        found = one.get("gold")
    if file == "korgym" and isinstance(extra.get("action"), str):
        found = extra["action"] if "nswer" in text or "NSWER" in text else None
        if found and (_CODE.search(found) or found.endswith(",")):
            found = None  # a piece of a program, or the first line of several
    if file == "kor_bench" and "[[" not in text:
        found = None  # what was extracted stands nowhere
    if file == "zeroeval_json":
        found = _json_answer(text)
    if found is None and (marked := [*_BOX.findall(text), *_TAG.findall(text)]):
        found = marked[-1]
    said = "" if found is None else str(found)
    return None if said.strip().lower() in _NONE else said


def answer_part(text: str) -> str:
    """What stands behind the thinking; all of it where nothing tells them apart."""
    return split(text).answer or text


def last_candidate(text: str) -> str | None:
    """The answer that the answer part states, else the last one of all."""
    return answers.stated(answer_part(text)) or answers.stated(text)


def plain(text: str) -> str:
    """The text without what does not change an answer: case, space, brackets around an option."""
    if boxed := list(answers.boxed(text)):
        text = boxed[-1]
    text = unicodedata.normalize("NFKC", text).strip().lower().replace("−", "-")
    text = _LATEX.sub("", text).replace("\\!", "").replace("\\,", " ").strip("[](){}*$\"'. \n;:`")
    text = re.sub(r"^(?:option|answer|choice)\b[\s:]*\(?", "", text)
    if letter := re.fullmatch(r"([a-z])[.):]+(?:\s.*)?", text, re.DOTALL):
        text = letter[1]
    return re.sub(r"[\s$*\\{}]", "", text)


def _json_answer(text: str) -> str | None:
    """The answer of a JSON object that can be read, whatever is around it."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        told = json.loads(text[begin : end + 1], strict=False)
    except ValueError:
        return None
    found = told.get("answer") if isinstance(told, dict) else None
    return str(found) if isinstance(found, str | int | float) else None
