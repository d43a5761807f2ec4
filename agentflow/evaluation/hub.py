"""Data sets of the Hugging Face hub by name: where they are, and what of a row is the problem.

Their files are looked up at ``huggingface.co``, downloaded once, and kept where huggingface_hub
keeps them (``HF_HOME``); a gated one needs a token (``HF_TOKEN``) whose owner accepted its terms.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentflow.domains import answers, logic
from agentflow.errors import BadInput
from agentflow.evaluation.tables import Row
from agentflow.version import install

PARQUET = "refs/convert/parquet"
"""The branch on which the hub keeps every public data set as Parquet: CONFIG/SPLIT/0000.parquet."""

_LETTERS = "ABCD"
_FOLIO = "folio_v2_validation.jsonl"
_TRAIN = "default/train/*.parquet"


@dataclass(frozen=True, slots=True)
class Source:
    """A data set of the hub.

    Attributes:
        repo: ``owner/name``.
        domain: Who parses its problems.
        problem: ``text``, ``gold``, ``id``, ``type`` and ``difficulty`` of a row (all but the text
            where it has them); None for a row that is no problem of this data set.
        files: Pattern of its files.
        answers: Of those with the answers, by the id of a row, where these stand apart.
        revision: Branch or commit.
    """

    repo: str
    domain: str
    problem: Callable[[Row], Row | None]
    files: str = "default/test/*.parquet"
    revision: str = PARQUET
    answers: str = ""


def fields(
    text: str, gold: str = "", id: str = "", type: str = "", difficulty: str = ""
) -> Callable[[Row], Row]:
    """A row's problem by the names of its fields. A list of numbers is text with spaces between.

    Several names of fields for the text, with commas between them, make it a JSON object with
    these fields, as the domain ``logic`` reads one.

    Raises:
        ValueError: If a row lacks a field that is named; says which it has. Or if its text is null.
    """
    names = [name.strip() for name in text.split(",")]

    def problem(row: Row) -> Row:
        others = (gold, id, type, difficulty)
        missing = [name for name in (*names, *others) if name and name not in row]
        if missing:
            raise ValueError(f"no field {', '.join(missing)}; there are: {', '.join(row)}")
        if any(row[name] is None for name in names):
            raise ValueError(f"no text: {', '.join(n for n in names if row[n] is None)} is null")
        whole = row[text] if len(names) == 1 else {name: row[name] for name in names}
        told = {"gold": gold, "id": id, "type": type, "difficulty": difficulty}
        return {"text": _text(whole)} | {key: row[name] for key, name in told.items() if name}

    return problem


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    numbers = isinstance(value, list) and value and all(str(one).isdecimal() for one in value)
    return " ".join(map(str, value)) if numbers else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _spatial(task: str) -> Callable[[Row], Row | None]:
    """The text questions of one task; ids are ``mazenav.tqa.0`` and the like."""

    def problem(row: Row) -> Row | None:
        if not str(row["id"]).startswith(f"{task}."):
            return None
        return {"text": row["text"], "gold": row["oracle_option"], "id": row["id"]}

    return problem


def _gsm8k(row: Row) -> Row:
    """The answer stands behind the solution's ``####``."""
    _, behind, gold = str(row["answer"]).rpartition("####")
    if not behind:
        raise ValueError("no #### in the answer")
    return {"text": row["question"], "gold": gold.strip()}


def _gpqa(row: Row) -> Row:
    """The options are shuffled, the same way for the same question."""
    right = row["Correct Answer"].strip()
    options = [right, *(row[f"Incorrect Answer {number}"].strip() for number in (1, 2, 3))]
    random.Random(row["Question"]).shuffle(options)
    listed = "\n".join(f"{x}. {one}" for x, one in zip(_LETTERS, options, strict=True))
    text = f"{row['Question'].strip()}\n\n{listed}\n\nAnswer with the letter of the right option."
    return {"text": text, "gold": _LETTERS[options.index(right)], "id": row["Record ID"]}


def _gpqa_open(row: Row) -> Row:
    """The question without its options."""
    gold = row["Correct Answer"].strip()
    return {"text": row["Question"].strip(), "gold": gold, "id": row["Record ID"]}


def _math(row: Row) -> Row:
    """The answer is what the solution boxes last."""
    boxed = list(answers.boxed(row["solution"]))
    if not boxed:
        raise ValueError("no box in the solution")
    about = {"type": row["type"], "difficulty": str(row["level"]).removeprefix("Level ")}
    return {"text": row["problem"], "gold": boxed[-1]} | about


def _amc(row: Row) -> Row:
    """Answers are numbers, most of them whole ones written as floats."""
    gold = row["answer"]
    if isinstance(gold, float) and gold.is_integer():
        gold = int(gold)
    return {"text": row["problem"], "gold": str(gold), "id": row["id"]}


def _olympiad(row: Row) -> Row:
    """The answers are listed; several of one question stand in one text."""
    listed = row["final_answer"]
    if not (isinstance(listed, list) and len(listed) == 1 and isinstance(listed[0], str)):
        raise ValueError("no single final answer")
    gold = listed[0].strip().strip("$")
    return {"text": row["question"], "gold": gold, "id": row["id"], "type": row["subfield"]}


def _proverqa(level: str) -> Callable[[Row], Row]:
    """A level's problems."""
    problem = fields("context,question,options", "answer", "id")

    def found(row: Row) -> Row:
        ours = problem(row)
        return ours | {"id": f"{level}-{ours['id']}", "type": level}

    return found


def _strategyqa_steps(row: Row) -> Row:
    """With the number of questions that it is decomposed into, where the row has them."""
    steps = row.get("decomposition")
    return _strategyqa(row) | ({"difficulty": len(steps)} if isinstance(steps, list) else {})


def _folio(*names: str) -> Callable[[Row], Row]:
    """Premises and formulas are lists, or texts with a line for each. Formulas that cannot be read
    (some of the data set's own are malformed, or do not match the premises) are left out."""

    def problem(row: Row) -> Row:
        parts = {name: row[name] for name in ("premises", "conclusion", *names)}
        for name, part in parts.items():
            if name.startswith("premises") and isinstance(part, str):
                parts[name] = [line for line in part.splitlines() if line.strip()]
        try:
            logic.parse(_json(parts))
        except BadInput:
            parts = {name: part for name, part in parts.items() if name not in names}
        found = {"text": _json(parts), "gold": row["label"]}
        return found | ({"id": row["example_id"]} if "example_id" in row else {})

    return problem


def _strategyqa(row: Row) -> Row:
    said = str(row["answer"]).lower()
    if said not in ("true", "yes", "false", "no"):
        raise ValueError(f"the answer {said[:40]!r} is neither true nor false")
    gold = "yes" if said in ("true", "yes") else "no"
    return {"text": row["question"], "gold": gold, "id": row["qid"]}


def _verina(task: str) -> Callable[[Row], Row]:
    """Of the reference file the code, or the specification, is the gold answer."""
    wanted = {
        "code": ["code_aux", "code"],
        "spec": ["precond_aux", "precond", "postcond_aux", "postcond"],
    }

    def problem(row: Row) -> Row:
        lean = str(row.get("lean_code") or row["lean"])
        parts = []
        for name in wanted[task]:
            marked = rf"!benchmark @start {name}\b.*\n([\s\S]*?)^ *-- !benchmark @end {name}\b"
            if (found := re.search(marked, lean, re.MULTILINE)) and found[1].strip():
                parts.append(f"[{name.upper()}]\n{found[1].rstrip()}\n[/{name.upper()}]")
        text = {"task": task, "description": row["description"], "signature": row["signature"]}
        return {"text": _json(text), "gold": "\n".join(parts), "id": f"{row['id']}_{task}"}

    return problem


def _bfcl(row: Row) -> Row:
    """The question with the functions that may be called; answers stand in a file of their own."""
    found = {"text": _json({"question": row["question"], "function": row["function"]})}
    gold = row.get("ground_truth")
    return found | {"id": row["id"]} | ({} if gold is None else {"gold": _json(gold)})


_HOTPOTQA = fields("question", "answer", "id")
_BFCL = "gorilla-llm/Berkeley-Function-Calling-Leaderboard"
_SPATIAL, _SPATIAL_FILES = "MilaWang/SpatialEval", "tqa/test/*.parquet"

SOURCES: dict[str, Source] = {
    "spatialeval-maze": Source(_SPATIAL, "maze", _spatial("mazenav"), _SPATIAL_FILES),
    "spatialeval-map": Source(_SPATIAL, "spatialmap", _spatial("spatialmap"), _SPATIAL_FILES),
    "game24-all": Source("nlile/24-game", "game24", fields("numbers"), _TRAIN),
    "math": Source("EleutherAI/hendrycks_math", "math", _math, "*/test/*.parquet"),
    "math500": Source(
        "HuggingFaceH4/MATH-500",
        "math",
        fields("problem", "answer", "unique_id", "subject", "level"),
    ),
    "aime24": Source("HuggingFaceH4/aime_2024", "math", fields("problem", "answer", "id"), _TRAIN),
    "aime25": Source(
        "math-ai/aime25", "math", fields("problem", "answer", "id"), "test.jsonl", "main"
    ),
    "amc": Source("AI-MO/aimo-validation-amc", "math", _amc, _TRAIN),
    "cnmo24": Source(
        "opencompass/LiveMathBench",
        "math",
        fields("question", "answer"),
        "v202412_CNMO_en/test/*.parquet",
    ),
    "olympiadbench": Source(
        "Hothan/OlympiadBench", "math", _olympiad, "OE_TO_maths_en_COMP/train/*.parquet"
    ),
    "amo-bench": Source(
        "meituan-longcat/AMO-Bench", "math", fields("prompt", "answer", "question_id")
    ),
    "gsm8k": Source("openai/gsm8k", "math", _gsm8k, "main/test/*.parquet"),
    "gpqa-diamond": Source("Idavidrein/gpqa", "math", _gpqa, "gpqa_diamond.csv", "main"),
    "gpqa-open": Source("Idavidrein/gpqa", "open", _gpqa_open, "gpqa_diamond.csv", "main"),
    "folio": Source("yale-nlp/FOLIO", "logic", _folio(), _FOLIO, "main"),
    "folio-formulas": Source(
        "yale-nlp/FOLIO", "logic", _folio("premises-FOL", "conclusion-FOL"), _FOLIO, "main"
    ),
    **{
        f"proverqa-{level}": Source(
            "opendatalab/ProverQA", "logic", _proverqa(level), f"dev/{level}.json", "main"
        )
        for level in ("easy", "medium", "hard")
    },
    "strategyqa": Source("ChilleD/StrategyQA", "commonsense", _strategyqa_steps),
    "hotpotqa": Source(
        "hotpotqa/hotpot_qa", "commonsense", _HOTPOTQA, "distractor/validation/*.parquet"
    ),
    "rewild": Source(
        "yuan-yang/ReWild", "open", fields("input", "label"), "hybrid_test.json", "main"
    ),
    "verina-code": Source("sunblaze-ucb/verina", "verina", _verina("code"), _TRAIN),
    "verina-spec": Source("sunblaze-ucb/verina", "verina", _verina("spec"), _TRAIN),
    **{
        name: Source(
            _BFCL,
            "calls",
            _bfcl,
            f"BFCL_v3_{kind}.json",
            "main",
            f"possible_answer/BFCL_v3_{kind}.json",
        )
        for name, kind in (("bfcl", "simple"), ("bfcl-multiple", "multiple"))
    },
}
"""Problems: name -> data set. What stands here of files and fields is from the cards."""

STEPS: dict[str, Source] = {
    f"processbench-{split}": Source(
        "Qwen/ProcessBench", "math", lambda row: row, f"default/{split}/*.parquet"
    )
    for split in ("gsm8k", "math", "olympiadbench", "omnimath")
}
"""Solutions whose first wrong step is known, for
:func:`agentflow.evaluation.solutions.load_labelled`."""


def download(source: Source) -> list[Path]:
    """The files of a data set, from the hub or as they were downloaded before.

    Raises:
        BadInput: If huggingface_hub is missing, or there are no such files, or they cannot be had.
    """
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise BadInput(f"{source.repo}: the hub needs {install('hub')}") from error
    try:
        folder = snapshot_download(
            source.repo,
            repo_type="dataset",
            revision=source.revision,
            allow_patterns=[source.files],
        )
    except Exception as error:  # its HTTP client's errors have no common base with its own
        reason = " ".join(str(error).split())[:300]
        raise BadInput(
            f"{source.repo} cannot be had from the hub: {type(error).__name__}: {reason}; without "
            "network, or where it is gated, give a file that you have"
        ) from error
    files = sorted(Path(folder).glob(source.files))
    if not files:
        raise BadInput(f"{source.repo} has no file {source.files} at {source.revision}")
    return files
