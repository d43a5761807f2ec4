"""Whether the answers that recorded outputs state are read, by file and model.

    python benchmarks/real_text_candidates.py FOLDER

FOLDER holds recordings (``*.jsonl``, ``*.jsonl.gz``) with ``output``, ``gold``, ``correct`` and
``extra``. What a recording states is known from what its source extracted, from the gold answer
where it was found to be right, else from its last box or tag. That is compared with what is read,
as text and, where that differs, in mathematics. Exits with 1 where less than 97 % are equal.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentflow.domains import answers
from agentflow.tools.equality import compare

GOAL = 0.97

Row = dict[str, Any]

_CLOSES = re.compile(r"</think>|</Thought>|(?<=\n)answer\n(?=\S)|<\|im_start\|>answer\n?")
_EXTRACTED = ("recorded_answer", "final_answer_text", "parsed_answer", "pred", "extracted")
_BOX = re.compile(r"\\boxed\{([^{}]+)\}")
_TAG = re.compile(r"(?is)<answer>((?:(?!<answer>).)+?)</answer>")
_CODE = re.compile(r"[{}`]|\"\)|^\"")
_NONE = ("", "none", "null", "unknown", "[[]]", "[invalid]")
_LATEX = re.compile(r"\\(?:text|mathrm|mathbf|textbf|left|right|displaystyle|dfrac|tfrac)(?![a-z])")


def section(folder: Path) -> tuple[list[Row], bool]:
    """The rows of the table, and whether the goal holds; the last row is the sum."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    unequal = list[tuple[tuple[str, str], Row, str, str]]()
    for file, one in recordings(folder):
        expected = expectation(file, one)
        if expected is None:
            continue
        said = last_candidate(one["output"]) or ""
        place = file, str(one["model"])
        count = counts.setdefault(place, Counter())
        count["states"] += 1
        if plain(said) == plain(expected):
            count["read"] += 1
        else:
            unequal.append((place, one, said, expected))
    short = [one for one in unequal if 0 < len(one[2]) <= 120 and len(one[3]) <= 120]
    outcomes = compare([(one[2], one[3]) for one in short])
    equal = {id(one) for one, outcome in zip(short, outcomes, strict=True) if outcome.equal}
    for one in unequal:
        counts[one[0]]["read"] += id(one) in equal
    missed = [one for one in unequal if id(one) not in equal]
    rows = [_row(file, model, counts[file, model]) for file, model in counts]
    total: Counter[str] = sum(counts.values(), Counter())
    rows.append(_row("all", "", total))
    for place, one, said, expected in missed:
        shown = f"{said[:60]!r} instead of {expected[:60]!r}"
        print(f"missed: {one.get('id')} {' '.join(place)}: {shown}", file=sys.stderr)
    return rows, total["read"] >= GOAL * total["states"]


def recordings(folder: Path) -> Iterator[tuple[str, Row]]:
    """(the file's name up to its first full stop, a recording)."""
    for path in sorted([*folder.glob("*.jsonl.gz"), *folder.glob("*.jsonl")]):
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield path.name.partition(".")[0], json.loads(line)


def expectation(file: str, one: Row) -> str | None:
    """The answer that a recording is known to state; None where nothing is known."""
    text, extra = answer_part(one["output"]), one.get("extra") or {}
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
    """What stands behind the thinking; all of it where nothing marks that."""
    ends = [mark.end() for mark in _CLOSES.finditer(text)]
    return text[ends[-1] :] if ends else text


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


def _row(file: str, model: str, count: Counter[str]) -> Row:
    share = f"{count['read'] / count['states']:.1%}" if count["states"] else "-"
    return {"file": file, "model": model, **{k: count[k] for k in ("states", "read")}, "%": share}


def main() -> int:
    """Print the table; returns the exit code."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    rows, holds = section(Path(sys.argv[1]))
    print("| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row.values()) + " |")
    print(f"candidates: {'holds' if holds else 'MISSED'} ({rows[-1]['%']} of {rows[-1]['states']})")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
