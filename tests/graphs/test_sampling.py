"""Best of k and majority of k under a critic; generate-test on its feedback."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward import Reward

import agentflow
from agentflow.arguments import settings_for
from agentflow.channels import Ruling, Sample
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.graphs import VERIFIERS, sampling
from agentflow.graphs.sampling import Critic
from agentflow.models import Capabilities, ScriptedModel, Token
from agentflow.nodes.enough import lead
from agentflow.nodes.pick import score_of
from agentflow.profile import PROFILES

PUZZLE = "1 6 8 12"
RIGHT = "(12 - 8) * 6 * 1"
CRITIC = re.compile(r"critic: 1 6 8 12\n(.*?)<\|im_end\|>", re.DOTALL)


def world(answers: Sequence[str], scores: dict[str, Any]) -> ScriptedModel:
    """Sample by sample these answers; of each what its critic says, a score or a whole reply."""
    given = iter(answers)

    def reply(prompt: str) -> str:
        last = prompt[prompt.rindex("<|im_start|>user") :]
        if found := CRITIC.search(last):
            answer = found[1].split("boxed{")[1].partition("}")[0]
            said = scores[answer]
            return said if isinstance(said, str) else json.dumps({"reason": "so", "score": said})
        return f"thinking</think>\n\\boxed{{{next(given)}}}"

    return ScriptedModel(reply)


async def run(model: ScriptedModel, method: str = "sampling", **values: Any) -> agentflow.Result:
    values = {"judge_answers": values.get("critic") == "domain"} | values
    return await agentflow.asolve(PUZZLE, method, model=model, **values)


async def test_the_best_of_four_is_what_the_critic_likes_best() -> None:
    model = world(["1", "2", "3", "4"], {"1": 0.2, "2": 0.9, "3": 0.1, "4": 0.6})
    result = await run(model)
    assert (result.answer, result.status) == ("2", "accepted")
    assert "the best of 4 samples, score 0.90" in result.reason
    assert len(result.samples) == 4
    assert result.trace.body.endswith("{2}")


async def test_what_no_critic_passes_is_given_and_vouched_for_by_nobody() -> None:
    model = world(["1", "2"], {"1": 0.2, "2": 0.3})
    result = await run(model, k=2)
    assert (result.answer, result.status) == ("2", "unverified")


@given(
    st.lists(
        st.tuples(st.sampled_from("123"), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
        min_size=1,
        max_size=6,
    )
)
def test_choices_are_those_of_brute_force(drawn: list[tuple[str, float]]) -> None:
    answers = [answer for answer, _ in drawn]
    scores = dict(drawn)  # a critic that knows no sample but its answer
    best = max(range(len(answers)), key=lambda i: (scores[answers[i]], -i))
    count = Counter(answers)
    most = [answer for answer in count if count[answer] == max(count.values())]
    majority = max(most, key=lambda answer: (scores[answer], -answers.index(answer)))
    for choose, expected in (("best", answers[best]), ("majority", majority)):
        model = world(answers, scores)
        result = asyncio.run(run(model, k=len(answers), choose=choose))
        assert result.answer == expected
        assert sum(e["calls"] for e in result.ledger.values()) == len(model.requests)
        assert sum(e["generated"] for e in result.ledger.values()) == model.streamed


@pytest.mark.parametrize(
    "reply",
    ["", "0.9", "[]", '{"score": 2, "reason": ""}', '{"score": "NaN", "reason": ""}', "{"],
)
async def test_a_critic_that_cannot_be_read_decides_nothing(reply: str) -> None:
    model = world(["1", "2"], {"1": reply, "2": 0.6})
    result = await run(model, k=2)
    assert (result.answer, result.status) == ("2", "accepted")
    model = world(["1"], {"1": reply})
    result = await run(model, k=1)
    assert (result.answer, result.status) == ("1", "unverified")


async def test_the_domain_as_critic_verifies_and_lets_nothing_refuted_out() -> None:
    result = await run(world(["1", RIGHT, "2"], {}), critic="domain", k=3)
    assert (result.answer, result.status) == (RIGHT, "verified")
    result = await run(world(["1", "2"], {}), critic="domain", k=2)
    assert (result.answer, result.status) == (None, "abstained")
    assert result.candidate in ("1", "2")


async def test_a_reward_model_is_wanted_where_one_is_named() -> None:
    with pytest.raises(BadInput, match="scores by prm need a reward model, and scripted is none"):
        await run(world(["1"], {}), critic="prm", k=1)


async def test_a_reward_model_scores_paragraphs_and_numbered_steps() -> None:
    text = (
        "We want 24.\n\nWait, it helps to make sure that 12 - 8 = 4. Hmm, 4 * 6 = 24.\n"
        f"</think>\n1. 12 - 8 = 4\n2. 4 * 6 * 1 = 24\n\n\\boxed{{{RIGHT}}}"
    )
    reward = Reward(lambda steps: [0.75 for _ in steps])
    model = {"solver": ScriptedModel(text), "prm": reward}
    given = {"critic": "prm", "k": 1, "judge_answers": False}
    result = await agentflow.asolve(PUZZLE, "sampling", model=model, **given)
    assert result.status == "accepted"
    assert [[step.strip() for step in steps] for steps in reward.read] == [
        [
            "We want 24.",
            "Wait, it helps to make sure that 12 - 8 = 4. Hmm, 4 * 6 = 24.",
            "1. 12 - 8 = 4",
            "2. 4 * 6 * 1 = 24",
            f"\\boxed{{{RIGHT}}}",
        ]
    ]


async def test_the_safest_answer_has_verdicts_enough() -> None:
    """A single sample with a high score may be luck; three that are nearly as good are not."""
    said = {"1": 0.9, "2": 0.8}
    result = await run(world(["1", "2", "2", "2"], said), choose="pessimistic", pessimism=0.5)
    assert result.answer == "2"
    assert "the safest answer: 3 of 4 samples, 3 of 4 verdicts, score 0.80" in result.reason
    result = await run(world(["1", "2", "2", "2"], said), choose="pessimistic", pessimism=0)
    assert result.answer == "1"


async def test_a_panels_seats_are_verdicts_each() -> None:
    many = {"critic": "panel", "panel": ["critic"] * 4}
    said = {"1": 0.9, "2": 0.8}
    result = await run(world(["1", "2"], said), choose="pessimistic", k=2, **many)
    assert (result.answer, result.status) == ("1", "accepted")
    assert "4 of 8 verdicts" in result.reason


async def test_samples_without_an_answer_have_no_say() -> None:
    model = world(["1", "2"], {"1": 0.1, "2": 0.1})
    result = await run(model, k=2, solver_tokens=2)
    assert (result.status, result.answer) == ("exhausted", None)


async def test_samples_have_seeds_of_their_own() -> None:
    model = world(["1"] * 4, {"1": 0.6})
    await run(model)
    assert len({request.seed for request in model.requests}) == len(model.requests) == 8


async def test_generate_test_stops_at_the_first_that_passes() -> None:
    model = world(["1", "2", "3"], {"1": 0.1, "2": 0.8})
    result = await run(model, "generate_test")
    assert (result.answer, result.status) == ("2", "accepted")
    assert len(result.samples) == 2
    asked = model.text(model.requests[2].prompt)
    assert "revise:" in asked
    assert "so" in asked.split("revise:")[1]


async def test_interwhen_section_5_3_generate_test_ends_with_its_last_solution() -> None:
    model = world(["1", "2", "2", "3"], {"1": 0.1, "2": 0.2, "3": 0.3})
    result = await run(model, "generate_test")
    assert (result.answer, result.status) == ("3", "unverified")
    assert "none of 4 samples passed; the last: rejected by critic" in result.reason


async def test_generate_test_gives_nothing_that_the_domain_refuted() -> None:
    result = await run(
        world(["1", "2"], {}), "generate_test", verifier="domain", n=2, judge_answers=True
    )
    assert (result.answer, result.candidate, result.status) == (None, "2", "abstained")


async def test_interwhen_section_5_3_majority_ties_go_to_the_higher_score() -> None:
    model = world(["1", "2", "1", "2"], {"1": 0.3, "2": 0.6})
    result = await run(model, choose="majority")
    assert result.answer == "2"
    result = await run(world(["1", "1", "2"], {"1": 0.1, "2": 0.9}), choose="majority", k=3)
    assert result.answer == "1"


async def test_a_majority_needs_no_critic() -> None:
    """Nobody is asked but the solver; of equally frequent answers the first one is given."""
    for answers, wanted, most in (("1221", "1", 2), ("1222", "2", 3), ("3121", "1", 2)):
        model = world(list(answers), {})
        result = await run(model, choose="majority", critic="none")
        assert (result.answer, result.status) == (wanted, "unverified")
        assert f"majority {most} of 4" in result.reason
        assert len(model.requests) == 4


def test_without_a_critic_no_sample_is_the_best() -> None:
    for choose in ("best", "weighted", "pessimistic"):
        with pytest.raises(BadInput, match="critic=none scores no sample"):
            agentflow.solve(PUZZLE, "sampling", model=world([], {}), critic="none", choose=choose)


async def test_interwhen_section_5_3_best_of_k_is_the_highest_score() -> None:
    model = world(["1", "2", "2", "3"], {"1": 0.1, "2": 0.2, "3": 0.3})
    assert (await run(model)).answer == "3"


def test_generate_test_has_the_settings_of_verified_sampling() -> None:
    ours, theirs = settings_for("generate_test"), settings_for("verified_sampling")
    assert type(ours).model_fields.keys() == type(theirs).model_fields.keys()
    changed = {
        name for name in type(ours).model_fields if getattr(ours, name) != getattr(theirs, name)
    }
    assert changed == {"verifier", "feedback", "richness", "n"}


async def test_a_weighted_vote_may_be_that_of_few() -> None:
    model = world(["1", "1", "2"], {"1": 0.3, "2": 0.9})
    result = await run(model, k=3, choose="weighted")
    assert result.answer == "2"
    assert "0.90 of the weights' sum 1.50, 3 samples" in result.reason


@given(
    st.lists(
        st.tuples(st.sampled_from("123"), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
        min_size=1,
        max_size=6,
    )
)
def test_weighted_votes_are_those_of_brute_force(drawn: list[tuple[str, float]]) -> None:
    answers, scores = [answer for answer, _ in drawn], dict(drawn)
    sums = {one: scores[one] * answers.count(one) for one in answers}
    result = asyncio.run(run(world(answers, scores), k=len(answers), choose="weighted"))
    assert sums[result.answer or ""] == max(sums.values())


def majority(answers: Sequence[str], **values: Any) -> tuple[agentflow.Result, ScriptedModel]:
    """A vote without a critic."""
    model = world(answers, {})
    values = {"k": len(answers), "choose": "majority", "critic": "none"} | values
    return asyncio.run(run(model, **values)), model


APPLES = "Ann has 3 apples and buys 4 more. How many has she?"


@pytest.mark.parametrize(
    ("least", "answer", "status"), [(0.5, "7", "unverified"), (0.6, None, "abstained")]
)
def test_a_vote_may_need_a_share_of_the_samples(
    least: float, answer: str | None, status: str
) -> None:
    drawn = world(["7", "7", "6", "8"], {})
    vote = {"choose": "majority", "critic": "none", "least_share": least}
    result = agentflow.solve(APPLES, "sampling", model=drawn, domain="math", **vote)
    assert (result.answer, result.status) == (answer, status)
    assert result.candidate == (None if answer else "7")
    assert ("too few agree: majority 2 of 4" in result.reason) == (answer is None)


async def test_a_weighted_vote_may_need_a_share_of_the_weights() -> None:
    drawn = ["1", "2"], {"1": 0.9, "2": 0.8}
    vote = {"choose": "weighted", "k": 2, "judge_answers": False, "domain": "open"}
    given = await agentflow.asolve(PUZZLE, "sampling", model=world(*drawn), **vote, least_share=0.5)
    assert given.answer == "1"
    none = await agentflow.asolve(PUZZLE, "sampling", model=world(*drawn), **vote, least_share=0.6)
    assert (none.answer, none.status, none.candidate) == (None, "abstained", "1")


async def test_what_the_domain_can_tell_needs_no_share() -> None:
    drawn = world([RIGHT, "(12 + 8) * 6 * 1"], {})
    vote = {"choose": "majority", "critic": "none", "k": 2, "least_share": 1.0}
    result = await run(drawn, judge_answers=True, **vote)
    assert (result.answer, result.status) == (RIGHT, "verified")


def test_a_sure_vote_ends_the_drawing() -> None:
    result, model = majority(["1"] * 9, stop="sure")
    assert len(result.samples) == 4  # the lead is sure at 31/32
    assert result.answer == "1"
    assert len(model.requests) == 4


def test_an_unsure_one_takes_all_samples() -> None:
    result, _ = majority(["1", "2"] * 3, stop="sure", at_once=4)
    assert len(result.samples) == 6


def test_a_round_that_agrees_ends_the_drawing() -> None:
    result, _ = majority(["1", "2", "2", "2", "1", "1"], stop="agree", at_once=2)
    assert len(result.samples) == 4
    assert result.answer == "2"


def test_samples_without_an_answer_agree_about_nothing() -> None:
    unanswered = [""] * 5  # asked once more, two samples a round
    result, _ = majority([*unanswered, "1", ""], k=4, stop="agree", at_once=2)
    assert len(result.samples) == 4


@given(st.lists(st.sampled_from("12"), min_size=1, max_size=8), st.integers(1, 3))
def test_a_vote_that_ended_early_has_a_lead(drawn: list[str], at_once: int) -> None:
    result, _ = majority(drawn, stop="sure", at_once=at_once)
    seen = drawn[: len(result.samples)]
    ranked = [count for _, count in Counter(seen).most_common(2)]
    first, second = (*ranked, 0)[:2]
    assert len(seen) == len(drawn) or lead(first, second) >= 0.95
    assert [one["branch"] for one in result.samples] == list(range(len(seen)))


@given(st.integers(0, 12), st.integers(0, 12))
def test_a_lead_is_a_part_of_the_beta_distribution(first: int, second: int) -> None:
    parts = 20_000
    weights = [
        ((at + 0.5) / parts) ** first * (1 - (at + 0.5) / parts) ** second for at in range(parts)
    ]
    assert lead(first, second) == pytest.approx(sum(weights[parts // 2 :]) / sum(weights), abs=1e-3)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"stop": "agree"}, "at_once=5"),
        ({"critic": "none", "choose": "weighted"}, "choose=majority"),
        ({"stop": "soon"}, "stop"),
    ],
)
async def test_settings_that_make_no_sense_are_refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        await run(world(["1"], {}), **values)


def compared(answers: Sequence[str], reply: str, **values: Any) -> tuple[Any, ScriptedModel]:
    """The most consistent of samples; what a model says that is shown them all."""
    given = iter(answers)
    model = ScriptedModel(
        lambda prompt: (
            reply if "[Solution 1]" in prompt else f"so</think>\n\\boxed{{{next(given)}}}"
        )
    )
    values = {"k": len(answers), "choose": "consistent", "critic": "none"} | values
    return asyncio.run(run(model, **values)), model


def test_the_most_consistent_sample_is_the_one_that_is_named() -> None:
    result, model = compared("123", '{"reason": "so", "number": 2}')
    assert (result.answer, result.status) == ("2", "unverified")
    assert result.reason.startswith("the most consistent of 3 samples")
    assert len(model.requests) == 4
    asked = model.text(model.requests[-1].prompt)  # type: ignore[arg-type]
    assert [asked.count(f"[Solution {at}]") for at in range(1, 5)] == [1, 1, 1, 0]
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed


def test_the_selected_sample_is_the_one_that_is_named() -> None:
    result, model = compared("121", '{"reason": "so", "number": 2}', choose="selected")
    assert (result.answer, result.status) == ("2", "unverified")
    assert result.reason.startswith("selected from 3 samples")
    assert "How many say the same does not matter" in model.text(model.requests[-1].prompt)  # type: ignore[arg-type]


def test_a_selected_sample_is_not_one_that_the_reason_calls_wrong() -> None:
    reply = '{"reason": "Solution 2 is wrong.", "number": 2}'
    result, _ = compared("121", reply, choose="selected")
    assert (result.answer, "none was named" in result.reason) == ("1", True)
    assert compared("121", reply)[0].answer == "2", "it may still agree with most"


@pytest.mark.parametrize(
    "reply", ["", "the second", '{"reason": "so", "number": 0}', '{"reason": "so", "number": 4}']
)
def test_where_none_is_named_the_majority_answers(reply: str) -> None:
    result, model = compared("121", reply)
    assert result.answer == "1"
    assert "majority 2 of 3 (none was named: " in result.reason
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed


def test_one_sample_alone_is_not_compared() -> None:
    result, model = compared("1", "")
    assert result.answer == "1"
    assert len(model.requests) == 1


def test_as_many_samples_are_compared_as_fit_in_half_of_the_context() -> None:
    texts = [f"{'so ' * 2000}</think>\n\\boxed{{{at}}}" for at in range(4)]
    left, shown = iter(texts), list[str]()

    def reply(prompt: str) -> str:
        if "[Solution 1]" not in prompt:
            return next(left)
        shown.append(prompt)
        return '{"reason": "so", "number": 1}'

    small = replace(PROFILES["qwen3"], context=8192)
    model = ScriptedModel(reply, profile=small)
    given: dict[str, Any] = {"choose": "consistent", "critic": "none", "judge_answers": False}
    result = agentflow.solve(PUZZLE, "sampling", model=model, **given)
    assert "of 2 samples" in result.reason
    assert "[Solution 3]" not in shown[0]


async def test_a_server_that_is_gone_leaves_the_choice_to_the_majority() -> None:
    def reply(prompt: str) -> str:
        if "[Solution 1]" in prompt:
            raise ModelUnavailable("gone")
        return "so</think>\n\\boxed{1}"

    model = ScriptedModel(reply)
    result = await run(model, choose="consistent", critic="none", k=2)
    assert (result.answer, result.error) == ("1", "gone")
    assert result.reason.startswith("majority 2 of 2 (none was named: gone)")


def test_a_spent_budget_leaves_no_room_for_the_question() -> None:
    _, voted = compared("12", "", choose="majority")
    result, model = compared("12", '{"reason": "so", "number": 2}', max_tokens=voted.streamed)
    assert (result.status, result.candidate) == ("exhausted", "1")
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed


def aspects(*approvals: Sequence[str], **values: Any) -> agentflow.Result:
    """The best of samples, each judged in some aspects."""
    left = iter("123"[: len(approvals)])

    def reply(prompt: str) -> str:
        if "[Aspect]" not in prompt:
            return f"so</think>\n\\boxed{{{next(left)}}}"
        about = re.search(r"boxed\{(\d)\}.*Is it (\d)\?", prompt, re.DOTALL)
        assert about
        return approvals[int(about[1]) - 1][int(about[2])]

    model = ScriptedModel(reply)
    asked = [f"Is it {at}?" for at in range(len(approvals[0]))]
    values = {"critic": "aspects", "aspects": asked, "k": len(approvals)} | values
    result = asyncio.run(run(model, **values))
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed
    return result


YES, NO = '{"reason": "", "holds": true}', '{"reason": "it is not", "holds": false}'


def test_the_sample_that_most_aspects_approve_of_is_the_best() -> None:
    result = aspects([YES, NO, NO], [YES, YES, NO])
    assert (result.answer, result.status) == ("2", "accepted")
    assert "score 0.67" in result.reason
    result = aspects([NO, NO, NO], [YES, NO, NO])
    assert (result.answer, result.status) == ("2", "unverified")
    assert "it is not" in result.reason


def test_an_aspect_that_cannot_be_read_counts_half() -> None:
    result = aspects([NO, YES, "{"], ["{", "who knows", YES])
    assert [one["verdict"]["score"] for one in result.samples] == [0.5, pytest.approx(2 / 3)]
    assert (result.answer, result.status) == ("2", "unverified")
    assert "on 2 of 3 aspects no reply could be read" in result.reason


def test_what_cannot_be_read_turns_no_verdict() -> None:
    result = aspects([NO, YES, YES, "{"], [NO, NO, NO, "{"])
    assert [one["verdict"]["ok"] for one in result.samples] == [True, False]
    unread = aspects(["{", "no"])
    assert (unread.status, unread.answer) == ("unverified", "1")


def confident(*chances: float, **values: Any) -> tuple[agentflow.Result, ScriptedModel]:
    """Samples "1", "2", "2", ..., whose answers a model calls right with these chances."""
    left = iter(range(len(chances)))

    def reply(prompt: str) -> str | list[Token]:
        if "Yes or No" not in prompt:
            number = next(left)
            return f"so</think>\nthe {number}th try: \\boxed{{{1 if number == 0 else 2}}}"
        tried = re.search(r"the (\d)th try", prompt)
        assert tried
        yes = chances[int(tried[1])]
        top = ((" Yes", math.log(yes * 0.9)), ("no", math.log((1 - yes) * 0.9)), ("so", -5.0))
        return [Token("Yes" if yes > 0.5 else "No", top=top)]

    model = ScriptedModel(reply)
    settings = {"critic": "confidence", "choose": "weighted", "k": len(chances)} | values
    result = asyncio.run(run(model, **settings))
    return result, model


def test_a_models_confidence_weighs_votes() -> None:
    result, _ = confident(0.9, 0.3, 0.3)
    assert [one["verdict"]["score"] for one in result.samples] == pytest.approx([0.9, 0.3, 0.3])
    assert result.answer == "1"
    assert "0.90 of the weights' sum 1.50" in result.reason


def test_a_low_temperature_lets_the_surest_decide() -> None:
    assert confident(0.9, 0.6, 0.6)[0].answer == "2"
    assert confident(0.9, 0.6, 0.6, vote_temperature=0.1)[0].answer == "1"
    assert confident(0.9, 0.6, 0.6, vote_temperature=100.0)[0].answer == "2"


def test_the_word_counts_where_no_log_probabilities_are_told() -> None:
    answers, words = iter("12"), iter(["No.", "**Yes**, it is"])
    model = ScriptedModel(
        lambda prompt: (
            next(words) if "Yes or No" in prompt else f"</think>\\boxed{{{next(answers)}}}"
        ),
        capabilities=Capabilities(logprobs=0),
    )
    result = asyncio.run(run(model, critic="confidence", k=2))
    assert [one["verdict"]["score"] for one in result.samples] == [0.0, 1.0]
    assert (result.answer, result.status) == ("2", "accepted")


def test_a_reply_that_begins_with_neither_word_cannot_tell() -> None:
    model = ScriptedModel(lambda p: "The answer is" if "Yes or No" in p else "</think>\\boxed{1}")
    result = asyncio.run(run(model, critic="confidence", k=1))
    assert result.samples[0]["verdict"]["ok"] is None
    assert result.status == "unverified"


def test_a_vote_is_weighed_by_whether_conditions_come_out() -> None:
    """FOBAR: three samples give 5, from which the masked number does not follow; two give 7."""
    left = iter("55577")

    def reply(prompt: str) -> str:
        if "user\nmask: " not in prompt:
            return f"so</think>\nAnswer: {next(left)}"
        right = "answer: 7" in prompt
        return json.dumps({"work": "", "value": "3" if right else "1"})

    result = agentflow.solve(
        "Ann has 3 apples and buys 4 more. How many has she?",
        "sampling",
        domain="math",
        model=ScriptedModel(reply),
        critic="backward",
        choose="weighted",
        conditions=1,
        k=5,
    )
    assert (result.answer, result.status) == ("7", "accepted")
    assert "2.00 of the weights' sum 2.00" in result.reason


def ruled(ok: bool | None, correct: float | None, score: float | None) -> Sample:
    """A sample with a verdict of VerifiAgent's."""
    verdict = Ruling(ok, score=score, evidence={"correct": correct}, verifier="verifiagent")
    return Sample(0, None, "unverified", "", "1", "", 0, [], [], verdict)


def test_a_sure_incorrect_is_no_high_score() -> None:
    assert score_of(ruled(False, 0.1, 0.9)) == 0.1
    assert score_of(ruled(True, 0.9, 0.9)) == 0.9
    assert score_of(ruled(None, 0.9, 0.9)) == 0.45  # a tool found otherwise
    assert score_of(ruled(None, None, 0.95)) == 0.475
    assert score_of(ruled(False, None, None)) == 0.0


def test_every_verifier_may_score() -> None:
    critics = get_args(Critic)
    assert {"model", "none", "domain", *VERIFIERS} == set(critics)
    nodes = set(sampling.sample().nodes)
    assert {*critics} - {"model"} <= nodes
