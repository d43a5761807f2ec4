"""Settings: the runtime configuration of every graph, JSON-serialisable, shown in Studio."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Annotated, Any, Literal, Self, TypeVar
from urllib.parse import parse_qsl, urlsplit

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from agentflow.errors import BadInput, known
from agentflow.prices import Price
from agentflow.profile import PROFILES, Profile, Sampling

Role = Literal["solver", "verifier", "prm", "proxy", "planner"]
"""What a model is asked to do in a method."""


Require = Literal["proof", "no_objection", "nothing"]
"""What an answer must have to be given."""

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Times = Annotated[int, Field(ge=0, le=100)]
Few = Annotated[int, Field(ge=1, le=100)]


Provider = Literal[
    "openai",
    "azure",
    "anthropic",
    "gemini",
    "deepseek",
    "mistral",
    "openrouter",
    "ollama",
    "sglang",
    "llamacpp",
    "vllm",
    "other",
]
"""Whose chat API; :mod:`agentflow.models.dialects` says what each takes."""

_SECRET = r"(?:^|&)(?:[\w-]*(?:key|token|secret|password|signature)|code|sig)="
"""What is a secret in a URL's query."""


class Server(BaseModel):
    """Where a model is served and how it is spoken to.

    A text is the short form: what ``at`` holds, with ``#NAME`` behind a URL for ``name``,
    ``chat:`` or ``reward:`` before it for ``api``, and ``?context=8192&threads=4`` behind a model
    file.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    at: str = Field(
        description="embedded or embedded:judge (the bundled models), a path to a GGUF file, a "
        "URL, or lc:PROVIDER:MODEL for one of LangChain's chat models"
    )
    name: str | None = Field(default=None, description="Served model; empty for the first one")
    profile: str | None = Field(
        default=None, description="How the model is spoken to; empty to tell from its name"
    )
    api: Literal["completions", "chat", "reward", "langchain"] = Field(
        default="completions",
        description="chat for a server that only answers messages; reward for a reward model of "
        "Qwen2.5-Math-PRM's kind behind vLLM's /pooling; langchain for what lc: names",
    )
    key_env: str | None = Field(
        default=None,
        pattern="^[A-Za-z_][A-Za-z0-9_]*$",
        description="Environment variable that holds the server's key",
    )
    provider: Provider | None = Field(
        default=None,
        description="Whose dialect a chat API speaks; empty to tell from its URL and its list of "
        "models",
    )
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = Field(
        default=None,
        description="How much the model is to think, for chat APIs that take it; empty to leave it "
        "to the model. Raw completions take none alone: the model's turn begins behind a thought "
        "that is already finished, so that it answers at once",
    )
    thinking_tokens: Positive | None = Field(
        default=None, description="Most tokens of thinking, for chat APIs that take it"
    )
    context: Positive | None = Field(
        default=None,
        description="Context length in tokens, where less than the profile's; of a model file, "
        "what a stream holds (2048 if not set)",
    )
    threads: Positive | None = Field(
        default=None, description="Threads that compute a model file (1 if not set)"
    )

    @model_validator(mode="before")
    @classmethod
    def _unfold(cls, given: Any) -> Any:
        """The short form in its parts; keys that are given win over it."""
        if isinstance(given, cls):
            return given
        if isinstance(given, str):
            given = {"at": given}
        if not isinstance(given, dict):
            raise ValueError("write a server as a text, or as a table with `at`")
        if unknown := [key for key in given if key not in cls.model_fields]:
            there = known(str(unknown[0]), cls.model_fields)
            raise ValueError(f"no such key of a server: {', '.join(unknown)}; {there}")
        at: Any = given.get("at")
        parts: dict[str, Any] = {"at": at} if "at" in given else {}
        if isinstance(at, str):
            api, colon, behind = at.partition(":")
            if colon and api in ("chat", "reward"):
                at, parts["api"] = behind, api
            _see_no_secret(at)
            if api == "lc":
                parts["api"] = "langchain"
            if at.startswith(("http://", "https://")):
                at, _, name = at.partition("#")
                parts["name"] = name or None
            elif parts.get("api") is None:
                at, said = _file_and_engine(at)
                parts |= said
            if not at.strip():
                raise ValueError("no model is named; name one, or leave the role out")
            parts["at"] = at
        return parts | {key: value for key, value in given.items() if key != "at"}

    @model_validator(mode="after")
    def _thinks_where_it_can(self) -> Self:
        bounds = self.effort not in (None, "none") or self.thinking_tokens
        if (self.api == "reward" and self.effort) or (self.api == "completions" and bounds):
            raise ValueError(
                "only chat APIs take an effort or a budget of thinking; with raw completions the "
                "method bounds it (thinking_tokens of interwhen), and effort=none leaves it out"
            )
        return self

    @model_validator(mode="after")
    def _has_threads_where_it_computes(self) -> Self:
        if self.threads and (self.api != "completions" or "://" in self.at):
            raise ValueError(
                f"{self.at}: a server has its own threads; threads are for a model file"
            )
        return self

    @field_validator("profile")
    @classmethod
    def _known(cls, profile: str | None) -> str | None:
        if profile is not None and profile not in PROFILES:
            raise ValueError(f"unknown profile {profile!r}; {known(profile, PROFILES)}")
        return profile


def _file_and_engine(at: str) -> tuple[str, dict[str, str]]:
    """A model file, and what is said behind it of its engine.

    Raises:
        ValueError: If that is neither the context nor the threads.
    """
    file, mark, said = at.partition("?")
    if (
        not mark
        or "://" in file
        or not (file.endswith(".gguf") or file in ("embedded", "embedded:judge"))
    ):
        return at, {}
    pairs = dict(parse_qsl(said, keep_blank_values=True))
    numbers = all(re.fullmatch("[1-9][0-9]{0,8}", value) for value in pairs.values())
    if not (pairs and numbers and pairs.keys() <= {"context", "threads"}):
        raise ValueError(f"{at}: write {file}?context=8192&threads=4, or one of both")
    return file, pairs


def _see_no_secret(at: str) -> str:
    """
    Raises:
        ValueError: If what names a server holds a secret.
    """
    parts = urlsplit(at.removeprefix("chat:").removeprefix("reward:")) if "://" in at else None
    query = parts.query if parts else at.partition("?")[2]
    if (parts and "@" in parts.netloc) or re.search(_SECRET, query, re.IGNORECASE):
        raise ValueError(
            "a key or a password stands in the URL, and with it in every file that a run writes; "
            "name the environment variable that holds it as key_env"
        )
    return at


def listed(given: Any) -> Any:
    """A list of servers; one alone needs no list."""
    return given if isinstance(given, list | tuple) else [given]


def _listed(given: Any) -> Any:
    if not (servers := listed(given)):
        raise ValueError("name at least one server, or leave the role out")
    return servers


Servers = Annotated[tuple[Server, ...], BeforeValidator(_listed)]
"""The first that answers is used; the others are fallbacks. One alone needs no list."""


class Settings(BaseModel):
    """What every method has in common; a method's own settings extend it."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    model: str = Field(
        default="embedded",
        description="embedded (the bundled pocket model), embedded:judge (the one that only "
        "judges), a path to a GGUF file, or a base URL such as http://localhost:8000/v1, with "
        "#NAME behind it where it serves several models and chat: before it where it only answers "
        "messages; or lc:PROVIDER:MODEL for one of LangChain's chat models",
    )

    @field_validator("model")
    @classmethod
    def _can_be_read(cls, model: str) -> str:
        if not model.strip():
            raise ValueError("no model is named; name one, or leave the setting out")
        _file_and_engine(model)
        return _see_no_secret(model)

    roles: dict[Role, Servers] = Field(
        default={},
        description="Servers by role, the first that answers is used; a role that is not here has "
        "the model above where one is named, else the solver's",
    )
    domain: str = Field(default="game24", description="What a problem, a step and an answer are")
    tools: dict[str, str] = Field(
        default={},
        description="Backends of tools by role, such as search: local:docs/, or python: sandbox:30 "
        "(seconds that a program may run); a role that is not here has the domain's",
    )
    prompt: str = Field(
        default="auto",
        description="How the solver is asked, a folder of prompts/domains: interwhen has the "
        "format of steps and examples, cot says think step by step, eat and sdv are those papers'; "
        "plan, draft, step_back, least_to_most, analogy, reread and rephrase other papers'; "
        "auto is interwhen where the domain verifies steps, else cot. The bundled model knows one "
        "prompt a domain, which it gets in any case",
    )
    think: tuple[Role, ...] = Field(
        default=(),
        description="Roles whose models think before a reply in a format: verifier for critics and "
        "judges of states, solver for proposals, prm, planner; the others answer at once, where "
        "their models can",
    )
    require: Require = Field(
        default="no_objection",
        description="What an answer must have to be given: proof, a sound verifier passed it; "
        "no_objection, none refuted it; nothing, it is given in any case, marked as unverified",
    )
    judge_answers: bool = Field(
        default=True,
        description="Have the domain's verifier judge answers, the final one and those proposed on "
        "the way; off for steps only, so that guessing until one passes is no method",
    )
    seed: Count = Field(
        default=0, description="Seed of the run; every request's seed derives from it"
    )
    temperature: float | None = Field(
        default=None, ge=0, le=5, description="Sampling temperature; empty for the profile's"
    )
    top_p: float | None = Field(default=None, gt=0, le=1, description="Empty for the profile's")
    top_k: Count | None = Field(default=None, description="0 for all; empty for the profile's")
    max_tokens: Positive | None = Field(
        default=None,
        description="Generated tokens of the whole run: all roles, samples and probes, wasted ones "
        "included; empty for no limit",
    )
    timeout: float | None = Field(
        default=None,
        gt=0,
        description="Seconds that the whole run may take; empty for none. A tool under way that "
        "cannot be cancelled may overrun them by 5",
    )
    max_cost: float | None = Field(
        default=None,
        gt=0,
        le=1e9,
        description="Dollars that the whole run may cost, by its models' prices; empty for none",
    )
    prices: dict[str, Price] = Field(
        default={},
        description="Dollars per million tokens by the model's name, in which * stands for "
        "anything: prompt, cached, generated; they win over the built-in table",
    )
    solver_tokens: Positive | None = Field(
        default=None,
        description="Generated tokens of one attempt of the solver, wasted ones included; empty for"
        " what the whole run may have, else the profile's",
    )
    idle_timeout: float = Field(
        default=60.0,
        gt=0,
        description="Seconds without an event from the server until a stream counts as broken",
    )
    retries: int = Field(
        default=2,
        ge=0,
        le=20,
        description="How often a broken stream is continued from where it broke, and a request "
        "made again that a server puts off (429, 503, 529)",
    )

    cache: bool | Literal["run"] = Field(
        default=True,
        description="Let the engine reuse cached prefixes; for runs to compare draw by draw, run: "
        "only what this run's solver wrote itself (one run at a time on an engine), or false: none",
    )

    @property
    def shares_cache(self) -> bool:
        """Whether a request may reuse what any other one had in the engine's cache."""
        return self.cache is True

    def solver_at(self, member: int = 0) -> Sequence[Server]:
        """Servers of the solver, or of that of a team, of which the first that answers is used;
        none where that is the settings' model."""
        return self.roles.get("solver", ())

    @property
    def members(self) -> Sequence[Server]:
        """Servers of the solvers that take turns; none where one model solves."""
        return ()

    @property
    def servers(self) -> list[Server]:
        """All that the settings name."""
        return [Server.model_validate(self.model), *chain(*self.roles.values())]

    @property
    def verifies_steps(self) -> bool:
        """Whether the method, so set, has the domain verify steps: it is told their format."""
        return False

    @property
    def solver_prompt(self) -> str:
        """The name of the prompts that the solver gets."""
        if self.prompt != "auto":
            return self.prompt
        return "interwhen" if self.verifies_steps else "cot"

    def unfit(self, domain: Any, problem: Any) -> str:
        """Why the method, so set, is not for this problem of a domain, and what to do; empty where
        it is."""
        return ""

    @property
    def needs_continuing(self) -> bool:
        """Whether the method, so set, has its solver go on from a text that was changed."""
        return False

    @property
    def alternatives(self) -> int:
        """How many alternatives the solver is asked for with each token, to begin a line with
        another one, as far as it tells any."""
        return 0

    @property
    def alternatives_read(self) -> int:
        """The same, for monitors that measure by them."""
        return 0

    @property
    def pauses(self) -> str:
        """The setting by which the run waits for a person; empty if none does."""
        return ""

    def sampling(self, profile: Profile) -> Sampling:
        """The profile's sampling with what is set here."""
        default = profile.sampling
        return Sampling(
            default.temperature if self.temperature is None else self.temperature,
            default.top_p if self.top_p is None else self.top_p,
            default.top_k if self.top_k is None else self.top_k,
        )


M = TypeVar("M", bound=BaseModel)


def checked(schema: type[M], values: Mapping[str, Any], what: str = "") -> M:
    """The values as an object of the schema.

    Args:
        what: What they are, which the error begins with.

    Raises:
        BadInput: On an unknown key or a value that is not allowed; one line that names each.
    """
    try:
        return schema(**values)
    except ValidationError as error:
        wrong = error.errors()
        lines = [
            "".join(f"{name}: " for name in [_place(e["loc"])] if name) + _wrong(schema, e)
            for e in wrong
            if not (e["type"] == "too_short" and _inside(e["loc"], wrong))
        ]
        raise BadInput((what and f"{what}: ") + "; ".join(lines)) from error


def _inside(place: tuple[int | str, ...], errors: Sequence[ErrorDetails]) -> bool:
    """Whether something within a value is wrong: pydantic counts only what is right in a list."""
    return any(e["loc"] != place == e["loc"][: len(place)] for e in errors)


_KEY = "[key]"
"""What pydantic puts behind the place of a key that is wrong itself."""
_WORDS = re.compile(r"'[^']*'(?:(?:, | or )'[^']*')*")


def _place(parts: Sequence[str | int]) -> str:
    """Where something is wrong, in words of a settings file."""
    return ".".join(str(part) for part in parts if part != _KEY)


def _wrong(schema: type[BaseModel], error: ErrorDetails) -> str:
    """What is said of one thing that pydantic objects to; a value, which may be a secret, is not
    quoted."""
    expected = str(error.get("ctx", {}).get("expected", ""))
    if error["type"] == "extra_forbidden":
        return _unknown(schema, error["loc"])
    if error["type"] == "literal_error" and _WORDS.fullmatch(expected):
        names = re.findall("'([^']*)'", expected)
        what = "name" if error["loc"][-1] == _KEY else "value"
        return f"no such {what}; {known(str(error['input']), names)}"
    if error["type"] == "tuple_type":
        return 'write a list, as in ["a", "b"]'
    if error["type"] == "too_short":
        return f"the list must have at least {error['ctx']['min_length']}"
    return error["msg"].removeprefix("Value error, ")  # pydantic's lead before what ours say


def _unknown(schema: type[BaseModel], place: Sequence[str | int]) -> str:
    """What is said of a key that is none; names those that there are."""
    kind: Any = schema
    for part in place[:-1]:
        field = kind.model_fields.get(part) if isinstance(part, str) else None
        kind = None if field is None else field.annotation
        if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
            return "no such setting"
    return f"no such setting; {known(str(place[-1]), kind.model_fields)}"


def request_seed(run_seed: int, *place: str | int) -> int:
    """The seed of one request: a stable hash of the run's seed and the request's place.

    The place is (problem id, role, branch, segment, request number); 31 bits.
    """
    text = "\x1f".join(map(str, (run_seed, *place)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big") >> 1
