"""What a recording asks: the proxy's signals with the solver's answers, the end, other prefixes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import agentflow
from agentflow.domains import Game24
from agentflow.errors import MissingCapability
from agentflow.evaluation.chains import SETTINGS, Chain, chain_of, load, record
from agentflow.evaluation.replay import Replay
from agentflow.models import Capabilities, ScriptedModel, Token

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

PUZZLE = Game24().parse("4 7 8 8")
CLOSE = "</think>"
RIGHT, WRONG = " (7 - 8 / 8) * 4", " 4 + 7 + 8 + 8"
THINKING = "one\n\ntwo\n\nthree\n\n"


def two(p: float) -> Token:
    """A token with two alternatives, of which it is the one with this probability."""
    return Token(" a", None, math.log(p), ((" a", math.log(p)), (" b", math.log1p(-p))))


def entropy(p: float) -> float:
    return -p * math.log(p) - (1 - p) * math.log1p(-p)


class Asked(ScriptedModel):
    """Thinks, and is asked beside it; ``probability`` is of the first token behind ``ending``."""

    def __init__(self, p: dict[str, float], answer: str = RIGHT, **more: Any) -> None:
        self.p, self.answer = p, answer
        self.asked: list[tuple[str, int]] = []
        thinking = more.pop("thinking", THINKING)

        def script(prompt: str) -> Any:
            body = prompt.partition("<think>\n")[2]
            for ending, probability in self.p.items():
                if body.endswith(ending) and len(body) > len(ending):
                    self.asked.append((body, self.requests[-1].max_tokens))
                    return [two(probability)] if self.requests[-1].max_tokens < 9 else self.answer
            if CLOSE in body:
                return f"Answer:{self.answer} = 24\n"
            return f"{thinking}{CLOSE}\nAnswer:{RIGHT} = 24\n"

        super().__init__(script, **more)


async def recorded(model: Any, out: Path, **settings: Any) -> Chain:
    probe = {"rollouts": 3, "answer_tokens": 40} | settings.pop("probe", {})
    (one,) = await record([PUZZLE], [0], out, model=model, settings={"probe": probe, **settings})
    assert load(out) == [one]
    return one


LEAD = f"{CLOSE}\nAnswer:"


async def by_proxy(solver: ScriptedModel, small: ScriptedModel) -> Chain:
    given: dict[Any, Any] = {"solver": solver, "proxy": small}
    settings = SETTINGS | {"proxy": True, "probe": {"rollouts": 3, "answer_tokens": 40}}
    result = await agentflow.asolve(PUZZLE.text, "early_exit", model=given, **settings)
    return chain_of(result, True, 0, "made", 5)


async def test_eat_section_5_3_a_proxys_entropy_goes_with_the_solvers_answers() -> None:
    solver, small = Asked({LEAD: 0.5}), Asked({LEAD: 0.9}, WRONG)
    one = await by_proxy(solver, small)
    assert [check.entropy for check in one.checks] == pytest.approx([entropy(0.9)] * 3)
    assert all(check.right == [True] * 3 for check in one.checks)
    assert {tokens for _, tokens in small.asked} == {1, 5}
    assert {tokens for _, tokens in solver.asked} == {40}


async def test_answers_of_a_reasoner_that_only_chats_cannot_be_recorded() -> None:
    chat = Asked({}, capabilities=Capabilities(continues=False, exact_prefix=False, logprobs=0))
    with pytest.raises(MissingCapability, match="rollouts roll out answers"):
        await by_proxy(chat, Asked({LEAD: 0.9}))


async def test_eat_section_5_1_pass_at_1_is_asked_at_the_end_too(tmp_path: Path) -> None:
    one = await recorded(Asked({LEAD: 0.5}), tmp_path / "c.parquet")
    assert one.end is not None
    assert (one.end.tokens, one.end.right, one.end.entropy) == (
        one.thinking,
        [True] * 3,
        pytest.approx(entropy(0.5)),
    )
    assert [check.tokens for check in one.checks][-1] <= one.end.tokens
    assert len(one.checks) == 3
    assert one.finished


async def test_eat_algorithm_1_thinking_is_closed_at_the_limit_of_a_recording(
    tmp_path: Path,
) -> None:
    model = Asked({LEAD: 0.5}, thinking=THINKING + "and on " * 200)
    one = await recorded(model, tmp_path / "c.parquet", thinking_tokens=40)
    assert (one.thinking, one.right) == (40, True)
    assert one.end is not None
    assert (one.end.tokens, one.end.right) == (40, [True] * 3)
    assert all(CLOSE not in body.removesuffix(LEAD) for body, _ in model.asked)
    assert Replay([one]).accuracy == 1.0


async def test_eat_appendices_d_f_and_i_2_other_prefixes_are_recorded_beside(
    tmp_path: Path,
) -> None:
    """The prefix, none, a new line inside of the thinking, and a tool's bracket."""
    model = Asked({LEAD: 0.5, f"{CLOSE}\n": 0.6, f"{CLOSE}[": 0.7, "\n\n!": 0.8})
    controls = [{"prefix": "\n"}, {"prefix": "["}, {"closes": False, "prefix": "\n\n!"}]
    one = await recorded(model, tmp_path / "c.parquet", probe={"controls": controls})
    assert one.controls == ["prefix '\\n'", "prefix '['", "not closed, prefix '\\n\\n!'"]
    for check in one.checks:
        assert check.controls == pytest.approx([entropy(p) for p in (0.6, 0.7, 0.8)])
        assert check.entropy == pytest.approx(entropy(0.5))


async def test_interwhen_section_5_2_the_confidence_has_a_lead_of_its_own(tmp_path: Path) -> None:
    """DEER is asked behind other words than EAT."""
    model = Asked({LEAD: 0.5, f"{CLOSE} The answer is": 0.9})
    probe = {"confidence_prefix": " The answer is"}
    one = await recorded(model, tmp_path / "c.parquet", probe=probe)
    assert [check.confidence for check in one.checks] == pytest.approx([0.9] * 3)
    assert [check.entropy for check in one.checks] == pytest.approx([entropy(0.5)] * 3)
