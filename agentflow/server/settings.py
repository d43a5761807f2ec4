"""What the server is told: where it listens, who may ask, and how much."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from agentflow.settings import Count, Positive

_PARAMETERS = frozenset({"max_tokens", "temperature", "top_p", "seed"})
"""Settings that have a place in the request itself."""
_OPERATORS = frozenset(
    {
        "model",
        "roles",
        "team",
        "tools",
        "prompt",
        "review",
        "require",
        "judge_answers",
        "think",
        "timeout",
    }
    | {"max_cost", "prices", "solver_tokens", "idle_timeout", "retries", "cache"}
)
"""Settings that name servers, files and tools, or are the operator's for another reason."""
NEVER = _OPERATORS | _PARAMETERS
"""Settings that no client may choose in its extension field."""


class Limits(BaseModel):
    """What one key may use."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    concurrency: Positive = Field(
        default=64, description="Runs at once: a request has one for each answer"
    )
    tokens_per_minute: Positive | None = Field(
        default=None,
        description="Tokens of all roles, prompts included, in any 60 seconds, after which further "
        "requests are refused; empty for no limit",
    )
    seconds: float = Field(default=600.0, gt=0, description="Seconds a request may take")


class Key(BaseModel):
    """A client's key: its SHA-256, or the environment variable that holds it; and limits that
    differ from the server's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: str | None = Field(
        default=None, pattern="^[0-9a-f]{64}$", description="The key's SHA-256 in hexadecimal"
    )
    env: str | None = Field(
        default=None,
        pattern="^[A-Za-z_][A-Za-z0-9_]*$",
        description="Environment variable that holds the key",
    )
    metrics: bool = Field(default=False, description="Whether it may read /metrics")
    concurrency: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _one_of_both(self) -> Key:
        if (self.sha256 is None) == (self.env is None):
            raise ValueError("give either sha256 or env")
        return self

    def limits(self, default: Limits) -> Limits:
        """The key's limits: its own, else the server's."""
        return Limits(
            concurrency=self.concurrency or default.concurrency,
            tokens_per_minute=self.tokens_per_minute or default.tokens_per_minute,
            seconds=self.seconds or default.seconds,
        )


class ServeSettings(Limits):
    """The table ``[serve]`` of a settings file; the limits are those of every key."""

    host: str = Field(default="127.0.0.1", description="Where to listen")
    port: int = Field(default=8080, ge=0, le=65535, description="0 for a free one")
    body_bytes: Positive = Field(default=262_144, description="Bytes of a request's body")
    body_seconds: float = Field(default=30.0, gt=0, description="Seconds to send a request in")
    write_seconds: float = Field(
        default=30.0, gt=0, description="Seconds a client may leave a reply unread"
    )
    grace_seconds: Count = Field(
        default=30, description="Seconds that running requests have when the server stops"
    )
    answers: Positive = Field(
        default=8, description="Answers to one request: `n`, and prompts of completions"
    )
    client_settings: tuple[str, ...] = Field(
        default=("domain",), description="Settings of a method that clients may choose"
    )
    keys: dict[str, Key] = Field(default={}, description="Keys by the client's name")
    models: dict[str, dict[str, Any]] = Field(
        default={}, description="Settings by METHOD/SERVED; empty for every method on one model"
    )

    @field_validator("host")
    @classmethod
    def _named(cls, host: str) -> str:
        if not host.strip("[] \t"):
            raise ValueError("it is blank; name an address, such as 127.0.0.1")
        return host

    @model_validator(mode="after")
    def _only_harmless(self) -> ServeSettings:
        kinds = {
            "the operator's alone": _OPERATORS & set(self.client_settings),
            "every client may send them in a request": _PARAMETERS & set(self.client_settings),
        }
        if wrong := [f"{', '.join(sorted(them))}: {why}" for why, them in kinds.items() if them]:
            raise ValueError(f"client_settings: {'; '.join(wrong)}; leave them out")
        return self

    @property
    def limits(self) -> Limits:
        """What every key may use that has no limits of its own."""
        return Limits(**{name: getattr(self, name) for name in Limits.model_fields})
