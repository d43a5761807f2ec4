"""What models cost, in dollars per million tokens.

The table, ``prices.toml``, holds list prices. Prices change: settings win over it. Tokens of hidden
thinking cost what generated ones do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

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


_LISTED = tomllib.loads(Path(__file__).with_name("prices.toml").read_text("utf-8"))
PRICES = {
    model: Price(**dict(zip(("prompt", "cached", "generated"), prices, strict=False)))
    for model, prices in _LISTED.items()
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
