from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

import agentflow
from agentflow import BadInput, Result, models
from agentflow.arguments import settings_for
from agentflow.errors import MissingCapability, ModelUnavailable, StreamBroken
from agentflow.models import (
    Capabilities,
    Delay,
    Fault,
    Model,
    ScriptedModel,
    Token,
    embedded,
)
from agentflow.models.scripted import Reply
from agentflow.models.turns import ChatProfile
from agentflow.profile import PROFILES, Piece

PUZZLE = "4 7 8 8"
CLOSE = "</think>"
LEAD = f"{CLOSE}\nAnswer:"
SAID = "Answer: (7 - 8 / 8) * 4 = 24"
RIGHT = f"{SAID}\n"
SAME = "Answer: 4 * (7 - (8 / 8))\n"
OTHER = "Answer: 8 * (7 - 4) / 8\n"
THINKING = f"one\n\ntwo\n\n{RIGHT}\n{OTHER}\n{RIGHT}\n{SAME}\nseven\n\neight\n\n"
"""Eight paragraphs; the candidate is stable at the sixth."""
CHAT = Capabilities(continues=False, exact_prefix=False, logprobs=0)


def place(paragraphs: int) -> str:
    """The thinking up to the end of so many paragraphs."""
    return "".join(f"{part}\n\n" for part in THINKING.split("\n\n")[:paragraphs])


def two(p: float) -> Token:
    """A token with two alternatives, of which it is the one with this probability."""
    top = ((" a", math.log(p)), (" b", math.log1p(-p)))
    return Token(" a", None, math.log(p), top)


def solver(
    probe: Callable[[int], Reply] = lambda _: [two(0.5)],
    *,
    thinking: Reply = THINKING,
    answer: Reply = SAID,
    **claims: Any,
) -> ScriptedModel:
    """Thinks, answers where the thinking is closed, and is probed beside it.

    ``probe`` is told behind how many paragraphs.
    """

    def script(prompt: str) -> Reply:
        if prompt.endswith(LEAD):
            body = prompt.removesuffix(LEAD).partition("<think>\n")[2]
            return probe(body.count("\n\n"))
        return answer if prompt.endswith(f"{CLOSE}\n") else thinking

    return ScriptedModel(script, **claims)


async def solve(model: Model | dict[Any, Model], **settings: Any) -> Result:
    settings = {"judge_answers": False} | settings
    return await agentflow.asolve(PUZZLE, "early_exit", model=model, **settings)


def stopped_at(result: Result) -> str | None:
    """What was kept of the thinking where a rule stopped it; None where none did."""
    asked = any(event.get("kind") == "ask" for event in result.events)
    if not asked and any(s.kind == "marker" for s in result.trace.segments):
        return result.trace.split(CLOSE)[0]
    return None


class TestRules:
    @pytest.mark.parametrize(
        ("rule", "parameters", "probe", "paragraphs"),
        [
            # The mean is the value, so that the variance is 0 at once.
            ("entropy", {"alpha": 1.0}, lambda n: [two(0.5)], 1),
            ("entropy", {"alpha": 1.0, "min_checks": 4}, lambda n: [two(0.5)], 4),
            ("entropy", {"variance": 0.0}, lambda n: [two(0.5)], None),
            ("entropy", {"start_at_first": True}, lambda n: [two(0.5)], 1),
            ("entropy_level", {"level": 0.5}, lambda n: [two(0.99 if n > 2 else 0.5)], 4),
            (
                "entropy_level",
                {"level": 0.5, "alpha": 1},
                lambda n: [two(0.99 if n > 2 else 0.5)],
                3,
            ),
            ("stall", {"window": 3}, lambda n: [two(0.99 if n % 2 else 0.5)], 4),
            ("confidence", {"confidence": 0.8}, lambda n: [two(n / 7)] if n < 7 else "", 6),
            ("rollouts", {}, lambda n: SAID if n == 5 else " none", 5),
            ("k_stable", {"k": 2}, lambda n: [two(0.5)], 6),
            ("k_stable", {"k": 3}, lambda n: [two(0.5)], None),
        ],
    )
    async def test_each_stops_where_it_should(
        self,
        rule: str,
        parameters: dict[str, Any],
        probe: Callable[[int], Reply],
        paragraphs: int | None,
    ) -> None:
        rules = {"rule": rule, **parameters}
        result = await solve(solver(probe), rules=rules, probe={"rollouts": 3})
        assert stopped_at(result) == (None if paragraphs is None else place(paragraphs))
        if paragraphs is None:
            assert any(event.get("kind") == "ask" for event in result.events), "it says no answer"
        else:
            assert (result.status, result.answer) == ("unverified", "(7 - 8 / 8) * 4")
            assert result.trace.body == f"{place(paragraphs)}{CLOSE}\n{SAID}"
            assert len(result.judged) == paragraphs
            verdicts = [one["verdict"]["ok"] for one in result.judged]
            assert verdicts == [True] * (paragraphs - 1) + [False]
        assert result.cost.wasted == result.trace.wasted

    async def test_the_budget_is_checked_at_check_points(self) -> None:
        for at, tokens in (("tokens", 12), ("paragraph", None)):
            budget = {"rule": "budget", "tokens": 10}
            result = await solve(solver(), rules=budget, check={"at": at, "every": 4})
            (last,) = [one for one in result.judged if one["verdict"]["ok"] is False]
            spent = last["state"]["data"]["tokens"]
            assert spent == tokens if tokens else spent >= 10
            assert last["verdict"]["reason"] == f"budget after {spent} tokens"

    async def test_the_default_is_algorithm_1(self) -> None:
        """Entropy from 0 on: the first value moves the mean by a fifth of itself."""
        result = await solve(solver(lambda n: [two(0.5)]))
        variances = [
            one["verdict"]["evidence"]["rules"]["entropy"]["variance"] for one in result.judged
        ]
        h = math.log(2)
        m1, m2 = 0.2 * h, 0.8 * 0.2 * h + 0.2 * h
        v1 = 0.2 * (h - m1) ** 2
        v2 = 0.8 * v1 + 0.2 * (h - m2) ** 2
        assert variances[:2] == pytest.approx([v1 / 0.2, v2 / (1 - 0.8**2)], rel=1e-9)
        signals = result.judged[0]["verdict"]["evidence"]["signals"]
        assert signals["missing"] == pytest.approx(0)

    async def test_any_all_and_first(self) -> None:
        rules = {"rules": [{"rule": "confidence", "confidence": 0.8}, "k_stable"]}

        def probe(n: int) -> Reply:
            return [two(0.9 if n in (2, 7) else 0.1)]

        assert stopped_at(await solve(solver(probe), **rules)) == place(2)
        assert stopped_at(await solve(solver(probe), combine="all", **rules)) == place(7)

        def never(n: int) -> Reply:
            return [two(0.1)]

        # A rule of its own stops behind its line, not at the next check point.
        first = await solve(solver(never), combine="first", **rules)
        assert stopped_at(first) == place(6).removesuffix("\n")
        budget = await solve(
            solver(never), combine="first", rules=["confidence", {"rule": "budget", "tokens": 3}]
        )
        assert sum(len(s.ends) for s in budget.trace.segments[:2]) == 3
        alone = await solve(solver(never), combine="first", rules="k_stable,budget")
        assert {one["monitor"] for one in alone.judged} == {"kstable"}
        assert set(alone.as_dict()["cost_by_role"]) == {"solver"}

    async def test_a_rule_named_twice_is_one(self) -> None:
        result = await solve(solver(), rules=["k_stable", "k_stable"], combine="all")
        assert stopped_at(result) == place(6)

    @pytest.mark.parametrize("thinking", ["no blank line, never", "one\ntwo\n"])
    async def test_without_a_check_point_nothing_stops(self, thinking: str) -> None:
        result = await solve(
            solver(thinking=f"{thinking}{CLOSE}\n{SAID}"),
            rules=["entropy", {"rule": "budget", "tokens": 1}],
        )
        assert (result.judged, result.cost.calls) == ([], 1)
        assert result.answer == "(7 - 8 / 8) * 4"

    async def test_a_chain_that_closes_itself_is_left_alone(self) -> None:
        text = f"one\n\ntwo\n\n{CLOSE}\n\n{SAID}\n\nHope this helps!\n\n"
        result = await solve(solver(lambda n: [two(0.5)], thinking=text))
        assert (result.status, result.answer) == ("unverified", "(7 - 8 / 8) * 4")
        assert result.trace.body == text
        assert len(result.judged) == 2  # none in the answer

    async def test_the_same_seed_gives_the_same_run(self) -> None:
        runs = [
            await solve(solver(), rules="rollouts,entropy", probe={"rollouts": 3}) for _ in range(2)
        ]
        assert runs[0].operations == runs[1].operations
        assert runs[0].judged == runs[1].judged

    async def test_prefix_keywords_and_alternatives_reach_the_probes(self) -> None:
        model = solver(thinking=f"one two, hold on, three{CLOSE}{SAID}")
        result = await solve(
            model,
            check={"at": "keyword", "keywords": ["Hold on"]},
            probe={"prefix": "", "alternatives": 7},
        )
        (judged,) = result.judged
        assert judged["verdict"]["ok"] is None  # the script knows no such probe
        probe = next(request for request in model.requests if request.max_tokens == 1)
        assert model.text(probe.prompt).endswith(f"<think>\none two,{CLOSE}")
        assert probe.top == 7


class TestCosts:
    async def test_every_request_is_in_the_ledger(self) -> None:
        def probe(n: int) -> Reply:
            return [two(0.5)]

        model = solver(probe)
        result = await solve(
            model,
            rules=["entropy", {"rule": "rollouts", "distinct": 0}, "k_stable"],
            probe={"rollouts": 3},
        )
        roles = result.as_dict()["cost_by_role"]
        assert set(roles) == {"solver", "probe", "rollout"}
        assert roles["solver"]["calls"] == 2
        assert roles["probe"]["calls"] >= len(result.judged) == 6
        assert roles["rollout"]["calls"] >= 18
        assert roles["probe"]["generated"] >= 6
        assert result.cost.calls == len(model.requests)
        assert result.cost.generated == model.streamed
        json.dumps(result.as_dict())

    async def test_slow_probes_are_counted_though_they_are_cancelled(self) -> None:
        def probe(n: int) -> Reply:
            return [Delay(0.01), two(0.999), Delay(0.01), two(0.9)] if n < 9 else ""

        model = solver(probe)
        rules = {"rule": "confidence", "confidence": 0.9}
        result = await solve(model, rules=rules, probe={"confidence_tokens": 2})
        assert stopped_at(result) == place(1)
        assert result.cost.calls == len(model.requests)
        assert result.cost.generated == model.streamed
        assert result.cost.wasted > 0

    async def test_a_probe_that_fails_cannot_tell(self) -> None:
        def probe(n: int) -> Reply:
            return [Fault(ModelUnavailable("off"))] if n == 2 else [two(0.5)]

        result = await solve(solver(probe), rules={"rule": "entropy", "variance": 0.0})
        verdicts = [one["verdict"] for one in result.judged]
        assert [verdict["ok"] for verdict in verdicts[:8]] == [True, None, *[True] * 6]
        verdicts = verdicts[:8]
        counts = [verdict["evidence"]["rules"]["entropy"]["n"] for verdict in verdicts]
        assert counts == [1, 1, 2, 3, 4, 5, 6, 7]
        assert result.as_dict()["cost_by_role"]["probe"]["calls"] == 8


class TestSurvival:
    async def test_a_stream_that_breaks_is_gone_on_with(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("agentflow.backoff.FIRST_WAIT", 0.0)
        broken = False

        def script(prompt: str) -> Reply:
            nonlocal broken
            body = prompt.partition("<think>\n")[2]
            if prompt.endswith(LEAD):
                return [two(0.99 if body.count("\n\n") == 4 else 0.5)]
            if CLOSE in prompt:
                return SAID
            if not broken:
                broken = True
                return [place(2), "Answer: (7", Fault(StreamBroken("gone"))]
            return THINKING.removeprefix(body)

        settings: dict[str, Any] = {"rules": {"rule": "entropy_level", "alpha": 1.0, "level": 0.2}}
        result = await solve(ScriptedModel(script), **settings)
        whole = await solve(solver(lambda n: [two(0.99 if n == 4 else 0.5)]), **settings)
        assert broken
        assert result.trace.body == whole.trace.body
        assert stopped_at(result) == place(4)
        assert [one["state"] for one in result.judged] == [one["state"] for one in whole.judged]

    async def test_a_run_that_broke_is_resumed_to_the_same_end(self, tmp_path: Path) -> None:
        up = False

        def script(prompt: str) -> Reply:
            body = prompt.partition("<think>\n")[2]
            if prompt.endswith(LEAD):
                return [two(0.99 if body.count("\n\n") == 4 else 0.5)]
            if CLOSE in prompt:
                return SAID
            if not up:
                return [place(2), Fault(StreamBroken("gone"))]
            return THINKING.removeprefix(body)

        settings: dict[str, Any] = {"rules": {"rule": "entropy_level", "alpha": 1.0, "level": 0.2}}
        model = ScriptedModel(script)
        where = tmp_path / "threads.db"
        with pytest.raises(StreamBroken):
            await solve(model, thread="one", checkpoints=where, retries=0, **settings)
        up = True
        result = await agentflow.aresume("one", model=model, checkpoints=where)
        assert stopped_at(result) == place(4)
        assert (result.status, result.answer) == ("unverified", "(7 - 8 / 8) * 4")
        assert len(result.judged) == 4
        # What the killed run asked is not in the ledger; each check point is there once.
        assert result.as_dict()["cost_by_role"]["probe"]["calls"] >= 4

    async def test_it_stops_at_its_budget_of_tokens(self) -> None:
        result = await solve(solver(thinking="word " * 200), max_tokens=20)
        assert (result.status, result.cost.generated) == ("exhausted", 20)


class TestLimit:
    """T of EAT's algorithms."""

    async def test_eat_algorithm_1_line_11_answers_behind_the_limit(self) -> None:
        result = await solve(solver(thinking="word " * 200), thinking_tokens=20)
        assert (result.answer, result.status) == ("(7 - 8 / 8) * 4", "unverified")
        thought = next(s for s in result.trace.segments if s.kind == "generated")
        assert thought.text.split() == ["word"] * 20


class TestProxy:
    async def test_the_signal_is_the_other_models(self) -> None:
        reasoner = solver(lambda n: [two(0.999)])  # it would stop at once
        small = ScriptedModel(
            lambda prompt: [two(0.999 if place(3) in prompt else 0.5)],
            profile=PROFILES["qwen3"],
            name="small",
        )
        result = await solve(
            {"solver": reasoner, "proxy": small},
            proxy=True,
            rules={"rule": "entropy_level", "alpha": 1.0},
        )
        assert stopped_at(result) == place(3)
        assert len(small.requests) >= 3
        assert len(reasoner.requests) == 2
        assert all(request.max_tokens > 1 for request in reasoner.requests)
        text = small.text(small.requests[0].prompt)
        assert text.endswith(f"<think>\n{place(1)}{CLOSE}\nFinal answer:")
        assert "4 7 8 8" in text
        assert all(key.startswith(("solver/0/", "probe/0/")) for key in result.ledger)
        assert all("/proxy/" in key for key in result.ledger if key.startswith("probe/"))

    async def test_a_proxy_that_gives_no_log_probabilities_may_still_roll_out(self) -> None:
        small = ScriptedModel(SAID, capabilities=Capabilities(logprobs=0), name="small")
        given: dict[Any, Model] = {"solver": blackbox(f"<think>{THINKING}", SAID), "proxy": small}
        result = await solve(given, proxy=True, rules="rollouts", probe={"rollouts": 2})
        assert result.trace.split(CLOSE)[0] == f"<think>{place(1)}"
        said = "the proxy's answers in the place of the reasoner's"
        assert weaker(result) == [("continues", said)]
        given["solver"] = blackbox(f"<think>{THINKING}", SAID)
        with pytest.raises(MissingCapability, match="rollouts roll out answers of chat, which"):
            await solve(given, proxy=True, rules="rollouts", substitute=False)
        given["solver"] = solver()
        result = await solve(given, proxy=True, rules=["entropy", "rollouts", "budget"])
        assert weaker(result) == [("logprobs", "k_stable in the place of entropy")]

    async def test_eat_algorithm_3_the_answers_are_the_reasoners_own(self) -> None:
        reasoner = solver(lambda n: SAID if n == 3 else " none")
        small = ScriptedModel(SAID, name="small")
        result = await solve(
            {"solver": reasoner, "proxy": small},
            proxy=True,
            rules="rollouts",
            probe={"rollouts": 2},
        )
        assert stopped_at(result) == place(3)
        assert not small.requests


def weaker(result: Result) -> list[tuple[str, str]]:
    """What a run made do with: (capability that was lacking, instead)."""
    told = [event for event in result.events if event["type"] == "weaker"]
    found = ((event["lacking"], event["instead"].partition(",")[0]) for event in told)
    return list(dict.fromkeys(found))  # each leg tells it


def blackbox(*replies: Reply, **options: Any) -> ScriptedModel:
    """A chat-only reasoner; one reply after the other."""
    script = iter(replies)
    base = PROFILES["qwen3"]
    profile = ChatProfile("qwen3", base.template, context=base.context, max_tokens=base.max_tokens)
    return ScriptedModel(
        lambda _: next(script), profile=profile, capabilities=CHAT, name="chat", **options
    )


class TestBlackBox:
    REPLY = f"<think>{CLOSE}{SAID}"

    async def test_it_is_stopped_by_a_proxy_and_asked_once_more(self) -> None:
        reasoner = blackbox(f"<think>{THINKING}", self.REPLY)
        small = ScriptedModel(lambda prompt: [two(0.999 if place(3) in prompt else 0.5)])
        result = await solve(
            {"solver": reasoner, "proxy": small},
            proxy=True,
            rules={"rule": "entropy_level", "alpha": 1.0},
        )
        thinking = f"<think>{place(3)}"
        assert (result.status, result.answer) == ("unverified", "(7 - 8 / 8) * 4")
        assert result.trace.body == f"{thinking}{CLOSE}\n{SAID}"
        kinds = [segment.kind for segment in result.trace.segments]
        assert kinds == ["prompt", "generated", "marker", "generated"]

        assert len(reasoner.requests) == 2
        assert isinstance(reasoner.requests[1].prompt, str)
        (message,) = orjson.loads(reasoner.requests[1].prompt)
        assert place(3).strip() in message["content"]
        assert "seven" not in message["content"]
        assert "4 7 8 8" in message["content"]
        assert "<think>" not in message["content"]
        prompts = [small.text(request.prompt) for request in small.requests]
        assert prompts[0].endswith(f"<think>\n{place(1)}{LEAD}")

        roles = result.as_dict()["cost_by_role"]
        assert set(roles) == {"solver", "probe"}
        assert roles["solver"]["calls"] == 2
        assert roles["solver"]["generated"] == reasoner.streamed
        assert roles["solver"]["wasted"] == result.trace.wasted > 0
        assert roles["probe"]["calls"] == len(small.requests)

    @pytest.mark.parametrize("combine", ["any", "first"])
    async def test_rules_that_need_no_probe_need_no_proxy(self, combine: str) -> None:
        reasoner = blackbox(f"<think>{THINKING}", self.REPLY)
        result = await solve(reasoner, rules="k_stable,budget", combine=combine)
        assert (result.status, result.answer) == ("unverified", "(7 - 8 / 8) * 4")
        assert result.trace.split(CLOSE)[0].rstrip("\n") == f"<think>{place(6)}".rstrip("\n")
        assert len(reasoner.requests) == 2

    async def test_one_that_answers_in_time_is_not_asked_again(self) -> None:
        reasoner = blackbox(f"<think>one\n\n{CLOSE}{SAID}")
        result = await solve(reasoner, rules=["k_stable"])
        assert (result.status, len(reasoner.requests)) == ("unverified", 1)

    async def test_pieces_of_many_words_are_cut_within(self) -> None:
        """A chat server streams pieces, not tokens."""
        pieces = [Token("<think>"), Token(f"{THINKING}and more"), Token("and more")]
        reasoner = blackbox(pieces, self.REPLY)
        result = await solve(reasoner, rules=["k_stable"])
        assert result.trace.body == f"<think>{place(6)}{CLOSE}\n{SAID}"
        assert result.answer == "(7 - 8 / 8) * 4"

    async def test_what_it_thinks_in_the_second_call_is_no_answer(self) -> None:
        reasoner = blackbox(f"<think>{THINKING}", f"<think>Answer: 5\n{CLOSE}{SAID}")
        result = await solve(reasoner, rules=["k_stable"])
        assert result.answer == "(7 - 8 / 8) * 4"
        assert "Answer: 5" not in result.trace.body

    @pytest.mark.parametrize("second", ["<think>", f"<think>{CLOSE}", "hm " * 9])
    async def test_the_second_call_has_the_tokens_that_are_left(self, second: str) -> None:
        reasoner = blackbox(f"<think>{THINKING}", second + "hm " * 500)
        result = await solve(reasoner, rules=["k_stable"], max_tokens=60)
        assert result.status == "exhausted"
        assert result.reason == "the budget of 60 tokens is spent, with no answer yet"
        assert result.cost.generated == 60

    async def test_without_tokens_left_there_is_no_second_call(self) -> None:
        reasoner = blackbox(f"<think>{THINKING}", self.REPLY)
        rules = {"rule": "budget", "tokens": 5}
        result = await solve(reasoner, rules=rules, combine="first", max_tokens=5)
        assert (result.status, len(reasoner.requests)) == ("exhausted", 1)
        assert result.reason == "the budget of 5 tokens is spent, with no answer yet"
        assert result.cost.generated == 5

    @pytest.mark.usefixtures("virtual_time")
    async def test_the_second_call_has_the_seconds_that_are_left(self) -> None:
        reasoner = blackbox(f"<think>{THINKING}", [Token("<think>"), Delay(60)])
        result = await solve(reasoner, rules=["k_stable"], timeout=1)
        assert result.status == "exhausted"
        assert result.reason == "the time limit of 1.0 s is over, with no answer yet"
        assert result.cost.generated == reasoner.streamed

    async def test_a_second_call_that_fails_is_tried_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        off = [Fault(ModelUnavailable("off"))]
        reasoner = blackbox(f"<think>{THINKING}", off, self.REPLY)
        result = await solve(reasoner, rules=["k_stable"])
        assert (result.status, len(reasoner.requests)) == ("unverified", 3)
        assert result.as_dict()["cost_by_role"]["solver"]["calls"] == 3

    @pytest.mark.parametrize(
        "rule", ["entropy", "entropy_level", "stall", "confidence", "rollouts"]
    )
    async def test_it_cannot_be_probed_itself(self, rule: str) -> None:
        reasoner = blackbox(THINKING, THINKING)
        result = await solve(reasoner, rules=["budget", rule])
        assert weaker(result) == [("continues", f"k_stable in the place of {rule}")]


class TestSettings:
    async def test_a_model_that_does_not_think_apart_is_refused(self) -> None:
        model = ScriptedModel("4 * 6", profile=PROFILES["qwen2.5-instruct"], name="instruct")
        with pytest.raises(MissingCapability, match="instruct does not think apart"):
            await solve(model, rules=["k_stable"])
        assert model.requests == []

    async def test_without_log_probabilities_the_rules_that_need_them_are_named(self) -> None:
        model = solver(capabilities=Capabilities(logprobs=0))
        rules = ["rollouts", "confidence", "entropy", "k_stable"]
        result = await solve(model, rules=rules, probe={"rollouts": 1})
        assert weaker(result) == [("logprobs", "k_stable in the place of confidence")]
        assert result.judged
        assert (await solve(model, rules=["k_stable", "rollouts"], probe={"rollouts": 1})).judged

    async def test_with_fewer_than_asked_the_rules_that_need_them_are_named(self) -> None:
        model = solver(capabilities=Capabilities(logprobs=5))
        asked: dict[str, Any] = {
            "rules": ["confidence", "entropy", "stall"],
            "probe": {"alternatives": 6},
        }
        with pytest.raises(MissingCapability) as raised:
            await solve(model, **asked)
        assert str(raised.value).startswith(
            "method early_exit cannot run: rules entropy, stall ask the solver for 6 alternatives "
            "a token, and it gives 5 (set probe.alternatives lower, or leave it empty); confidence "
            "and rollouts need no more than it gives, k_stable and budget no probe, or name"
        )
        assert model.requests == []
        assert (await solve(model, **asked | {"probe": {"alternatives": 5}})).judged
        assert (await solve(model, **asked | {"rules": ["confidence"]})).judged

    @pytest.mark.parametrize(
        ("settings", "named"),
        [
            ({"rules": []}, "rules: "),
            ({"rules": ["entropie"]}, "rules.0: "),
            ({"combine": "some"}, "combine: "),
            ({"rules": 3}, "rules.0: "),
            ({"rules": {"k": 3}}, "rules.0: "),
            ({"rules": ["k_stable", {"rule": "k_stable", "k": 3}]}, "rules: "),
            ({"rules": {"rule": "entropy", "alpha": 0}}, "rules.0: rule entropy: alpha: "),
            ({"rules": {"rule": "entropy", "alpha": 1.1}}, "rules.0: rule entropy: alpha: "),
            ({"rules": {"rule": "entropy", "variance": -1}}, "rules.0: rule entropy: variance: "),
            ({"check": {"every": 0}}, "check.every: "),
            ({"check": "word"}, "check.at: "),
            ({"check": {"keywords": []}}, "check.keywords: "),
            ({"check": {"keywords": [""]}}, "check.keywords.0: "),
            ({"check": {"evry": 1}}, "check.evry: no such setting; known: at, every, "),
            ({"probe": {"alternatives": 1}}, "probe.alternatives: "),
            ({"rules": {"rule": "stall", "ratio": 0}}, "rules.0: rule stall: ratio: "),
            ({"rules": {"rule": "confidence", "confidence": 1.5}}, "rules.0: rule confidence: "),
            ({"probe": {"confidence_tokens": 0}}, "probe.confidence_tokens: "),
            ({"probe": {"rollouts": 0}}, "probe.rollouts: "),
            ({"rules": {"rule": "k_stable", "k": 0}}, "rules.0: rule k_stable: k: "),
            ({"rules": {"rule": "k_stable", "kk": 2}}, "rules.0: rule k_stable: kk: no such "),
            ({"rules": {"rule": "budget", "tokens": 0}}, "rules.0: rule budget: tokens: "),
            ({"treshold": 1}, "treshold: no such setting; known: "),
        ],
    )
    async def test_wrong_ones_are_named(self, settings: dict[str, Any], named: str) -> None:
        with pytest.raises(BadInput) as raised:
            await solve(solver(), **settings)
        message = str(raised.value)
        assert message.startswith(f"settings of early_exit: {named}")
        assert "\n" not in message

    @pytest.mark.parametrize(
        ("settings", "written"),
        [
            ({"variance": 1e-4}, {"rules": [{"rule": "entropy", "variance": 1e-4}]}),
            ({"level": 0.2}, {"rules": [{"rule": "entropy_level", "level": 0.2}]}),
            ({"stall_window": 3}, {"rules": [{"rule": "stall", "window": 3}]}),
            ({"stall_ratio": 0.1}, {"rules": [{"rule": "stall", "ratio": 0.1}]}),
            ({"confidence": 0.9}, {"rules": [{"rule": "confidence", "confidence": 0.9}]}),
            ({"distinct": 2}, {"rules": [{"rule": "rollouts", "distinct": 2}]}),
            ({"k": 3}, {"rules": [{"rule": "k_stable", "k": 3}]}),
            ({"budget": 9}, {"rules": [{"rule": "budget", "tokens": 9}]}),
            ({"check_at": "line"}, {"check": {"at": "line"}}),
            ({"check_every": 2}, {"check": {"every": 2}}),
            ({"keywords": ["So"]}, {"check": {"keywords": ["So"]}}),
            ({"rollouts": 4}, {"probe": {"rollouts": 4}}),
            ({"prefix": ""}, {"probe": {"prefix": ""}}),
        ],
    )
    async def test_a_parameter_that_stands_alone_is_told_its_place(
        self, settings: dict[str, Any], written: dict[str, Any]
    ) -> None:
        with pytest.raises(BadInput) as raised:
            settings_for("early_exit", **settings)
        ((place, value),) = written.items()
        (name,) = settings
        assert str(raised.value).startswith(
            f"settings of early_exit: {name}: write {place}={json.dumps(value)}"
        )
        settings_for("early_exit", **written)

    async def test_a_problem_without_an_answer_is_declined(self) -> None:
        model = solver()
        result = await agentflow.asolve("1 1 1 1", "early_exit", model=model)
        assert (result.status, model.requests) == ("abstained", [])

    async def test_many_at_once(self) -> None:
        model = solver(lambda n: [Delay(0.001), two(0.5)])
        results = await asyncio.gather(
            *(solve(model, rules={"rule": "entropy", "alpha": 1}) for _ in range(5))
        )
        assert {stopped_at(result) for result in results} == {place(1)}


@pytest.mark.slow
@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
async def test_probes_take_their_prefix_from_the_cache() -> None:
    """All but what was thought since the last one, and the few tokens that close the thinking."""
    model = await models.connect("embedded")
    end = [Piece(CLOSE, special=True), Piece(model.profile.answer_lead)]
    tail = len(await model.tokenize(end))
    told = list[dict[str, Any]]()
    for puzzle in ("1 1 2 7", "1 1 3 5", "1 1 3 7", "1 6 8 12"):
        never = {"rule": "entropy", "variance": 0.0}
        result = await agentflow.asolve(puzzle, "early_exit", check="line", rules=never)
        probes = [one for one in result.ledger.values() if one["role"] == "probe"]
        assert len(probes) >= 10
        for last, one in pairwise(probes):
            new = one["prompt"] - last["prompt"]
            assert 0 < new < 100
            assert one["prompt"] - one["cached"] <= new + tail
        told += probes
    asked = sum(one["prompt"] for one in told)
    assert sum(one["prompt"] - one["cached"] for one in told) < 0.1 * asked
    assert {one["generated"] for one in told} <= {0, 1}
    await models.close_all()


@pytest.mark.slow
@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
@pytest.mark.parametrize("rule", ["entropy", "confidence", "rollouts", "k_stable"])
async def test_each_rule_runs_on_a_real_model(rule: str) -> None:
    result = await agentflow.asolve(
        "1 1 3 5",
        "early_exit",
        rules=[rule],
        check={"at": "line", "every": 4},
        probe={"rollouts": 4},
    )
    assert result.judged
    assert all(one["verdict"]["ok"] is not None for one in result.judged)
    assert (result.status == "verified") == (result.answer is not None)
    await models.close_all()
