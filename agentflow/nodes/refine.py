"""Refine: put the intervention into the trace, so that the solver goes on from there."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated, Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import Field, RootModel, ValidationError

from agentflow.errors import BadInput
from agentflow.models.model import segment
from agentflow.monitors.monitor import Intervention
from agentflow.nodes.context import configured
from agentflow.nodes.run import Run, Update, node
from agentflow.profile import Piece
from agentflow.settings import Settings


class RefineSettings(Settings):
    """Settings of the methods whose interventions a person may review."""

    review: bool = Field(
        default=False,
        description="Pause before each intervention, for a person to accept it or to write the "
        "feedback; only in a thread, as in Studio",
    )

    @property
    def pauses(self) -> str:
        return "review" if self.review else ""


class Review(RootModel[Literal[True] | Annotated[str, Field(pattern=r"\S")]]):
    """What a person who is asked says: true to accept, or what to say instead or is wrong."""


@node(Settings)
async def refine(run: Run[Settings]) -> Update:
    """Append the feedback, what stands in a word's place, or the marker that closes the thinking;
    the cut was made already."""
    intervention = run.stream.wanted
    if run.changed.get("review"):  # only some methods have it
        intervention = _review(intervention)
    model, trace, update = await run.model(), run.trace, Update()
    if intervention.kind == "close":
        addition = await segment(model, "marker", model.profile.closing, trace.leftover)
    elif intervention.kind == "put":
        text = intervention.text
        addition = await segment(model, "alternative", [Piece(text)], trace.leftover)
        read = run.reading
        begun = read.unread_at if read.unread else len(trace.body)
        read = replace(read, unread=read.unread + text, unread_at=begun)
        update |= {"reading": asdict(read), "corrections": run.corrections + 1}
    else:
        # Where the model left its line unfinished, the note still starts its own.
        lead = "" if trace.body.endswith("\n") else "\n"
        pieces = [Piece(lead + intervention.text)]
        addition = await segment(model, "feedback", pieces, trace.leftover)
        update["corrections"] = run.corrections + 1
    event = {"text": addition.text.removeprefix(trace.leftover)}  # which stands already
    run.emit({"type": "intervention"} | asdict(intervention) | event)
    return update | {"operations": [addition.operation()]}


def check_review(settings: Settings, runtime: Runtime[Any]) -> None:
    """See that a run which is to pause has a thread to go on in.

    Raises:
        BadInput: If it has none.
    """
    info = runtime.execution_info
    if settings.pauses and (info is None or info.thread_id is None):
        raise BadInput(
            f"{settings.pauses} needs a thread that can pause and go on: give one (--thread NAME, "
            "thread=…), or run the method in Studio"
        )


def asked(question: dict[str, Any]) -> Literal[True] | str:
    """What a person replies to a question; pauses the run until then.

    Raises:
        BadInput: If it is neither true nor a text.
    """
    try:
        return interrupt(question, response_schema=Review).root
    except ValidationError as error:
        thread = configured("thread_id")
        given = error.errors()[0]["input"]
        raise BadInput(
            f"thread {thread!r} cannot be told {given!r:.60}; reply {question['resume']}"
        ) from error


def _review(intervention: Intervention) -> Intervention:
    """What is left of the intervention once a person has seen it; pauses the run until then."""
    question = "true to accept this intervention, or a text to give as the feedback instead"
    payload = {"resume": question} | asdict(intervention)
    reply = asked(payload)
    if isinstance(reply, str):
        return replace(intervention, kind="feedback", text=reply.rstrip("\n") + "\n")
    return intervention
