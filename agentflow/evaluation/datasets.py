"""Problems to evaluate on, and who is right about them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from agentflow import domains
from agentflow.domains import Domain, arithmetic
from agentflow.domains.game24 import solutions
from agentflow.errors import BadInput, known
from agentflow.evaluation import hub, tables
from agentflow.evaluation.tables import Broken, Row
from agentflow.generators import FAMILIES, generate
from agentflow.own_parts import equal_of
from agentflow.problem import Problem

_TEXT, _GOLD = ("text", "problem", "question"), ("gold", "answer")
"""What the fields of a file may be called."""

Skipped = Callable[[str], None]
"""Told of each row that cannot be used: its place and why (``line 3: it has no text``)."""


def _silent(row: str) -> None:
    pass


def held_out() -> list[str]:
    """The Game of 24 puzzles that the pocket model was never trained on."""
    text = (Path(__file__).parent / "data" / "game24_held_out.txt").read_text("utf-8")
    return text.split("\n")[:-1]


def sample(count: int) -> list[Problem]:
    """So many of the held-out puzzles, from all over their list."""
    puzzles = load("game24")
    return puzzles[:: max(1, len(puzzles) // count)][:count]


def load(name: str, domain: str | None = None, skipped: Skipped = _silent) -> list[Problem]:
    """The problems of a dataset, but for rows that cannot be used.

    Args:
        name: ``game24``: the bundled held-out puzzles. ``generate:DOMAIN?count=100&seed=0``. A name
            in :data:`~agentflow.evaluation.hub.SOURCES` (``gsm8k``), or
            ``hub:OWNER/NAME?files=…&revision=…``: from the Hugging Face hub. Else a file of JSON
            lines, JSON, CSV or Parquet. The fields of a file, and of ``hub:``, are named with
            ``?text=…&gold=…&id=…&type=…&difficulty=…``; by default ``text`` (or ``problem``,
            ``question``), ``gold`` (or ``answer``) and ``id``. Several sets of the hub may be
            joined by ``+``. ``?sample=300`` draws so many (:func:`subset`), always the same ones,
            or others with ``&sample_seed=…``; with ``&by=type`` as many of each type.
        domain: Who parses them; by default the dataset's own, else ``game24``.
        skipped: Told of each row that is no problem of the domain, has no gold answer that a run
            can be judged by, or is the same as one before. Other rows keep their ids.

    Raises:
        BadInput: If there is no such dataset, or no row of it can be used: says why the first
            ones cannot.
    """
    plain, drawn = _drawn(name)
    if drawn:
        return subset(load(plain, domain, skipped), **drawn)
    if name == "game24":
        return [domains.get(domain or name).parse(text) for text in held_out()]
    if name.startswith("generate:"):
        return _generated(name.removeprefix("generate:"), domain)
    if "+" in name and all(one in hub.SOURCES for one in name.split("+")):
        return [found for one in name.split("+") for found in load(one, domain, skipped)]
    if name in hub.SOURCES:
        source = hub.SOURCES[name]
        found, more = hub.download(source), _answers(source, skipped)
        problem = source.problem if more is None else partial(_joined, source.problem, more)
        return _problems(name, found, problem, domain or source.domain, skipped)
    on_hub = name.startswith("hub:")
    place, options = _options(name.removeprefix("hub:"))
    problem = _named(name, options)
    if on_hub:
        files = options.pop("files", "default/test/*.parquet")
        revision = options.pop("revision", hub.PARQUET)
        source = hub.Source(place, domain or "game24", problem, files, revision)
        found = hub.download(source)
    elif Path(place).is_file():
        found = [Path(place)]
    elif Path(place).is_dir():
        raise BadInput(f"{place}: no dataset: it is a folder; name a file in it")
    else:
        there = known(place, ("game24", "generate:DOMAIN", *hub.SOURCES))
        raise BadInput(f"{place}: no dataset: there is no such file and no such name; {there}")
    _refuse(name, options)
    return _problems(place, found, problem, domain or "game24", skipped)


def _drawn(name: str) -> tuple[str, dict[str, Any]]:
    """What is drawn from, and how: the options of :func:`subset`; empty to take all."""
    place, options = _options(name)
    if "sample" not in options:
        return name, {}
    try:
        count, seed = int(options.pop("sample")), int(options.pop("sample_seed", 0))
    except ValueError as error:
        raise BadInput(f"{name}: sample and sample_seed are whole numbers ({error})") from error
    by = options.pop("by", "")
    rest = "?".join(filter(None, (place, urlencode(options))))
    return rest, {"count": count, "seed": seed, "by": by}


def subset(problems: Sequence[Problem], count: int, seed: int = 0, by: str = "") -> list[Problem]:
    """So many problems, in their order; those of a smaller count are among those of a larger one.

    Args:
        by: ``type`` or ``difficulty``: as many of each, as far as there are.

    Raises:
        BadInput: If it is none, or no problem says its ``by``.
    """
    if not count >= 1:
        raise BadInput(f"a sample of {count} problems")
    if by and not any(by in problem.data for problem in problems):
        raise BadInput(f"by={by}: the data set says of no problem what {by} it is of")
    groups: dict[str, list[int]] = {}
    for index, problem in enumerate(problems):
        groups.setdefault(str(problem.data.get(by, "")), []).append(index)
    for name, group in groups.items():
        random.Random(f"{seed} {name}").shuffle(group)
    turns = [index for turn in zip_longest(*groups.values()) for index in turn if index is not None]
    return [problems[index] for index in sorted(turns[:count])]


def _answers(source: hub.Source, skipped: Skipped) -> dict[str, Row] | None:
    """The rows of a second file, by their ids, where the answers stand apart."""
    if not source.answers:
        return None
    files = hub.download(replace(source, files=source.answers))
    return {
        str(row["id"]): row
        for _, row in _rows(files, lambda *why: skipped(": ".join(why)))
        if "id" in row
    }


def _joined(problem: Callable[[Row], Row | None], more: dict[str, Row], row: Row) -> Row | None:
    return problem({**more.get(str(row.get("id")), {}), **row})


def _options(name: str) -> tuple[str, dict[str, str]]:
    """What stands before the ``?``, and what it is followed by."""
    place, _, query = name.partition("?")
    return (name, {}) if Path(name).is_file() else (place, dict(parse_qsl(query)))


def _refuse(name: str, options: dict[str, str]) -> None:
    if options:
        raise BadInput(f"{name}: what is {', '.join(options)}? see `agentflow eval --help`")


def _generated(name: str, domain: str | None) -> list[Problem]:
    kind, options = _options(name)
    try:
        count, seed = int(options.pop("count", 100)), int(options.pop("seed", 0))
    except ValueError as error:
        raise BadInput(f"generate:{name}: count and seed are whole numbers ({error})") from error
    if kind.partition(":")[0] in FAMILIES:  # the rest is part of the domain's name
        kind, options = "?".join(filter(None, (kind, urlencode(options)))), {}
    _refuse(f"generate:{name}", options)
    if count < 1 or seed < 0:
        raise BadInput(f"generate:{name}: count is at least 1, seed at least 0")
    if domain not in (None, kind) and kind.partition(":")[0] not in FAMILIES:
        raise BadInput(f"generate:{name}: problems of {kind}, not of the domain {domain}")
    return list(generate(kind, count, seed))


def _named(name: str, options: dict[str, str]) -> Callable[[Row], Row | None]:
    """The problem of a row by the fields that the options name; takes these out of them."""
    names = ("text", "gold", "id", "type", "difficulty")
    fields = {key: options.pop(key) for key in names if key in options}
    if fields and "text" not in fields:
        raise BadInput(f"{name}: name the field of the text, too: ?text=…")
    return hub.fields(**fields) if fields else _usual


def _usual(row: Row) -> Row:
    """The problem of a row whose fields have the usual names."""
    text, gold, id = (
        next((name for name in names if row.get(name) is not None), "")
        for names in (_TEXT, _GOLD, ("id",))
    )
    if not text:
        there = ", ".join(f"{name!s:.40}" for name in list(row)[:8] if row[name] is not None)
        raise ValueError(
            f"none of the fields {', '.join(_TEXT)} is there; there are: {there or 'none'}"
        )
    about = {name: name for name in ("type", "difficulty") if row.get(name) is not None}
    return hub.fields(text, gold, id, **about)(row)


def _problems(
    name: str,
    files: Sequence[Path],
    problem: Callable[[Row], Row | None],
    domain: str,
    skipped: Skipped,
) -> list[Problem]:
    """The problems of all rows that can be used; refused if there is none."""
    refused: list[str] = []
    by_text, by_id, judge = dict[str, str](), set[str](), domains.get(domain)
    problems = []
    for place, row in _rows(files, lambda place, why: refused.append(f"{place}: {why}")):
        try:
            found = problem(row)
            if found is None:
                continue
            parsed = _parsed(found, row, judge, ".".join(re.findall(r"\d+", place)))
            if parsed.text in by_text:  # runs are told apart by their problem's text
                raise ValueError(f"the same problem as {by_text[parsed.text]!r}")
            if parsed.id in by_id:
                raise ValueError(f"the id {parsed.id!r} was there before")
        except KeyError as error:
            refused.append(f"{place}: no field {error}; there are: {', '.join(row)}")
        except (AttributeError, TypeError) as error:
            refused.append(f"{place}: a field of another type: {error}")
        except (ValueError, RecursionError, BadInput) as error:
            refused.append(f"{place}: {error}")
        else:
            by_text[parsed.text] = parsed.id
            by_id.add(parsed.id)
            problems.append(parsed)
    if not problems:
        why = f", {tables.shown(refused)}" if refused else ": an empty file"
        raise BadInput(name + why)
    for one in refused:
        skipped(one)
    return problems


def _rows(files: Sequence[Path], broken: Broken) -> Iterator[tuple[str, Row]]:
    """The rows of all files; where there are several, a place begins with the file's number."""
    for number, file in enumerate(files, 1):
        before = f"file {number}, " if len(files) > 1 else ""
        for place, row in tables.read(file, partial(_told, broken, before, file)):
            yield before + place, row


def _told(broken: Broken, before: str, file: Path, place: str, why: str) -> None:
    if place == tables.WHOLE:
        raise BadInput(f"{file}, {place}: {why}")
    broken(before + place, why)


def _parsed(found: Row, row: Row, domain: Domain, number: str) -> Problem:
    """A row's problem as the domain sees it.

    Raises:
        ValueError, BadInput: If it is none, or a run cannot be judged by its gold answer.
    """
    text = found["text"]
    if not (isinstance(text, str) and text.strip()):
        raise ValueError("it has no text")
    id = id_of(found, number)
    about = {key: str(found[key]) for key in ("type", "difficulty") if found.get(key) is not None}
    see_sendable(text, id, str(found.get("gold")), *about.values())
    parsed = domain.parse(text, id)
    if about:
        parsed = replace(parsed, data={**parsed.data, **about})
    if (gold := gold_of(found.get("gold"))) is None:
        if parsed.domain != "game24":
            raise ValueError("it has no gold answer to judge by")
        return parsed
    options = row.get("options")
    if isinstance(options, list) and not _among(gold, list(map(str, options))):
        raise ValueError(f"the gold answer {gold[:40]!r} is none of the options")
    if domain.normalise(parsed, gold) is None:
        raise ValueError(f"the gold answer {gold[:40]!r} is no answer to it")
    return replace(parsed, gold=gold)


def id_of(row: Row, name: str) -> str:
    """The id of a row, or a name for one that has none."""
    id = row.get("id")
    return name if id in (None, "") else str(id)


def see_sendable(*texts: str) -> None:
    """See that texts can be sent and recorded.

    Raises:
        ValueError: If one has half a surrogate pair.
    """
    "".join(texts).encode()


def gold_of(value: Any) -> str | None:
    """The gold answer that a row has, as a text; None for none.

    Raises:
        ValueError: If no answer can be judged by it.
    """
    if isinstance(value, list | dict):
        raise ValueError("the gold answer is a list or an object")
    if isinstance(value, float) and not isfinite(value):  # as pandas writes what is missing
        raise ValueError(f"the gold answer is no number: {value}")
    return None if value is None else str(value)


def _among(gold: str, options: list[str]) -> bool:
    """Whether an answer is one of the options: the whole of it, its letter, or what follows it."""
    for letter, option in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", options, strict=False):
        text = re.sub(rf"^\(?{letter}[).:]\s*", "", option)
        if gold.strip() in (letter, option.strip(), text.strip()):
            return True
    return False


async def right(problem: Problem, answer: str | None) -> bool:
    """Whether an answer is right, by a judge that no method uses.

    For Game of 24 all solutions are enumerated; else the answer must equal the gold one.

    Raises:
        BadInput: If there is nothing to judge by.
    """
    if answer is None:
        return False
    if problem.domain == "game24":
        expression = arithmetic.parse(arithmetic.plain(answer))
        return expression is not None and right_form(problem, arithmetic.normal_form(expression))
    return await equal_of(domains.get(problem.domain), problem, answer, _gold(problem)) is True


def right_form(problem: Problem, form: str) -> bool:
    """:func:`right` for the normal form of an answer."""
    if problem.domain == "game24":
        return form in _solutions(problem.text)
    domain = domains.get(problem.domain)
    gold = domain.normalise(problem, _gold(problem))
    return gold is not None and domain.matches(problem, form, gold)


def _gold(problem: Problem) -> str:
    if problem.gold is None:
        raise BadInput(f"problem {problem.id!r} has no gold answer to judge by")
    return problem.gold


@cache
def _solutions(numbers: str) -> frozenset[str]:
    return frozenset(map(arithmetic.normal_form, solutions([Fraction(n) for n in numbers.split()])))
