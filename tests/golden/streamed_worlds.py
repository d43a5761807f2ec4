"""Worlds in which a stream is steered: interwhen, unified, early_exit, direct."""

from __future__ import annotations

import json
import math

from scripted_worlds import World

from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models import Capabilities, Fault, Token

PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
RIGHT = "Answer: (7 - 8 / 8) * 4 = 24"
SOLVED = f"{PATH}</think>\n{RIGHT}"
SLIP = "8 / 8 = 2 (left: 2 4 7)\n"
AFTER = "and so on, and so on\n"
EQUAL = "(7 - 8 / 8) * 4 = 24\n"
STABLE = f"{EQUAL}So {EQUAL}"

BEGIN, NOTED, CLOSED = r"<think>\n\Z", r"Wait, .*\n\Z", r"</think>\n\Z"
"""Where a prompt ends: at the start of the thinking, behind a note, where thinking was closed."""
STATE = r"\\boxed\{\Z"
"""... where the answer is asked for."""
ANY = ""

CHATS = Capabilities(continues=False, exact_prefix=False, logprobs=0)


def alone(**settings: object) -> dict[str, object]:
    """Settings of early_exit under which the domain does not look at the answer."""
    return {"judge_answers": False, **settings}


def two(p: float) -> tuple[Token, ...]:
    """A token with two alternatives, of which it is the one with this probability."""
    return (Token(" a", None, math.log(p), ((" a", math.log(p)), (" b", math.log1p(-p)))),)


PROBED = r"</think>\nAnswer:\Z"
THOUGHTS = f"one\n\ntwo\n\n{RIGHT}\n\nAnswer: 8 * (7 - 4) / 8\n\n{RIGHT}\n\n{RIGHT} , so\n\nx\n\n"

TOLD = "Available numbers: [4, 7, 8, 8]\nOperation: 8 / 8 = {}\nRemaining numbers: [{}, 4, 7]\n"
PROSE = "eights over each other\nthat leaves a small one\nsevens come next\nand fours\n"
ELICITED = r"place of the brackets"
BOXED = "</think>\n\\boxed{(7 - 8 / 8) * 4}"

MATH = "Tom has 3 bags of 4 apples. How many apples has he?"
EQUATION = " 3 * 4 = 12\n</think>\nAnswer: {}\n"
JUDGED = {"domain": "math", "k": 2, "meta": False, "judged_from": 0}


def evaluation(word: str) -> str:
    """A verifier's last reply."""
    wrong = "Error Reason: 3 * 4 is 12\nRevision Method: multiply again\n"
    right = "Error Reason: There is no error found\nRevision Method: None needed\n"
    told = right if word == "Correct" else wrong
    said = f"Thought: weighed.\nAction: Evaluate[{word}]\nSummarisation:\n"
    return f"{said}Evaluation Result: {word}\n{told}"


def said(**fields: object) -> str:
    """A reply in JSON."""
    return json.dumps(fields)


META = said(
    conditions=["Tom has 5", "he buys 7"],
    objective="apples",
    steps=["5 + 7 = 12"],
    complete=True,
    why="",
    consistency=[{"step": 1, "follows": True, "why": ""}],
)

INTERWHEN = {
    "right": World("interwhen", {ANY: SOLVED}),
    "corrected": World("interwhen", {BEGIN: SLIP + AFTER, NOTED: SOLVED}),
    "corrected twice": World(
        "interwhen",
        {BEGIN: SLIP, r"8 / 8 is .*\n\Z": "2 * 4 = 8 (left: 7 8)\n", NOTED: SOLVED},
    ),
    "answer corrected": World(
        "interwhen",
        {BEGIN: f"{PATH}</think>\nAnswer: (7 - 8 / 8) * 5\n", r"\[verifier: .*\]\n\Z": RIGHT},
    ),
    "too many corrections": World("interwhen", {ANY: SLIP}, {"max_corrections": 3}),
    "candidate beside it": World("interwhen", {ANY: f"{RIGHT}\n{SLIP}"}, {"max_corrections": 0}),
    "final answer refuted": World("interwhen", {ANY: f"{PATH}</think>\n4 * 6"}),
    "no answer exists": World("interwhen", {ANY: SOLVED}, problem="1 1 1 1"),
    "hopeless": World(
        "interwhen",
        {BEGIN: f"8 + 8 = 16 (left: 4 7 16)\n{SOLVED}", NOTED: SOLVED},
        {"hopeless": True},
    ),
    "unanswered, asked": World("interwhen", {STATE: "(7 - 8 / 8) * 4}", ANY: f"{PATH}so it is"}),
    "unanswered, asked in vain": World("interwhen", {ANY: "I do not know"}),
    "nothing said": World("interwhen", {ANY: ""}),
    "endless": World("interwhen", {ANY: "more " * 500}, {"max_tokens": 120}),
    "budget spent on slips": World(
        "interwhen", {ANY: SLIP + "more " * 100}, {"max_tokens": 60, "max_corrections": 1000}
    ),
    "k stable": World(
        "interwhen",
        {BEGIN: STABLE + "but wait " * 30, CLOSED: RIGHT},
        {"step_verifier": False, "k_stable": 2},
    ),
    "k stable, corrected": World(
        "interwhen",
        {BEGIN: SLIP + AFTER, NOTED: PATH + STABLE + "but wait " * 30, CLOSED: RIGHT},
        {"k_stable": 2},
    ),
    "thinking budget": World(
        "interwhen", {BEGIN: "hm " * 100, CLOSED: RIGHT}, {"thinking_tokens": 7}
    ),
    "repetition": World(
        "interwhen",
        {BEGIN: "I think about it once more. " * 30, CLOSED: RIGHT},
        {"repetition": 3},
    ),
    "restart": World(
        "interwhen",
        {ANY: [f"{SLIP}</think>\n", SOLVED]},
        {"max_corrections": 0, "restarts": 1},
    ),
    "restart behind a refuted answer": World(
        "interwhen", {ANY: [f"{PATH}</think>\n4 * 6", SOLVED]}, {"restarts": 2}
    ),
    "restarts in vain": World(
        "interwhen", {ANY: f"{SLIP}</think>\n"}, {"max_corrections": 0, "restarts": 3}
    ),
    "restarts, budget each": World(
        "interwhen", {ANY: "hm " * 100}, {"solver_tokens": 10, "restarts": 2}
    ),
    "stream broken, continued": World(
        "interwhen",
        {BEGIN: ("8 / 8 = 1", Fault(StreamBroken("gone"))), ANY: SOLVED.partition("= 1")[2]},
    ),
    "stream broken for good": World(
        "interwhen", {ANY: ("hm hm hm ", Fault(StreamBroken("gone for good")))}, {"retries": 1}
    ),
    "stream never begins": World(
        "interwhen", {ANY: (Fault(StreamBroken("gone for good")),)}, {"retries": 1}
    ),
    "server gone behind a note": World(
        "interwhen",
        {NOTED: (Fault(ModelUnavailable("nobody there")),), ANY: SLIP},
        {"retries": 0},
    ),
    "cannot continue": World("interwhen", {ANY: SOLVED}, able=CHATS),
    "review, accepted": World(
        "interwhen", {BEGIN: SLIP + AFTER, ANY: SOLVED}, {"review": True}, replies=(True,)
    ),
    "review, another note": World(
        "interwhen",
        {BEGIN: SLIP + AFTER, ANY: SOLVED},
        {"review": True},
        replies=("Hm, eight eighths are one.\n",),
    ),
    "elicited, right": World(
        "interwhen",
        {ELICITED: TOLD.format(1, 1), BEGIN: PROSE + BOXED, ANY: BOXED},
        {"elicit": 2},
        profile="qwen3",
    ),
    "elicited, corrected": World(
        "interwhen",
        {
            ELICITED: [TOLD.format(2, 2), TOLD.format(1, 1)],
            BEGIN: PROSE + BOXED,
            ANY: f"so it is\n{BOXED}",
        },
        {"elicit": 2},
        profile="qwen3",
    ),
    "math undecided": World("interwhen", {ANY: EQUATION.format("12")}, {"domain": "math"}, MATH),
    "math, proof required": World(
        "interwhen", {ANY: EQUATION.format("12")}, {"domain": "math", "require": "proof"}, MATH
    ),
    "math refuted": World(
        "interwhen",
        {NOTED: EQUATION.format("12"), ANY: " 3 * 4 = 13\n so 13 it is\n"},
        {"domain": "math"},
        MATH,
    ),
}

UNIFIED = {
    "right": World("unified", {ANY: f"{PATH}{EQUAL}{EQUAL}"}),
    "answer written out": World("unified", {ANY: f" {EQUAL}" * 3}),
    "redrawn": World("unified", {BEGIN: [f" hm\n {SLIP} and so on", SOLVED], ANY: SOLVED}),
    "noted": World("unified", {BEGIN: SLIP + AFTER, NOTED: SOLVED}, {"redraws": 0}),
    "redrawn, then noted": World("unified", {NOTED: SOLVED, ANY: SLIP + AFTER}, {"redraws": 2}),
    "a sample given up": World("unified", {ANY: [SLIP, SLIP, SOLVED]}, {"max_corrections": 1}),
    "two samples given up": World("unified", {ANY: SLIP}, {"max_corrections": 2, "n": 5}),
    "unsteered": World(
        "unified",
        {ANY: [f"{PATH}</think>\n4 * 6 = 24", SOLVED]},
        {"steer": False, "k_stable": 0},
    ),
    "budget spent": World("unified", {ANY: f"{PATH}</think>\n4 * 5 = 20"}, {"budget": 60}),
    "tokens of a sample spent": World("unified", {ANY: "so " * 200}, {"solver_tokens": 20, "n": 2}),
    "hopeless": World(
        "unified",
        {r"cannot be reached": SOLVED, ANY: f"8 * 8 = 64 (left: 4 7 64)\n{SOLVED}"},
        {"hopeless": True, "redraws": 0},
    ),
    "chats only": World("unified", {ANY: [f"{PATH}</think>\n4 * 5 = 20", SOLVED]}, able=CHATS),
    "no answer exists": World("unified", {ANY: SOLVED}, problem="1 1 1 1"),
    "broken, the next sample": World(
        "unified", {ANY: [("8 /", Fault(ModelUnavailable("gone"))), SOLVED]}, {"retries": 0}
    ),
    "fast agrees": World(
        "unified",
        {"verify: ": r"fine \boxed{-1}", ANY: EQUATION.format("12")},
        JUDGED,
        MATH,
    ),
    "fast rejects, drawn again": World(
        "unified",
        {
            r"(?s)verify: .*Answer: 13": r"no \boxed{0}",
            "verify: ": r"fine \boxed{-1}",
            ANY: [EQUATION.format("13"), EQUATION.format("12")],
        },
        JUDGED,
        MATH,
    ),
    "up the ladder": World(
        "unified",
        {
            r"(?s)verify: .*<think>\n\n</think>\n\n\Z": [r"\boxed{-1}", r"\boxed{0}"],
            "verify: ": r"hm</think>fine \boxed{-1}",
            BEGIN: EQUATION.format("12"),
            ANY: "hm",
        },
        {**JUDGED, "ladder": ["domain", "fast", "verifiagent", "slow"]},
        MATH,
    ),
    "verifiagent accepts": World(
        "unified",
        {"user\nmeta: ": META, BEGIN: EQUATION.format("12"), ANY: evaluation("Correct")},
        {**JUDGED, "ladder": ["domain", "verifiagent"], "use_tools": False, "meta": True},
        MATH,
    ),
    "verifiagent rejects": World(
        "unified",
        {
            BEGIN: [EQUATION.format("13"), EQUATION.format("12")],
            ANY: evaluation("Incorrect"),
        },
        {**JUDGED, "ladder": ["verifiagent"], "n": 2, "use_tools": False, "meta": True},
        MATH,
    ),
    "agree": World(
        "unified",
        {
            "verify: ": r"? \boxed{}",
            BEGIN: [EQUATION.format(n) for n in ("13", "12", "12.0", "1")],
        },
        {**JUDGED, "ladder": ["domain", "fast"], "agree": 2},
        MATH,
    ),
    "too short to be judged": World(
        "unified", {BEGIN: EQUATION.format("13")}, {**JUDGED, "judged_from": 1000}, MATH
    ),
}

AT_ONCE = {"rule": "entropy", "alpha": 1.0}
"""The newest value alone counts."""

EARLY_EXIT = {
    f"{name}": World(
        "early_exit",
        {PROBED: probe, CLOSED: RIGHT, BEGIN: THOUGHTS, ANY: RIGHT},
        alone(**settings),
    )
    for name, probe, settings in (
        ("entropy", two(0.5), {"rules": [{"rule": "entropy", "start_at_first": True}]}),
        ("entropy, at once", two(0.5), {"rules": [AT_ONCE]}),
        ("entropy, min checks", two(0.5), {"rules": [AT_ONCE | {"min_checks": 4}]}),
        ("entropy, never", two(0.5), {"rules": [{"rule": "entropy", "variance": 0.0}]}),
        (
            "entropy level",
            [two(0.5), two(0.5), two(0.99)],
            {"rules": [{"rule": "entropy_level", "level": 0.5}]},
        ),
        ("stall", [two(0.99), two(0.5)] * 5, {"rules": [{"rule": "stall", "window": 3}]}),
        ("confidence", [two(0.5), two(0.99)], {"rules": ["confidence"]}),
        ("rollouts", [" none"] * 6 + [RIGHT], {"rules": ["rollouts"], "probe": {"rollouts": 3}}),
        ("k stable", two(0.5), {"rules": ["k_stable"]}),
        ("budget", two(0.5), {"rules": [{"rule": "budget", "tokens": 10}], "check": "tokens"}),
        (
            "all of two",
            two(0.5),
            {"rules": [AT_ONCE, "k_stable"], "combine": "all"},
        ),
        (
            "first",
            two(0.5),
            {"rules": [{"rule": "budget", "tokens": 30}, "k_stable"], "combine": "first"},
        ),
        ("at candidates", two(0.5), {"rules": [AT_ONCE], "check": "candidate"}),
        ("at lines", two(0.5), {"rules": [AT_ONCE], "check": {"at": "line", "every": 2}}),
        ("domain judges", two(0.5), {"rules": [AT_ONCE], "judge_answers": True}),
        ("probe breaks", (Fault(ModelUnavailable("gone")),), {"retries": 0}),
    )
}
EARLY_EXIT |= {
    "chats only, concluded": World(
        "early_exit",
        {BEGIN: [THOUGHTS, f"</think>\n{RIGHT}"], ANY: f"</think>\n{RIGHT}"},
        alone(rules=["k_stable"]),
        able=CHATS,
    ),
    "chats only, cannot probe": World("early_exit", {ANY: THOUGHTS}, alone(), able=CHATS),
    "keywords": World(
        "early_exit",
        {PROBED: two(0.5), CLOSED: RIGHT, ANY: f"{PATH}Wait, once more\n{PATH}"},
        alone(rules=[AT_ONCE], check="keyword"),
    ),
    "repetition": World(
        "early_exit",
        {PROBED: two(0.5), CLOSED: RIGHT, ANY: "I think about it once more. " * 30},
        alone(rules=["k_stable"], repetition=3),
    ),
    "closes itself": World("early_exit", {PROBED: two(0.5), ANY: SOLVED}, alone()),
    "review": World(
        "early_exit",
        {PROBED: two(0.5), CLOSED: RIGHT, ANY: THOUGHTS},
        alone(rules=[AT_ONCE], review=True),
        replies=(True,),
    ),
}

DIRECT = {
    "right": World("direct", {ANY: SOLVED}),
    "wrong": World("direct", {ANY: f"{PATH}</think>\n4 * 6"}),
    "wrong, not judged": World("direct", {ANY: f"{PATH}</think>\n4 * 6"}, {"judge_answers": False}),
    "asked to state it": World("direct", {STATE: "(7 - 8 / 8) * 4}", ANY: "hm</think>It is done."}),
    "asked in vain": World("direct", {ANY: "hm</think>It is done."}),
    "budget spent": World("direct", {ANY: "more " * 50}, {"solver_tokens": 20}),
    "no answer exists": World("direct", {ANY: SOLVED}, problem="1 1 1 1"),
    "not a puzzle": World("direct", {ANY: SOLVED}, problem="four and seven"),
    "broken": World("direct", {ANY: ("hm ", Fault(StreamBroken("gone")))}, {"retries": 1}),
}

FORCED = {
    "thinks on": World(
        "budget_forcing", {r"Wait\Z": f" so\n{SOLVED}", BEGIN: SOLVED}, {"waits": 1}
    ),
    "bounded": World(
        "budget_forcing", {CLOSED: RIGHT, ANY: "more " * 20}, {"waits": 1, "thinking_tokens": 5}
    ),
}

WAIT = Token(" Wait", top=((" Wait", -0.5), (" so", -1.0)))
PACED = {
    "slow": World(
        "alpha_one",
        {r"Wait\Z": f" so\n{SOLVED}", BEGIN: "hm\n"},
        {"usual_tokens": 6, "alpha": 1.0, "step": "line"},
    ),
    "fast": World("alpha_one", {CLOSED: RIGHT, ANY: "one two. Wait, three"}, {"usual_tokens": 1}),
    "penalised": World(
        "thought_switching",
        {r" so\Z": f"\n{SOLVED}", ANY: ("hm", WAIT, " three")},
        {"penalty": 100.0},
    ),
}

RATED = r"\[Next step"
STEP_BY_STEP = {
    BEGIN: PATH,
    r"1 4 7\)\n\Z": "7 - 1 = 6 (left: 4 6)\n",
    r" 4 6\)\n\Z": "4 * 6 = 24 (left: 24)\n",
    ANY: f"</think>\n{RIGHT}",
}
SPECULATED = {
    name: World("speculative_reasoning", {RATED: said, **STEP_BY_STEP}, settings)
    for name, said, settings in (
        ("kept", '{"score": 9}', {"critic": "utility"}),
        ("refused", '{"score": 1}', {"critic": "utility"}),
        ("unread", "who knows", {"critic": "utility"}),
        ("rules", "", {"critic": "steps", "scorer": "rules"}),
        ("begun by the solver", '{"score": 9}', {"critic": "utility", "own_steps": 2}),
    )
}

WORLDS = [
    (name, world)
    for worlds in (INTERWHEN, UNIFIED, EARLY_EXIT, DIRECT, FORCED, PACED, SPECULATED)
    for name, world in worlds.items()
]
"""(arm, world); an arm's name is its own within its method."""
