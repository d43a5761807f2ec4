"""Worlds in which a solution is searched for, step by step: tree_of_thoughts, adaptive_compute."""

from __future__ import annotations

from typing import get_args

from judged_worlds import ANSWERS, solution
from scripted_worlds import World
from streamed_worlds import ANY, PATH, SOLVED, said

from agentflow.nodes.reason import Search

THOUGHTS = [
    ["8 / 8 = 1 (left: 1 4 7)", "8 + 8 = 16 (left: 4 7 16)"],
    ["7 - 1 = 6 (left: 4 6)", "7 + 1 = 8 (left: 4 8)"],
    ["4 * 6 = 24 (left: 24)", "4 + 6 = 10 (left: 10)"],
    [f"Answer: {ANSWERS[0]} = 24"],
]
"""What is proposed behind none, one, two and three steps."""


def grown(*thoughts: list[str]) -> dict[str, object]:
    """A proposer that goes on from the last step that it is shown."""
    ends = [r"\(none yet\)", r"left: 1 4 7\)", r"left: 4 6\)", r"left: 24\)"]
    propose = {
        rf"(?s)propose \d+: .*{end}\s*<\|im_end\|>[^|]*<\|im_start\|>assistant": said(
            thoughts=said_
        )
        for end, said_ in zip(ends, thoughts, strict=False)
    }
    return propose | {"propose": said(thoughts=[]), "value: ": said(judgement="likely")}


TREE = {
    "found": World("tree_of_thoughts", grown(*THOUGHTS)),
    "found, narrow": World("tree_of_thoughts", grown(*THOUGHTS), {"width": 1}),
    "steps are judged": World("tree_of_thoughts", grown(*THOUGHTS), {"critic": "steps"}),
    "steps are judged, hopeless": World(
        "tree_of_thoughts", grown(*THOUGHTS), {"critic": "steps", "hopeless": True}
    ),
    "too deep": World("tree_of_thoughts", grown(*THOUGHTS), {"depth": 2}),
    "nothing proposed": World("tree_of_thoughts", {ANY: "hm"}),
    "budget spent": World("tree_of_thoughts", grown(*THOUGHTS), {"max_tokens": 30, "width": 1}),
}

SLIP = PATH.replace("7 - 1 = 6", "7 - 1 = 5")
ROLES = {
    "plan": "<plan>Make a 6 and a 4.</plan>",
    "tools": said(tools=["cot"]),
    "compute": said(strategy="best of n", param=3),
    "reframe": "Reach 24.",
    "critique": "7 - 1 is 6.",
    "check": "The numbers are right.",
    "review": "The logic is right.",
    "summary": "Six fours.",
    "answer": said(answer=ANSWERS[0]),
    "json": said(answer=ANSWERS[0]),
}
FIXED = {"plan": False, "reasoning": ["cot"], "compute": "best of n", "param": 1}
DIRECTLY = {"plan": False, "reasoning": [], "compute": "best of n", "param": 1}


def adaptive(written: object, says: dict[str, object] | None = None, **settings: object) -> World:
    """Every role of adaptive_compute; a trajectory that was begun is gone on with."""
    roles = {rf"user\n{role}: ": said_ for role, said_ in {**ROLES, **(says or {})}.items()}
    whole = written[-1] if isinstance(written, list) else written
    lines = str(whole).splitlines(keepends=True)
    begun = {
        rf"(?s)<think>\n.*{_quoted(lines[n - 1])}\Z": "".join(lines[n:])
        for n in range(len(lines), 0, -1)
    }
    given = {"iterations": 1, **settings}
    return World("adaptive_compute", roles | begun | {ANY: written}, given)  # type: ignore[arg-type]


def _quoted(line: str) -> str:
    return "".join(rf"\{letter}" if letter in r"\.+*?()[]{}|^$/" else letter for letter in line)


ADAPTIVE = {
    "planned": adaptive(SOLVED),
    "planned, three": adaptive([solution(2, SLIP), solution(3), SOLVED], iterations=3),
    "direct": adaptive(SOLVED, **DIRECTLY, select_by="first"),
    "direct, scored": adaptive(
        [solution(2, SLIP), SOLVED, solution(3), SOLVED], **{**DIRECTLY, "iterations": 4}
    ),
    "json": adaptive(SOLVED, **DIRECTLY, direct="json"),
    "beam": adaptive(SOLVED, **{**FIXED, "compute": "beam search", "param": 2}),
    "lookahead": adaptive(SOLVED, **{**FIXED, "compute": "lookahead", "param": 2}),
    **{
        name: adaptive(
            [solution(2, SLIP), SOLVED, solution(3)],
            **{**FIXED, "compute": name, "param": 3},
        )
        for name in get_args(Search)
    },
    "weighed": adaptive(
        [solution(2, SLIP), SOLVED, solution(3)], **{**FIXED, "param": 3, "weigh": True}
    ),
    "best of three": adaptive([solution(2, SLIP), SOLVED, solution(3)], **{**FIXED, "param": 3}),
    "reflected": adaptive(
        [solution(0, SLIP), SOLVED], **{**FIXED, "reasoning": ["self-reflection"]}
    ),
    "every tool": adaptive(
        SOLVED,
        **{
            **FIXED,
            "reasoning": [
                "reframe",
                "self-reflection",
                "numeric verifier",
                "verifier",
                "summarizer",
            ],
        },
    ),
    "replies repaired": adaptive(SOLVED, {"tools": ["?", said(tools=["cot"])], "compute": "?"}),
    "answer unread": adaptive(SOLVED, {"answer": "hm"}),
    "prompted scores": adaptive(
        SOLVED, {"step": said(reason="so", score=0.7)}, **FIXED, scorer="prompted"
    ),
    "budget spent": adaptive(SOLVED, **FIXED, solver_tokens=9),
    "the domain reads": adaptive(SOLVED, **FIXED, extract="domain"),
}

WORLDS = [(name, world) for worlds in (TREE, ADAPTIVE) for name, world in worlds.items()]
"""(arm, world); an arm's name is its own within its method."""
