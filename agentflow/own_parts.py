"""The parts that users write: what they give back is what it has to be. A mistake in one is told by
its class, its method and what that has to return."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from typing import Any

from agentflow.errors import AgentflowError, BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.verdict import VERIFIER_ERROR, Verdict

ENDS = (GeneratorExit, StopIteration, StopAsyncIteration)
"""What would end a generator of ours, as if nothing were wrong, or as another error: a part raises
it by ``next`` of an empty iterator, or by a generator that it closed."""


def failed(part: object, method: str, error: BaseException) -> BadInput:
    """The error of a part's method that raised one."""
    return BadInput(f"{type(part).__name__}.{method} failed: {type(error).__name__}: {error}")


def see(fits: bool, found: Any, part: object, method: str, what: str) -> None:
    """See that what a method of a part returned is what it has to be.

    Args:
        fits: Whether it is.
        what: What it has to be, in words.

    Raises:
        BadInput: If it is not.
    """
    if fits:
        return
    name = f"{type(part).__name__}.{method}"
    if inspect.iscoroutine(found):
        found.close()  # else Python warns that nobody awaited it
        raise BadInput(f"{name} is a coroutine; write `def {method}`, which returns {what}")
    raise BadInput(f"{name} returned {found!r:.60}; it must return {what}")


def read(found: Any, part: object, method: str) -> tuple[dict[str, Any], list[State]]:
    """What a method that reads a text (``feed``, ``extract``) returned.

    Raises:
        BadInput: If it is not a memory and a list of states.
    """
    pair = isinstance(found, tuple) and len(found) == 2
    fits = pair and isinstance(found[0], dict) and isinstance(found[1], list | tuple)
    fits = fits and all(isinstance(one, State) for one in found[1])
    see(fits, found, part, method, "its memory (a dict) and a list of States, as a pair")
    for one in found[1]:
        see(_is_plain(one.data), one.data, part, method, "States whose data is plain JSON")
    checked: tuple[dict[str, Any], list[State]] = found
    return checked


async def verdict_of(part: Any, method: str, *given: Any, **named: Any) -> Verdict:
    """What a part, a monitor or a domain, says of what it is given. One that fails cannot tell, and
    that is never a pass."""
    name = f"{type(part).__name__}.{method}"
    try:
        verdict = await _awaited(part, method, *given, **named)
        see(isinstance(verdict, Verdict), verdict, part, method, "a Verdict")
        evidence = verdict.evidence
        see(_is_plain(evidence), evidence, part, method, "a Verdict whose evidence is plain JSON")
    except (Exception, GeneratorExit) as error:  # it may raise anything
        ours = isinstance(error, BadInput) and str(error).startswith(name)
        said = str(error if ours else failed(part, method, error))
        return Verdict(None, said, VERIFIER_ERROR, source=part.name)
    judged: Verdict = verdict
    return judged


async def equal_of(domain: Any, problem: Problem, one: str, other: str) -> bool | None:
    """What a domain says of two answers: whether they are equal; None where it cannot be told.

    Raises:
        BadInput: If its ``equal`` fails, is no coroutine, or returns something else: no vote can
            be counted without it.
    """
    found = await _said(domain, "equal", problem, one, other)
    see(found is None or isinstance(found, bool), found, domain, "equal", "True, False or None")
    same: bool | None = found
    return same


async def listed_of(
    domain: Any, method: str, kind: type, problem: Problem, answer: str, given: Sequence[str]
) -> list[Any]:
    """What a domain's ``tested`` or ``outcomes`` says of each test or call.

    Raises:
        BadInput: If it fails, is no coroutine, or returns something else than one of ``kind`` each.
        SandboxUnavailable: If nothing can be run here.
    """
    found: list[Any] = await _said(domain, method, problem, answer, given)
    fits = isinstance(found, list) and all(isinstance(one, kind) for one in found)
    what = f"a list with one {kind.__name__} for each of {len(given)}"
    see(fits and len(found) == len(given), found, domain, method, what)
    return found


async def _said(part: Any, method: str, *given: Any) -> Any:
    """What a method returned, without which a run cannot go on."""
    try:
        return await _awaited(part, method, *given)
    except (AgentflowError, SandboxUnavailable):
        raise
    except (Exception, GeneratorExit) as error:  # it may raise anything
        raise failed(part, method, error) from error


def _is_plain(value: Any) -> bool:
    """Whether it is a dict that can be written as JSON: a thread saves it."""
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return isinstance(value, dict)


async def _awaited(part: Any, method: str, *given: Any, **named: Any) -> Any:
    """What a method that is a coroutine returns; BadInput where it is none."""
    found = getattr(part, method)(*given, **named)
    if not inspect.isawaitable(found):
        raise BadInput(
            f"{type(part).__name__}.{method} is no coroutine; write `async def {method}`"
        )
    return await found
