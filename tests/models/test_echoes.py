"""No prompt shows anything that would be taken if a model repeated it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import resources
from typing import Any, get_args

import pytest

from agentflow import domains, prompts
from agentflow.domains import DOMAINS
from agentflow.models import ScriptedModel, Token
from agentflow.models.structured import NoCall, ask, parse, read_calls
from agentflow.models.structured.yes_no import chance_in
from agentflow.monitors import CallEnd, Elicit, Increment
from agentflow.monitors.schedule import Schedule
from agentflow.nodes.apart import Calls
from agentflow.nodes.aspects import Approval
from agentflow.nodes.backward import Value
from agentflow.nodes.chain_of_verification import Agreement, Checks
from agentflow.nodes.consistent import MostConsistent, Selected
from agentflow.nodes.critic import Criticism
from agentflow.nodes.cross_check import Held
from agentflow.nodes.cumulative import Proposal, Report
from agentflow.nodes.deductive import Following
from agentflow.nodes.elicit import _question
from agentflow.nodes.fact_check import Facts, Query, Rating
from agentflow.nodes.model_tools import Extracted, Same
from agentflow.nodes.plan import read_plan
from agentflow.nodes.premises import premises_of
from agentflow.nodes.program import program_in
from agentflow.nodes.reason import Answer
from agentflow.nodes.reconstruction import Difference
from agentflow.nodes.select import Compute, Tools
from agentflow.nodes.self_check import Support
from agentflow.nodes.speculative import Utility
from agentflow.nodes.tested import Tests
from agentflow.nodes.tool_integrated import Helpful
from agentflow.nodes.tool_verify import _actions
from agentflow.nodes.tournament import Comparison
from agentflow.nodes.vanilla import Opinion
from agentflow.profile import PROFILES
from agentflow.reproduce.judging import read_match
from agentflow.scorers.prompted import StepReply
from agentflow.scorers.value import ValueReply
from agentflow.search.proposals import Thoughts
from agentflow.trace import LINES
from agentflow.verifiers import actions, critique, stepwise
from agentflow.verifiers.meta import Meta, prose

TOOLS = ("python", "z3", "search")


def boxed(text: str) -> int:
    index = critique.parse(text, 5).index
    if index is None:
        raise ValueError("no step is named")
    return index


def called(text: str) -> object:
    """What the text protocol takes, or else a call in another notation."""
    try:
        return actions.parse(text)
    except actions.NoAction:
        return read_calls(text, TOOLS)


def told(name: str, text: str) -> object:
    """The steps and answers that are read in a reply to ``elicit``."""
    domain = domains.get(name, {"search": "off"})
    asked = _question(name, "")
    problem = domain.parse(domain.example)
    reader = Elicit(problem, domain, None, asked, Schedule())  # type: ignore[arg-type]
    found = reader._read(text, 0)
    states = [one for one in found if one.kind == "step" or domain.candidate(problem, one)]
    if not states:
        raise ValueError("nothing is told")
    return states


def decided(read: Callable[[str], object], text: str) -> object:
    """What a reader takes that gives None for what it cannot read."""
    if (found := read(text)) is None:
        raise ValueError("neither")
    return found


def call_in(text: str) -> object:
    """The first call of a tool in a solver's text; ValueError where there is none."""
    monitor = CallEnd(("python", "search"))
    memory = monitor.start()
    for line in LINES.findall(text):
        memory, states = monitor.feed(memory, Increment(line, 0, 1, False))
        if states:
            return states[0].data["given"]
    raise ValueError("there is no call")


def written(text: str) -> str:
    """The program in a reply."""
    if not (found := program_in(text)):
        raise ValueError("no program")
    return found


def yes_or_no(text: str) -> float | None:
    """What a reply counts whose first word is its first token."""
    return chance_in([Token(one) for one in re.findall(r"\S+", text)], PROFILES["pocket"])


READERS: dict[str, Callable[[str], object]] = {
    "adaptive_compute/answer": partial(parse, Answer),
    "adaptive_compute/compute": partial(parse, Compute),
    "adaptive_compute/direct_json": partial(parse, Answer),
    "adaptive_compute/plan": read_plan,
    "adaptive_compute/tools": partial(parse, Tools),
    "baseline_verifiers/backward": partial(parse, Value),
    "chain_of_verification/questions": partial(parse, Checks),
    "chain_of_verification/compare": partial(parse, Agreement),
    "cumulative_reasoning/propose": partial(parse, Proposal),
    "cumulative_reasoning/report": partial(parse, Report),
    "fact_check/facts": partial(parse, Facts),
    "fact_check/query": partial(parse, Query),
    "fact_check/rate": partial(parse, Rating),
    "self_check/compare": partial(parse, Support),
    "cross_check/compare": partial(parse, Held),
    "reconstruction/compare": partial(parse, Difference),
    "program_aided/python": written,
    "program_aided/z3": written,
    "program_aided/mend": written,
    "sampling/tests": partial(parse, Tests),
    "sampling/aspect": partial(parse, Approval),
    "sampling/confidence": partial(decided, yes_or_no),
    "sampling/consistent": partial(parse, MostConsistent),
    "sampling/selected": partial(parse, Selected),
    "speculative_reasoning/utility": partial(parse, Utility),
    "tool_integrated/python": call_in,
    "tool_integrated/search": call_in,
    "tool_integrated/condense": partial(parse, Helpful),
    "tournament/apart": partial(parse, Calls),
    "tournament/compare": partial(parse, Comparison),
    "tournament/compare_runs": partial(parse, Comparison),
    "baseline_verifiers/follows": partial(parse, Following),
    "baseline_verifiers/premises": partial(premises_of, "", 2),
    "baseline_verifiers/vanilla": partial(parse, Opinion),
    "critic/critic": partial(parse, Criticism),
    "critic/match": read_match,
    "flexive/verify": boxed,
    **{f"elicit/{name}": partial(told, name) for name in DOMAINS},
    "scorers/step": partial(parse, StepReply),
    **{
        f"stepwise/{style}": partial(decided, partial(stepwise.read, style=style))
        for style in get_args(stepwise.Style)
    },
    "tools/equality": partial(parse, Same),
    "tools/extract": partial(parse, Extracted),
    "tree_of_thoughts/critic": partial(parse, StepReply),
    "tree_of_thoughts/propose": partial(parse, Thoughts),
    "tree_of_thoughts/value": partial(parse, ValueReply),
    "verifiagent/act": called,
    "verifiagent/evaluate": called,
    "verifiagent/meta": partial(parse, Meta),
    "verifiagent/meta_prose": prose,
    "verifiagent/native": called,
    "verifiagent/python": called,
    "verifiagent/reflect": called,
    "verifiagent/search": called,
    "verifiagent/z3": called,
    "verified_sampling/tools": called,
}
"""Prompt -> what reads the replies to it."""

TEXTS = {
    *("cot", "critique", "numeric_verifier", "refine", "reframe", "self_reflection", "step"),
    *("critique_action", "refine_action", "unstructured", "unstructured_answer"),
    *("summarizer", "verifier", "conclude", "complete", "retry", "post_editing", "precaution"),
    "repair",
    "question",
    "go_on",
    *("aggregate", "debate", "answer", "target", "anew", "summary", "heard", "problem"),
    "solve",
    "policy",  # its rules count once they are certified
}
"""Prompts whose replies are texts that go on to somebody else, or are not read at all."""

FIELDS: dict[str, Any] = {
    **dict.fromkeys(
        ("problem", "stated", "question", "solution", "steps", "statement"), "three apples"
    ),
    **dict.fromkeys(("answer", "before", "step", "gold"), "three apples"),
    **dict.fromkeys(
        (
            "reconstructed",
            "task",
            "target",
            "anew",
            "plan",
            "critique",
            "notes",
            "feedback",
            "thinking",
        ),
        "as it is",
    ),
    **dict.fromkeys(
        ("prompt", "reply", "error", "premises", "form", "rounds", "conflict", "aspect"), "so"
    ),
    **dict.fromkeys(("one", "other", "runs", "names", "forms", "text", "solutions"), "so"),
    **dict.fromkeys(("asked", "program", "fault", "fact", "found", "query"), "so"),
    **dict.fromkeys(("established", "rejected"), "so"),
    **{"mask": "X", "count": 2, "last": 4, "tools": "tools", "actions": _actions()},
}


def shown() -> Iterator[tuple[str, str]]:
    """(prompt, profile) of everything that stands in the folders, but for those that state
    a problem (tests/prompts/test_solver_prompts.py)."""
    for folder in sorted(resources.files(prompts).iterdir(), key=str):
        if folder.is_dir() and folder.name not in ("domains", "__pycache__"):
            for file in sorted(folder.iterdir(), key=str):
                name, *profile = file.name.removesuffix(".md").split(".")
                yield f"{folder.name}/{name}", profile[0] if profile else ""


PROMPTS = list(shown())


def pieces(text: str) -> Iterator[str]:
    """A text as a reply: all of it, its lines, runs of lines, and what stands in braces."""
    lines = text.splitlines()
    for start in range(len(lines)):
        yield from ("\n".join(lines[start : start + many]) for many in (1, 2, 3, 7))
        yield "\n".join(lines[start:])
    yield from re.findall(r"\{[^{}]*\}", text)
    yield from re.findall(r"\{.*\}", text, re.DOTALL)
    yield from re.findall(r"\[.*\]", text)
    yield from re.findall(r"\\boxed\{[^{}]*\}", text)
    yield from re.findall(r"<\w+>.*</\w+>", text)


def filled(text: str) -> Iterator[str]:
    """A piece as it is, and as a model that understands the brackets' shape alone would write."""
    yield text
    yield f"```json\n{text}\n```"
    yield re.sub(r"(?<=[:\[ ])<[^<>]*>", "0", text)
    yield re.sub(r"\.\.\.|<([^<>]*)>", r"\1", text)


def test_every_prompt_is_looked_at() -> None:
    unknown = {name for name, _ in PROMPTS} - set(READERS)
    assert {name.partition("/")[2] for name in unknown} <= TEXTS
    assert set(READERS) <= {name for name, _ in PROMPTS}


@pytest.mark.parametrize(("name", "profile"), [one for one in PROMPTS if one[0] in READERS])
def test_a_prompt_repeated_says_nothing(name: str, profile: str) -> None:
    system, user = prompts.render(*name.split("/"), profile, FIELDS)
    for part in (system, user, f"{system}\n{user}"):
        for reply in pieces(part):
            with pytest.raises(ValueError, match=r"\S"):
                READERS[name](reply)


@pytest.mark.parametrize(("name", "profile"), [one for one in PROMPTS if one[0] in READERS])
async def test_nor_does_one_whose_brackets_are_taken_off(name: str, profile: str) -> None:
    system, user = prompts.render(*name.split("/"), profile, FIELDS)
    objects = re.findall(r"^\{.*?\}$", f"{system}\n{user}", re.DOTALL | re.MULTILINE)
    for text in objects:
        for reply in filled(text):
            asked = await ask(ScriptedModel(reply), (system, user), READERS[name], None)
            assert (asked.value, asked.how) == (None, "default"), reply


@pytest.mark.parametrize(
    "text",
    [
        "Action: Evaluate[Correct] or Action: Evaluate[Incorrect]",
        "Action: Evaluate[Correct]\nEvaluation Result: Correct or Incorrect",
        "Action: Evaluate[Correct]\nEvaluation Result: unclear",
        "Action: Use Search Engine[one short question]",
        "Action: Use Search Engine[<question>]",
        "Action: Use Python Interpreter[program]",
        "Action: Use Python Interpreter[\ndef solver():\n    ...\nans = solver()\n]",
        "Action: Use Theorem Prover[...]",
    ],
)
def test_the_protocols_own_example_is_no_action(text: str) -> None:
    with pytest.raises(actions.NoAction, match=r"\S"):
        actions.parse(text)
    with pytest.raises(NoCall, match=r"\S"):
        read_calls(text, TOOLS)
