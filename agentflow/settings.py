"""Settings: the runtime configuration of every graph, JSON-serialisable, shown in Studio."""

from __future__ import annotations

import hashlib

from pydantic import BaseModel, ConfigDict, Field

from agentflow.profile import Profile, Sampling


class Settings(BaseModel):
    """What every method has in common; a method's own settings extend it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(
        default="embedded",
        description="embedded (the bundled pocket model), a path to a GGUF file, or a base URL "
        "such as http://localhost:8000/v1, with #NAME behind it where it serves several models",
    )
    domain: str = Field(default="game24", description="What a problem, a step and an answer are")
    prompt: str = Field(
        default="interwhen", description="Folder of prompts/ the prompt is taken from"
    )
    seed: int = Field(
        default=0, ge=0, description="Seed of the run; every request's seed derives from it"
    )
    temperature: float | None = Field(
        default=None, ge=0, le=5, description="Sampling temperature; empty for the profile's"
    )
    top_p: float | None = Field(default=None, gt=0, le=1, description="Empty for the profile's")
    top_k: int | None = Field(default=None, ge=0, description="0 for all; empty for the profile's")
    max_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Generated tokens per attempt, wasted ones included; empty for the profile's",
    )
    timeout: float | None = Field(
        default=None, gt=0, description="Seconds per problem; empty for none"
    )
    idle_timeout: float = Field(
        default=60.0,
        gt=0,
        description="Seconds without a token after which a stream counts as broken",
    )
    retries: int = Field(
        default=2,
        ge=0,
        le=20,
        description="How often a broken stream is continued from where it broke",
    )

    cache: bool = Field(
        default=True,
        description="Let the engine reuse cached prefixes; off for runs to compare draw by draw",
    )

    def sampling(self, profile: Profile) -> Sampling:
        """The profile's sampling with what is set here."""
        default = profile.sampling
        return Sampling(
            default.temperature if self.temperature is None else self.temperature,
            default.top_p if self.top_p is None else self.top_p,
            default.top_k if self.top_k is None else self.top_k,
        )


def request_seed(run_seed: int, *place: str | int) -> int:
    """The seed of one request: a stable hash of the run's seed and the request's place.

    The place is (problem id, role, branch, segment, request number); 31 bits.
    """
    text = "\x1f".join(map(str, (run_seed, *place)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big") >> 1
