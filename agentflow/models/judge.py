"""A model of this process that can also be read with: how likely was each token of a text?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from agentflow.errors import BadReply
from agentflow.models import fields
from agentflow.models.http import HTTPModel
from agentflow.profile import Piece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from threadpoolctl import ThreadpoolController

_LINE = re.compile(r" ?\S(?:[^\n]*\S)?\n")
_OUTPUT = ("output.weight", "token_embd.weight")
"""The tensor that makes logits of the last layer's states; the second where both are one."""


class JudgeModel(HTTPModel):
    """The bundled judge.

    Args:
        base_url: Its engine in this process, which reads (:func:`agentflow.models.embedded.serve`).
        file: The GGUF file that it serves.
        idle_timeout: As for :class:`~agentflow.models.http.HTTPModel`.
    """

    def __init__(self, base_url: str, file: Path, *, idle_timeout: float = 60.0) -> None:
        super().__init__(base_url, idle_timeout=idle_timeout)
        self.file = file

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Token ids of the pieces, each piece alone; those of unknown lines in one request."""
        await self._find()
        lines = [one for one in dict.fromkeys(pieces) if _is_line(one) and one not in self._tokens]
        if len(lines) > 1:
            self._remember(await self._tokens_of(lines))
        return await super().tokenize(pieces)

    async def _tokens_of(self, lines: Sequence[Piece]) -> dict[Piece, tuple[int, ...]]:
        """Token ids of each line: none of the judge's tokens goes on behind the end of a line.
        Empty for a tokenizer of which that is not so: its lines are asked for one by one."""
        text = "".join(line.text for line in lines)
        body = {"content": text, "add_special": False, "parse_special": False, "with_pieces": True}
        reply = await self._ask("/tokenize", body)
        found: list[list[int]] = [[]]
        with self._reading("/tokenize"):
            for one in fields.entries(fields.member(reply, "tokens"), "tokens"):
                found[-1] += fields.ids([fields.member(one, "id")], "tokens")
                if str(fields.member(one, "piece")).endswith("\n"):
                    found.append([])
        whole = len(found) == len(lines) + 1
        return dict(zip(lines, map(tuple, found), strict=False)) if whole else {}

    async def likelihoods(self, ids: tuple[int, ...]) -> tuple[float, ...]:
        """The log-probability of each token, given those before it; 0 for the first one.

        The engine gives the last layer's states of all tokens in one pass over the text, which
        generates nothing; the output matrix makes logits of them here.

        Args:
            ids: At most as many as the engine's context holds.

        Raises:
            BadReply: If the engine does not give a state for each token.
            ModelUnavailable: If it does not answer, or the text is longer.
        """
        import numpy as np

        reply = await self._ask("/embeddings", {"content": list(ids), "embd_normalize": -1})
        matrix = _matrix(self.file)
        with self._reading("/embeddings"):
            rows = fields.entries(reply, "a list of texts")
            states = np.array(fields.member(rows[0] if rows else {}, "embedding"), np.float32)
        if states.shape != (len(ids), matrix.shape[1]):
            message = f"states of shape {states.shape} for {len(ids)} tokens"
            raise BadReply(f"{self.base_url}/embeddings answered {message}")
        with _blas().limit(limits=1):  # else its other threads spin on the engine's core
            logits = states[:-1] @ matrix.T
        logits -= logits.max(axis=1, keepdims=True)
        said = logits[np.arange(len(ids) - 1), list(ids[1:])]
        found = said - np.log(np.exp(logits).sum(axis=1))
        return (0.0, *map(float, found))


def _is_line(piece: Piece) -> bool:
    """Whether a piece is a line that has the same tokens between others: more blanks at its ends
    would be read with the end of a line."""
    return not piece.special and _LINE.fullmatch(piece.text) is not None


@cache
def _blas() -> ThreadpoolController:
    """The library that multiplies numpy's matrices."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


@cache
def _matrix(file: Path) -> NDArray[np.float32]:
    """The output matrix of a GGUF file: (vocabulary, width)."""
    import numpy as np
    from gguf import GGUFReader, dequantize

    tensors = {one.name: one for one in GGUFReader(file).tensors}
    found = next(tensors[name] for name in _OUTPUT if name in tensors)
    return np.asarray(dequantize(found.data, found.tensor_type), dtype=np.float32)
