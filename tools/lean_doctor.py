"""Whether Lean works here: looked at step by step, each with what to do where it does not."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from agentflow.tools.lean import Check, check, find_lean, lean_path
from agentflow.tools.lean_repl import MISSING_REPL, find_repl, session

GET_ELAN = (
    "not found; install elan (https://github.com/leanprover/elan, on Debian: apt install elan), "
    "then run: elan default leanprover/lean4:stable"
)
GET_LEAN = (
    "elan is here, but no toolchain; run: elan default leanprover/lean4:stable (offline: copy a "
    "toolchain's folder here, and name it in AGENTFLOW_LEAN)"
)
GET_MATHLIB = (
    "not found by LEAN_PATH; in a Lake project that has it, run: "
    "export LEAN_PATH=$(lake env printenv LEAN_PATH)"
)
_RIGHT = "theorem right (n : Nat) : n + 0 = n := rfl\n#guard 1 + 1 == 2\n"
_VERSION = "#eval Lean.versionString\n"
_WRONG = "theorem wrong : 1 = 2 := rfl\n"
_FALSE = "#guard 1 + 1 == 3\n"
_SORRY = "theorem later : 1 = 2 := by sorry\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it is as it should be, and what was seen or is to be done.

    Attributes:
        required: Whether nothing can be judged without it.
    """

    name: str
    ok: bool
    detail: str
    required: bool = True


def examine(lean: str = "", repl: str = "") -> list[Finding]:
    """Look at everything; what cannot work without an earlier thing is left out.

    Args:
        lean: The program, or its toolchain's folder, as of ``lean_tool``.
        repl: The REPL, or its checkout, as of ``lean_repl.session``.
    """
    program = find_lean(lean)
    if program is None:
        named = f"there is no program at {lean}" if lean else ""
        advice = GET_LEAN if shutil.which("elan") else GET_ELAN
        return [Finding("lean", False, named or advice)]
    found = [Finding("lean", True, str(program))]
    done = check(_RIGHT, lean)
    if not done.ok:
        return [*found, Finding("a right file", False, f"refused: {_seen(done)}")]
    found.append(Finding("a right file", True, f"accepted by {_seen(check(_VERSION, lean))}"))
    wrong, false, sorry = (check(text, lean) for text in (_WRONG, _FALSE, _SORRY))
    refused = wrong.failure is None and any(m.severity == "error" for m in wrong.messages)
    caught = refused and any("did not evaluate" in m.text for m in false.messages)
    found.append(
        Finding("a wrong file", caught, "refused" if caught else f"accepted: {_seen(wrong)}")
    )
    seen = sorry.uses_sorry and sorry.ok
    found.append(Finding("sorry", seen, "seen" if seen else f"not seen: {_seen(sorry)}"))
    return [*found, *_more(lean, repl)]


def _more(lean: str, repl: str) -> list[Finding]:
    """What is needed by some files only."""
    done = check("import Mathlib\n", lean) if lean_path() else None
    mathlib = done is not None and done.ok
    advice = GET_MATHLIB if done is None or not mathlib else "found by LEAN_PATH"
    found = [Finding("Mathlib", mathlib, advice, required=False)]
    if find_repl(repl) is None:
        return [*found, Finding("the REPL", False, MISSING_REPL, required=False)]
    asked = [{"cmd": _RIGHT}, {"cmd": _WRONG}]
    said = session(asked, repl, lean)
    errors = [any(m.severity == "error" for m in one.messages) for one in said.replies]
    good = errors == [False, True] and all(one.env is not None for one in said.replies)
    detail = "judges as lean does" if good else f"does not judge as lean does {said.why}".rstrip()
    if not good and not said.why:
        detail += "; is it built for this Lean?"
    return [*found, Finding("the REPL", good, detail, required=False)]


def _seen(done: Check) -> str:
    """What Lean said first, or why it said nothing."""
    if done.failure or done.limit:
        return f"{(done.failure or {}).get('message', '')}{done.limit or ''}"[:300]
    return " ".join(done.messages[-1].text.split())[:300] if done.messages else "no message"
