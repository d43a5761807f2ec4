"""A small task of ours in the form of Verina's."""

from __future__ import annotations

from typing import Any

from agentflow.domains.verina.checkout import Task, read


def row(code: str = "n + n") -> dict[str, Any]:
    """The task as a row of Verina's: twice a number."""
    head = "(n : Nat) (h_precond : double_precond (n))"
    lean = f"""-- !benchmark @start import type=solution
-- !benchmark @end import
-- !benchmark @start solution_aux
-- !benchmark @end solution_aux
-- !benchmark @start precond_aux
-- !benchmark @end precond_aux
def double_precond (n : Nat) : Prop :=
  -- !benchmark @start precond
  n < 100
  -- !benchmark @end precond
-- !benchmark @start code_aux
-- !benchmark @end code_aux
def double {head} : Nat :=
  -- !benchmark @start code
  {code}
  -- !benchmark @end code
-- !benchmark @start postcond_aux
-- !benchmark @end postcond_aux
def double_postcond (n : Nat) (result: Nat) (h_precond : double_precond (n)) :=
  -- !benchmark @start postcond
  result = 2 * n
  -- !benchmark @end postcond
-- !benchmark @start proof_aux
-- !benchmark @end proof_aux
theorem double_spec_satisfied {head} :
    double_postcond (n) (double (n) h_precond) h_precond := by
  -- !benchmark @start proof
  unfold double double_postcond; omega
  -- !benchmark @end proof
"""
    found: dict[str, Any] = {"id": "double", "description": "Twice a number.", "lean": lean}
    parameters = [{"param_name": "n", "param_type": "Nat"}]
    found["signature"] = {"name": "double", "parameters": parameters, "return_type": "Nat"}
    found["tests"] = [{"input": {"n": 2}, "expected": 4, "unexpected": [3]}]
    found["reject_inputs"] = [{"input": {"n": 100}}]
    return found


def made(code: str = "n + n") -> Task:
    """The task, read."""
    task = read(row(code))
    assert task.not_understood == ()
    return task
