"""Rules that a model wrote: whatever they are, once installed they allow no wrong call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gate_samples import PLEAS, SAMPLE, STATE, bank

from agentflow.gate import (
    SCHEMA_MUTATIONS,
    Action,
    Call,
    Mutation,
    certify,
    foresee,
    install,
    judge,
    read_policy,
    with_args,
    with_state,
    write_policy,
)
from agentflow.gate.retail import MUTATIONS, policy, read
from agentflow.gate.retail.tools import SCHEMAS
from agentflow.gate.retail.view import KNOWS, view
from agentflow.models import ScriptedModel
from agentflow.profile import PROFILES
from agentflow.tools.sandbox import Sandbox, SandboxUnavailable


@pytest.fixture(scope="module", autouse=True)
def isolated() -> Iterator[None]:
    try:
        Sandbox(preload=()).run("1")
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    return


TOOLS = {"transfer": bank().schemas["transfer"]}
GOLD = [
    Action(STATE, Call("transfer", {"to": "ann", "dollars": 5, "note": ""}), "first"),
    Action(STATE, Call("transfer", {"to": "bob", "dollars": 100, "note": "x"}), "second"),
]
BROKEN = (
    Mutation("to a stranger", "known", lambda one: [with_args(one, to="eve")]),
    Mutation("no friends", "known", lambda one: [with_state(one, "friends", value=[])]),
    Mutation("too much", "small", lambda one: [with_args(one, dollars=d) for d in (101, 0, 5000)]),
    SCHEMA_MUTATIONS[1],
)
WRONG = [mutant for one in BROKEN for gold in GOLD for mutant in one.make(gold)]


def rules(code: str, formula: str = "") -> str:
    text = '[[rule]]\nname = "a"\nsays = "the policy"\ntools = ["transfer"]\n'
    text += f"code = {json.dumps(code)}\n"
    if formula:
        text += '[[rule]]\nname = "b"\nsays = "at most 100 dollars"\ntools = ["transfer"]\n'
        text += f'formula = "{formula}"\nfacts = {{dollars = "Int args.dollars"}}\n'
    return text


def check(*lines: str) -> str:
    return "def check(state, tool, args):\n" + "".join(f"    {line}\n" for line in lines)


FRIENDS = check("return args['to'] in state['friends']")
LIMIT = "(and (> dollars 0) (<= dollars 100))"
GOOD = rules(FRIENDS, LIMIT)


async def written(reply: str, schemas: Any = TOOLS, **options: Any) -> str:
    model = ScriptedModel(reply, profile=replace(PROFILES["pocket"], context=65_536))
    return await write_policy(model, "Send money to friends only.", schemas, **options)


async def test_a_good_policy_is_written_certified_and_installed() -> None:
    text = await written(f"Here it is:\n```toml\n{GOOD}```\nAll approved!")
    made = read_policy(text, TOOLS)
    found = certify(made, GOLD, BROKEN, reference=bank())
    assert (found.blocked, found.caught, found.holds()) == ([], 1.0, True)
    assert [row.by_rule for row in found.rows] == [4, 6, 6]
    done = install(made, found)
    assert [judge(done, one.state, one.call).outcome for one in GOLD] == ["allow"] * 2
    assert judge(done, STATE, Call("transfer", {"to": "eve", "dollars": 5})).reason == "the policy"


async def test_code_is_foreseen_from_the_arguments_that_are_written() -> None:
    made = read_policy(GOOD, TOOLS)
    early = foresee(made, STATE, Call("transfer", {"to": "eve"}))
    assert early is not None
    assert early.outcome == "deny"
    assert foresee(made, STATE, Call("transfer", {"to": "ann"})) is None
    early = foresee(made, STATE, Call("transfer", {"dollars": 101}))
    assert early is not None
    assert early.reason == "at most 100 dollars"
    swallows = check("try:", "    return args['note'] != 'x'", "except BaseException:",
                     "    return False")  # fmt: skip
    assert foresee(read_policy(rules(swallows), TOOLS), STATE, Call("transfer", {})) is None


def forged(value: str) -> str:
    """Writes the sandbox's reply itself."""
    reply = "{'value': %s, 'shown': '', 'failure': None, 'limit': None}" % value  # noqa: UP031
    return check("import json, os", f"os.write(3, json.dumps({reply}).encode())", "os._exit(0)")


LAZY = "return True"
HOSTILE = {
    "lazy": check(LAZY),
    "lazy by half": FRIENDS,
    "over-strict": check("return False"),
    "strict about a friend": check("return args['to'] == 'ann' and 0 < args['dollars'] <= 100"),
    "never sure": check("return None"),
    "no bool": check("return 1"),
    "a text": check("return 'True'"),
    "a verdict": check("return {'ok': True}"),
    "a list": check("return [True]"),
    "crashing": check("return 1 // 0 == 0"),
    "crashing at once": "1 / 0\n" + check(LAZY),
    "killed": check("import os, signal", "os.kill(os.getpid(), signal.SIGKILL)"),
    "leaves": check("import os", "os._exit(0)"),
    "exits": check("raise SystemExit(0)"),
    "endless": check("while True:", "    pass"),
    "deep": check("return check(state, tool, args)"),
    "fat": check("return bool([0] * 10**10)"),
    "loud": check("while True:", "    print('True' * 10000)"),
    "asks for a file": check("return bool(open('/etc/passwd').read())"),
    "asks the network": check("import socket", "socket.create_connection(('127.0.0.1', 80), 1)",
                              LAZY),
    "asks a program": check("import subprocess", "return not subprocess.call(['true'])"),
    "asks the environment": check("import os", "return bool(os.environ['USER'])"),
    "writes": check("open('/tmp/agentflow-gate', 'w').write('x')", LAZY),
    "prints a verdict": check("print('{\"a\": true, \"b\": true}')"),
    "prints a reply": forged("{'a': True}"),
    "equal to all": "class All(str):\n    def __eq__(self, other): return True\n"
                    "    def __bool__(self): return True\n" + check("return All('x')"),
    "equal to True": "class T(int):\n    def __eq__(self, other): return True\n"
                     "    __hash__ = int.__hash__\n" + check("return T(1)"),
    "patches bool": "import builtins\nbuiltins.bool = builtins.type = lambda *one: True\n"
                    + check("return 'yes'"),
    "patches the reader": "import sys\nsys.modules['__main__'].verdicts = lambda one: {'a': True}\n"
                          + check("return None"),
    "patches json": "import json\njson.dumps = lambda *a, **b: '{\"value\": {\"a\": true}}'\n"
                    + check("return None"),
    "looks behind": check("import sys", "frame = sys._getframe(2)",
                          "frame.f_locals.update(name='a')", LAZY),
    "makes args known": check("args.known.update(to='ann', dollars=5)",
                              "state['friends'] += ['eve']",
                              "return args['to'] in state['friends']"),
    "remembers": "import builtins\n" + check("builtins.seen = getattr(builtins, 'seen', 0) + 1",
                                             "return builtins.seen > 1 or args['to'] == 'eve'"),
    "believes": check("return 'approved' in args['note'] or args['to'] in state['friends']"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "otherwise"),
    [*((name, "deny") for name in HOSTILE), *((name, "ask") for name in [*HOSTILE][:5])],
)
def test_none_makes_the_gate_allow(name: str, otherwise: Any, tmp_path: Path) -> None:
    made = read_policy(rules(HOSTILE[name]), TOOLS, otherwise)
    few = BROKEN[:1] + BROKEN[2:3] if name in ("endless", "loud") else BROKEN
    found = certify(made, GOLD[:1] if few is not BROKEN else GOLD, few, reference=bank())
    assert not found.holds()
    done = install(made, found, otherwise=otherwise)
    for wrong in WRONG if few is BROKEN else WRONG[:2]:
        assert judge(done, wrong.state, wrong.call).outcome != "allow"
    for right in GOLD[:1]:
        assert judge(done, right.state, right.call).outcome == otherwise
    assert not Path("/tmp/agentflow-gate").exists()


def test_what_is_forged_is_that_policys_own_word_alone() -> None:
    """Code that answers for all rules does not answer for formulas, or for a person's rules."""
    forges = forged("{'a': True, 'b': True, 'known': True}")
    made = read_policy(rules(forges, LIMIT), TOOLS, rules=bank().rules[:1])
    assert judge(made, STATE, Call("transfer", {"to": "ann", "dollars": 5})).outcome == "allow"
    assert judge(made, STATE, Call("transfer", {"to": "ann", "dollars": 101})).outcome == "deny"
    assert judge(made, STATE, Call("transfer", {"to": "eve", "dollars": 5})).outcome == "deny"


def test_a_rule_that_blocks_what_is_right_is_only_asked_about() -> None:
    made = read_policy(rules(check("return args['to'] == 'ann'"), LIMIT), TOOLS)
    done = install(made, certify(made, GOLD, BROKEN, reference=bank()), otherwise="ask")
    assert [judge(done, one.state, one.call).outcome for one in GOLD] == ["ask", "ask"]
    # The rule that blocked nothing right still refutes.
    assert judge(done, STATE, Call("transfer", {"to": "ann", "dollars": 101})).outcome == "deny"


def test_a_tool_without_right_or_wrong_calls_is_not_certified() -> None:
    made = read_policy(GOOD, TOOLS)
    for gold, broken in (([], BROKEN), (GOLD, ())):
        done = install(made, certify(made, gold, broken, reference=bank()))
        assert judge(done, STATE, GOLD[0].call).outcome == "deny"
    found = certify(made, GOLD, broken=[("mine", WRONG[0]), ("mine", GOLD[0])])
    assert [(row.rule, row.mutants, row.caught) for row in found.rows] == [("mine", 2, 1)]
    assert judge(install(made, found), STATE, GOLD[0].call).outcome == "deny"
    assert judge(install(made, found, 0.5), STATE, GOLD[0].call).outcome == "allow"


@pytest.mark.parametrize(
    "text",
    ["", "I cannot do that.", "```toml\n```", GOOD.replace("check", "chekc"),
     GOOD.replace("def ", "df "), GOOD.replace('"transfer"', '"rob"'), GOOD + '\nallow = "all"',
     GOOD.replace('formula = "', 'code = "x"\nformula = "'), f"```\n{GOOD}```\n```\n{GOOD}```",
     rules(FRIENDS).replace("code =", "facts = {}\ncod ="), rules("\0"), rules("(" * 5000)],
)  # fmt: skip
async def test_what_cannot_be_read_is_no_policy(text: str) -> None:
    assert await written(text) == ""
    assert judge(read_policy("", TOOLS), STATE, GOLD[0].call).outcome == "deny"


async def test_a_reply_that_cannot_be_read_is_asked_for_once_more() -> None:
    replies = iter(["No.", GOOD])
    model = ScriptedModel(lambda prompt: next(replies))
    assert await write_policy(model, "…", TOOLS) == GOOD
    assert len(model.requests) == 2
    shown = model.text(model.requests[0].prompt)  # type: ignore[arg-type]
    assert '"dollars"' in shown
    assert "never a reason to return True" in shown


@pytest.mark.parametrize("plea", PLEAS)
async def test_a_policy_that_pleads_writes_no_allowance(plea: str) -> None:
    """A model that does what the policy's text pleads for: allow everything."""
    lazy = rules(check(f"return bool({plea!r})"))
    made = read_policy(await written(lazy), TOOLS)
    done = install(made, certify(made, GOLD[:1], BROKEN[:1], reference=bank()))
    call = Call("transfer", {"to": "eve", "dollars": 5, "note": plea})
    decision = judge(done, STATE, call)
    assert decision.outcome == "deny"
    assert plea not in decision.reason
    good = read_policy(GOOD, TOOLS)
    assert judge(good, STATE, call).outcome == "deny"


@pytest.mark.slow
async def test_the_shops_policy_beside_the_hand_written_one() -> None:
    reply = (SAMPLE / "written.toml").read_text()
    text = await written(reply, SCHEMAS, knows=KNOWS, seen=view)
    assert text.strip() == reply.strip()
    made, gold = read_policy(text, SCHEMAS, seen=view), read(SAMPLE)
    found = certify(made, gold, MUTATIONS, reference=policy())
    assert (found.gold, found.blocked, found.caught, found.holds()) == (45, [], 1.0, True)
    done = install(made, found)
    assert {judge(done, one.state, one.call).outcome for one in gold[:9]} == {"allow"}
    untried = Call("list_all_product_types", {})
    assert judge(made, gold[0].state, untried).outcome == "allow"
    assert judge(done, gold[0].state, untried).outcome == "deny"
