"""What the judge learns: the sources that judge, with the solver's own mistakes beside the made.

The prompts and replies are those of the pocket model's curriculum. Where a whole solution stands in
the prompt, the judge also learns to read it (see :func:`lined`).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial

from agentflow import prompts
from training import baseline_verifiers, flawed, roles
from training.curriculum import SOURCES, Source
from training.game24 import Part
from training.judging import hard, own, strangers
from training.judging.label import Labelled, silent
from training.mistakes import POCKET, Example, judged
from training.texts import CONTEXT_CHARACTERS, answered, asked, fits, prompt, rendered

OWN = 0.6
"""Share of the texts about a whole solution that are about one of the solver's own."""

WEIGHTS = {
    "completeness": 4.0,
    "flexive_fast": 26.0,
    "flexive_slow": 24.0,
    "strangers": 12.0,
    "hard": 18.0,
    "rewriter": 10.0,
    "step_score": 2.0,
    "critic": 3.0,
    "vanilla": 2.0,
    "verifier": 0.75,
    "critique": 0.75,
    "follows": 1.5,
    "premises": 1.0,
    "backward": 1.0,
    "meta": 1.5,
    "action": 1.0,
    "evaluation": 1.5,
    "reflection": 0.75,
}
"""The sources of the pocket model's curriculum that judge, and how often each is drawn."""

_ASKED_AS = {"strangers": "flexive_fast", "hard": "flexive_fast", "rewriter": "long"}
"""Source of the judge's own -> the one whose prompt and reply it has."""

Texts = Callable[..., Iterator[list[Part]]]

_FIRST = "<step_0>\n"
_TAG = re.compile(r"</?step_(\d+)>")
_LINE = re.compile(r"[^\n]+\n+")
_END = "\n\n"
"""What the end of the thinking leaves between it and the answer."""


@cache
def sources(path: str, weights: tuple[tuple[str, float], ...] = ()) -> dict[str, Source]:
    """Every kind of text by its name.

    Args:
        path: A file of the solver's labelled solutions.
        weights: (name, how often it is drawn) of those that are drawn more or less often than
            :data:`WEIGHTS` says.

    Raises:
        ValueError: For a name that there is not.
    """
    if unknown := [name for name, _ in weights if name not in WEIGHTS]:
        raise ValueError(f"no kind of text: {', '.join(unknown)}. There are: {', '.join(WEIGHTS)}")
    of_own: dict[str, Callable[[Labelled, random.Random], list[Part] | None]] = {
        "completeness": _complete,
        "flexive_fast": partial(_critic, stage="fast"),
        "flexive_slow": partial(_critic, stage="slow"),
        "step_score": _step,
        "critic": _scored,
        "vanilla": _opinion,
    }
    made: dict[str, Texts] = {
        "flexive_fast": partial(_made_critic, stage="fast"),
        "flexive_slow": partial(_made_critic, stage="slow"),
        "strangers": _strangers,
        "hard": partial(_made_critic, stage="fast", examples=hard.examples),
        "rewriter": partial(_rewriter, path=path),
    }
    found = {}
    for name, weight in {**WEIGHTS, **dict(weights)}.items():
        source = SOURCES[_ASKED_AS.get(name, name)]
        texts: Texts = made.get(name, source.texts)
        if name in of_own:
            texts = partial(_mixed, path=path, made=texts, text=of_own[name])
        found[name] = replace(source, texts=texts, weight=weight, stage=0)
    return found


def _mixed(
    seed: int,
    *,
    path: str,
    made: Texts,
    text: Callable[[Labelled, random.Random], list[Part] | None],
    held_out: bool = False,
) -> Iterator[list[Part]]:
    """Endless texts about made solutions, and about the solver's own where there are any."""
    rng = random.Random(f"own {seed}")
    rows = own.kinds_in(path, of_held_out=held_out)
    others = made(seed, held_out=held_out)
    mine = own.balanced(rng, rows) if rows else iter(())
    while True:
        if rng.random() >= OWN or not rows:
            yield next(others)
        elif (parts := text(next(mine), rng)) and fits(parts, CONTEXT_CHARACTERS):
            yield parts


def _made_critic(
    seed: int,
    *,
    stage: roles.Stage,
    examples: Callable[..., Iterator[Example]] = flawed.examples,
    held_out: bool = False,
) -> Iterator[list[Part]]:
    for one in examples(seed, held_out=held_out):
        parts = critic(one, stage)
        if fits(parts, CONTEXT_CHARACTERS):
            yield parts


def _strangers(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    for one in strangers.examples(seed, held_out=held_out):
        yield strangers.unread(critic(one, "fast"))


def critic(one: Example, stage: roles.Stage) -> list[Part]:
    """A verdict on a solution, fast or slow, and the reading of its lines."""
    prompt, reply = roles.critic_text(one, stage)
    return [*lined(prompt.text, one), reply]


def _rewriter(seed: int, *, path: str, held_out: bool = False) -> Iterator[list[Part]]:
    """Right solutions as a solver writes them: what :mod:`agentflow.nodes.rewrite` asks for. Half
    of them are of the hard kinds, half the solver's own."""
    rng = random.Random(f"rewriter {seed}")
    rows = own.kinds_in(path, of_held_out=held_out, right=True)
    mine = own.balanced(rng, rows) if rows else None
    for one in hard.examples(seed, held_out=held_out):
        for said in (one, own.example(next(mine)) if mine else one):
            parts = solved(said)
            if said.wrong < 0 and fits(parts):
                yield parts


def solved(one: Example) -> list[Part]:
    """A right solution behind the prompt that solvers get."""
    thinking, _, answer = "".join(one.steps).rpartition(_END)
    user = prompts.for_problem("interwhen", one.problem, POCKET)[1]
    said = f"{thinking.rstrip()}\n{POCKET.think_close}\n{answer}{POCKET.stops[0]}"
    return [Part(prompt(user), learn=False), Part(said)]


def _critic(row: Labelled, rng: random.Random, stage: roles.Stage) -> list[Part]:
    return critic(own.example(row), stage)


def lined(prompt: str, one: Example) -> list[Part]:
    """A prompt that shows a solution in steps, and of its lines up to the first wrong one whether
    they are right. The right ones are learned: a wrong line is known by what should be there."""
    begin, end = prompt.index(_FIRST) + len(_FIRST), prompt.rindex("</step_")
    parts, place, step, wrong = list[Part](), 0, 0, wrong_line(one)
    for found in _LINE.finditer(prompt, begin, end):
        said = found[0].strip()
        if tag := _TAG.fullmatch(said):
            step = int(tag[1])
            continue
        right = not (step == one.wrong and said == wrong)
        parts.append(Part(prompt[place : found.start()], learn=False))
        parts.append(Part(found[0], learn=False, right=right))
        place = found.end()
        if not right:
            break
    return [*parts, Part(prompt[place:], learn=False)]


def wrong_line(one: Example) -> str:
    """The first wrong line of an example; empty for none."""
    if one.line or one.wrong < 0:
        return one.line
    for index, state, verdict in judged(one.problem, one.steps):
        if not verdict.ok:
            return one.steps[index][: state.end].rstrip().splitlines()[-1].strip()
    return ""


def _complete(row: Labelled, rng: random.Random) -> list[Part] | None:
    """Whether a solver's thinking is complete, at a place where it may hesitate."""
    thinking = f"{''.join(row.steps).rpartition(_END)[0].rstrip()}\n"
    problem, complete = own.problem(row.domain, row.text), rng.random() < 0.5
    return roles.completeness_text(rng, problem, row.answer or None, thinking, complete=complete)


def _step(row: Labelled, rng: random.Random) -> list[Part]:
    """A line of the solver's with the one before it, and whether it is right; of a wrong solution
    the wrong line every second time."""
    lines = [line.strip() for line in "".join(row.steps).splitlines() if line.strip()]
    wrong = lines.index(row.line) if row.line else None
    told = [at for at, line in enumerate(lines[:wrong]) if not silent(line)]
    at = wrong if wrong is not None and (not told or rng.random() < 0.5) else rng.choice(told)
    said = {"is_correct": at != wrong, "confidence": float(at != wrong)}
    before = lines[at - 1] if at else prompts.stated(own.problem(row.domain, row.text), POCKET)
    return answered(rendered("scorers", "step", before=before, step=lines[at]), json.dumps(said))


def _opinion(row: Labelled, rng: random.Random) -> list[Part]:
    return _about(row, "baseline_verifiers", "vanilla", "correct", row.wrong < 0)


def _scored(row: Labelled, rng: random.Random) -> list[Part]:
    return _about(row, "critic", "critic", "score", float(row.wrong < 0))


def _about(row: Labelled, folder: str, name: str, field: str, value: object) -> list[Part]:
    reply = json.dumps({"reason": row.reason or baseline_verifiers.RIGHT, field: value})
    texts = {"problem": own.problem(row.domain, row.text).text}
    return asked(folder, name, reply, solution="".join(row.steps).strip(), **texts)
