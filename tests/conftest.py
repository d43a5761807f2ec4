"""What tests share: models that play a script, and a second, independent opinion on Game of 24."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from forks import Forks
from hypothesis import HealthCheck, settings
from lean_stand_in import toolchain

from agentflow import models
from agentflow.domains.game24 import Game24
from agentflow.models import ScriptedModel
from agentflow.verdict import Verdict

# In CI the same examples each time: a failure there is of the change that is tested. That a busy
# machine draws slowly is no failure.
_PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile(
    "agentflow", max_examples=40, derandomize=bool(os.environ.get("CI")), **_PATIENT
)
settings.register_profile("long", max_examples=3000, **_PATIENT)  # --hypothesis-profile=long
settings.load_profile("agentflow")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run those tests that take all rows")


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """What ``-n auto`` starts: a process more than there are cores, for many tests wait."""
    cores = yield
    return cores + ("PYTEST_XDIST_AUTO_NUM_WORKERS" not in os.environ)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take either the tests that take all rows, or the others."""
    wanted = config.getoption("--exhaustive")
    chosen = [bool(item.get_closest_marker("exhaustive")) is wanted for item in items]
    config.hook.pytest_deselected(
        items=[item for item, one in zip(items, chosen, strict=True) if not one]
    )
    items[:] = [item for item, one in zip(items, chosen, strict=True) if one]


def evaluate(text: str) -> tuple[Fraction, list[int]]:
    """(value, numbers) of an expression over integers; shares no code with the package."""
    tokens = re.findall(r"\d+|\S", text)
    numbers: list[int] = []

    def peek() -> str:
        return tokens[0] if tokens else ""

    def total() -> Fraction:
        result = term()
        while peek() in ("+", "-"):
            result = result + term() if tokens.pop(0) == "+" else result - term()
        return result

    def term() -> Fraction:
        result = atom()
        while peek() in ("*", "/"):
            result = result * atom() if tokens.pop(0) == "*" else result / atom()
        return result

    def atom() -> Fraction:
        token = tokens.pop(0)
        if token == "(":
            inner = total()
            assert tokens.pop(0) == ")"
            return inner
        numbers.append(int(token))
        return Fraction(int(token))

    result = total()
    assert not tokens
    return result, numbers


def _is_right(answer: str, puzzle: Sequence[int]) -> bool:
    try:
        result, numbers = evaluate(answer)
    except (AssertionError, ValueError, IndexError, ZeroDivisionError):
        return False
    return result == 24 and sorted(numbers) == sorted(puzzle)


def _can_reach(puzzle: Sequence[int]) -> bool:
    """Every order, every three operators, each of the five ways to set the brackets."""
    apply: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "/": lambda x, y: x / y,
    }
    for a, b, c, d in set(permutations(map(Fraction, puzzle))):
        for f, g, h in product(apply.values(), repeat=3):
            for shape in (
                lambda: h(g(f(a, b), c), d),  # noqa: B023
                lambda: h(f(a, g(b, c)), d),  # noqa: B023
                lambda: g(f(a, b), h(c, d)),  # noqa: B023
                lambda: f(a, h(g(b, c), d)),  # noqa: B023
                lambda: f(a, g(b, h(c, d))),  # noqa: B023
            ):
                try:
                    if shape() == 24:
                        return True
                except ZeroDivisionError:
                    pass
    return False


@pytest.fixture(scope="session")
def is_right() -> Callable[[str, Sequence[int]], bool]:
    """Whether an answer equals 24 and uses exactly the puzzle's numbers."""
    return _is_right


@pytest.fixture(scope="session")
def can_reach() -> Callable[[Sequence[int]], bool]:
    """Whether 24 can be made of a puzzle's four numbers."""
    return _can_reach


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedModel]:
    """Let every model be one that plays a script."""

    def play(script: Any, **more: Any) -> ScriptedModel:
        model = ScriptedModel(script, **more)

        async def connect(spec: Any, **_: Any) -> ScriptedModel:
            return model

        monkeypatch.setattr(models, "connect", connect)
        return model

    return play


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a toolchain that stands in for Lean's."""
    return toolchain(tmp_path_factory.mktemp("lean") / "chain")


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Runs Python programs and commands in processes of their own, which start at once."""
    with Forks() as started:
        yield started


@pytest.fixture
def slow_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Game of 24's verifier takes its time, in which the stream writes on."""
    verify = Game24.verify_state

    async def slowly(self: Game24, *state: Any, **given: Any) -> Verdict:
        for _ in range(5):
            await asyncio.sleep(0)
        return await verify(self, *state, **given)

    monkeypatch.setattr(Game24, "verify_state", slowly)


@pytest.fixture
async def virtual_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that passes only where the event loop has nothing else to do.

    A wait of a minute ends at once, and in the order in which waits would end on a machine that is
    infinitely fast: no time limit is over while somebody still works. For what has no other
    processes and no sockets; threads of the loop's own are waited for.
    """
    loop: Any = asyncio.get_running_loop()
    now, busy = loop.time(), 0
    select, in_executor = loop._selector.select, loop.run_in_executor

    def run_in_executor(*what: Any) -> Any:
        nonlocal busy
        busy += 1
        future = in_executor(*what)
        future.add_done_callback(done)
        return future

    def done(_: Any) -> None:
        nonlocal busy
        busy -= 1

    def jump(timeout: float | None) -> Any:
        nonlocal now
        if not timeout or busy:
            return select(timeout if not timeout else 0.01)
        now += timeout + 0.001  # as every clock, a little late
        return select(0)

    for name, module in list(sys.modules.items()):
        if name.startswith("agentflow.") and getattr(module, "monotonic", None) is monotonic:
            monkeypatch.setattr(module, "monotonic", lambda: now)
    loop.time = lambda: now
    loop.run_in_executor = run_in_executor
    loop._selector.select = jump
