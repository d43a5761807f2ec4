"""A report as files: Markdown, CSV, plots, and a page with every sample behind it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup

from agentflow import trace_file
from agentflow.errors import BadInput
from agentflow.evaluation import markdown as tables
from agentflow.evaluation import plots, require
from agentflow.evaluation.collected import Collected
from agentflow.evaluation.lead import lead
from agentflow.evaluation.runner import Record
from agentflow.evaluation.sections import sections
from agentflow.evaluation.summary import (
    Comparison,
    Summary,
    by_difficulty,
    comparisons,
    summaries,
)
from agentflow.files import unwritable, write_whole
from agentflow.pages import encoded, report_page, sample_script, write_page
from agentflow.pages.sample import sample_of

_READING = (
    "Costs are means a run; runs that failed do not count. In brackets: 95 % intervals, Wilson's. "
    "accuracy: right answers over all runs. answered: answers given. soundness: right ones among "
    "those. of verified: right ones among answers with the status verified. answers judged: runs "
    "whose answer the domain's verifier told right from wrong. tokens: generated, "
    "wasted ones and probes included. samples: trajectories a run took. dollars: a run, by the "
    "models' prices. F_theo: FLOPs a problem; S_CI: its compute intensity."
)
_PAIRED = (
    "Over the runs that both have. gain: points of accuracy; it and tokens over the other's, with "
    "95 % bootstrap intervals over problems. only it, only the other: runs that only one has "
    "right. McNemar: exact, two-sided; only where each problem was run once."
)
_CAPTIONS = {
    "accuracy": "Accuracy against tokens; whiskers are 95 % intervals.",
    "roles": "Generated tokens by role.",
    "difficulty": "Accuracy by difficulty: the problems in thirds, by the tokens that {} needed.",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What a report tells.

    Attributes:
        found: The runs.
        lines: A line an arm that has a run which did not fail.
        pairs: Every two of them beside each other.
    """

    found: Collected
    lines: list[Summary]
    pairs: list[Comparison]


def report_on(found: Collected) -> Report:
    """What there is to tell of runs.

    Raises:
        BadInput: If scipy or matplotlib is missing, or no run has finished.
    """
    require("reports", "scipy", "matplotlib")
    lines = summaries(found)
    if not lines:
        raise BadInput("no run has finished: there is nothing to report")
    return Report(found, lines, comparisons(found))


def cells(line: Summary) -> dict[str, str]:
    """A line of the table by its columns, as people read it."""
    cost = line.compute
    return {
        "arm": line.arm,
        "runs": str(line.runs),
        "accuracy": line.accuracy.percent(),
        "answered": tables.percent(line.answered),
        "soundness": tables.percent(line.sound),
        "verified": str(line.verified),
        "of verified": tables.percent(line.verified_sound),
        "answers judged": "–" if line.judged is None else str(line.judged),
        "tokens": tables.number(line.tokens, 0),
        "wasted": tables.number(line.wasted),
        "corrections": tables.number(line.corrections, 2),
        "probes": tables.number(line.probes),
        "tool calls": tables.number(line.tools),
        "seconds": tables.number(line.seconds, 2),
        "samples": "–" if line.samples is None else tables.number(line.samples, 2),
        "dollars": "–" if line.dollars is None else f"{line.dollars:.4g}",
        "F_theo": f"{cost.flops:.3g}" if cost else "–",
        "S_CI": f"{cost.intensity:.3g}" if cost else "–",
    } | {f"{role} tokens": tables.number(tokens, 0) for role, tokens in line.roles.items()}


def pair_cells(pair: Comparison) -> dict[str, str]:
    """A paired comparison by its columns."""
    tokens = pair.tokens
    return {
        "arm": pair.arm,
        "beside": pair.base,
        "runs": str(pair.runs),
        "gain, points": pair.gain.points(),
        "tokens": f"{tokens.value:+,.0f} [{tokens.low:+,.0f}, {tokens.high:+,.0f}]",
        "only it": str(pair.only_arm),
        "only the other": str(pair.only_base),
        "McNemar p": "–" if pair.p is None else f"{pair.p:.3g}",
    }


def warnings(found: Collected, lines: Sequence[Summary], without: int = 0) -> list[str]:
    """What a reader must know first; ``without`` samples have no trace."""
    said = []
    for arm, (there, wanted, failed) in found.unfinished.items():
        reason = f", {failed} failed" if failed else ""
        said.append(f"Unfinished: {arm} has {there} of {wanted} runs{reason}.")
    for why, arms in _grouped({line.arm: line.why for line in lines if line.why}).items():
        said.append(f"No F_theo and S_CI for {', '.join(arms)}: {why}.")
    if without:
        said.append(f"{without} samples have no trace: of them the text alone is shown.")
    return said


def _grouped(reasons: dict[str, str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for arm, why in reasons.items():
        groups.setdefault(why, []).append(arm)
    return groups


def title(found: Collected) -> tuple[str, str]:
    """The report's title, and what it rests on."""
    records = [record for one in found.records.values() for record in one]
    problems = len({record.problem for record in records})
    models = dict.fromkeys(str(line["model"]) for line in found.arms.values())
    (version,) = {line["version"] for line in found.arms.values()}
    parts = [
        f"{problems:,} problems",
        f"{len(records):,} runs",
        f"model {', '.join(models)}",
        f"agentflow {version}",
    ]
    return found.dataset or "Report", " · ".join(parts)


def markdown(report: Report) -> str:
    """The report's tables as Markdown."""
    found, lines, pairs = report.found, report.lines, report.pairs
    name, about = title(found)
    parts = [
        f"# {name}",
        about,
        lead(lines, pairs),
        *warnings(found, lines),
        tables.table(map(cells, lines), empty=False),
    ]
    parts += [_READING, *sections(found)]
    if pairs:
        parts += [
            "## Paired comparisons",
            tables.table(map(pair_cells, pairs), empty=False),
            _PAIRED,
        ]
    return "\n\n".join(parts) + "\n"


def plain(line: Summary) -> dict[str, Any]:
    """A line as numbers, one a column; an interval is three, and what is not known is None."""
    found: dict[str, Any] = {"arm": line.arm, "method": line.method, "runs": line.runs}
    for name in ("accuracy", "answered", "sound", "verified_sound"):
        share = getattr(line, name)
        for part, suffix in (("value", ""), ("low", "_low"), ("high", "_high")):
            found[name + suffix] = getattr(share, part) if share else None
    for name in ("verified", "tokens", "wasted", "prompt", "calls", "corrections", "seconds"):
        found[name] = getattr(line, name)
    found |= {"probes": line.probes, "tools": line.tools}
    found |= {"samples": line.samples, "dollars": line.dollars}
    found["f_theo"] = line.compute.flops if line.compute else None
    found["s_ci"] = line.compute.intensity if line.compute else None
    return found | {f"tokens_{role}": tokens for role, tokens in line.roles.items()}


def table(report: Report) -> str:
    """The arms as CSV."""
    lines = [plain(line) for line in report.lines]
    file = io.StringIO()
    columns = dict.fromkeys(name for line in lines for name in line)
    writer = csv.DictWriter(file, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return file.getvalue()


def write(report: Report, folder: Path) -> None:
    """Write the report: ``report.md``, ``report.csv``, plots, ``index.html`` and its samples.

    Raises:
        BadInput: If the folder has other things in it or cannot be written.
    """
    try:
        _empty(folder)
        write_whole(folder / "report.md", encoded(markdown(report)))
        write_whole(folder / "report.csv", encoded(table(report)))
        figures = plots.draw(report.lines, by_difficulty(report.found))
        for name, figure in figures.items():
            write_whole(folder / f"{name}.png", plots.png(figure))
        index, without = _samples(report.found, folder / "samples")
        drawings = {name: plots.svg(figure, name) for name, figure in figures.items()}
        page = _page(report, drawings, index, without)
        write_page(folder / "index.html", page)
    except OSError as error:
        raise unwritable(folder, error) from error


def _empty(folder: Path) -> None:
    """Make the folder, or clear a report that is there."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: is a file; a report is a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / "report.csv").exists():
        raise BadInput(f"{folder}: has other things in it and no report; name another folder")
    (folder / "samples").mkdir(parents=True, exist_ok=True)
    for old in (folder / "samples").glob("*.js"):
        old.unlink()


def _samples(found: Collected, folder: Path) -> tuple[list[list[Any]], int]:
    """Write a file for each sample; the index, and how many have no trace."""
    index, without, numbers = [], 0, dict[str, int]()
    for arm, records in found.records.items():
        for record in records:
            name = sha256(json.dumps(record.key).encode()).hexdigest()[:16]
            plain = sample_of(trace_file.from_record(_plain(record, found.arms[arm])))
            sample = plain
            if (traced := _traced(record, found.traces[arm])) is not None:
                sample = {name: plain[name] for name in _OF_ARM if name in plain} | traced
            else:
                without += record.status != "failed"
            write_whole(folder / f"{name}.js", sample_script(name, sample))
            about = [name, arm, record.problem[:300], record.seed, record.status]
            number = numbers.setdefault(record.problem, len(numbers))
            index.append([*about, record.answer, record.right, record.tokens, number])
    return index, without


_OF_ARM = ("model", "settings")
"""What a run's own file leaves to the line of its arm."""


def _traced(record: Record, folder: Path) -> dict[str, Any] | None:
    """The sample of a record's trace file; None if there is none that can be used."""
    if "trace" not in record.extra:
        return None
    try:
        return sample_of(trace_file.read(folder / str(record.extra["trace"])))
    except (BadInput, KeyError, TypeError, ValueError):
        return None


def _plain(record: Record, arm: dict[str, Any]) -> dict[str, Any]:
    return asdict(record) | {name: arm[name] for name in ("method", "model", "settings")}


def _page(
    report: Report,
    drawings: dict[str, str],
    index: Sequence[Sequence[Any]],
    without: int,
) -> str:
    found, lines, pairs = report.found, report.lines, report.pairs
    shown, compared = [*map(cells, lines)], [*map(pair_cells, pairs)]
    columns, pair_columns = (tables.columns(one, empty=False) for one in (shown, compared))
    name, about = title(found)
    first = next(iter(found.arms))
    return report_page(
        name,
        about,
        index,
        lead=lead(lines, pairs),
        warnings=warnings(found, lines, without),
        columns=columns,
        rows=tables.cells(shown, columns),
        shares={line.accuracy.percent(): line.accuracy for line in lines},
        reading=_READING,
        pair_columns=pair_columns,
        pairs=tables.cells(compared, pair_columns),
        pair_reading=_PAIRED,
        plots=[
            {"caption": _CAPTIONS[name].format(first), "svg": Markup(drawing)}
            for name, drawing in drawings.items()
        ],
        arms=[
            {
                **{part: line[part] for part in ("name", "method", "model")},
                "settings": ", ".join(f"{k}={json.dumps(v)}" for k, v in line["settings"].items()),
            }
            for line in found.arms.values()
        ],
    )
