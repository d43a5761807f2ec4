"""What a domain makes of a whole reply."""

from __future__ import annotations

import asyncio

from agentflow import domains


def verdict(domain: str, problem: str, text: str) -> bool | None:
    """Whether the answer that a text states is right; None where it states none, or that is
    undecided."""
    of = domains.get(domain)
    parsed, answer = of.parse(problem), of.answer(text)
    return None if answer is None else asyncio.run(of.verify_answer(parsed, answer)).ok


def equal(domain: str, problem: str, text: str, gold: str) -> bool | None:
    """Whether the answer that a text states is the gold one; None where it states none, or nobody
    can tell."""
    of = domains.get(domain)
    parsed, answer = of.parse(problem), of.answer(text)
    return None if answer is None else asyncio.run(of.equal(parsed, answer, gold))
