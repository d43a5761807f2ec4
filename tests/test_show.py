"""What a run looks like while it happens."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from agentflow.show import Display, Output


@pytest.mark.parametrize("size", [1, 3, 50])
def test_what_is_shown_dim_is_the_thinking_by_the_models_markers(size: int) -> None:
    shown: list[tuple[str, str]] = []

    class Shown(Console):
        def out(self, *texts: Any, style: Any = "", **_: Any) -> None:
            shown.append((texts[0], style))

    display = Display(Shown(file=io.StringIO()))
    display.show({"type": "markers", "open": "[THINK]", "close": "[/THINK]"})
    text = "hm </think> [/TH so[/THINK]24 [/THINK] ["
    for at in range(0, len(text), size):
        display.show({"type": "token", "text": text[at : at + size]})
    display.end()
    dim = "".join(text for text, style in shown if style == "dim")
    assert dim == "hm </think> [/TH so[/THINK]"
    assert "".join(text for text, _ in shown) == f"{text}\n"


def test_what_a_model_that_does_not_think_apart_says_is_not_dim() -> None:
    output = io.StringIO()
    display = Display(Console(file=output, force_terminal=True))
    display.show({"type": "markers", "open": "", "close": ""})
    display.show({"type": "token", "text": "8 * 3</think>24"})
    display.end()
    assert output.getvalue() == "8 * 3</think>24\n"


def test_thinking_that_a_cut_opens_again_is_dim() -> None:
    shown: list[tuple[str, str]] = []

    class Shown(Console):
        def out(self, *texts: Any, style: Any = "", **_: Any) -> None:
            shown.append((texts[0], style))

    display = Display(Shown(file=io.StringIO()))
    display.show({"type": "markers", "open": "<think>", "close": "</think>"})
    display.show({"type": "token", "text": "a</think>b"})
    cut = {"type": "intervention", "kind": "restart", "offset": 0, "text": "", "monitor": "m"}
    display.show(cut)
    display.show({"type": "token", "text": "c</think>d"})
    assert [text for text, style in shown if style == "dim"] == ["a</think>", "c</think>"]


def test_what_an_intervention_appends_is_written_once() -> None:
    """Also where that is longer than what it cut."""
    out = io.StringIO()
    display = Display(Console(file=out))
    for text in ("a\n", "No\n"):
        display.show({"type": "token", "text": text})
    close = {"type": "intervention", "kind": "close", "offset": 2, "monitor": "m"}
    display.show(close | {"text": "</think>\nAnswer:"})
    assert out.getvalue() == "a\nNo\n  m: 0 tokens cut, thinking closed\n</think>\nAnswer:"


def test_what_stops_a_stream_is_no_refutation() -> None:
    out = io.StringIO()
    display = Display(Console(file=out))
    display.show({"type": "token", "text": "24\n"})
    verdict = {"ok": False, "reason": "an answer was stated", "kind": "stable"}
    state = {"kind": "stable_answer", "data": {}, "start": 0, "end": 3}
    display.show({"type": "verdict", "monitor": "kstable", "state": state, "verdict": verdict})
    mark = "■" if display.console.encoding.startswith("utf") else "-"
    assert out.getvalue() == f"24\n  {mark} stable_answer: an answer was stated\n"


def test_nobody_reading_is_told_to_the_command() -> None:
    """Rich would end the process, with the exit code of a run without an answer."""

    class Unread(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Output(file=Unread()).print("x")
