"""What VerifiAgent's nodes share: settings, channels, and how its model is asked (VerifiAgent)."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal, Self

from langchain_core.messages import ToolCall
from pydantic import Field, model_validator

from agentflow import prompts
from agentflow.models.metered import Metered
from agentflow.models.model import Finish, Model, Request, Token, prompt_of, segment
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import View
from agentflow.profile import Thinking
from agentflow.settings import Positive, Settings, request_seed
from agentflow.trace import Trace
from agentflow.verifiers import joined
from agentflow.verifiers.actions import Ending, quoted
from agentflow.verifiers.meta import Meta, notes
from agentflow.verifiers.v_score import TOP, v_score_at

FOLDER = "verifiagent"
"""Folder of the prompts."""

MOST_ROUNDS = 100
"""Rounds after which even a verifier that chooses their number has to evaluate."""

_LEAST = 200
"""Characters of a solution that a prompt must at least have room for, if it is longer."""
_GAP = "\n[... {count:,} characters of the solution are left out here ...]\n"


class VerifiAgentSettings(Settings):
    """Settings of VerifiAgent; both layers, with the model choosing the tools."""

    meta: bool = Field(
        default=True, description="Look at the solution's form first: complete, consistent"
    )
    meta_form: Literal["json", "prose"] = Field(
        default="json",
        description="How that is written down: one JSON object, which an engine can hold a model "
        "to; or the paper's parts in prose",
    )
    use_tools: bool = Field(default=True, description="Check the solution with tools")
    driver: Literal["model", "domain"] = Field(
        default="model",
        description="Who uses the tools: the model, in rounds of thought and action; or the "
        "domain, whose own verifiers judge the answer and the steps without a model",
    )
    calls: Literal["auto", "native", "text"] = Field(
        default="auto",
        description="How the model calls a tool: native, as its server's chat API has it; text, by "
        "a line that says so; auto: native where its template has tools and its server takes them",
    )
    rounds: int | None = Field(
        default=6,
        ge=1,
        le=MOST_ROUNDS,
        description="Most rounds of thought and action before it evaluates; empty: as many as it "
        "chooses, as in the paper (100 at the most)",
    )
    meta_tokens: Positive = Field(
        default=2048, description="Most tokens of the look at the solution's form"
    )
    act_tokens: Positive = Field(default=1024, description="Most tokens of a thought and action")

    @model_validator(mode="after")
    def _some_layer(self) -> Self:
        if not (self.meta or self.use_tools):
            raise ValueError("meta and use_tools are both off; nothing would be verified")
        return self


class VerifiAgentState(JudgingState, total=False):
    """The channels.

    Attributes:
        meta: What meta verification found: :class:`~agentflow.verifiers.meta.Meta` with ``ok``;
            None where it did not run. Where it could not be read it has ``ok`` None and ``error``.
        turns: The rounds: what the model said in each (``text``, ``thought``), the ``call`` it
            made, what it was told (``observation``), and the ``made`` call as evidence.
        protocol: How tools are called, ``native`` or ``text``, and ``why`` where it fell back.
        evaluation: The model's evaluation, or its ``error``.
        reflection: What it was before the layers' conflict, and the conflict; empty for none.
    """

    meta: dict[str, Any] | None
    turns: list[dict[str, Any]]
    protocol: dict[str, str]
    evaluation: dict[str, Any]
    reflection: dict[str, Any]


@dataclass(frozen=True)
class VerifiAgentView(View[VerifiAgentSettings]):
    """A judgement as its channels have it; see :class:`VerifiAgentState` for each."""

    @property
    def meta(self) -> dict[str, Any] | None:
        return self.channels.get("meta")

    @property
    def turns(self) -> list[dict[str, Any]]:
        return self.channels.get("turns") or []

    @property
    def protocol(self) -> dict[str, str]:
        return self.channels.get("protocol") or {}

    @property
    def evaluation(self) -> dict[str, Any]:
        return self.channels.get("evaluation") or {}

    @property
    def reflection(self) -> dict[str, Any]:
        return self.channels.get("reflection") or {}


@dataclass(frozen=True)
class VerifiAgentRun(Judging[VerifiAgentSettings], VerifiAgentView):
    """What VerifiAgent's nodes are given."""

    schema = VerifiAgentState


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said behind its thinking, up to the end of its first action.

    Attributes:
        text: That.
        tokens: All its tokens.
        start: Where in their text it begins.
        call: The call that it made beside the text, as its server's chat API has it.
        wrong: What is wrong with such a call that cannot be read.
    """

    text: str
    tokens: tuple[Token, ...]
    start: int = 0
    call: ToolCall | None = None
    wrong: str = ""

    def v_score(self, at: int) -> float | None:
        """V_score at the token behind ``at`` characters of the text."""
        return v_score_at(self.tokens, self.start + at)


@dataclass(frozen=True, slots=True)
class Asking:
    """One question to the verifier's model.

    Attributes:
        model: Who is asked, counted.
        prompt: (system, user).
        cut: Characters of the solution that the prompt has no room for.
        seed: Of the request.
    """

    model: Metered
    prompt: tuple[str, str]
    cut: int
    seed: int


class TooLong(ValueError):
    """Even without most of the solution a prompt does not fit; says so in one line."""


async def asking(
    run: VerifiAgentRun,
    template: str,
    counted_as: str,
    tokens: int,
    number: int = 0,
    **fields: str,
) -> Asking:
    """The question that a template puts, with the problem and the solution in it.

    Raises:
        TooLong: If it does not fit into the model's context.
        ModelUnavailable: If no server answers.
    """
    problem, branch, done = run.problem, run.branch, len(run.operations)
    model = await run.ask("verifier", counted_as, f"{branch}/{done}/{template}{number}")
    stated = await prompts.statement(problem, model.profile)
    given = {"problem": problem.text, "stated": stated, **fields}
    prompt, cut = await fitted(model, template, joined(run.steps), tokens, given)
    seed = request_seed(run.settings.seed, problem.id, counted_as, branch, done, template, number)
    return Asking(model, prompt, cut, seed)


async def fitted(
    model: Model, template: str, solution: str, tokens: int, fields: dict[str, str]
) -> tuple[tuple[str, str], int]:
    """A prompt with as much of the solution as the context has room for, and what it has not.

    What is left out is left out of the middle, and a line says so.

    Args:
        tokens: That the reply is to have; a third of the context at most.

    Raises:
        TooLong: If the rest of the prompt alone leaves no room.
    """
    context = model.profile.context
    room = context - min(tokens, context // 3)
    keep = min(len(solution), 8 * room)
    while True:
        given = {**fields, "solution": quoted(_shortened(solution, keep))}
        prompt = await prompts.rendered(FOLDER, template, model.profile, given)
        used = await _length(model, prompt)
        if used <= room:
            return prompt, len(solution) - keep
        each = sum(map(len, prompt)) / used
        keep = min(keep - 1, int(keep - 1.1 * each * (used - room)))
        if keep < min(_LEAST, len(solution)):
            raise TooLong(
                f"the problem and what was found fill the verifier's context of {context:,} tokens"
            )


async def say(asked: Asking, settings: Settings, tokens: int) -> Said:
    """The model's reply; its stream is closed where its first action ends.

    Raises:
        ModelUnavailable, StreamBroken: If it does not answer.
    """
    model, profile = asked.model, asked.model.profile
    most = model.capabilities.logprobs
    think = "verifier" in settings.think
    opened = _begins(model, think) == "open"
    ids = prompt_of(model, await _trace(model, asked.prompt, think))
    tokens += profile.max_tokens if opened or think else 0
    room = profile.context - (len(ids) if isinstance(ids, tuple) else 0)
    request = Request(
        ids,
        max(1, min(tokens, room)),
        settings.sampling(profile),
        asked.seed,
        top=TOP if most is None else min(TOP, most),
        cache=settings.shares_cache,
    )
    said, start, thinking = list[Token](), 0, opened
    ending, length = Ending(), 0
    async with aclosing(model.stream(request)) as stream:
        async for item in stream:
            if isinstance(item, Finish):
                break
            said.append(item)
            length += len(item.text)
            if profile.think_close and item.text == profile.think_close:
                ending, start, thinking = Ending(), length, False
            elif profile.think_open and item.text == profile.think_open:
                thinking = True
            elif not thinking and ending.feed(item.text):
                break
    text = "".join(token.text for token in said)[start:]
    return Said("" if thinking else text[: ending.at], tuple(said), start)


def form_of(run: VerifiAgentView) -> str:
    """What meta verification found, as a prompt shows it."""
    meta = run.meta
    if not meta or meta["ok"] is None:
        return "not looked at"
    fields = {key: value for key, value in meta.items() if key in Meta.model_fields}
    return quoted(notes(Meta(**fields)))


def _shortened(text: str, keep: int) -> str:
    if keep >= len(text):
        return text
    head, tail = keep - keep // 2, keep // 2
    return text[:head] + _GAP.format(count=len(text) - keep) + text[len(text) - tail :]


def _begins(model: Model, think: bool = False) -> Thinking:
    return model.profile.begins(continues=model.capabilities.continues, think=think)


async def _trace(model: Model, prompt: tuple[str, str], think: bool = False) -> Trace:
    system, user = prompt
    pieces = model.profile.render(user, system, thinking=_begins(model, think))
    return Trace([(await segment(model, "prompt", pieces)).operation()])


async def _length(model: Model, prompt: tuple[str, str]) -> int:
    """Tokens of a prompt; a guess that is rather too high where only the server can count them."""
    ids = prompt_of(model, await _trace(model, prompt))
    return len(ids) if isinstance(ids, tuple) else -(-len(ids) // 3)
