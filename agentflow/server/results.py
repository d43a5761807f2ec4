"""What is said of a result, whichever API it is said in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from agentflow.ledger import by_role, total
from agentflow.progress import on_whole
from agentflow.run import Result
from agentflow.server.requested import GenerationRequest


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that ended.

    Attributes:
        result: What it came to.
        seed: Its seed.
        spent: Whether it had used all the tokens it was given.
    """

    result: Result
    seed: int
    spent: bool = False


@dataclass(frozen=True, slots=True)
class AnswerText:
    """What a client is shown as the answer.

    Attributes:
        text: The text, or the JSON that was asked for.
        stopped: The stop text before which it was cut off.
        unfilled: Whether the JSON that was asked for could not be had: ``text`` says why.
    """

    text: str
    stopped: str | None = None
    unfilled: bool = False


def answer_text(result: Result, asked: GenerationRequest) -> AnswerText:
    """What is shown of a result, as it was asked for."""
    if asked.shape is not None:
        fields = {
            "answer": result.answer,
            "status": result.status,
            "reason": reason(result),
            "candidate": result.candidate,
        }
        filled = asked.shape.filled(fields)
        if filled is not None:
            return AnswerText(filled)
        if result.answer is None:
            return AnswerText(content(result), unfilled=True)
        misfit = f"{result.status}, {result.answer} does not fit the schema that was asked for"
        return AnswerText(misfit, unfilled=True)
    text = content(result)
    found = [(text.find(one), one) for one in asked.stop if one in text]
    if result.answer is None or not found:
        return AnswerText(text)
    at, stop = min(found)
    return AnswerText(text[:at], stop)


def content(result: Result) -> str:
    """The result's reply. Without an answer: that there is none, and why, for people to read."""
    if result.answer is None:
        why = reason(result)
        return f"No answer ({result.status})" + (f": {why}" if why else "")
    return result.reply


def reason(result: Result) -> str:
    """Why a run ended as it did; an error may name servers, and is not shown."""
    return "the model's server broke off" if result.error else result.reason


def thinking(result: Result) -> str:
    """What the model thought, without the markers around it."""
    return result.parts[0]


def extension(ended: Ended) -> dict[str, Any]:
    """The field ``agentflow``: what the answer is worth and what it cost.

    What the engine had in its cache is left out, and with it the price: it would tell what others
    asked before.
    """
    result = ended.result
    verdicts = [
        {key: event.get(key) for key in ("monitor", "answer", "ok", "score", "reason")}
        | {"branch": event.get("branch", 0)}
        for event in result.events
        if on_whole(event)
    ]
    costs = {role: asdict(entry) for role, entry in by_role(result.ledger).items()}
    for cost in costs.values():
        for private in ("role", "cached", "cost", "until", "estimated"):
            del cost[private]
    return {
        "status": result.status,
        "answer": result.answer,
        "reason": reason(result),
        "candidate": result.candidate,
        "verdicts": verdicts,
        "corrections": result.corrections,
        "cost": costs,
        "seed": ended.seed,
    }


def tokens(ended: Iterable[Ended]) -> tuple[int, int]:
    """Tokens of all roles of all runs: read, generated."""
    costs = [total(one.result.ledger) for one in ended]
    return sum(cost.prompt for cost in costs), sum(cost.generated for cost in costs)
