"""Training traces: right by the domain's own verifier, never on a held-out puzzle."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

from agentflow.domains.game24 import Game24, judge_state
from agentflow.evaluation.datasets import held_out, right
from agentflow.prompts import render
from agentflow.state import State
from training import game24

DOMAIN = Game24()


@cache
def samples(count: int = 400) -> tuple[list[game24.Part], ...]:
    return tuple(islice(game24.traces(3), count))


def numbers_of(parts: list[game24.Part]) -> str:
    return parts[0].text.split("game24: ")[1].split("<")[0]


def test_the_split_is_the_one_in_the_package() -> None:
    train, held = game24.puzzles()
    assert [" ".join(map(str, p)) for p in held] == held_out()
    assert not set(train) & set(held)


def test_no_trace_is_about_a_held_out_puzzle() -> None:
    held = set(held_out())
    assert all(numbers_of(parts) not in held for parts in samples())


async def test_what_is_learned_is_right() -> None:
    for parts in samples():
        problem = DOMAIN.parse(numbers_of(parts))
        earlier: list[State] = []
        for part in parts[1:]:
            memory: dict[str, object] = {}
            for line in part.text.splitlines(keepends=True):
                memory, states = DOMAIN.extract(problem, line, 0, memory)
                for state in states:
                    verdict = judge_state(problem, state, earlier)
                    assert verdict.ok or not part.learn, (line, verdict.reason)
                    if verdict.ok:
                        earlier.append(state)
        answer = DOMAIN.answer(parts[-1].text.removesuffix("<|im_end|>"))
        assert await right(problem, answer)


def test_a_mistake_is_never_learned_and_its_note_is_the_verifiers() -> None:
    mistakes = 0
    for parts in samples():
        for part in parts[1:]:
            if not part.learn:
                assert "Wait, " in part.text or "[verifier: " in part.text
                mistakes += 1
    assert mistakes > 50


def test_of_a_long_trace_only_what_is_behind_the_usual_attempts_is_learned() -> None:
    rng = random.Random(1)
    for numbers in game24.puzzles()[0][:20]:
        parts = game24.trace(rng, numbers, long=True)
        known = next(at for at, part in enumerate(parts) if part.learn)
        assert not any(part.learn for part in parts[:known])
        assert [part.text for part in parts[:known]].count("No\n") <= game24.USUAL
        learned = [part.text for part in parts[known:] if part.learn]
        assert "Yes\n" in learned
        assert learned[-1].endswith("<|im_end|>")


def test_a_path_that_is_known_is_gone_without_failing() -> None:
    rng = random.Random(1)
    for numbers in game24.puzzles()[0][:20]:
        path = game24.preferred(numbers)[-1]
        said = "".join(part.text for part in game24.trace(rng, numbers, path) if part.learn)
        assert "No\n" not in said.partition("Yes\n")[0]
        assert game24.boxed(path) in said


def test_the_prompt_is_the_pocket_profiles() -> None:
    system, user = render("domains", "game24", "pocket", {"numbers": [1, 6, 8, 12]})
    assert system == ""
    assert f"<|im_start|>user\n{user}<|im_end|>" in game24.prompt((1, 6, 8, 12))


def test_traces_depend_on_the_seed_alone() -> None:
    assert samples(20) == tuple(islice(game24.traces(3), 20))
    assert samples(5) != tuple(islice(game24.traces(4), 5))
