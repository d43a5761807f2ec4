"""What models cost, in dollars per million tokens.

The table holds list prices for the names under which the providers serve their models: OpenAI's as
published in 2025, Anthropic's as of March 2026. Prices change: settings win over it. Tokens of
hidden thinking cost what generated ones do.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from pydantic import BaseModel, ConfigDict, Field

MILLION = 1_000_000


class Price(BaseModel):
    """Dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    prompt: float = Field(default=0.0, ge=0, le=1e6, description="Of prompts")
    cached: float | None = Field(
        default=None, ge=0, le=1e6, description="Of prompts from the cache; empty: like others"
    )
    generated: float = Field(default=0.0, ge=0, le=1e6, description="Generated")

    def of(self, prompt: int, cached: int, generated: int) -> float:
        """Dollars for so many tokens; ``cached`` ones are among those of the prompt."""
        least = self.prompt if self.cached is None else self.cached
        cached = min(cached, prompt)
        dollars = (prompt - cached) * self.prompt + cached * least + generated * self.generated
        return dollars / MILLION


def _price(prompt: float, cached: float, generated: float) -> Price:
    return Price(prompt=prompt, cached=cached, generated=generated)


PRICES: dict[str, Price] = {
    "agentflow-pocket": Price(),
    "agentflow-pocket-judge": Price(),
    "gpt-4o": _price(2.50, 1.25, 10.00),
    "gpt-4o-20??-??-??": _price(2.50, 1.25, 10.00),
    "gpt-4o-mini": _price(0.15, 0.075, 0.60),
    "gpt-4o-mini-20??-??-??": _price(0.15, 0.075, 0.60),
    "gpt-4.1": _price(2.00, 0.50, 8.00),
    "gpt-4.1-20??-??-??": _price(2.00, 0.50, 8.00),
    "gpt-4.1-mini": _price(0.40, 0.10, 1.60),
    "gpt-4.1-mini-20??-??-??": _price(0.40, 0.10, 1.60),
    "gpt-4.1-nano": _price(0.10, 0.025, 0.40),
    "gpt-4.1-nano-20??-??-??": _price(0.10, 0.025, 0.40),
    "o3-mini": _price(1.10, 0.55, 4.40),
    "o3-mini-20??-??-??": _price(1.10, 0.55, 4.40),
    "o3": _price(2.00, 0.50, 8.00),
    "o3-20??-??-??": _price(2.00, 0.50, 8.00),
    "o4-mini": _price(1.10, 0.275, 4.40),
    "o4-mini-20??-??-??": _price(1.10, 0.275, 4.40),
    "gpt-5": _price(1.25, 0.125, 10.00),
    "gpt-5-20??-??-??": _price(1.25, 0.125, 10.00),
    "gpt-5-mini": _price(0.25, 0.025, 2.00),
    "gpt-5-mini-20??-??-??": _price(0.25, 0.025, 2.00),
    "gpt-5-nano": _price(0.05, 0.005, 0.40),
    "gpt-5-nano-20??-??-??": _price(0.05, 0.005, 0.40),
    "claude-haiku-4-5*": _price(1.00, 0.10, 5.00),
    "claude-sonnet-4*": _price(3.00, 0.30, 15.00),
    "claude-opus-4-1*": _price(15.00, 1.50, 75.00),
    "claude-opus-4-5*": _price(5.00, 0.50, 25.00),
}
"""By the model's name, in which ``*`` and ``?`` stand for other letters."""


def price_of(model: str, own: Mapping[str, Price]) -> Price | None:
    """The price of a model, by its name or the last part of it; None where nobody tells.

    Args:
        own: Prices that win over the table's; the longest pattern that fits is taken.
    """
    names = (model.lower(), model.lower().rpartition("/")[2])
    for table in (own, PRICES):
        for pattern in sorted(table, key=len, reverse=True):
            if any(fnmatchcase(name, pattern.lower()) for name in names):
                return table[pattern]
    return None
