"""Seeded training texts for the roles of solve_detect_verify, on Game of 24.

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
from agentflow.monitors.schedule import whole_words
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers.flexive import Stage, question
from training import game24
from training.game24 import DOMAIN, Numbers, Part
from training.mistakes import POCKET, Example, example, examples, judged, solution
from training.texts import fits, rendered, text_of

_HESITATION = re.compile(whole_words(POCKET.hesitations), re.IGNORECASE)
_LINE = re.compile(r"^", re.MULTILINE)


def completeness(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless traces up to a place where they may hesitate, with the question whether the solution
    is complete; every second one is."""
    rng = random.Random(seed)
    numbers = game24.puzzles()[held_out]
    for complete in cycle([True, False]):
        # Solvers hesitate late; the question may be asked early.
        places = _LINE if not complete and rng.random() < 0.5 else _HESITATION
        cuts = list[int]()
        while not cuts:
            drawn = rng.choice(numbers)
            problem = DOMAIN.parse(" ".join(map(str, drawn)))
            thinking = solution(rng, drawn, flawed=rng.random() < 0.5).thinking
            found = [place.start() for place in places.finditer(thinking)]
            cuts = [at for at in found if is_complete(problem, thinking[:at]) == complete]
        prompt = completeness_prompt(drawn, thinking[: rng.choice(cuts)])
        yield [Part(prompt, learn=False), Part(f"{'Yes' if complete else 'No'}<|im_end|>")]


def completeness_prompt(numbers: Numbers, thinking: str) -> str:
    """What the detector is asked behind a solver's thinking."""
    question = POCKET.follow_up(rendered("solve_detect_verify", "complete"), closed=False)
    return game24.prompt(numbers) + thinking + text_of(question)


def is_complete(problem: Problem, thinking: str) -> bool:
    """Whether a right solution is the last that was claimed."""
    claims = [one for one in states(DOMAIN, problem, thinking) if one.kind == "candidate"]
    return bool(claims) and judge_answer(problem, claims[-1].data["answer"]).ok is True


def critic(seed: int, stage: Stage, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless readings of a solution, fast or slow: what is wrong with its first wrong step, and
    which it is."""
    for one in examples(seed, held_out=held_out):
        said = f"{thought(one)}{POCKET.think_close}\n" if stage == "slow" else ""
        reply = f"{one.reason or 'right'}\n\\boxed{{{one.wrong}}}<|im_end|>"
        parts = [Part(critic_prompt(one, stage), learn=False), Part(said + reply)]
        if fits(parts):
            yield parts


def critic_prompt(one: Example, stage: Stage) -> str:
    """What FlexiVe sends."""
    return text_of(question(POCKET, stage, one.problem.text, one.steps))


def thought(one: Example) -> str:
    """A slow reading: what every state comes to, step by step, up to the first wrong one."""
    lines, at = list[str](), -1
    for index, state, verdict in judged(one.problem, one.steps):
        if index > at:
            lines, at = [*lines, f"{index} :"], index
        lines.append(f" {_comes_to(state, verdict)}")
    return "\n".join([*lines, ""])


def _comes_to(state: State, verdict: Verdict) -> str:
    if not verdict.ok:
        return verdict.reason
    if state.kind == "candidate":
        return f"{state.data['answer']} is {verdict.evidence['value']}"
    operation = " ".join(state.data[name] for name in ("a", "operator", "b"))
    return f"{operation} is {verdict.evidence['result']} , leaves {verdict.evidence['left']}"


def retry(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless second tries: a failed solution and what is wrong with it, then a right trace."""
    rng = random.Random(seed)
    numbers = game24.puzzles()[held_out]
    while True:
        drawn = rng.choice(numbers)
        prompt = retry_prompt(example(rng, drawn, flawed=True))
        _, *trace = game24.trace(rng, drawn)
        parts = [Part(prompt, learn=False), *trace]
        if fits(parts):
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
