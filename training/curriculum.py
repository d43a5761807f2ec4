"""What the pocket model learns: every source of texts, its weight, its stage and its metric.

A text is drawn from one of the sources that are open; solving opens first, then what checks a
solution, then what chooses how to solve, then verification with tools. Texts come in chunks that
depend on the seed and their number alone: so a run can go on at the very text where it was cut off,
and several processes can write ahead.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from agentflow.domains.game24 import judge_answer, judge_state
from agentflow.judge import steps
from agentflow.models.structured import Reply, parse
from agentflow.nodes.backward import Value
from agentflow.nodes.critic import Criticism
from agentflow.nodes.deductive import Following
from agentflow.nodes.plan import read_plan
from agentflow.nodes.premises import Premises
from agentflow.nodes.reason import Answer
from agentflow.nodes.select import Compute, Tools
from agentflow.nodes.vanilla import Opinion
from agentflow.profile import PROFILES
from agentflow.scorers.prompted import StepReply
from agentflow.scorers.value import ValueReply
from agentflow.search.proposals import Thoughts
from agentflow.tools.equality import normal_form
from agentflow.verifiers import actions, critique
from agentflow.verifiers.meta import Meta
from training import (
    baseline_verifiers,
    game24,
    reviews,
    roles,
    selectors,
    solving,
    trees,
    verifiagent,
    verified_sampling,
)
from training.game24 import DOMAIN, Part
from training.here import domain

POCKET = PROFILES["pocket"]

CHUNK = 256
"""Texts that are drawn at once."""

OPENS = (0.0, 0.08, 0.16, 0.28)
"""Share of the training after which each stage opens."""

Read = Callable[[str], object]
"""What a reply says; raises ValueError for one that cannot be read."""

_PUZZLE = re.compile(r"(?m)(?:^|: )(\d{1,2}(?: \d{1,2}){3})$")
_BOXED = re.compile(r"\\boxed\{(.*)\}")


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of text.

    Attributes:
        texts: Endless texts of a seed, with ``held_out`` of problems that are never trained on.
        weight: How often a text is drawn from it, beside the others that are open.
        stage: From 0; index in :data:`OPENS`.
        right: Of (prompt, reply, the reply that is learned): whether the reply is right; raises
            ValueError for one that cannot be read.
        solves: Whether the reply thinks first.
    """

    texts: Callable[..., Iterator[list[Part]]]
    weight: float
    stage: int
    right: Callable[[str, str, str], bool]
    solves: bool = False


def _same(read: Read) -> Callable[[str, str, str], bool]:
    """Right is a reply that says what the learned one says."""

    def right(prompt: str, reply: str, learned: str) -> bool:
        return read(reply) == read(learned)

    return right


def _solved(prompt: str, reply: str, learned: str) -> bool:
    """Right is an expression that is 24, or the answer of another domain's problem."""
    found = _PUZZLE.search(prompt.replace("<|im_end|>", "\n"))
    answer = _final(reply)
    if found is None:
        return answer == _final(learned)
    return judge_answer(DOMAIN.parse(found[1]), answer).ok is True


def _final(reply: str) -> str:
    """The answer in the box behind the thinking."""
    boxed = _BOXED.search(_behind_thinking(reply))
    if boxed is None:
        raise ValueError("no answer")
    return boxed[1].strip()


def _answered(name: str) -> Read:
    """Reads the answer behind the thinking, as the domain does."""

    def read(reply: str) -> str:
        answer = domain(name).answer(_behind_thinking(reply))
        if answer is None:
            raise ValueError("no answer")
        return normal_form(domain(name).shown(answer))

    return read


def _behind_thinking(reply: str) -> str:
    return POCKET.said(reply, opened=True)


def _text(reply: str) -> str:
    if not (said := " ".join(reply.split())):
        raise ValueError("the reply is empty")
    return said


def _yes_no(reply: str) -> bool:
    if (said := reply.strip()) not in ("Yes", "No"):
        raise ValueError("neither Yes nor No")
    return said == "Yes"


def _index(reply: str) -> int:
    """The first wrong step that a critic names; -1 for none."""
    found = critique.parse(POCKET.said(reply), 1_000).index
    if found is None:
        raise ValueError("no step is named")
    return found


def _json(kind: type[Reply], *fields: str) -> Read:
    """Reads a JSON reply: some of its fields."""

    def read(reply: str) -> object:
        said = parse(kind, reply)
        return [getattr(said, field) for field in fields]

    return read


def _evaluated(reply: str) -> bool:
    said = actions.parse(reply)
    if not isinstance(said, actions.Evaluation):
        raise ValueError("no evaluation")
    return said.ok


def _called(reply: str) -> tuple[str, str]:
    said = actions.parse(reply)
    if not isinstance(said, actions.Call):
        raise ValueError("no call")
    return said.tool, said.argument


def _passes(reply: str) -> bool:
    return parse(Criticism, reply).score >= 0.5


def _proposed(prompt: str, reply: str, learned: str) -> bool:
    """Right are thoughts that are right steps of Game of 24, or the answer, and not fewer than
    there are; in other domains the next line."""
    thoughts = parse(Thoughts, reply).thoughts
    wanted = parse(Thoughts, learned).thoughts
    found = _PUZZLE.search(prompt)
    if found is None:
        return thoughts == wanted
    problem = DOMAIN.parse(found[1])
    if not wanted or wanted[0].startswith("Answer"):
        return [DOMAIN.answer(one) for one in thoughts] == [DOMAIN.answer(one) for one in wanted]
    before = list(steps(DOMAIN, problem, prompt.partition("<|im_end|>")[0] + "\n"))
    for thought in thoughts:
        said = list(steps(DOMAIN, problem, f"{thought}\n"))
        if len(said) != 1 or judge_state(problem, said[0], before).ok is not True:
            return False
    return len(set(thoughts)) >= len(wanted)


def _worked(name: str, weight: float) -> Source:
    texts = partial(solving.texts, domain=name)
    return Source(texts, weight, 0, _same(_answered(name)), solves=True)


SOURCES: dict[str, Source] = {
    "game24": Source(game24.traces, 14, 0, _solved, solves=True),
    "math": _worked("math", 14),
    "logic": _worked("logic", 12),
    "commonsense": _worked("commonsense", 12),
    "maze": _worked("maze", 9),
    "spatialmap": _worked("spatialmap", 12),
    "long": Source(solving.long_texts, 14, 0, _solved, solves=True),
    "completeness": Source(roles.completeness, 4, 1, _same(_yes_no)),
    "flexive_fast": Source(partial(roles.critic, stage="fast"), 7, 1, _same(_index)),
    "flexive_slow": Source(partial(roles.critic, stage="slow"), 7, 1, _same(_index), solves=True),
    "step_score": Source(selectors.step_score, 3, 1, _same(_json(StepReply, "score"))),
    "critic": Source(baseline_verifiers.critic, 3, 1, _same(_passes)),
    "vanilla": Source(baseline_verifiers.vanilla, 3, 1, _same(_json(Opinion, "correct"))),
    "retry": Source(roles.retry, 14, 1, _solved, solves=True),
    "propose": Source(trees.propose, 3, 2, _proposed),
    "value": Source(trees.value, 2, 2, _same(_json(ValueReply, "judgement"))),
    "plan": Source(selectors.plan, 0.8, 2, _same(read_plan)),
    "tools": Source(selectors.tools, 0.8, 2, _same(_json(Tools, "tools"))),
    "compute": Source(selectors.compute, 0.8, 2, _same(_json(Compute, "strategy", "param"))),
    "answer": Source(reviews.final_answer, 0.5, 2, _same(_json(Answer, "answer"))),
    "direct_json": Source(reviews.direct_json, 0.5, 2, _same(_json(Answer, "answer"))),
    "critique": Source(selectors.critique, 1, 2, _same(_text)),
    "numeric_verifier": Source(reviews.numeric_verifier, 0.3, 2, _same(_text)),
    "verifier": Source(reviews.verifier, 0.5, 2, _same(_text)),
    "summarizer": Source(reviews.summarizer, 0.5, 2, _same(_text)),
    "reframe": Source(reviews.reframe, 0.5, 2, _same(_text)),
    "follows": Source(baseline_verifiers.follows, 1, 3, _same(_json(Following, "follows"))),
    "premises": Source(
        baseline_verifiers.premises, 0.5, 3, _same(_json(Premises, "conditions", "uses"))
    ),
    "backward": Source(baseline_verifiers.backward, 1, 3, _same(_json(Value, "value"))),
    "meta": Source(verifiagent.meta, 1, 3, _same(_json(Meta, "ok"))),
    "action": Source(verifiagent.action, 1, 3, _same(_called)),
    "evaluation": Source(verifiagent.evaluation, 1.5, 3, _same(_evaluated)),
    "reflection": Source(verifiagent.reflection, 0.7, 3, _same(_evaluated)),
    "precaution": Source(
        partial(verified_sampling.revised, feedback="precaution"), 1, 3, _solved, solves=True
    ),
    "post_editing": Source(
        partial(verified_sampling.revised, feedback="post_editing"), 1, 3, _solved, solves=True
    ),
}
"""Every kind of text by its name."""


def opened(progress: float, sources: Mapping[str, Source] = SOURCES) -> list[str]:
    """The sources that are open when a share of the training is done."""
    return [name for name, one in sources.items() if OPENS[one.stage] <= progress]


def chunk(
    seed: int,
    number: int,
    progress: float,
    *,
    held_out: bool = False,
    sources: Mapping[str, Source] = SOURCES,
) -> list[tuple[str, list[Part]]]:
    """One chunk of the mixture: :data:`CHUNK` texts, each with the name of its source."""
    rng = random.Random(f"{seed} {number}")
    names = opened(progress, sources)
    weights = [sources[name].weight for name in names]
    drawn = rng.choices(names, weights, k=CHUNK)
    running = {
        name: sources[name].texts(rng.getrandbits(32), held_out=held_out)
        for name in sorted(set(drawn))
    }
    return [(name, next(running[name])) for name in drawn]
