"""The monitor that ends a stream behind an action."""

from __future__ import annotations

import copy
import json

from hypothesis import given
from hypothesis import strategies as st

from agentflow.monitors import Act, Increment
from agentflow.state import State
from agentflow.trace import LINES
from agentflow.verifiers.actions import Ending, begins

PROGRAM = "Action: Use Python Interpreter[\ndef solver():\n    return 4\nans = solver()\n]\n"
PIECES = st.sampled_from(
    [
        *("Thought: so\n", "Action: ", "Use Python Interpreter[", "\n", "ans = solver()\n"),
        *("Observation: 4\n", "Use Search Engine[who?]\n", "Evaluate[Correct]\n", "]", "action\n"),
        *("Revision Method: None\n", "Action: Use Theorem Prover[\nans = main()\n", "so it is "),
    ]
)


def read(text: str) -> list[State]:
    """The states of a text that is read line by line, each stream beginning where one ended."""
    act, offset, found = Act(), 0, list[State]()
    memory = act.start()
    for line in [*LINES.findall(text), ""]:
        before = copy.deepcopy(memory)
        increment = Increment(line, offset, 1, False, "" if line else "end")
        after, states = act.feed(memory, increment)
        assert memory == before
        memory = json.loads(json.dumps(after))
        offset += len(line)
        found += states
    return found


def test_a_program_ends_with_its_last_line() -> None:
    (state,) = read(f"I wonder. Action: none\n{PROGRAM}")
    assert state.data["text"] == PROGRAM.removesuffix("\n]\n")
    assert state.data["end"] == state.end - 1  # the line break behind it


def test_what_is_made_up_is_cut_off() -> None:
    text = "Action: Use Python Interpreter[\nreturn 4\nObservation: 4\n"
    (state,) = read(text)
    assert text[: state.data["end"]] == "Action: Use Python Interpreter[\nreturn 4\n"
    assert state.end == len(text)


def test_prose_is_no_action() -> None:
    assert read("Thought: an action: I do not know\nObservation: 4\nthe action is none\n") == []


def test_what_never_ends_is_none() -> None:
    assert read("Action: Use Python Interpreter[\n" + "x = 1\n" * 5000) == []


@given(st.lists(PIECES, max_size=12).map("".join))
def test_it_ends_where_the_protocol_ends_an_action(text: str) -> None:
    for state in read(text):
        begun = text[state.start : state.end]
        assert begins(begun)
        assert state.start <= state.data["end"] <= state.end
        assert state.data["text"] == text[state.start : state.data["end"]]
        ending = Ending()
        ended = ending.feed(begun)
        assert ending.at == state.data["end"] - state.start if ended else state.end == len(text)
