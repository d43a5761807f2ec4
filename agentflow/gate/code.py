"""Rules that are code which nobody has read: they run in the sandbox, each call in a new process.

A rule is the text of a function ``check(state, tool, args)`` that gives True, False, or None where
it cannot tell. What it prints, keeps or changes does not outlast the call, and its word is all that
comes back.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.gate import inside
from agentflow.gate.inside import Arguments
from agentflow.gate.policy import Call, Check
from agentflow.tools.sandbox import Limits, Sandbox
from agentflow.verdict import Verdict

Seen = Callable[[Mapping[str, Any], Call], Any]
"""What code is shown of a state, as plain JSON: the less, the faster."""

LIMITS = Limits(seconds=4.0, cpu_seconds=1.0, memory_mib=256)
"""Of all rules of a call together."""


@cache
def plain_sandbox() -> Sandbox:
    """A sandbox without libraries, of which a process is quicker begun."""
    return Sandbox(LIMITS, preload=())


def everything(state: Mapping[str, Any], call: Call) -> Any:
    """The state as it is."""
    return state


@dataclass(frozen=True, slots=True)
class Code:
    """The rules of a policy that are code; all that are about a tool run together.

    Attributes:
        rules: Name -> (code, the tools it is about).
        seen: What they are shown of the state.
        sandbox: Where they run; None for a plain one.
    """

    rules: Mapping[str, tuple[str, frozenset[str]]]
    seen: Seen = everything
    sandbox: Sandbox | None = None
    _said: Callable[[str], dict[str, Any]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A rule that always says the same of the same need not be asked twice; one that does not
        # is asked once.
        object.__setattr__(self, "_said", lru_cache(maxsize=256)(self._run))

    def check(self, name: str) -> Check:
        """The check of one of the rules.

        Raises:
            BadInput: If its code is no Python, or defines no function ``check``.
        """
        code, _ = self.rules[name]
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise BadInput(f"rule {name!r}: its code is no Python: {error}") from error
        if not any(isinstance(one, ast.FunctionDef) and one.name == "check" for one in tree.body):
            raise BadInput(f"rule {name!r}: its code has no function check(state, tool, args)")

        def checked(state: Mapping[str, Any], call: Call) -> Verdict:
            ok = self._said(self._asked(state, call)).get(name)
            return Verdict(ok if type(ok) is bool else None)

        return checked

    def _asked(self, state: Mapping[str, Any], call: Call) -> str:
        """All that the rules of a call know, as one text: what it is not known by is not used."""
        args = call.args
        known, fields = (
            (args.known, args.fields) if isinstance(args, Arguments) else (args, tuple(args))
        )
        rules = {name: code for name, (code, tools) in self.rules.items() if call.name in tools}
        data = {"rules": rules, "state": self.seen(state, call), "tool": call.name}
        return json.dumps(data | {"known": dict(known), "fields": fields}, allow_nan=False)

    def _run(self, asked: str) -> dict[str, Any]:
        sandbox = self.sandbox or plain_sandbox()
        done = sandbox.run(_program(), data=json.loads(asked), limits=LIMITS)
        return done.value if done.ok and isinstance(done.value, dict) else {}


@cache
def _program() -> str:
    text = Path(inside.__file__).read_text(encoding="utf-8")
    return f"{text}\n\nans = verdicts(data)\n"
