"""Measure the Z3 tool: generated relation puzzles, recorded logic programs, the logic domain.

    python benchmarks/z3_programs.py                          # reads ../shared/data
    python benchmarks/z3_programs.py --data PATH --puzzles 30

Relation puzzles run as SMT-LIB and as Python programs of VerifiAgent's shape. The recorded programs
are GPT-4's of Logic-LM (FOLIO, ProntoQA, LogicalDeduction, AR-LSAT) and FOLIO's own formulas; a
program is counted as converted, as run (Z3 answered within the limits), as answered (one letter
came out) and as right (it is the gold one). ProntoQA's problems are also read from their English by
the logic domain, which then judges their gold answers and gold proofs. Without the data only the
puzzles run. Exits 1 if a puzzle is answered wrong or the tool raises.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

from programs.constraints import csp_program, lsat_program
from programs.logic import Program, Unreadable, entailment, fol_program, rules_program
from shared import header, options, rows_of

from agentflow.domains.logic import ANSWERS, Logic, fol
from agentflow.generators import relations
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox, build
from agentflow.tools.z3_tool import z3_tool

RECORDED: dict[str, Callable[[str], Program]] = {
    "FOLIO": fol_program,
    "ProntoQA": rules_program,
    "LogicalDeduction": csp_program,
    "AR-LSAT": lsat_program,
}
LETTERS = {"True": "A", "False": "B", "Uncertain": "C", "Unknown": "C"}
TOOL = z3_tool()


@dataclass(slots=True)
class Row:
    """What became of one set of programs."""

    name: str
    programs: int = 0
    converted: int = 0
    ran: int = 0
    answered: int = 0
    right: int = 0
    seconds: list[float] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def show(self) -> None:
        cuts = quantiles(self.seconds, n=20) if len(self.seconds) > 1 else [0.0] * 19
        print(
            f"{self.name:<34}{self.programs:>9}{self.converted:>10}{self.ran:>7}{self.answered:>9}"
            f"{self.right:>7}{1000 * cuts[9]:>9.0f}{1000 * cuts[18]:>8.0f}",
            flush=True,
        )

    def explain(self) -> None:
        for reason, count in self.reasons.most_common():
            print(f"  {self.name}: {count} x {reason}")


HEAD = (
    f"{'':<34}{'programs':>9}{'converted':>10}{'ran':>7}{'answered':>9}{'right':>7}"
    f"{'p50 ms':>9}{'p95 ms':>8}"
)


def use(row: Row, **arguments: Any) -> dict[str, Any]:
    """The artifact of one call, timed."""
    started = perf_counter()
    call = {"type": "tool_call", "id": "1", "name": "z3", "args": arguments}
    artifact: dict[str, Any] = TOOL.invoke(call).artifact
    row.seconds.append(perf_counter() - started)
    row.ran += artifact["ok"]
    return artifact


def puzzles(count: int, seed: int) -> list[Row]:
    """Every puzzle in both languages."""
    rows = [Row("relation puzzles, SMT-LIB"), Row("relation puzzles, Python")]
    for puzzle in relations.generate(count, seed):
        calls: list[dict[str, Any]] = [
            {"program": puzzle.smtlib, "language": "smtlib", "claim": puzzle.claim},
            {"program": puzzle.python},
        ]
        for row, call in zip(rows, calls, strict=True):
            row.programs += 1
            row.converted += 1
            artifact = use(row, **call)
            answer = ANSWERS.get(artifact["outcome"])
            count_answer(row, answer, puzzle.problem.gold, artifact["reason"] or "did not run")
    return rows


def count_answer(
    row: Row, answer: str | None, gold: str | None, reason: str, *, choice: bool = False
) -> None:
    """Count an answer, and why there is none; a wrong letter of a choice says nothing more."""
    if answer is None:
        row.reasons[f"no answer: {reason}"] += 1
        return
    row.answered += 1
    row.right += answer == gold
    if answer != gold:
        row.reasons["a wrong answer" if choice else f"answered {answer}, gold {gold}"] += 1


def recorded(name: str, programs: Iterator[tuple[Callable[[], Program], str]]) -> Row:
    """Convert, run and judge programs; each comes with its gold letter."""
    row = Row(name)
    for convert, gold in programs:
        row.programs += 1
        try:
            program = convert()
        except Unreadable as error:
            row.reasons[f"not converted: {error.kind}"] += 1
            continue
        row.converted += 1
        artifact = use(row, program=program.smtlib, language="smtlib", claim=program.claim)
        answer, reason = program.answer(artifact)
        count_answer(row, answer, gold, reason, choice=bool(program.options))
    return row


def gpt4(data: Path, name: str) -> Iterator[tuple[Callable[[], Program], str]]:
    for row in rows_of(data / "logic_llm" / f"programs_{name}_gpt-4.jsonl"):
        text = row["raw_logic_programs"][0]
        yield partial(RECORDED[name], text), row["answer"]


def folio_gold(data: Path) -> Iterator[tuple[Callable[[], Program], str]]:
    """FOLIO's validation set; its training set has no formulas for conclusions."""
    for row in rows_of(data / "folio" / "validation.jsonl"):
        formulas = row["premises-FOL"], [row["conclusion-FOL"]]
        yield partial(entailment, *formulas), LETTERS[row["label"]]


def folio_formulas(data: Path) -> None:
    """How many of FOLIO's formulas parse, and how many of its stories go together."""
    for name in ("train", "validation"):
        parsed, stories = Counter[bool](), Counter[str]()
        told = {tuple(row["premises-FOL"]) for row in rows_of(data / "folio" / f"{name}.jsonl")}
        for premises in told:
            formulas = []
            for text in premises:
                try:
                    formulas.append(fol.parse(text))
                except fol.FormulaError:
                    continue
            parsed[True] += len(formulas)
            parsed[False] += len(premises) - len(formulas)
            try:
                fol.signature(formulas)
            except fol.FormulaError:
                stories["a name used in two ways"] += 1
                continue
            stories["whole" if len(formulas) == len(premises) else "with a malformed formula"] += 1
        print(
            f"FOLIO {name}, premises told apart by story: {parsed[True]} of {parsed.total()} "
            f"formulas parse; stories: {dict(stories)}"
        )


async def prontoqa(data: Path, proofs: int) -> None:
    """ProntoQA's English, read and judged by the logic domain."""
    domain = Logic(Toolbox(build(Logic.tools)))
    answers, wrong_passed, steps, read, seconds = Counter[Any](), 0, Counter[Any](), 0, []
    for number, row in enumerate(rows_of(data / "logic_llm" / "ProntoQA_dev.jsonl")):
        problem = domain.parse(json.dumps(row))
        read += problem.data["claim"] is not None
        for letter in "AB":
            verdict = await domain.verify_answer(problem, letter)
            if letter == row["answer"]:
                answers[verdict.ok] += 1
            else:
                wrong_passed += verdict.ok is True
        for claim in row["explanation"] if number < proofs else []:
            started = perf_counter()
            verdict = await domain.verify_state(problem, State("step", {"claim": claim}), [])
            seconds.append(perf_counter() - started)
            steps[verdict.ok] += 1
    print(
        f"logic domain on ProntoQA's English: {read} of {answers.total()} problems formalised; "
        f"gold answers: {_counted(answers)}; wrong answers passed: {wrong_passed}\n"
        f"steps of {proofs} gold proofs: {_counted(steps)}; "
        f"p50 {1000 * quantiles(seconds)[1]:.0f} ms a step"
    )


def _counted(verdicts: Counter[Any]) -> str:
    return f"{verdicts[True]} passed, {verdicts[False]} refuted, {verdicts[None]} cannot be told"


def main() -> int:
    parser = options(__doc__, puzzles=300, proofs=50, seed=0)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    given = parser.parse_args()
    header(f"seed {given.seed}")
    print(HEAD, flush=True)
    TOOL.invoke({"program": "ans = 1"})  # starts the sandbox
    rows = made = puzzles(given.puzzles, given.seed)
    for row in rows:
        row.show()
    if given.data.is_dir():
        for name in RECORDED:
            rows = [*rows, recorded(f"GPT-4's programs, {name}", gpt4(given.data, name))]
            rows[-1].show()
        rows.append(recorded("FOLIO's own formulas, validation", folio_gold(given.data)))
        rows[-1].show()
        print()
        for row in rows:
            row.explain()
        print()
        folio_formulas(given.data)
        asyncio.run(prontoqa(given.data, given.proofs))
    else:
        print(f"no folder {given.data}: only the puzzles ran")
    return 0 if all(row.right == row.programs for row in made) else 1


if __name__ == "__main__":
    sys.exit(main())
