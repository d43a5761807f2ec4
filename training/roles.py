"""Seeded training texts for the roles of solve_detect_verify, over every domain.

Each is a prompt exactly as the running code sends it, and the reply to learn. What a reply says is
the domain's own verdict, and the running code's parsers read it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import cycle

from agentflow import prompts
from agentflow.domains.game24 import judge_answer
from agentflow.judge import states
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers.flexive import Stage, question
from agentflow.whole_words import whole_words
from training import flawed, game24
from training.game24 import DOMAIN, Part
from training.mistakes import POCKET, Example, judged, solution
from training.texts import CONTEXT_CHARACTERS, DOUBTS, by_turns, fits, prompt, rendered, text_of
from training.tries import tries

_HESITATION = re.compile(whole_words(POCKET.hesitations), re.IGNORECASE)
_LINE = re.compile(r"^", re.MULTILINE)
_CLAIM = re.compile(r"(?m)^Answer: (.*)$")


def completeness(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless traces up to a place where they may hesitate, with the question whether the solution
    is complete; every second one is."""
    rng = random.Random(seed)
    drawn = thoughts(rng, held_out=held_out)
    for complete in cycle([True, False]):
        parts = None
        while parts is None:
            parts = completeness_text(rng, *next(drawn), complete=complete)
        yield parts


def completeness_text(
    rng: random.Random, problem: Problem, answer: str | None, thinking: str, *, complete: bool
) -> list[Part] | None:
    """The question at a place where the solution is complete, or is not; None without one."""
    # Solvers hesitate late; the question may be asked early.
    places = _LINE if not complete and rng.random() < 0.5 else _HESITATION
    found = [place.start() for place in places.finditer(thinking)]
    cuts = [at for at in found if is_complete(problem, answer, thinking[:at]) == complete]
    if not cuts:
        return None
    asked = completeness_prompt(problem, thinking[: rng.choice(cuts)])
    parts = [Part(asked, learn=False), Part(f"{'Yes' if complete else 'No'}<|im_end|>")]
    return parts if fits(parts) else None


def thoughts(
    rng: random.Random, *, held_out: bool = False
) -> Iterator[tuple[Problem, str | None, str]]:
    """Endless (problem, its answer if there is only one, what a solver thinks of it)."""
    numbers = game24.puzzles()[held_out]
    others = flawed.problems(rng, held_out=held_out)
    for name in by_turns(rng, flawed.TURNS):
        wrong = rng.random() < 0.5
        if name == "game24":
            puzzle = rng.choice(numbers)
            problem = game24.puzzle(puzzle)
            yield problem, None, solution(rng, puzzle, flawed=wrong).thinking
        else:
            one = next(others[name])
            said, _ = flawed.attempt(rng, one, flawed=wrong)
            yield one.problem, one.answer, "".join(f"{line}\n" for line in said)


def completeness_prompt(problem: Problem, thinking: str) -> str:
    """What the detector is asked behind a solver's thinking."""
    question = POCKET.follow_up(rendered("solve_detect_verify", "complete"), closed=False)
    user = prompts.for_problem("interwhen", problem, POCKET)[1]
    return prompt(user) + thinking + text_of(question)


def is_complete(problem: Problem, answer: str | None, thinking: str) -> bool:
    """Whether a right solution is the last that was claimed.

    Args:
        answer: The right one; None where the domain says which are.
    """
    if answer is not None:
        claimed = _CLAIM.findall(thinking)
        return bool(claimed) and claimed[-1] == answer
    claims = [one for one in states(DOMAIN, problem, thinking) if one.kind == "candidate"]
    return bool(claims) and judge_answer(problem, claims[-1].data["answer"]).ok is True


def critic(seed: int, stage: Stage, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless readings of a solution, fast or slow: what is wrong with its first wrong step, and
    which it is."""
    for one in flawed.examples(seed, held_out=held_out):
        parts = critic_text(one, stage)
        if fits(parts):
            yield parts


def critic_text(one: Example, stage: Stage) -> list[Part]:
    """One reading of a solution."""
    said = f"{thought(one)}{POCKET.think_close}\n" if stage == "slow" else ""
    reply = f"{one.reason or 'right'}\n\\boxed{{{one.wrong}}}<|im_end|>"
    return [Part(critic_prompt(one, stage), learn=False), Part(said + reply)]


def critic_prompt(one: Example, stage: Stage) -> str:
    """What FlexiVe sends."""
    return text_of(question(POCKET, stage, prompts.stated(one.problem, POCKET), one.steps))


def thought(one: Example) -> str:
    """A slow reading, step by step, up to the first wrong line: what every state of Game of 24
    comes to, or every line that was not said before."""
    if one.problem.domain != "game24":
        return _read_again(one)
    lines, at = list[str](), -1
    for index, state, verdict in judged(one.problem, one.steps):
        if index > at:
            lines, at = [*lines, f"{index} :"], index
        lines.append(f" {_comes_to(state, verdict)}")
    return "\n".join([*lines, ""])


def _read_again(one: Example) -> str:
    lines, seen = list[str](), set[str](DOUBTS)
    for index, step in enumerate(one.steps):
        new = [line.strip() for line in step.splitlines() if line.strip()]
        new = [line for line in dict.fromkeys(new) if line not in seen]
        seen.update(new)
        lines += [f"{index} :"] if new else []
        for line in new:
            wrong = line == one.line
            lines.append(f" {line} : {one.reason if wrong else 'right'}")
            if wrong:
                return "\n".join([*lines, ""])
    return "\n".join([*lines, ""])


def _comes_to(state: State, verdict: Verdict) -> str:
    if not verdict.ok:
        return verdict.reason
    if state.kind == "candidate":
        return f"{state.data['answer']} is {verdict.evidence['value']}"
    operation = " ".join(state.data[name] for name in ("a", "operator", "b"))
    return f"{operation} is {verdict.evidence['result']} , leaves {verdict.evidence['left']}"


def retry(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless right traces behind a solution and what a reviewer says of it."""
    for one in tries(seed, held_out=held_out):
        parts = [Part(retry_prompt(one.first), learn=False), *one.trace]
        if fits(parts, CONTEXT_CHARACTERS):
            yield parts


def retry_prompt(failed: Example) -> str:
    """What the solver is sent after a rejected solution."""
    user = rendered(
        *("solve_detect_verify", "retry"),
        problem=prompts.for_problem("interwhen", failed.problem, POCKET)[1],
        solution="".join(failed.steps).strip(),
        feedback=failed.reason,
    )
    return text_of(POCKET.render(user))
