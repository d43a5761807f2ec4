"""A report on 1,000 samples of 30,000 tokens: what it takes to write, how large it is, how soon it
opens in a browser (where playwright and a Chromium are installed).

python benchmarks/report.py [samples] [tokens]
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from time import monotonic, process_time

from agentflow.evaluation import report
from agentflow.evaluation.collected import collect
from agentflow.evaluation.records import arm_line
from agentflow.evaluation.runner import Record
from agentflow.evaluation.traces import folder_of, keep
from agentflow.ledger import Entry
from agentflow.run import Result
from agentflow.trace import Segment, Trace

SENTENCE = "so then we try the other side of it and find that 12 - 8 = 4 is what remains"
WORDS = SENTENCE.split()
GOAL = 2.0
"""Seconds in which the page, and a sample in it, are to be there."""


def sample(number: int, tokens: int) -> Result:
    """A made-up run of so many tokens: a state a paragraph with its verdict, signals, two cuts."""
    rng, trace, events = random.Random(number), Trace(), list[dict[str, object]]()
    trace.append(Segment("prompt", "a question\n", (1, 2), ()))
    for leg in range(3):
        start = len(trace.body)
        pieces = [rng.choice(WORDS) + ("\n\n" if n % 60 == 59 else " ") for n in range(tokens // 3)]
        ends, at, places = list[int](), 0, list[int]()
        for piece in pieces:
            at += len(piece)
            ends.append(at)
            if piece.endswith("\n"):
                places.append(at)
        trace.append(Segment("generated", "".join(pieces), tuple(range(len(pieces))), tuple(ends)))
        for place in places:
            state = {"kind": "check_point", "data": {"tokens": place}, "end": start + place}
            verdict = {"ok": True, "reason": "", "kind": "", "score": None, "source": "early_exit"}
            signals = {"entropy": rng.random(), "confidence": rng.random()}
            rules = {"entropy": {"variance": rng.random()}}
            evidence = {"signals": signals, "rules": rules}
            events.append(
                {"type": "verdict", "monitor": "early_exit", "answering": False}
                | {"state": {**state, "start": start + place}}
                | {"verdict": {**verdict, "evidence": evidence, "first_wrong_step": None}}
            )
        if leg < 2:
            trace.cut(start + places[-3], "the sum is wrong")
        node = {"type": "node", "name": "solve", "inside": "", "seconds": 1.0, "paused": False}
        events.append({**node, "error": "", "operations": 1 + (leg < 2)})
    ledger = {"solver/0": asdict(Entry("solver", 3, 100, 50, tokens, trace.wasted, 3.0))}
    problem = {"text": f"problem {number}", "id": str(number), "gold": "4"}
    return Result(
        "4", "unverified", problem=problem, method="early_exit", ledger=ledger,
        operations=trace.operations, events=events,
    )  # fmt: skip


def write_records(out: Path, samples: int, tokens: int) -> None:
    """Records with their trace files, as a run leaves them."""
    with out.open("w") as file:
        print(json.dumps(arm_line("early exit", "early_exit", {}, "made up")), file=file)
        for number in range(samples):
            result = sample(number, tokens)
            right = number % 3 > 0
            record = Record(
                "early exit", result.problem["text"], 0, result.status, result.answer, right,
                tokens, result.cost.wasted, 100, 3, 2, 3.0, None, result.trace.body,
                extra=keep(folder_of(out), result, right),
            )  # fmt: skip
            print(json.dumps(asdict(record)), file=file)


def opening(page: Path) -> tuple[float, float] | None:
    """Seconds until the overview is drawn, and until a sample is; None where no browser is."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        tab = browser.new_page()
        begun = monotonic()
        tab.goto(page.as_uri())
        tab.wait_for_selector("table")
        opened = monotonic()
        tab.keyboard.press("j")
        tab.wait_for_selector(".trace")
        tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        drawn = monotonic()
        browser.close()
    return opened - begun, drawn - opened


def main() -> None:
    given = [int(value) for value in sys.argv[1:3]]
    samples, tokens = [*given, *(1000, 30_000)[len(given) :]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder / "r.jsonl", samples, tokens)
        traces = sum(path.stat().st_size for path in folder_of(folder / "r.jsonl").iterdir())
        begun = process_time()
        report.write(report.report_on(collect([folder])), folder / "report")
        took = process_time() - begun
        scripts = sum(path.stat().st_size for path in (folder / "report" / "samples").iterdir())
        page = folder / "report" / "index.html"
        print(f"{samples} samples of {tokens} tokens")
        records = (folder / "r.jsonl").stat().st_size
        print(f"records {records / 1e6:.1f} MB, traces {traces / 1e6:.1f} MB")
        print(f"report: page {page.stat().st_size / 1e6:.2f} MB, samples {scripts / 1e6:.1f} MB")
        print(f"written in {took:.1f} s of CPU")
        if times := opening(page):
            missed = "" if max(times) < GOAL else f" (goal missed: {GOAL} s)"
            print(f"opens in {times[0]:.2f} s, a sample in {times[1]:.2f} s{missed}")
        else:
            print("no browser: opening was not measured")


if __name__ == "__main__":
    main()
