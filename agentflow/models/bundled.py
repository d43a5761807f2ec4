"""The models that come with the package, and which of them a duty has by default."""

from __future__ import annotations

from pathlib import Path

from agentflow.models import embedded
from agentflow.settings import Server, checked

JUDGE = "embedded:judge"
"""Names the judge, where ``embedded`` names the pocket model, which solves too."""

NAMES = ("embedded", JUDGE)

JUDGES: frozenset[str] = frozenset(
    {
        "reward",
        "prm",
        "verifier",
        "verifier-fast",
        "verifier-slow",
        "verifier-act",
        "verifier-meta",
        "verifier-reflect",
        "rewriter",
    }
)
"""Duties, as the ledger counts them, in which the judge is measured to be better than the pocket
model, or as good (``docs/pocket-judge.md``): they have it by default where the pocket model is the
model."""


def file(name: str) -> Path:
    """The file of one of :data:`NAMES`; it need not be there.

    Raises:
        KeyError: If it is none of them.
    """
    pocket = embedded.bundled()
    return {"embedded": pocket, JUDGE: pocket.with_name("agentflow-pocket-judge.gguf")}[name]


def is_judge(model: str) -> bool:
    """Whether a model, by the name of its file, is the judge: solutions can be read with it."""
    return "pocket-judge" in model


def is_pocket(model: str) -> bool:
    """Whether the settings' model is the pocket model, whatever is said behind it of its engine.

    Raises:
        BadInput: If it is no model.
    """
    return checked(Server, {"at": model}, "model").at == "embedded"


def model_for(duty: str, model: str) -> str:
    """What a duty is done by where its role names no model: ``model``, or the judge, on an engine
    like the pocket model's.

    Args:
        duty: What the ledger counts it as, such as ``verifier-fast``.
        model: The settings' model; an engine of this process goes by the file that it serves.

    Raises:
        BadInput: If it is no model.
    """
    if duty not in JUDGES or not file(JUDGE).is_file():
        return model
    if is_pocket(model):
        return JUDGE + model.removeprefix("embedded")
    engine = embedded.served(model)
    if engine is not None and engine.file == embedded.bundled().resolve():
        return f"{JUDGE}?context={engine.context}&threads={engine.threads}"
    return model
