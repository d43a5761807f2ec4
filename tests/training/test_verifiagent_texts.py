"""Texts for VerifiAgent: the prompts that are sent, replies that are read, tools that agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from context_limit import check_fit

import agentflow
from agentflow.api import ajudge
from agentflow.domains import get
from agentflow.domains.game24 import judge_answer
from agentflow.evaluation.datasets import held_out
from agentflow.models import ScriptedModel
from agentflow.models.structured import parse as parse_json
from agentflow.profile import PROFILES
from agentflow.verifiers.actions import Call, Ending, Evaluation, parse, quoted
from agentflow.verifiers.evidence import wrong_step
from agentflow.verifiers.meta import Meta, notes
from training import mistakes, verifiagent, verified_sampling
from training.cases import Case, cases, facts
from training.game24 import DOMAIN, Part

DOMAINS = ("game24", "math", "logic", "commonsense")
ROLES: dict[str, Callable[..., Iterator[list[Part]]]] = {
    "meta": verifiagent.meta,
    "action": verifiagent.action,
    "evaluation": verifiagent.evaluation,
    "reflection": verifiagent.reflection,
    "precaution": partial(verified_sampling.revised, feedback="precaution"),
    "post_editing": partial(verified_sampling.revised, feedback="post_editing"),
}


@cache
def texts(role: str, count: int = 40, held: bool = False) -> tuple[list[Part], ...]:
    return tuple(islice(ROLES[role](3, held_out=held), count))


def user(parts: list[Part]) -> str:
    """What the user says in a prompt."""
    return parts[0].text.removeprefix("<|im_start|>user\n").partition("<|im_end|>")[0]


def said(parts: list[Part]) -> str:
    return parts[-1].text.removesuffix("<|im_end|>")


@cache
def drawn() -> tuple[Case, ...]:
    return tuple(islice(cases(5), 80))


@pytest.mark.parametrize("role", ROLES)
def test_texts_depend_on_the_seed_alone(role: str) -> None:
    assert list(texts(role)[:8]) == list(islice(ROLES[role](3), 8))
    assert list(texts(role)[:8]) != list(islice(ROLES[role](4), 8))


@pytest.mark.parametrize("role", ROLES)
def test_held_out_problems_stay_held_out(role: str) -> None:
    def puzzles(held: bool) -> set[str]:
        firsts = [user(parts).splitlines()[0].partition(": ")[2] for parts in texts(role, 40, held)]
        return {first for first in firsts if first.replace(" ", "").isdigit()}

    assert puzzles(True) <= set(held_out())
    assert puzzles(True)
    assert not puzzles(False) & set(held_out())
    assert not {user(parts) for parts in texts(role)} & {user(p) for p in texts(role, 40, True)}


@pytest.mark.parametrize("role", ROLES)
def test_prompts_are_not_learned(role: str) -> None:
    for first, *rest in texts(role):
        assert not first.learn
        assert rest[-1].learn
        assert rest[-1].text.endswith("<|im_end|>")
        if "verified" not in role and len(rest) == 1:
            assert first.text.endswith(PROFILES["pocket"].no_think)


def test_a_look_at_the_form_sees_what_there_is_to_see() -> None:
    found = Counter[str]()
    for case in drawn():
        meta = parse_json(Meta, said(verifiagent.meta_text(case)))
        assert meta == verifiagent.form(case)
        assert meta.steps == list(case.lines)
        if not case.complete:
            assert (meta.complete, meta.consistency) == (False, [])
            found["cut"] += 1
        elif case.wrong >= 0 and case.visible:
            assert meta.wrong is not None
            assert (meta.wrong.step, meta.wrong.why) == (case.wrong + 1, case.reason)
            found["seen"] += 1
        else:
            assert meta.ok
            found["right" if case.right else "hidden"] += 1
    assert min(found.values()) >= 3
    assert len(found) == 4


def test_actions_are_read_as_the_calls_they_are() -> None:
    tools = Counter[str]()
    for case in drawn():
        for done, call in enumerate(case.calls):
            parts = verifiagent.action_text(case, verifiagent.NO_FORM, done)
            assert parse(said(parts)) == call
            assert f"Action: {user(parts)}".count("\nAction: ") == done  # the calls before it
            assert user(parts).count("\nObservation:") == done
            tools[call.tool] += 1
    assert set(tools) == {"python", "z3", "search"}


@pytest.mark.parametrize("role", ["evaluation", "reflection"])
def test_evaluations_are_read_as_what_they_mean(role: str) -> None:
    words = Counter[bool]()
    for parts in texts(role):
        read = parse(said(parts))
        assert isinstance(read, Evaluation)
        assert said(parts)[read.at :].startswith("Correct" if read.ok else "Incorrect")
        assert bool(read.reason) is bool(read.revision) is (not read.ok)
        words[read.ok] += 1
    assert min(words.values()) > 8
    for case in drawn():
        read = parse(said(verifiagent.evaluation_text(case, verifiagent.NO_FORM)))
        assert isinstance(read, Evaluation)
        assert read.ok is case.right
        if case.wrong >= 0:
            steps = verifiagent.form(case).model_dump()
            assert wrong_step(read.reason, steps) == case.wrong
            assert read.reason == f"Step {case.wrong + 1}: {case.reason}"
            assert read.revision == case.revision


@pytest.mark.parametrize("role", ["action", "evaluation", "reflection"])
def test_a_stream_of_a_reply_is_not_closed_early(role: str) -> None:
    for parts in texts(role, 40):
        ending, reply = Ending(), said(parts)
        for letter in reply:
            if ending.feed(letter):
                break
        read = parse(reply)
        assert parse(reply[: ending.at]) == read
        assert isinstance(read, Call) or ending.at is None


def test_what_is_reflected_on_disagrees() -> None:
    kinds = Counter[str]()
    for parts in texts("reflection"):
        conflict = user(parts).rpartition("conflict: ")[2]
        verdicts = {part.rpartition(": ")[2] for part in conflict.split("; ")}
        assert verdicts == {"correct", "incorrect"}
        kinds[conflict] += 1
    assert len(kinds) >= 4


def test_revised_solutions_are_right_and_feedback_has_every_richness() -> None:
    for role in ("precaution", "post_editing"):
        richness, puzzles = Counter[int](), 0
        for parts in texts(role):
            first, *_ = user(parts).splitlines()
            assert parts[-1].learn
            answer = said(parts).rpartition("\\boxed{")[2].removesuffix("}").strip()
            if first.startswith("game24: "):
                puzzles += 1
                problem = DOMAIN.parse(first.removeprefix("game24: "))
                assert judge_answer(problem, answer).ok
            given = user(parts).partition("Evaluation: incorrect")[2]
            richness[given.count("\n")] += 1
            if given.count("\n") == 2:
                assert f"Revision method: take {answer}" in given
            assert ("revise:" in user(parts)) is (role == "post_editing")
        assert set(richness) == {0, 1, 2}
        assert 0 < puzzles < richness.total()


@pytest.mark.parametrize("feedback", ["precaution", "post_editing"])
async def test_prompts_of_verified_sampling_are_those_learned(feedback: Any) -> None:
    one = next(e for e in mistakes.examples(5) if e.wrong == 0)
    thinking, _, answer = "".join(one.steps).rpartition("\n\n")
    said = f"Evaluation: incorrect\nError reason: {one.reason}"
    model = ScriptedModel(lambda prompt: f"{thinking}</think>\n{answer}<|im_end|>")
    settings: dict[str, Any] = {"n": 2, "feedback": feedback}
    await agentflow.asolve(one.problem.text, "verified_sampling", model=model, **settings)
    asked = [model.text(request.prompt) for request in model.requests]  # type: ignore[arg-type]
    assert asked[1] == verified_sampling.revision_prompt(one, feedback, said)


def a_few() -> list[Case]:
    """Of each domain two right, two wrong, and one that was cut."""
    chosen = []
    for domain in DOMAINS:
        some = [case for case in drawn() if case.problem.domain == domain]
        chosen += [case for case in some if case.right][:2]
        chosen += [case for case in some if case.wrong >= 0][:2]
        chosen += [case for case in some if not case.complete][:1]
    return chosen


async def test_a_run_asks_the_learned_prompts_and_its_tools_find_what_they_are_said_to(
    tmp_path: Path,
) -> None:
    """Answered with the learned replies a run asks the learned prompts, over the real sandbox, Z3
    and local search; and it comes to the right verdict."""
    facts.write(tmp_path)
    outcomes = Counter[str]()
    for case in a_few():
        seen = quoted(notes(verifiagent.form(case)))
        learned = [verifiagent.meta_text(case)]
        learned += [verifiagent.action_text(case, seen, n) for n in range(len(case.calls))]
        learned.append(verifiagent.evaluation_text(case, seen))
        learned.append(verifiagent.reflection_text(case, verifiagent.form(case), case.right))
        replies = {parts[0].text: said(parts) for parts in learned if parts}
        model = ScriptedModel(replies.__getitem__)
        verdict, _ = await ajudge(
            case.problem.text,
            case.told,
            "verifiagent",
            model=model,
            domain=case.problem.domain,
            tools={"search": f"local:{tmp_path}"},
        )
        assert verdict.ok is case.right, (case, verdict)
        if case.wrong >= 0:
            assert verdict.first_wrong_step == case.wrong
        calls = verdict.evidence["calls"]
        assert [call["tool"] for call in calls] == [call.tool for call in case.calls]
        for call in calls:
            if case.complete and call["tool"] != "search":
                assert call["agrees"] is case.right
            outcomes[call["outcome"]] += 1
        domain = get(case.problem.domain)
        assert verdict.evidence["meta"]["complete"] is case.complete
        assert domain.name == case.problem.domain
    worked_out = [one for one in a_few() if one.problem.domain in ("game24", "math")]
    assert outcomes["value"] == len(worked_out) >= 8
    assert outcomes["found"] >= 5
    assert outcomes["agree"] + outcomes["contradict"] + outcomes["uncertain"] == 5


@pytest.mark.slow
async def test_every_text_fits_the_context() -> None:
    await check_fit(parts for role in ROLES for parts in texts(role, 40))
