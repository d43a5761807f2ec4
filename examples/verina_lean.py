"""A task for Lean with a test: its mutants, and what Lean says of them where there is one.

    python examples/verina_lean.py

The task has the form of Verina's, whose repository `agentflow lean verina PATH` reads. Lean is
looked for on PATH, in elan's folder and in AGENTFLOW_LEAN; `agentflow lean doctor` says more.
"""

from agentflow.domains.verina.checking import check, one_by_one
from agentflow.domains.verina.checkout import read
from agentflow.domains.verina.files import reference
from agentflow.domains.verina.mutants import mutants
from agentflow.tools import lean

GIVEN = "(a : Int) (b : Int)"
HOLDS = "(h_precond : larger_precond (a) (b))"
PARTS = {
    "precond": (f"def larger_precond {GIVEN} : Prop :=", "True"),
    "code": (f"def larger {GIVEN} {HOLDS} : Int :=", "if a < b then b else a"),
    "postcond": (
        f"def larger_postcond {GIVEN} (result : Int) {HOLDS} : Prop :=",
        "a ≤ result ∧ b ≤ result",
    ),
    "proof": (
        f"theorem larger_spec_satisfied {GIVEN} {HOLDS} :\n"
        "    larger_postcond (a) (b) (larger (a) (b) h_precond) h_precond := by",
        "sorry",
    ),
}


def section(name: str, body: str = "") -> str:
    """A section as Verina's files mark it."""
    return f"-- !benchmark @start {name}\n{body}-- !benchmark @end {name}\n"


LEAN = section("solution_aux")
for name, (head, body) in PARTS.items():
    LEAN += f"{section(f'{name}_aux')}{head}\n{section(name, f'  {body}{chr(10)}')}"
TASK = read(
    {
        "id": "larger",
        "description": "The larger of two numbers.",
        "signature": "larger (a : Int) (b : Int) : Int",
        "lean": LEAN,
        "tests": [{"input": {"a": 2, "b": 5}, "expected": 5, "unexpected": [2]}],
        "reject_inputs": [],
    }
)
print("not understood:", *(TASK.not_understood or ["nothing"]))
print(reference(TASK).guards[0].text)
print("mutants:", *(one.change for one in mutants(TASK)))
if lean.find_lean() is None:
    print("no Lean here")
else:
    (done,) = check([TASK], one_by_one(lean.check))
    print("passes:", done.passes, *(f"{one.change}: {fate}" for one, fate in done.mutants))
