"""The real reasoning-gym: `make test-gym` installs it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

pytest.importorskip("reasoning_gym", reason="reasoning-gym is not installed; see make test-gym")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent


def test_every_task_is_judged_as_the_page_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = str(ROOT / "benchmarks" / "gym_tasks.py")
    monkeypatch.setattr(sys, "argv", [script, "--items", "1"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(script, run_name="__main__")
    assert ended.value.code == 0, capsys.readouterr().out
