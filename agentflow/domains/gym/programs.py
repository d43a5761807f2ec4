"""What is asked of reasoning-gym: its problems and its scores, always in the sandbox.

Several of its scorers evaluate the text of an answer (``eval``, SymPy's ``parse_expr``), so that no
answer is ever scored in this process. An item is made anew where it is scored: nothing but its
number and the answer goes in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import Any

from agentflow.errors import BadInput
from agentflow.tools.sandbox import Limits, Sandbox
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.tools.sandbox.execution import Execution
from agentflow.version import install

PACKAGE = "reasoning_gym"
LIMITS = Limits(seconds=60.0, cpu_seconds=60.0, memory_mib=1024, output_bytes=4 << 20)
CHUNK = 20
"""Items that one call makes."""

_MADE = """
import hashlib, inspect, json, random, sys
from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import CURRICULA, DATASETS

def made(task, given):
    given = dict(given)
    level = given.pop("difficulty", None)
    kind, config = DATASETS[task]
    if level is None:
        return kind(config=config(**given))
    if task not in CURRICULA:
        raise ValueError("it has no levels of difficulty")
    levels = CURRICULA[task]()
    for name, attribute in levels.attributes.items():
        levels.set_attr_level(name, min(level, len(attribute.levels) - 1))
    return kind(config=levels.generate_configuration(given))

def numbered(made_, index):
    random.seed(index)  # some tasks draw from what all share: the item is the same all the same
    return made_[index]
"""
_TASKS = "from reasoning_gym.factory import DATASETS\nans = sorted(DATASETS)"
_ITEMS = """
task = data["task"]
made_ = made(task, data["given"])
scorer = type(made_).score_answer
plain = scorer is ProceduralDataset.score_answer
source = hashlib.sha256(inspect.getsource(sys.modules[type(made_).__module__]).encode())
SHOWN = ("example_answer", "example_correct_answer", "possible_answer")
items = []
for index in range(data["start"], data["end"]):
    item = numbered(made_, index)
    about = item["metadata"]
    answer = item["answer"]
    if answer is None:
        answer = next((about[name] for name in SHOWN if name in about), None)
        if isinstance(answer, dict):
            answer = json.dumps(answer)
    told = {name: about[name] for name in ("numbers", "target") if name in about}
    items.append([item["question"], None if answer is None else str(answer), told])
ans = {"items": items, "plain": plain, "source": source.hexdigest()[:16]}
"""
_SCORE = """
made_ = made(data["task"], data["given"])
item = data["item"] or numbered(made_, data["index"])
ans = float(made_.score_answer(data["answer"], item))
"""


@dataclass(frozen=True, slots=True)
class Item:
    """A problem as reasoning-gym makes it.

    Attributes:
        index: Its number in the dataset, from 0.
        question: What is asked.
        answer: Its own solution, or an example of one; None if it gives none.
        about: ``numbers`` and ``target``, where the task has them.
        plain: Whether its scorer only compares texts (that of the base class).
        source: A fingerprint of the module that has the scorer.
    """

    index: int
    question: str
    answer: str | None
    about: Mapping[str, Any] = field(default_factory=dict)
    plain: bool = False
    source: str = ""


@cache
def _sandbox() -> Sandbox:
    return Sandbox(LIMITS, preload=(PACKAGE,))


def _asked(program: str, data: Any) -> Execution:
    if find_spec(PACKAGE) is None:
        raise BadInput(f"gym: reasoning-gym is not installed: {install('gym')}")
    try:
        return _sandbox().run(program, data=data)
    except SandboxUnavailable as error:
        raise BadInput(f"gym: answers are judged in the sandbox, which cannot run: {error}") from (
            error
        )


def _why(execution: Execution) -> str:
    if execution.failure is None:
        return f"the limit on {execution.limit} was reached"
    return f"{execution.failure.type}: {execution.failure.message[:300]}"


@cache
def tasks() -> tuple[str, ...]:
    """The names of all tasks.

    Raises:
        BadInput: If reasoning-gym is not installed, or the sandbox cannot run.
    """
    execution = _asked(_TASKS, None)
    if not execution.ok:
        raise BadInput(f"gym: reasoning-gym cannot be used: {_why(execution)}")
    return tuple(name for name in execution.value if name != "composite")


@cache
def items(task: str, given: str, start: int) -> tuple[Item, ...]:
    """:data:`CHUNK` items of a dataset, from ``start``.

    Args:
        given: Its configuration as a JSON object; ``difficulty`` is a level of its curriculum.

    Raises:
        BadInput: If reasoning-gym cannot make them: says why.
    """
    data = {"task": task, "given": json.loads(given), "start": start, "end": start + CHUNK}
    execution = _asked(_MADE + _ITEMS, data)
    if not execution.ok:
        raise BadInput(f"gym:{task} cannot be made so: {_why(execution)}")
    told = execution.value
    return tuple(
        Item(start + at, question, answer, about, told["plain"], told["source"])
        for at, (question, answer, about) in enumerate(told["items"])
    )


def score(
    task: str, given: str, index: int, answer: str, item: Any = None
) -> tuple[float | None, str]:
    """What the scorer gives an answer to an item; None and why, if it does not come to an end.

    Args:
        item: An item in reasoning-gym's own words, which takes the place of number ``index``.
    """
    data = {"task": task, "given": json.loads(given), "index": index, "answer": answer}
    execution = _asked(_MADE + _SCORE, data | {"item": item})
    if not execution.ok or not isinstance(execution.value, float | int):
        return None, _why(execution) if not execution.ok else "its score is no number"
    return float(execution.value), ""
