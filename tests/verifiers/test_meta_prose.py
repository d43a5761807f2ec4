"""Meta verification in the paper's prose (VerifiAgent, appendix F)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.models import ScriptedModel
from agentflow.models.structured import ask
from agentflow.verifiers.meta import prose

GOOD = """Conditions: [48 in April, half as many in May]
Objective: [how many in both]
Steps:
Step 1: In May 24.
Step 2: 48 + 24 = 72.
Complete: Yes.
Consistency:
Step 1: follows
Step 2: does not follow: 48 + 24
is taken twice."""


def test_appendix_f_its_five_parts() -> None:
    meta = prose(GOOD)
    assert meta.conditions == ["48 in April", "half as many in May"]
    assert meta.objective == "how many in both"
    assert meta.steps == ["In May 24.", "48 + 24 = 72."]
    assert (meta.complete, meta.ok) == (True, False)
    assert meta.wrong is not None
    assert (meta.wrong.step, meta.wrong.why) == (2, "48 + 24\nis taken twice")


def test_section_3_1_an_incomplete_solution_skips_consistency() -> None:
    told = GOOD.replace("Complete: Yes.", "Complete: No, there is no result.")
    meta = prose(told)
    assert (meta.complete, meta.ok, meta.consistency) == (False, False, [])
    assert meta.why == "there is no result."
    assert prose(told.partition("\nConsistency")[0]).consistency == []


@pytest.mark.parametrize(
    "said", ["follows.", "follows from the conditions", "follows directly from steps 1 and 2."]
)
def test_from_what_a_step_follows(said: str) -> None:
    assert prose(GOOD.replace("Step 1: follows", f"Step 1: {said}")).consistency[0].follows


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Objective:", "Aim:"),
        ("Complete: Yes.", "Complete: perhaps"),
        ("Step 2: does not follow: 48 + 24\nis taken twice.", ""),
        ("Step 1: follows", "Step 1: it may follow"),
        ("Step 1: follows", "Step 1: follows only if May has half as many"),
        ("Step 1: follows", "Step 1: follows? Nein, 48 / 2 ist nicht gegeben"),
        ("Step 1: follows", "Step 1: follows?"),
        ("Step 1: follows", "Step 1: follows from nothing"),
        ("Complete: Yes.", "Complete: Yes? No"),
        ("Complete: Yes.", "Complete: Yes or No"),
        ("Complete: Yes.", "Complete: Yes, the unit is missing"),
        ("Complete: Yes.", "Complete: Yes. Step 2 is wrong."),
        ("Step 2: 48 + 24 = 72.", "Step 3: 48 + 24 = 72."),
        ("Conditions:", "I begin.\nConditions:"),
    ],
)
def test_what_is_not_in_its_parts_is_refused(old: str, new: str) -> None:
    assert old in GOOD
    with pytest.raises(ValueError, match=r"."):
        prose(GOOD.replace(old, new))


def test_what_is_said_of_a_solution_that_is_complete() -> None:
    assert prose(
        GOOD.replace("Complete: Yes.", "Complete: Yes, the last step gives a clear result")
    ).complete


async def test_a_reply_that_was_cut_off_is_none() -> None:
    said = f"{GOOD.partition('Step 2: does')[0]}Step 2: follows only where May has half as many"
    model = ScriptedModel(said)
    tokens = len(model._split.findall(said.partition(" only")[0]))
    for ended, read in ((False, True), (True, False)):
        reply = await ask(model, ("s", "u"), prose, None, tokens=tokens, ended=ended)
        assert (reply.value is not None) == read


@given(st.text(max_size=60), st.integers(0, len(GOOD)))
def test_a_text_is_read_or_refused(said: str, at: int) -> None:
    try:
        meta = prose(GOOD[:at] + said + GOOD[at:])
    except ValueError:
        return
    assert meta.steps
