"""The class that vLLM loads, through both of its interfaces.

V1's is what runs on a CPU (``tests/engines/test_vllm.py`` has a whole engine). The Model Runner V2
needs Triton: here its interface alone is met, with tensors of ours and vLLM's own loader.
"""

from __future__ import annotations

import random
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

if find_spec("vllm") is None:
    pytest.skip("vLLM is not installed: make test-vllm", allow_module_level=True)

import numpy as np
import torch
from engine import CLOSE, END, TURN, V, asks, forced
from vllm import SamplingParams
from vllm.sampling_params import StructuredOutputsParams
from vllm.v1.sample.logits_processor.interface import BatchUpdate, MoveDirectionality
from vllm.v1.worker.gpu.sample.logits_processor import loader
from vllm.v1.worker.gpu.sample.logits_processor.interface import LogitsContext

from agentflow.vllm_plugin import processor
from agentflow.vllm_plugin.ask import KEY, SWITCH, Ask, Report, Stop
from agentflow.vllm_plugin.processor import InEngine

torch.set_num_threads(1)
BUDGET = asks(Stop(close=(CLOSE,), guard=(TURN,), budget=3))


def config(**more: Any) -> Any:
    about = {
        "model_config": SimpleNamespace(get_vocab_size=lambda: V, logits_processors=None),
        "scheduler_config": SimpleNamespace(max_num_seqs=6, async_scheduling=False),
        "speculative_config": None,
    }
    return SimpleNamespace(**about | more)


def params(ask: Ask | None = None, **more: Any) -> SamplingParams:
    extra = None if ask is None else ask.xargs()
    return SamplingParams(max_tokens=more.pop("max_tokens", 100), extra_args=extra, **more)


@pytest.fixture(autouse=True)
def switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")


def first(**more: Any) -> InEngine:
    return InEngine(config(**more), torch.device("cpu"), False)


def update(size: int = 6, **what: Any) -> BatchUpdate:
    return BatchUpdate(size, what.get("removed", ()), what.get("added", ()), what.get("moved", ()))


class TestTheDoor:
    def test_who_asks_nothing_is_let_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv(SWITCH)
        InEngine.validate_params(params())
        with pytest.raises(ValueError, match="not switched on"):
            InEngine.validate_params(params(BUDGET))

    def test_who_asks_where_it_is_off_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(SWITCH, "0")
        with pytest.raises(ValueError, match="not switched on; start the server with 'agentflow"):
            InEngine.validate_params(params(BUDGET))

    def test_another_version_is_told(self) -> None:
        with pytest.raises(ValueError, match="version 2 of agentflow's plugin and this server ver"):
            InEngine.validate_params(params(BUDGET.model_copy(update={"protocol": 2})))

    def test_a_probe_needs_room(self) -> None:
        with pytest.raises(ValueError, match="1 numbers take 2 tokens; max_tokens is 1"):
            InEngine.validate_params(params(asks(probe=("entropy",)), max_tokens=1))

    def test_no_grammar_beside_it(self) -> None:
        grammar = StructuredOutputsParams(json={})
        with pytest.raises(ValueError, match="leave out structured_outputs"):
            InEngine.validate_params(params(BUDGET, structured_outputs=grammar))


class TestTheStart:
    def test_speculative_decoding_is_refused(self) -> None:
        with pytest.raises(ValueError, match="does not work under speculative decoding"):
            first(speculative_config=object())

    def test_so_is_a_scheduler_that_hides_tokens(self) -> None:
        scheduler = SimpleNamespace(max_num_seqs=6, async_scheduling=True)
        with pytest.raises(ValueError, match="--no-async-scheduling"):
            first(scheduler_config=scheduler)

    def test_switched_off_it_starts_anywhere(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(SWITCH, "0")
        one = first(speculative_config=object())
        one.update_state(update(added=[(0, params(BUDGET), None, [])]))
        x = torch.zeros(1, V)
        assert one.apply(x) is x


class Batch:
    """V1's batch: requests come, go, and change places, as a scheduler has it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.one = first()
        self.rows: list[tuple[SamplingParams, list[int], int | None]] = []

    def turn(self, *, admits: bool = True) -> int:
        """A step; returns how many came."""
        chance, removed, added, moved = self.chance, [], [], []
        count = len(self.rows)
        gone = [i for i in range(count) if chance.random() < 0.3]
        kept = [i for i in range(count) if i not in gone]
        removed = sorted(gone, reverse=True)
        for target in gone:  # vLLM fills gaps from the end
            if kept and kept[-1] > target:
                last = kept.pop()
                moved.append((last, target, MoveDirectionality.UNIDIRECTIONAL))
                self.rows[target] = self.rows[last]
                kept = sorted([*kept, target])
        self.rows = [self.rows[i] for i in kept]
        while admits and len(self.rows) < 6 and chance.random() < 0.7:
            budget = chance.choice([None, 1, 2, 5])
            tokens: list[int] = []
            ask = None if budget is None else asks(Stop(close=(CLOSE,), budget=budget))
            self.rows.append((params(ask), tokens, budget))
            added.append((len(self.rows) - 1, self.rows[-1][0], None, tokens))
        # vLLM applies moves behind additions, whose places are free by then.
        self.one.update_state(update(len(self.rows), removed=removed, moved=moved))
        self.one.update_state(update(len(self.rows), added=added))
        if len(self.rows) > 1 and chance.random() < 0.3:
            a, b = chance.sample(range(len(self.rows)), 2)
            self.rows[a], self.rows[b] = self.rows[b], self.rows[a]
            self.one.update_state(update(moved=[(a, b, MoveDirectionality.SWAP)]))
        if self.rows:
            x = torch.zeros(len(self.rows), V)
            self.one.apply(x)
            for row, (_, tokens, budget) in enumerate(self.rows):
                wanted = CLOSE if budget == len(tokens) else None
                assert forced(x[row]) == wanted
                if budget is None:
                    assert not x[row].any()
                tokens.append(20 if wanted is None else wanted)
        return len(added)


@pytest.mark.parametrize("seed", range(3))
def test_each_request_keeps_its_own_wherever_it_stands(seed: int) -> None:
    batch = Batch(seed)
    assert sum(batch.turn() for _ in range(60)) > 30  # requests that came


def test_ten_thousand_requests_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """They come and go in random order; what is held is bounded at every time."""
    batch, came = Batch(7), 0
    monkeypatch.setattr(batch.one._core, "step", lambda *_: None)  # the bookkeeping is at stake
    slots = 6 + processor._PARKED
    while came < 10_000:
        chance = batch.chance
        size = chance.randint(1, 6)
        added = [(i, params(BUDGET), None, [20] * chance.randint(0, 3)) for i in range(size)]
        came += size
        batch.one.update_state(update(added=added))
        places = chance.sample(range(size), size)
        if size > 1:
            moved = [(places[0], places[1], MoveDirectionality.SWAP)]
            batch.one.update_state(update(moved=moved))
        assert len(batch.one._held) <= 6
        held, parked = batch.one._held.values(), batch.one._parked.values()
        used = [one.slot for one in (*held, *parked)]
        assert sorted([*used, *batch.one._free]) == list(range(slots))
        batch.one.update_state(update(removed=places))
    assert batch.one._held == {}
    assert len(batch.one._parked) <= processor._PARKED


def test_a_request_that_is_set_aside_comes_back_as_it_was() -> None:
    one = first()
    ask = asks(Stop.model_validate({"close": (CLOSE,), "patterns": ((20, 21, 22),)}))
    tokens: list[int] = []
    for word in (20, 21, 22):
        row = len(tokens) % 2  # it comes back at another place
        one.update_state(update(added=[(row, params(ask), None, tokens)]))
        x = torch.zeros(2, V)
        one.apply(x)
        assert forced(x[row]) is None
        tokens.append(word)
        one.update_state(update(removed=[row]))
    one.update_state(update(added=[(0, params(ask), None, tokens)]))
    x = torch.zeros(1, V)
    one.apply(x)
    assert forced(x[0]) == CLOSE


def test_an_id_beyond_the_vocabulary_ends_no_engine(caplog: pytest.LogCaptureFixture) -> None:
    one = first()
    ask = asks(Stop(close=(V + 5,), budget=1))
    one.update_state(update(added=[(0, params(ask), None, [20])]))
    x = torch.zeros(1, V)
    assert not one.apply(x).any()
    assert f"token {V + 5} of a vocabulary of {V}" in caplog.text


class Second:
    """The Model Runner V2's tensors for a few slots, without its kernels."""

    def __init__(self, slots: int = 4, room: int = 64) -> None:
        def held(*size: int) -> Any:
            return SimpleNamespace(gpu=torch.zeros(*size, dtype=torch.int32))

        self.states = SimpleNamespace(
            device=torch.device("cpu"),
            max_num_reqs=slots,
            vocab_size=V,
            all_token_ids=held(slots, room),
            prompt_len=held(slots),
            prefill_len=held(slots),
            total_len=held(slots),
        )
        self.one = InEngine(config(), self.states)

    def admit(self, slot: int, ask: Ask | None, ids: list[int], prompt: int) -> bool:
        self.states.all_token_ids.gpu[slot, : len(ids)] = torch.tensor(ids, dtype=torch.int32)
        self.states.prompt_len.gpu[slot] = prompt
        self.states.total_len.gpu[slot] = len(ids)
        return self.one.add_request(slot, params(ask))

    def sampled(self, slots: list[int], x: torch.Tensor, back: int = 0) -> list[int | None]:
        """A step of these slots, in this order; ``back`` tokens of the prompts are unread."""
        which = torch.tensor(slots, dtype=torch.int32)
        pos = self.states.total_len.gpu[which.long()] - 1 - back
        context = LogitsContext(
            expanded_idx_mapping=which,
            idx_mapping=which,
            idx_mapping_np=np.array(slots, dtype=np.int32),
            expanded_local_pos=torch.zeros_like(which),
            input_ids=self.states.all_token_ids.gpu[which.long(), pos.long()],
            pos=pos,
            seq_lens_upper_bound_np=(pos + 1).numpy(),
        )
        self.one.apply(x, context)
        found = [forced(row) for row in x]
        if not back:
            for slot, token in zip(slots, found, strict=True):
                at = int(self.states.total_len.gpu[slot])
                self.states.all_token_ids.gpu[slot, at] = 20 if token is None else token
                self.states.total_len.gpu[slot] = at + 1
        return found


class TestV2:
    def test_its_own_loader_takes_the_class(self, monkeypatch: pytest.MonkeyPatch) -> None:
        point = EntryPoint("agentflow", "agentflow.vllm_plugin.processor:InEngine", "x")
        monkeypatch.setattr(loader, "entry_points", lambda group: [point])
        assert loader._load_v2_logitsprocs_plugins() == [InEngine]

    def test_a_budget_beside_others_in_changing_order(self) -> None:
        second = Second()
        assert second.admit(2, BUDGET, [7, 8], 2)
        assert not second.admit(0, None, [7], 1)
        orders = [[0, 2], [2, 0], [0, 2], [2, 0], [2]]
        found = []
        for order in orders:
            x = torch.randn(len(order), V)
            before = x.clone()
            found.append(second.sampled(order, x)[order.index(2)])
            if 0 in order:
                row = order.index(0)
                assert torch.equal(x[row], before[row])
        assert found == [None, None, None, CLOSE, None]

    def test_a_probe_while_the_prompt_is_read_in_parts(self) -> None:
        second = Second()
        second.admit(1, asks(probe=("confidence",)), [7, 8, 9, 10], 4)
        second.sampled([1], torch.randn(1, V), back=2)
        sure = torch.zeros(1, V)
        sure[0, 7] = 100
        assert second.sampled([1], sure) == [1499]  # the highest digit
        assert second.sampled([1], torch.randn(1, V)) == [1499]
        assert second.sampled([1], torch.randn(1, V)) == [None]

    def test_a_slot_that_another_had(self) -> None:
        second = Second()
        second.admit(1, BUDGET, [7], 1)
        second.sampled([1], torch.zeros(1, V))
        assert not second.admit(1, None, [7], 1)
        assert [second.sampled([1], torch.zeros(1, V)) for _ in range(4)] == [[None]] * 4

    def test_a_request_preempted_behind_its_thinking_is_left_alone(self) -> None:
        second = Second()
        second.admit(1, BUDGET, [7, 20, 20, 20, CLOSE, 20], 1)
        assert [second.sampled([1], torch.zeros(1, V)) for _ in range(4)] == [[None]] * 4

    def test_a_report(self) -> None:
        second = Second()
        ask = asks(Stop(close=(CLOSE,), budget=1), Report(after=(CLOSE,), end=END))
        second.admit(0, ask, [7], 1)
        found = [second.sampled([0], torch.zeros(1, V))[0] for _ in range(7)]
        assert found == [None, CLOSE, 4 + 7, 4, 4 + 1, 4, END]


def test_nothing_is_computed_for_those_who_ask_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one, second = first(), Second()
    one.update_state(update(added=[(0, params(), None, [])]))
    second.admit(0, None, [7], 1)
    for each in (one, second.one):
        monkeypatch.setattr(each._core, "step", None)
    x = torch.randn(1, V)
    assert one.apply(x) is x
    second.sampled([0], x)
    assert KEY == "agentflow"
