"""The page about monitors of one's own: its code is taken from the page and run."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

from agentflow.monitors import Increment, Intervention
from agentflow.nodes import Task

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "write-a-monitor.md").read_text(encoding="utf-8")
CLASS, TRY, HINT, WATCHED = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
CORRECTED = """
class Loud(Hint):
    def feed(self, memory, increment):  # forgets that there are boundaries
        return memory, [State("any", {"most": 3}, 0, increment.offset + len(increment.text))]


async def loud(task):
    return [Loud()]


graph = steered(Settings, loud).compile(name="loud")
METHODS["loud"] = __name__
told = ScriptedModel("24\\n")
result = agentflow.solve("4 7 8 8", "loud", model=told)
assert (result.status, result.corrections, len(told.requests)) == ("abstained", 5, 6), result
"""


WATCHES = """
model = ScriptedModel(
    {
        r"<think>\\n": "24 is the goal.\\n8 * 3 is 24.\\nSo 24 again.\\nNever read.\\n",
        r"</think>\\n*": "\\\\boxed{(7 - 8 / 8) * 4}",
    }
)
result = agentflow.solve("4 7 8 8", "watched", model=model)
assert "Never read" not in result.trace.body
assert (result.status, result.reason) == ("verified", "by game24"), result
"""


def test_a_monitor_and_its_method_are_thirty_lines() -> None:
    assert len([line for line in CLASS.splitlines() if line.strip()]) <= 30
    assert max(map(len, CLASS.splitlines())) <= 100


def test_the_code_of_the_page_runs() -> None:
    code = f"{CLASS}\n{TRY}\n{HINT}\n{CORRECTED}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_monitor_reads_along_in_a_method_of_several_nodes() -> None:
    code = f"{CLASS}\n{TRY}\n{WATCHED}\n{WATCHES}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_tells_every_field_and_kind() -> None:
    for name in Increment._fields:
        assert f"| `{name}` |" in PAGE
    for kind in get_args(get_type_hints(Intervention)["kind"]):
        assert f'| `"{kind}"` |' in PAGE
    for field in fields(Task):
        assert field.name in ("ask", "emit") or f"`task.{field.name}`" in PAGE
