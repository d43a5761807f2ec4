"""Whether texts that are learned fit into the bundled model's context."""

from __future__ import annotations

from collections.abc import Iterable

from agentflow import models
from agentflow.models import HTTPModel
from agentflow.profile import PROFILES, Piece
from training.game24 import Part


async def check_fit(texts: Iterable[list[Part]]) -> None:
    """See that each text, tokenised as a prompt is, fits."""
    model = await models.connect("embedded")
    assert isinstance(model, HTTPModel)
    try:
        for parts in texts:
            pieces = [Piece(part.text) for part in parts]  # letters are more tokens than markers
            assert len(await model.tokenize(pieces)) <= PROFILES["pocket"].context
    finally:
        await models.close_all()
