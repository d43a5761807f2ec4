"""Worlds in which whole solutions are judged and compared, and the verifiers of given ones."""

from __future__ import annotations

import math

from scripted_worlds import World
from streamed_worlds import ANY, CLOSED, META, PATH, SOLVED, evaluation, said

from agentflow.errors import ModelUnavailable
from agentflow.models import Capabilities, Fault, Token

ANSWERS = ("(7 - 8 / 8) * 4", "4 * (7 - 8 / 8)", "8 + 8 + 7 + 4", "8 + 8 + 7 - 4")
"""Two that are the same, and two that are wrong."""
HESITANT = f"{PATH}Wait, let me verify\n{PATH}"


def solution(number: int, thinking: str = PATH) -> str:
    """A solution that ends in one of the answers."""
    return f"{thinking}</think>\nAnswer: {ANSWERS[number]} = 24"


def solutions(*numbers: int) -> list[str]:
    """One solution after the other."""
    return [solution(number) for number in numbers]


def yes(p: float) -> tuple[Token, ...]:
    """What the detector of complete solutions says."""
    return (Token("Y", None, 0.0, (("Yes", math.log(p)), ("No", math.log1p(-p)))),)


STUB = 'def larger(a: int, b: int) -> int:\n    """The larger one."""'
LARGER = [
    f"hm</think>\n```python\ndef larger(a, b):\n    return {one}\n```"
    for one in ("a", "max(a, b)", "max(b, a)")
]
"""Programs, of which two do the same."""

FAST = r"(?s)user\nverify: .*<think>\n\n</think>\n\n\Z"
SLOW = r"user\nverify: "
PASSES, FAILS, UNREAD = r"fine \boxed{-1}", r"flaw \boxed{0}", "?"


def slowly(said: str) -> str:
    """A reply of a slow run."""
    return f"hm</think>{said}"


def sdv(says: dict[str, object], **settings: object) -> World:
    """Without the detector, one solution, if the settings do not say otherwise."""
    given = {"detect": False, "iterations": 1, "k": 4, "judge_answers": False, **settings}
    replies = given.pop("replies", ())
    able = given.pop("able", Capabilities())
    return World("solve_detect_verify", says, given, replies=replies, able=able)  # type: ignore[arg-type]


SDV = {
    "detected": sdv(
        {"complete:": yes(0.9), FAST: PASSES, CLOSED: "Answer: 4 * 6 = 24", ANY: HESITANT},
        detect=True,
    ),
    "detected, thought finished": sdv(
        {"complete:": yes(0.9), FAST: PASSES, CLOSED: "Answer: 4 * 6 = 24", ANY: HESITANT},
        detect=True,
        finish_thought=True,
    ),
    "not complete": sdv(
        {"complete:": yes(0.1), FAST: PASSES, ANY: solution(0, HESITANT)}, detect=True
    ),
    "cannot detect": sdv({ANY: SOLVED}, detect=True, able=Capabilities(logprobs=0)),
    "fast agrees": sdv({FAST: PASSES, ANY: SOLVED}),
    "fast disagrees, slow passes": sdv(
        {FAST: [PASSES, FAILS, PASSES, FAILS], SLOW: slowly(PASSES), ANY: SOLVED}
    ),
    "fast disagrees, slow fails": sdv(
        {FAST: [PASSES, FAILS, PASSES, FAILS], SLOW: slowly(FAILS), ANY: SOLVED}
    ),
    "nobody can tell": sdv({FAST: UNREAD, SLOW: slowly(UNREAD), ANY: SOLVED}),
    "the domain at last": sdv(
        {FAST: UNREAD, SLOW: slowly(UNREAD), ANY: SOLVED},
        ladder=["fast", "slow", "domain"],
        judge_answers=True,
    ),
    "the domain refutes": sdv({ANY: solution(2)}, ladder=["domain"], judge_answers=True),
    "slow alone": sdv({SLOW: slowly(PASSES), ANY: SOLVED}, ladder=["slow"]),
    "asked anew, passed": sdv({FAST: [FAILS] * 4 + [PASSES], ANY: solutions(2, 0)}, iterations=3),
    "asked anew in vain": sdv({FAST: FAILS, ANY: solutions(2, 3, 0)}, iterations=3),
    "noted": sdv(
        {FAST: [FAILS] * 4 + [PASSES], ANY: solution(0, HESITANT)},
        iterations=2,
        refine_by="note",
    ),
    "noted by the domain": sdv(
        {
            r"not 5\n\Z": f"7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n</think>\n{ANSWERS[0]}",
            ANY: solution(2, PATH.replace("7 - 1 = 6", "7 - 1 = 5")),
        },
        ladder=["domain"],
        iterations=3,
        refine_by="note",
        judge_answers=True,
    ),
    "three samples, one rejected": sdv(
        {
            r"(?s)user\nverify: .*- 4 = 24": FAILS,
            FAST: PASSES,
            ANY: solutions(2, 3, 2),
        },
        samples=3,
        k=2,
    ),
    "verified outvotes accepted": sdv(
        {FAST: UNREAD, ANY: solutions(2, 2, 0)},
        samples=3,
        k=2,
        ladder=["fast", "domain"],
        judge_answers=True,
    ),
    "a sample breaks": sdv(
        {FAST: PASSES, ANY: [("8 / 8 = 1", Fault(ModelUnavailable("gone"))), SOLVED]},
        samples=3,
        retries=0,
    ),
    "verifier breaks": sdv(
        {FAST: (Fault(ModelUnavailable("gone")),), SLOW: slowly(PASSES), ANY: SOLVED},
        retries=0,
        k=2,
        samples=2,
    ),
    "a person accepts": sdv(
        {FAST: UNREAD, SLOW: slowly(UNREAD), ANY: SOLVED},
        ladder=["fast", "slow", "human"],
        replies=(True,),
    ),
    "a person rejects, then accepts": sdv(
        {ANY: solutions(2, 0)},
        ladder=["human"],
        iterations=2,
        replies=("use the seven", True),
    ),
    "budget spent": sdv({ANY: SOLVED}, solver_tokens=5),
    "no answer": sdv({ANY: "so</think>I do not know"}),
    "chats only": sdv({FAST: PASSES, ANY: SOLVED}, able=Capabilities(continues=False, logprobs=0)),
}


PREMISES = said(conditions=["4 7 8 8"], uses=[{"conditions": [1], "steps": []}] * 4)
VERDICT, CRITIC = r"user\ncorrect: ", r"user\ncritic: "
NO, YES = said(reason="a flaw", correct=False), said(reason="fine", correct=True)
PROGRAM = "def solver():\n    return (7 - 8 / 8) * 4\nans = solver()"
CALL = f"Thought: try it\nAction: Use Python Interpreter[\n{PROGRAM}\n]\nObservation: 99\n"


def verified(says: dict[str, object], **settings: object) -> World:
    """Of verified_sampling; the domain looks at answers where it is the verifier."""
    given = {"judge_answers": settings.get("verifier", "domain") == "domain", **settings}
    return World("verified_sampling", says, given)  # type: ignore[arg-type]


VERIFIED = {
    "third passes": verified({ANY: solutions(2, 3, 0)}),
    "none passes": verified({ANY: solutions(3, 2, 2)}, n=3),
    "a model's word": verified({VERDICT: [NO, YES], ANY: solutions(2, 0)}, verifier="vanilla"),
    "majority": verified({VERDICT: NO, ANY: solutions(2, 0, 3, 1, 2, 0)}, verifier="vanilla", n=6),
    "cannot be read": verified({VERDICT: "hm", ANY: SOLVED}, verifier="vanilla", n=2),
    "precaution": verified({ANY: solutions(2, 0)}, feedback="precaution"),
    "post editing": verified(
        {VERDICT: [NO, YES], ANY: solutions(2, 0)},
        verifier="vanilla",
        feedback="post_editing",
    ),
    "flexive": verified({FAST: PASSES, ANY: SOLVED}, verifier="flexive", k=2),
    "deductive": verified(
        {r"\nfollows: ": said(reason="", follows=True), r"\npremises: ": PREMISES, ANY: SOLVED},
        verifier="deductive",
    ),
    "backward": verified(
        {r"\nmask: X": said(work="", value="4"), ANY: SOLVED}, verifier="backward", conditions=1
    ),
    "critic": verified(
        {CRITIC: [said(reason="so", score=0.2), said(reason="so", score=0.9)], ANY: SOLVED},
        verifier="critic",
    ),
    "verifiagent": verified(
        {r"user\nmeta: ": META, r"user\nact: ": evaluation("Correct"), ANY: SOLVED},
        verifier="verifiagent",
        use_tools=False,
        n=2,
    ),
    "verifiagent, with a tool": verified(
        {
            r"(?s)user\nact: .*Observation:": evaluation("Correct"),
            r"user\nact: ": CALL,
            ANY: SOLVED,
        },
        verifier="verifiagent",
        meta=False,
    ),
    "verifiagent rejects, tells": verified(
        {
            r"user\nmeta: ": META,
            r"user\nact: ": [evaluation("Incorrect"), evaluation("Correct")],
            r"user\nreflect: ": evaluation("Incorrect"),
            ANY: solutions(2, 0),
        },
        verifier="verifiagent",
        use_tools=False,
        feedback="precaution",
        n=2,
    ),
    "verifiagent, domain drives": verified(
        {ANY: solutions(2, 0)}, verifier="verifiagent", driver="domain", meta=False
    ),
    "reasoner with tools": verified(
        {r"value: 24.0\n\Z": solution(0, "so"), ANY: CALL}, reasoner="tools", n=1
    ),
    "reasoner, no such action": verified(
        {ANY: ["hm\nAction: Pray[hard]\n", solution(0, "so")]}, reasoner="tools", n=1
    ),
    "server gone later": verified(
        {ANY: [solution(2), (Fault(ModelUnavailable("gone")),)]}, retries=0, n=2
    ),
    "budget spent": verified({ANY: SOLVED}, solver_tokens=5, n=2),
    "no answer exists": World("verified_sampling", {ANY: SOLVED}, problem="1 1 1 1"),
}

GRADES = [said(reason=f"flaw {at}", score=score) for at, score in enumerate((0.3, 0.6, 0.1, 0.8))]
BRANCHING = {
    "the best of four": World(
        "adaptive_branching",
        {CRITIC: GRADES, ANY: solutions(2, 3, 2, 0)},
        {"verifier": "critic", "n": 4, "judge_answers": False},
    ),
    "the domain ends it": World(
        "adaptive_branching", {ANY: solutions(2, 3, 0)}, {"judge_answers": True}
    ),
    "every one is new": World(
        "adaptive_branching",
        {CRITIC: GRADES, ANY: solutions(2, 3, 2, 0)},
        {"verifier": "critic", "n": 4, "feedback": "sample", "judge_answers": False},
    ),
    "no answer": World("adaptive_branching", {ANY: "so</think>I do not know"}, {"n": 3}),
}

SCORES = [said(reason="so", score=score) for score in (0.2, 0.9, 0.1, 0.6)]
SAMPLED = {
    "best": World(
        "sampling", {CRITIC: SCORES, ANY: solutions(2, 0, 3, 2)}, {"judge_answers": False}
    ),
    "majority": World(
        "sampling",
        {CRITIC: SCORES, ANY: solutions(2, 0, 3, 2)},
        {"judge_answers": False, "choose": "majority"},
    ),
    "the domain": World("sampling", {ANY: solutions(2, 0, 3)}, {"critic": "domain", "k": 3}),
    "the domain refutes all": World(
        "sampling", {ANY: solutions(2, 3)}, {"critic": "domain", "k": 2}
    ),
    "unread": World(
        "sampling", {CRITIC: "{", ANY: solutions(2, 3)}, {"k": 2, "judge_answers": False}
    ),
    "most consistent": World(
        "sampling",
        {r"\[Solution 1\]": '{"reason": "both come to 24", "number": 1}', ANY: solutions(0, 2)},
        {"k": 2, "choose": "consistent", "critic": "none", "judge_answers": False},
    ),
    "selected": World(
        "sampling",
        {r"\[Solution 1\]": '{"reason": "it comes to 24", "number": 1}', ANY: solutions(0, 2)},
        {"k": 2, "choose": "selected", "critic": "none", "judge_answers": False},
    ),
    "none is named": World(
        "sampling",
        {r"\[Solution 1\]": "who knows", ANY: solutions(2, 0)},
        {"k": 2, "choose": "consistent", "critic": "none", "judge_answers": False},
    ),
    "most tested": World(
        "sampling",
        {
            "write tests": said(tests=["assert larger(1, 2) == 1", "assert larger(1, 2) == 2"]),
            ANY: LARGER,
        },
        {"domain": "python", "k": 3, "choose": "tests", "critic": "none"},
        STUB,
    ),
    "aspects": World(
        "sampling",
        {
            r"\[Aspect\]\nIs it right": '{"reason": "it is not", "holds": false}',
            r"\[Aspect\]": '{"reason": "", "holds": true}',
            ANY: SOLVED,
        },
        {"k": 1, "critic": "aspects", "aspects": ["Is it right?", "Is it clear?"]},
    ),
    "confidence": World(
        "sampling",
        {r"Yes or No\.": "Yes", ANY: SOLVED},
        {"k": 1, "critic": "confidence", "judge_answers": False},
    ),
    "the first to finish": World(
        "sampling",
        {ANY: [solution(2, f"{PATH * 9}"), SOLVED, solution(2, f"{PATH * 9}")]},
        {"k": 3, "stop": "first", "first": 1, "critic": "none", "choose": "majority"},
    ),
    "no reward model": World("sampling", {ANY: SOLVED}, {"critic": "prm", "k": 1}),
    "budget spent": World("sampling", {CRITIC: SCORES, ANY: SOLVED}, {"k": 2, "solver_tokens": 2}),
}
CONFIDENT = {
    "agreed": World("deepconf", {ANY: SOLVED}, {"k": 4, "warm_up": 2, "at_once": 2}),
    "apart": World(
        "deepconf",
        {ANY: solutions(0, 2, 3, 0)},
        {"k": 4, "warm_up": 2, "at_once": 2, "judge_answers": False},
    ),
}
FIRST = (Token("So", None, -0.7, (("So", math.log(0.5)), ("First", math.log(0.3)))),)
BEGUN = {
    "surest": World(
        "cot_decoding",
        {r"<think>\n\Z": FIRST, "<think>\nFirst": SOLVED, ANY: solution(2)},
        {"k": 2, "judge_answers": False},
    ),
    "begun for a chat": World(
        "cot_decoding", {ANY: SOLVED}, able=Capabilities(continues=False, turns=False)
    ),
}
PROGRAM = "a program</think>\n```python\nans = '{}'\n```\n"
PROGRAMMED = {
    "verified": World("program_aided", {ANY: PROGRAM.format("(7 - 8 / 8) * 4")}),
    "mended": World(
        "program_aided",
        {"What came of it": PROGRAM.format("(7 - 8 / 8) * 4"), ANY: PROGRAM.format("7 apples")},
    ),
    "words": World("program_aided", {"```python": "no idea</think>", ANY: SOLVED}, {"mends": 0}),
    "no answer": World(
        "program_aided", {ANY: PROGRAM.format("")}, {"mends": 0, "fallback": "none"}
    ),
}
CALLING = {
    "python": World(
        "tool_integrated",
        {"```output": SOLVED, ANY: "I try.\n```python\nprint((7 - 8 / 8) * 4)\n```\n"},
    ),
    "on and on": World(
        "tool_integrated", {ANY: "```python\n1 / 0\n```\n"}, {"calls": 1, "explain": False}
    ),
}
PROPOSED = '{"rests_on": [], "statement": "4 7 8 8 : 8 / 8 = 1 -> 1 4 7"}'
GATHERED = {
    "established": World(
        "cumulative_reasoning",
        {
            "propose one more": PROPOSED,
            "follows:": '{"reason": "it does", "follows": true}',
            "be read off": '{"enough": true}',
            ANY: SOLVED,
        },
    ),
    "rejected": World(
        "cumulative_reasoning",
        {
            "propose one more": PROPOSED,
            "follows:": '{"reason": "it may", "follows": false}',
            ANY: SOLVED,
        },
        {"proposals": 2, "judges": ["model"]},
    ),
}
AGGREGATED = {
    "agreed": World("self_aggregation", {ANY: SOLVED}, {"n": 2, "see": 2}),
    "apart": World(
        "self_aggregation",
        {r"\[Solution 1\]": SOLVED, ANY: solutions(0, 2)},
        {"n": 2, "see": 1, "judge_answers": False},
    ),
    "debate": World(
        "self_aggregation",
        {ANY: solutions(0, 2, 2, 2, 0, 2)},
        {"n": 2, "see": 2, "rounds": 3, "style": "debate", "judge_answers": False},
    ),
}
RETRIEVED = {
    "sure": World("active_retrieval", {ANY: SOLVED}, {"tools": {"search": "off"}}),
}
PEERS = {
    "told": World(
        "learning_from_peers",
        {
            "Sum up for the others": "It may be 24.",
            "I compare": SOLVED.removeprefix(PATH),
            ANY: f"{PATH * 4}",
        },
        {"n": 2, "every": 20},
    ),
    "no pause": World("learning_from_peers", {ANY: SOLVED}, {"n": 2}),
}
TOURNAMENTS = {
    "the last": World(
        "tournament",
        {r"\[Solution 2\]": '{"reason": "it comes to 24", "better": "1"}', ANY: solutions(0, 2)},
        {"n": 2, "compare": 1, "judge_answers": False},
    ),
    "alike": World("tournament", {ANY: SOLVED}, {"n": 2}),
    "a league": World(
        "tournament",
        {r"\[Solution 2\]": '{"reason": "it comes to 24", "better": "1"}', ANY: solutions(0, 2)},
        {"n": 2, "compare": 1, "style": "league", "judge_answers": False},
    ),
    "told apart": World(
        "tournament",
        {
            "Your part is to write": said(calls=["larger(1, 2)", "larger(2, 1)"]),
            r"\[What they give\]": said(reason="2 is larger", better=2),
            ANY: LARGER,
        },
        {"domain": "python", "n": 2, "compare": 1, "inputs": 2},
        STUB,
    ),
    "unread": World(
        "tournament",
        {r"\[Solution 2\]": "who knows", ANY: solutions(2, 0)},
        {"n": 2, "compare": 1, "judge_answers": False},
    ),
}
TESTED = {
    "second passes": World(
        "generate_test", {CRITIC: SCORES, ANY: solutions(2, 0)}, {"judge_answers": False}
    ),
    "none passes": World(
        "generate_test",
        {CRITIC: said(reason="so", score=0.1), ANY: solutions(2, 3, 3, 0)},
        {"judge_answers": False},
    ),
}

TOM = "Tom has 5 apples and buys 7 more. How many has he?"
GIVEN = "He had 5.\nHe buys 7, so 5 + 7 = 12.\n\nAnswer: {}"
USES = said(
    conditions=["Tom has 5", "he buys 7"],
    uses=[
        {"conditions": [1], "steps": []},
        {"conditions": [1, 2], "steps": [1]},
        {"conditions": [], "steps": [2]},
    ],
)


def given(method: str, says: dict[str, object], answer: str = "12", **settings: object) -> World:
    """A verifier on a given solution."""
    values = {"domain": "math", **settings}
    return World(method, says, values, TOM, solution=GIVEN.format(answer))  # type: ignore[arg-type]


QUESTIONS = said(
    checks=[
        {"statement": "He had 5", "question": "How many has he?"},
        {"statement": "5 + 7 = 12", "question": "What is 5 + 7?"},
    ]
)
BORNE_OUT = said(reason="so", agrees="yes")
REDONE: dict[str, object] = {"set out to do": "Add them.", "Do the task": "It is 12."}
SUPPORTED = said(reason="so", verdict="supports")

JUDGES = {
    "vanilla passes": given("vanilla", {ANY: YES}),
    "vanilla fails": given("vanilla", {ANY: NO}),
    "vanilla repaired": given("vanilla", {ANY: ["Correct!", YES]}),
    "vanilla unread": given("vanilla", {ANY: "Correct!"}),
    "critic": given("critic", {ANY: said(reason="so", score=0.7)}),
    "deductive passes": given(
        "deductive", {"follows: ": said(reason="so", follows=True), ANY: USES}
    ),
    "deductive fails": given(
        "deductive",
        {
            "follows: Answer": said(reason="no", follows=False),
            "follows: ": said(reason="so", follows=True),
            ANY: USES,
        },
    ),
    "chain passes": given(
        "chain_of_verification", {"questions": QUESTIONS, "bear the": BORNE_OUT, ANY: "It is 12."}
    ),
    "chain fails": given(
        "chain_of_verification",
        {
            "questions": QUESTIONS,
            "bear the": [BORNE_OUT, said(reason="it is not", agrees="no")],
            ANY: "It is 12.",
        },
    ),
    "facts cannot be looked up": given(
        "fact_check",
        {"list the facts": said(facts=["It rains."]), ANY: said(query="rain")},
        tools={"search": "off"},
        searches=2,
    ),
    "self check passes": given("self_check", REDONE | {"Two people": SUPPORTED, ANY: USES}),
    "self check fails": given(
        "self_check",
        REDONE | {"Two people": said(reason="no", verdict="contradicts"), ANY: USES},
    ),
    "self check has nothing to go by": given(
        "self_check", REDONE | {"Two people": said(reason="so", verdict="unrelated"), ANY: USES}
    ),
    "cross check passes": given(
        "cross_check",
        {"Two people": said(supported=[1, 2], contradicted=[]), ANY: GIVEN.format("12")},
        others=2,
    ),
    "cross check fails": given(
        "cross_check",
        {"Two people": said(supported=[], contradicted=[1]), ANY: GIVEN.format("12")},
        others=2,
    ),
    "aspects": given(
        "aspects",
        {ANY: [said(reason="so", holds=True), said(reason="no", holds=False)]},
        aspects=["Is it short?", "Is it right?"],
    ),
    "the same problem": given(
        "reconstruction",
        {
            "you do not know": "Tom has 5 apples and buys 7. How many has he?",
            ANY: said(
                conditions=[{"condition": "has 5", "kept": True}], invented=[], same_question=True
            ),
        },
    ),
    "another problem": given(
        "reconstruction",
        {
            "you do not know": "Tom has 5 apples and buys 8. How many has he?",
            ANY: said(
                conditions=[{"condition": "buys 7", "kept": False}],
                invented=["buys 8"],
                same_question=True,
            ),
        },
    ),
    "a panel rejects": given(
        "panel",
        {ANY: [said(reason="so", score=0.9), said(reason="no", score=0.1)]},
        panel=["critic", "critic", "domain"],
        panel_counts="verdicts",
    ),
    "a panel of several": given(
        "panel",
        {"Yes or No": "Yes", ANY: said(reason="so", score=0.4)},
        panel=["critic", "confidence"],
    ),
    "confidence": given("confidence", {ANY: "Yes"}),
    "completions agree": given("mutual_consistency", {ANY: GIVEN.format("12")}, completions=2),
    "completions differ": given("mutual_consistency", {ANY: GIVEN.format("13")}, completions=2),
    "backward passes": given(
        "backward",
        {"has X apples": said(work="", value="5"), ANY: said(work="", value="7")},
    ),
    "backward fails": given("backward", {ANY: said(work="", value="5")}),
    "flexive, fast agrees": given("flexive", {FAST: PASSES}),
    "flexive, slow decides": given("flexive", {FAST: [PASSES, FAILS], SLOW: slowly(FAILS)}, k=4),
    "verifiagent passes": given(
        "verifiagent",
        {r"user\nmeta: ": META, ANY: evaluation("Correct")},
        use_tools=False,
    ),
    "verifiagent fails": given(
        "verifiagent",
        {r"user\nmeta: ": META, ANY: evaluation("Incorrect")},
        "13",
        use_tools=False,
    ),
    "verifiagent, domain drives": given("verifiagent", {ANY: "hm"}, driver="domain", meta=False),
}

WORLDS = [
    (name, world)
    for worlds in (
        SDV,
        VERIFIED,
        BRANCHING,
        SAMPLED,
        CONFIDENT,
        BEGUN,
        PROGRAMMED,
        CALLING,
        GATHERED,
        AGGREGATED,
        RETRIEVED,
        PEERS,
        TOURNAMENTS,
        TESTED,
        JUDGES,
    )
    for name, world in worlds.items()
]
"""(arm, world); an arm's name is its own within its method."""
