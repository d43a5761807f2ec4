"""The class that vLLM loads: one for both of its interfaces.

V1 names requests by their place in the batch, which changes, and gives their tokens as lists of
the host; the Model Runner V2 by a slot, with the tokens on the device.
"""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from dataclasses import dataclass, fields
from typing import Any

import torch
from vllm.v1.sample.logits_processor import interface as v1

from agentflow.vllm_plugin.ask import KEY, SWITCH, Ask, parse_ask, tokens_of
from agentflow.vllm_plugin.core import Core, Needs, needs, reads_signals

try:
    from vllm.v1.worker.gpu.sample.logits_processor import interface as v2

    _BASES: tuple[type, ...] = (v1.LogitsProcessor, v2.LogitsProcessor)
except ImportError:  # an older vLLM, which must not fail to start for us
    _BASES = (v1.LogitsProcessor,)

_PARKED = 64
"""Slots beyond those of the batch, for requests that left it for a while: a scheduler may take one
out and put it back, and what was read of it must not be read anew."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Held:
    """A request that asks for something.

    Attributes:
        ask: What.
        slot: Where its state is.
        tokens: The host's list of its generated tokens (V1); empty for V2.
        signals: Whether its distribution is read.
        needs: What else of a step it needs.
    """

    ask: Ask
    slot: int
    tokens: list[int]
    signals: bool
    needs: Needs

    def due(self) -> bool:
        """Whether the coming token's distribution is to be read (V1)."""
        if self.ask.stop is None:
            return not self.tokens
        return self.signals and len(self.tokens) % self.ask.stop.every == 0


class InEngine(*_BASES):  # type: ignore[misc]
    """Probes and stop rules for the requests that ask for them.

    Raises:
        ValueError: If it is switched on where it cannot work: under speculative decoding, or where
            V1's asynchronous scheduling hides the tokens from processors found by entry point.
    """

    def __init__(self, config: Any, where: Any, pin: bool | None = None) -> None:
        self._on = switched_on()
        self._v2 = pin is None
        self._held: dict[int, _Held] = {}
        self._vocabulary = config.model_config.get_vocab_size()
        if not self._on:
            return
        refuse(config, v2=self._v2)
        most = where.max_num_reqs if self._v2 else config.scheduler_config.max_num_seqs
        self._core = Core(most if self._v2 else most + _PARKED, where.device if self._v2 else where)
        self._free = list(range(most + _PARKED))
        self._parked: OrderedDict[int, _Held] = OrderedDict()
        self._requests: Any = where  # V2's; the device of V1 has no tokens
        self._came: set[int] = set()
        _log.info("agentflow's plugin is on")

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """See at the door that a request can have what it asks for.

        Raises:
            ValueError: Says what is wrong; the server answers 400.
        """
        ask = parse_ask(sampling_params.extra_args)
        if ask is None:
            return
        if not switched_on():
            raise ValueError(
                f"vllm_xargs.{KEY}: the plugin is not switched on; start the server with "
                f"'agentflow model serve', or with {SWITCH}=1"
            )
        if sampling_params.structured_outputs is not None:
            raise ValueError(
                f"vllm_xargs.{KEY}: a grammar and forced tokens exclude each other; leave out "
                "structured_outputs"
            )
        most = sampling_params.max_tokens
        if ask.probe and most is not None and most < tokens_of(ask):
            raise ValueError(
                f"vllm_xargs.{KEY}: {len(ask.probe)} numbers take {tokens_of(ask)} tokens; "
                f"max_tokens is {most}"
            )

    def is_argmax_invariant(self) -> bool:
        return False

    # V1

    def update_state(self, batch_update: Any) -> None:
        """Follow what came, went and moved (V1)."""
        if batch_update is None:
            return
        for index in batch_update.removed:
            self._park(index)
        for index, params, _, tokens in batch_update.added:
            self._park(index)
            self._add(index, params, tokens)
        for a, b, direction in batch_update.moved:
            first, second = self._held.pop(a, None), self._held.pop(b, None)
            if first is not None:
                self._held[b] = first
            if second is not None:
                if direction == v1.MoveDirectionality.SWAP:
                    self._held[a] = second
                else:
                    self._set_aside(second)

    def _add(self, index: int, params: Any, tokens: list[int]) -> None:
        ask = self._ask(params)
        if ask is None:
            return
        held = self._parked.pop(id(tokens), None)
        if held is None:
            held = _Held(ask, self._free.pop(), tokens, reads_signals(ask), needs(ask))
            self._core.add(held.slot, ask, params.max_tokens or 1 << 30)
        self._held[index] = held

    def _park(self, index: int) -> None:
        held = self._held.pop(index, None)
        if held is not None:
            self._set_aside(held)

    def _set_aside(self, held: _Held) -> None:
        """Keep a slot until it is wanted; its list is kept, so that no other has its address."""
        self._parked[id(held.tokens)] = held
        if len(self._parked) > _PARKED:
            _, oldest = self._parked.popitem(last=False)
            self._free.append(oldest.slot)

    # The Model Runner V2

    def add_request(self, req_idx: int, sampling_params: Any) -> bool:
        """Begin a slot anew (V2); whether it asks for something.

        A request that was preempted comes anew, too: its curve begins again, and where its thinking
        was closed already it is left alone.
        """
        self._held.pop(req_idx, None)
        ask = self._ask(sampling_params)
        if ask is None:
            return False
        self._core.add(req_idx, ask, sampling_params.max_tokens or 1 << 30)
        self._held[req_idx] = _Held(ask, req_idx, [], reads_signals(ask), needs(ask))
        self._came.add(req_idx)
        return True

    # Both

    def apply(self, logits: torch.Tensor, ctx: Any = None) -> torch.Tensor:
        """Read and force, in place; at once where no request of the batch asks for anything."""
        if not self._held:
            return logits
        if ctx is None:
            rows = [row for row in self._held if row < len(logits)]
            held = [self._held[row] for row in rows]
            slots = self._tensor([one.slot for one in held])
            last = self._tensor([one.tokens[-1] if one.tokens else -1 for one in held])
            length = self._tensor([len(one.tokens) for one in held])
            due = [i for i, one in enumerate(held) if one.due()]
        else:
            found = [(row, int(i)) for row, i in enumerate(ctx.idx_mapping_np) if i in self._held]
            rows, held = [row for row, _ in found], [self._held[i] for _, i in found]
            if not rows:
                return logits
            here = self._tensor(rows)
            slots = ctx.expanded_idx_mapping.index_select(0, here).long()
            last = ctx.input_ids.index_select(0, here).long()
            began = self._requests.prompt_len.gpu.index_select(0, slots).long()
            # Where a prompt is still being read, it is not yet at its first token.
            length = (ctx.pos.index_select(0, here).long() + 1 - began).clamp_min(-1)
            due = [i for i, one in enumerate(held) if one.signals]
            self._come_back([i for _, i in found])
        if rows:
            self._core.step(
                logits,
                self._tensor(rows),
                slots,
                last,
                length,
                self._tensor(due),
                _union([one.needs for one in held]),
            )
        return logits

    def _come_back(self, slots: list[int]) -> None:
        """Leave alone what was preempted behind its thinking's end (V2)."""
        new = [slot for slot in slots if slot in self._came]
        if not new:
            return
        self._came.difference_update(new)
        here = self._tensor(new)
        ids = self._requests.all_token_ids.gpu.index_select(0, here).long()
        place = torch.arange(ids.shape[1], device=ids.device)[None, :]
        begin = self._requests.prompt_len.gpu.index_select(0, here).long()[:, None]
        end = self._requests.total_len.gpu.index_select(0, here).long()[:, None]
        self._core.resume(here, ids, (place >= begin) & (place < end))

    def _ask(self, params: Any) -> Ask | None:
        """What a request asks for; None where it asks nothing, or what would end the engine."""
        if not self._on:
            return None
        ask = parse_ask(params.extra_args)
        if ask is not None and max(ask.ids()) >= self._vocabulary:
            _log.error(
                "a request names token %d of a vocabulary of %d; it is left alone",
                max(ask.ids()),
                self._vocabulary,
            )
            return None
        return ask

    def _tensor(self, values: list[int]) -> torch.Tensor:
        return torch.tensor(values, dtype=torch.int64).to(self._core.device, non_blocking=True)


def switched_on() -> bool:
    """Whether this server is to have the plugin."""
    return os.environ.get(SWITCH) == "1"


def refuse(config: Any, *, v2: bool) -> None:
    """Say at the start what cannot work.

    Raises:
        ValueError: Says why, and what to do.
    """
    if config.speculative_config is not None:
        raise ValueError(
            "agentflow's plugin does not work under speculative decoding, where a token is only "
            f"known behind the step that proposed it: serve without it, or without {SWITCH}"
        )
    if (
        not v2
        and config.scheduler_config.async_scheduling
        and not (config.model_config.logits_processors)
    ):
        raise ValueError(
            "vLLM's V1 runner hides the sampled tokens from plugins while it schedules "
            "asynchronously: start it with --no-async-scheduling"
        )


def _union(all_needs: list[Needs]) -> Needs:
    return Needs(*(any(getattr(one, f.name) for one in all_needs) for f in fields(Needs)))
