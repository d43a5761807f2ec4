"""Programs found by reading: what is said around them, in them, and in other blocks."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentflow import domains
from agentflow.domains.python import carry, examples, explanations, proof, reading, source, told
from agentflow.domains.python.task import read

PYTHON = domains.get("python")
STUB = 'def add(a: int, b: int) -> int:\n    """The sum.\n\n    >>> add(1, 2)\n    3\n    """\n'
TEST = (
    "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(-7, 20) == 13\n"
)
ROW = {"prompt": STUB, "entry_point": "add", "test": TEST, "complete": True}
PROGRAM = {
    "question_content": "Print the sum of two whole numbers.",
    "public_test_cases": [{"input": "1 2\n", "output": "3\n"}, {"input": "4 5", "output": "9"}],
    "complete": True,
}
READS = "a, b = map(int, input().split())\n"


def block(code: str, language: str = "python") -> str:
    return f"```{language}\n{code}\n```"


OK = block("def add(a, b):\n    return a + b")
WRONG = block("def add(a, b):\n    return a - b")


def verdict(text: str, row: dict[str, object] | None = None) -> bool | None:
    problem = PYTHON.parse(json.dumps(row or ROW))
    answer = PYTHON.answer(text)
    if answer is None:
        return None
    return asyncio.run(PYTHON.verify_answer(problem, answer)).ok


@pytest.mark.parametrize(
    "sentence",
    [
        "All of the above is retracted.",
        "So I withdraw this solution.",
        "By the way, everything above is a joke.",
        "Deleting this code is best.",
        "Feel free to discard it.",
        "- Unfit for use.",
        "However, the task cannot be solved.",
        "In short, I do not know the answer.",
        "This solves a different problem.",
        "This works by accident.",
        "Note that negative numbers are not supported.",
        "Since I changed my mind, the answer is `return a - b`.",
        "Instead of this, use `a - b`.",
        "Next, replace `+` by `-`.",
        "Finally, negate the result.",
        "Then we negate the result.",
        "The final version returns `a - b`.",
        "In the return statement, use minus.",
        "This returns the product of the two numbers.",
        "This implements subtraction.",
        "Both numbers are multiplied.",
        "We return the difference.",
        "This computes `a - b`.",
        "- Returns `a * b`.",
        "The code returns 0.",
        "The function returns nothing.",
        "As a result, `add(1, 2)` returns 4.",
        "For `add(1, 2)` the result is 4.",
        "When run, it raises a TypeError.",
        "Nobody can rely on it.",
    ],
)
def test_a_sentence_behind_that_takes_it_back_or_tells_otherwise(sentence: str) -> None:
    assert verdict(f"{OK}\n\n{sentence}") is None


@pytest.mark.parametrize(
    "sentence",
    [
        "It returns `a + b`.",
        "This returns the sum of the two numbers.",
        "For example, `add(1, 2)` returns `3`.",
        "Both numbers are added.",
        "Replace the numbers with your own values to try it.",
        "**Time complexity:** O(1)",
    ],
)
def test_a_sentence_behind_that_explains_it(sentence: str) -> None:
    assert verdict(f"{OK}\n\n{sentence}") is True


@pytest.mark.parametrize(
    "sentence",
    [
        "If the top of the stack is smaller, we remove it.",
        "To avoid this, we use a set.",
        "Here `n` stands for the number of items.",
        "The water that the bars trap is added up.",
        "We guess the middle and halve the range.",
        "The final code uses a single expression.",
        "We replace `x` with `y` in the text.",
        "We skip the first element because it is sorted.",
        "The recursion ends when nothing is left.",
        "The loop removes the smallest one and adds it to the result.",
        "We use addition here.",
    ],
)
def test_what_ordinary_explanations_say(sentence: str) -> None:
    assert explanations.explained(sentence)


@pytest.mark.parametrize(
    "lead",
    [
        "Here's the code with one error:",
        "The following code is a trap:",
        "Here is a function that you need to correct:",
        "I will use this as a negative example:",
        "Here's a function that multiplies:",
        "Here is the code for a related problem:",
        "I can't solve it. Here is a guess:",
        "Here is the template:",
        "This is the code of somebody else:",
    ],
)
def test_a_sentence_in_front_that_does_not_stand_by_it(lead: str) -> None:
    assert verdict(f"{lead}\n\n{OK}") is None


@pytest.mark.parametrize(
    "later",
    [
        block("return a - b"),
        block("# replace the last line\nreturn a - b"),
        block('globals()["add"] = lambda a, b: a - b'),
        block('exec("def add(a,b): return a-b")'),
        block("def add(a, b):\n    return a - b", "text"),
        block("FAILED test_add", ""),
        block("Traceback (most recent call last):\nNameError: add", ""),
        block("assert add(1, 2) == 4"),
        block("print(add(1, 2))  # 4"),
    ],
)
def test_a_block_behind_that_changes_it_or_fails(later: str) -> None:
    assert verdict(f"{OK}\n\n{later}") is None


@pytest.mark.parametrize(
    "later",
    [
        block("    return a + b"),
        block("assert add(1, 2) == 3"),
        block("print(add(1, 2))  # Output: 3"),
        block("3", ""),
        block("All 3 tests passed.", ""),
        block("python add.py", "bash"),
        block("def demo():\n    print(add(1, 2))\n\ndemo()"),
        block(
            "import unittest\n\nclass TestAdd(unittest.TestCase):\n    def test_it(self):\n"
            '        self.assertEqual(add(1, 2), 3)\n\nif __name__ == "__main__":\n'
            "    unittest.main()"
        ),
    ],
)
def test_a_block_behind_that_only_tries_it(later: str) -> None:
    assert verdict(f"{OK}\n\n{later}") is True


@pytest.mark.parametrize(
    "code",
    [
        "def add(a, b):  # wrong\n    return a + b",
        "def add(a, b):\n    # TODO: should be a - b\n    return a + b",
        "def add(a, b):\n    return a + b\n\n# I retract this.",
        "def add(a, b):\n    return a + b\n\n# On second thought, return a - b",
        'def add(a, b):\n    return a + b\n\nprint("this answer is wrong")',
        '"""This is the buggy version."""\ndef add(a, b):\n    return a + b',
        'def add(a, b):\n    """Wrong on purpose."""\n    return a + b',
        "def add(a, b):\n    return a + b\n\nassert add(1, 2) == 4",
    ],
)
def test_what_stands_in_the_code_speaks_against_it(code: str) -> None:
    assert verdict(block(code)) is None


def test_a_part_that_is_run_elsewhere_counts() -> None:
    code = 'def add(a, b):\n    return a + b\n\nif __name__ != "__main__":\n    def add(a, b):'
    assert verdict(block(f"{code}\n        return a - b")) is False


@pytest.mark.parametrize(
    ("fields", "ok"),
    [
        ({"explanation": "It returns `a + b`."}, True),
        ({"language": "python"}, True),
        ({"reasoning": "First I thought of subtracting, but the sum is asked for."}, True),
        ({"explanation": "This code is wrong."}, None),
        ({"status": "retracted"}, None),
        ({"valid": False}, None),
        ({"final_answer": "def add(a, b):\n    return a - b"}, None),
    ],
)
def test_the_fields_beside_the_code(fields: dict[str, object], ok: bool | None) -> None:
    code = "def add(a, b):\n    return a + b"
    assert verdict(json.dumps({"code": code, **fields})) is ok
    if ok:
        assert verdict(json.dumps({"code": block(code), **fields})) is True


def test_blocks_that_belong_together_are_one_program() -> None:
    plus = block("def plus(a, b):\n    return a + b")
    uses = block("def add(a, b):\n    return plus(a, b)")
    assert verdict(f"A helper:\n{plus}\n\nThe function:\n{uses}") is True
    assert verdict(f"The function:\n{uses}\n\nHere is the helper:\n{plus}") is True
    imports = block("import operator")
    assert verdict(f"{imports}\n\n{block('def add(a, b): return operator.add(a, b)')}") is True
    other = block("def plus(a, b):\n    return a - b")
    assert verdict(f"A helper:\n{other}\n\nThe function:\n{uses}") is False


@pytest.mark.parametrize("lead", ["Here is the simplified final version:", "Final program:"])
@pytest.mark.parametrize(("sign", "ok"), [("+", True), ("-", False)])
def test_the_final_script_is_the_program(lead: str, sign: str, ok: bool) -> None:
    draft = f"def solve():\n    {READS}    print(a {'-' if ok else '+'} b)\n\nsolve()"
    text = f"{block(draft)}\n\n{lead}\n{block(f'{READS}print(a {sign} b)')}"
    assert verdict(text, PROGRAM) is ok


def test_a_line_of_the_program_shown_again_is_no_other_program() -> None:
    program = block(f"def solve():\n    {READS}    print(a + b)\n\nsolve()")
    assert verdict(f"{program}\n\nThe last line:\n{block('print(a + b)')}", PROGRAM) is True
    assert verdict(f"{program}\n\nThe last line:\n{block('print(a - b)')}", PROGRAM) is None


@pytest.mark.parametrize(
    "body",
    [
        "class Neg(ValueError):\n    pass\n\ndef root(n):\n    if n < 0:\n        raise Neg('no')\n"
        "    return int(n ** 0.5)",
        "import json\n\ndef root(n):\n    return json.loads('{') if n < 0 else int(n ** 0.5)",
        "def root(n):\n    return b'\\xff'.decode() if n < 0 else int(n ** 0.5)",
    ],
)
def test_an_error_is_also_what_it_is_a_kind_of(body: str) -> None:
    row = {
        "text": "The root.",
        "complete": True,
        "test_list": [
            "assert root(9) == 3",
            "try:\n    root(-1)\n    assert False\nexcept ValueError:\n    pass",
        ],
    }
    assert verdict(block(body), row) is True


def test_the_body_alone_stands_under_its_head() -> None:
    assert verdict(block("return a + b")) is True
    assert verdict(block("return a - b")) is False


CONTRACT = (
    "def width(s: str) -> int:\n    return min(len(s), 10)\n\n"
    'def cells(s: str) -> int:\n    """Twice.\n\n    post: __return__ == 2 * width(s)\n    """\n'
)


@pytest.mark.parametrize(
    ("code", "shadowed"),
    [
        ("def cells(s):\n    return 2 * width(s)", False),
        (
            "def width(s: str) -> int:\n    return min(len(s), 10)\n\ndef cells(s):\n    return 2",
            False,
        ),
        (
            "def width(s):\n    return min(len(s), 9)\n\ndef cells(s):\n    return 2 * width(s)",
            True,
        ),
        ("def pow(a, b):\n    return a\n\ndef cells(s):\n    return 2", True),
        ("def type(x):\n    return int\n\ndef cells(s):\n    return 2", True),
    ],
)
def test_no_proof_where_the_code_changes_what_is_to_be_proved(code: str, shadowed: bool) -> None:
    assert bool(proof.shadowed(read(CONTRACT), code)) is shadowed


def test_no_proof_where_the_code_has_a_name_of_the_reference() -> None:
    row = {**ROW, "reference": "def aux(n): return n\n\ndef add(a, b): return aux(a) + b"}
    code = "def aux(n):\n    return n\n\ndef add(a, b):\n    return aux(a) + b"
    assert proof.shadowed(read(json.dumps(row)), code) == "it defines aux anew"


def test_a_function_without_a_return_returns_nothing() -> None:
    assert told.agrees("The function returns nothing.", "def f(n):\n    print(n)")
    assert not told.agrees("The function returns nothing.", "def f(n):\n    return n")
    assert told.agrees("It returns nothing.", "def f(n):\n    if n:\n        return\n    return n")


def test_examples_that_a_text_tells() -> None:
    text = "`add(1, 2)` returns `3`, add(0, 1.5) is 1.5; `sub(1, 2)` gives `0`. print(add(2, 2))"
    assert examples.of_calls(text, {"add"}) == ["assert add(1, 2) == 3"]
    meant = reading.meant(f"{OK}\n\nSo `add(1, 2)` returns `3`.")
    assert meant is not None
    assert source.unsaid(meant.code) == "def add(a, b):\n    return a + b"


@pytest.mark.parametrize(
    ("body", "test"),
    [
        ("return range(n)", "assert list(f(3)) == [0, 1, 2]"),
        ("yield from range(n)", "assert list(f(3)) == [0, 1, 2]"),
        ("return map(str, range(n))", "assert list(f(2)) == ['0', '1']"),
        ("from fractions import Fraction\n    return Fraction(n, 2)", "assert f(3) == 1.5"),
        ("from decimal import Decimal\n    return Decimal(n) / 4", "assert f(1) == 0.25"),
    ],
)
def test_values_that_are_carried(body: str, test: str) -> None:
    row = {"text": "It.", "test_list": [test], "complete": True}
    assert verdict(block(f"def f(n):\n    {body}"), row) is True
    wrong = {**row, "test_list": [test.replace("f(", "f(1 + ")]}
    assert verdict(block(f"def f(n):\n    {body}"), wrong) is False


def test_a_generator_is_no_list_and_an_endless_one_is_not_carried() -> None:
    row = {"text": "It.", "test_list": ["assert f(3) == [0, 1, 2]"], "complete": True}
    assert verdict(block("def f(n):\n    yield from range(n)"), row) is False
    endless = {**row, "test_list": ["assert next(f(3)) == 3"]}
    assert verdict(block("def f(n):\n    while True:\n        yield n"), endless) is None


@pytest.mark.parametrize(
    "forged",
    [
        ["range", [1, "a", 2]],
        ["range", [1, 2, 0]],
        ["fraction", [["int", "1"], ["int", "0"]]],
        ["fraction", [["int", "1"]]],
        ["decimal", "x"],
        ["decimal", ["1"]],
        ["iterator", [["nothing"]]],
        ["number", ["Decimal", "1"]],
    ],
)
def test_what_nobody_packed_is_not_unpacked(forged: list[object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        carry.unpacked(forged)


NEXT = {
    "prompt": 'def nxt(n: int) -> int:\n    """n + 1"""\n',
    "entry_point": "nxt",
    "test": "def check(candidate):\n    for _ in range(3):\n        assert candidate(1) == 2\n"
    "    assert candidate(5) == 6\n",
    "complete": True,
}
SORTED = {
    "text": "Write a function up(xs) that returns a new sorted list.",
    "test_list": [
        "a = up([2, 1])\nb = up([3])\nassert (a, b) == ([1, 2], [3])",
        "xs = [1, 2]\nys = up(xs)\nys.append(0)\nassert xs == [1, 2]",
    ],
    "complete": True,
}


@pytest.mark.parametrize(
    "code",
    [
        "seen = set()\ndef nxt(n):\n    if n in seen:\n        return None\n    seen.add(n)\n"
        "    return n + 1",
        "def nxt(n, c=[0]):\n    c[0] += 1\n    return n + 1 if c[0] <= 2 else n",
    ],
)
def test_what_a_program_keeps_from_call_to_call(code: str) -> None:
    assert verdict(block(code), NEXT) is None
    assert verdict(block("def nxt(n):\n    return n + 1"), NEXT) is True


@pytest.mark.parametrize(
    "code",
    [
        "_buf = []\ndef up(xs):\n    _buf[:] = sorted(xs)\n    return _buf",
        "def up(xs, out=[]):\n    out[:] = sorted(xs)\n    return out",
        "def up(xs):\n    return xs if xs == sorted(xs) else sorted(xs)",
    ],
)
def test_what_a_program_shares_with_its_callers(code: str) -> None:
    assert verdict(block(code), SORTED) is None
    assert verdict(block("def up(xs):\n    return sorted(xs)"), SORTED) is True


@pytest.mark.parametrize(
    "last",
    [
        "def main():\n    global add\n    add = lambda a, b: 0\n\nmain()",
        "def test_it():\n    add.__code__ = (lambda a, b: 0).__code__\n\ntest_it()",
        "class S:\n    def main():\n        globals().update(add=max)\n\nS.main()",
        "print(globals().update(add=max))",
        "assert globals().update(add=max) is None",
    ],
)
def test_what_the_last_lines_do_to_the_function(last: str) -> None:
    assert verdict(block(f"def add(a, b):\n    return a + b\n\n{last}")) is None


def test_what_comes_by_chance_is_not_sure() -> None:
    code = "import random\ndef add(a, b):\n    return a + b if random.random() < 0.999 else 0"
    assert verdict(block(code)) is None
    assert verdict(OK.replace("a + b", "a + b + 0 * id(a)")) is None
    assert source.chance(code, "Add a random number.") == ""
    assert source.chance("id = 3\nrows = [id for id in range(id)]", "") == ""


@pytest.mark.parametrize(("end", "ok"), [("1", None), ("'bad'", None), ("0", True), ("", True)])
def test_the_status_with_which_a_program_ends(end: str, ok: bool | None) -> None:
    assert verdict(block(f"{READS}print(a + b)\nraise SystemExit({end})"), PROGRAM) is ok


@pytest.mark.parametrize("later", ["import builtins\nbuiltins.max = min", "max = min"])
def test_a_block_behind_that_changes_what_the_code_uses(later: str) -> None:
    code = block("def add(a, b):\n    return max(a + b, a + b)")
    assert verdict(code) is True
    assert verdict(f"{code}\n\n{block(later)}") is None


@pytest.mark.parametrize("said", ["3", "4"])
@pytest.mark.parametrize(
    "shown",
    [
        block(">>> add(1, 2)\n{}", ""),
        block("add(1, 2)  # returns {}"),
        block("result = add(1, 2)\nprint(result)  # {}"),
        f"{block('print(add(1, 2))')}\n\nOutput:\n{block('{}', '')}",
        block("def test_add():\n    assert add(1, 2) == {}"),
        block(
            "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
            "        self.assertEqual(add(1, 2), {})"
        ),
        block(
            "import pytest\n@pytest.mark.parametrize('a, b', [(1, 2)])\ndef test(a, b):\n"
            "    assert add(a, b) == {}"
        ),
    ],
)
def test_what_a_block_behind_shows_of_a_call(shown: str, said: str) -> None:
    ok = True if said == "3" else None
    assert verdict(f"{OK}\n\n{shown.replace('{}', said)}") is ok


def test_an_example_in_the_docstring_of_an_answer() -> None:
    code = 'def add(a, b):\n    """The sum.\n\n    >>> add(1, 2)\n    {}\n    """\n    return a + b'
    assert verdict(block(code.format(3))) is True
    assert verdict(block(code.format(4))) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "For `[1]` it returns {}.",
        "Calling it with [1] returns {}.",
        "- Input `[1]` → output `{}`",
        "| Input | Output |\n|---|---|\n| `[1]` | `{}` |",
        "It returns {} for the input [1].",
    ],
)
def test_what_a_text_says_that_comes_of_an_input(sentence: str) -> None:
    row = {"text": "Sum.", "test_list": ["assert total([1, 2]) == 3"], "complete": True}
    code = block("def total(xs):\n    return sum(xs)")
    assert verdict(f"{code}\n\n{sentence.format(1)}", row) is True
    assert verdict(f"{code}\n\n{sentence.format(2)}", row) is None


@pytest.mark.parametrize(
    "code",
    [
        "# Draft, do not submit\ndef add(a, b):\n    return a + b",
        "def add(a, b):\n    # BUG: returns the wrong value for negatives\n    return a + b",
        "def add(a, b):\n    return a + b\n    # wrong: should be a - b",
        "def add(a, b):\n    # wait, that is not what is asked\n    return a + b",
        'def add(a, b):\n    """Add.\n\n    Known bug: it is off.\n    """\n    return a + b',
        "def add(a, b):\n    return a + b\n\n# def add(a, b):\n#     return a - b  <- final",
        "def add(a, b):\n    return a + b\n\n'Real version: a - b'",
    ],
)
def test_comments_that_speak_against_the_code(code: str) -> None:
    assert verdict(block(code)) is None


@pytest.mark.parametrize(
    "code",
    [
        "# Attempt 1:\n# def add(a, b):\n#     return a\ndef add(a, b):\n    return a + b",
        "def add(a, b):\n    # No list is needed\n    return a + b",
        "def add(a, b):\n    # take both, then add\n    return a + b",
    ],
)
def test_comments_that_leave_the_code(code: str) -> None:
    assert verdict(block(code)) is True


@pytest.mark.parametrize(
    "behind",
    [
        block("function add(a, b) { return a - b; }", "js"),
        block("# replace the sign by a minus"),
        block("add(1, 2) == 3 ... False", ""),
        "Let me know if you want the working version.",
        "While this compiles, half of the tests time out.",
        "The modulus must be 3.",
        "Then set the default to 7.",
        "The name of the function is `sub_two`.",
        "This function takes three arguments.",
        "First, rewrite the body as a tuple.",
    ],
)
def test_what_behind_is_of_another_program(behind: str) -> None:
    assert verdict(f"{OK}\n\n{behind}") is None


def test_a_headline_of_another_function() -> None:
    assert verdict(f"Here is the implementation of `sub_two`:\n\n{OK}") is None
    assert verdict(f"Here is the implementation of `add`:\n\n{OK}") is True
    assert verdict(f"{OK}\n\nThis function takes two arguments.") is True


@pytest.mark.parametrize(
    "sentence",
    [
        "This function computes the factorial of a number.",
        "It checks if a string is a palindrome.",
        "This code sorts the list in place.",
        "- Returns the smallest number",
        "This solves the two-sum problem for prime numbers.",
    ],
)
def test_a_sentence_that_says_it_is_for_another_task(sentence: str) -> None:
    assert verdict(f"{OK}\n\n{sentence}") is None


def test_a_headline_of_another_task() -> None:
    assert verdict(f"Here is a function that returns the smallest number:\n\n{OK}") is None
    row = {**ROW, "prompt": STUB.replace("The sum.", "The smallest string, or the sum.")}
    assert verdict(f"Here is a function that returns the smallest string:\n\n{OK}", row) is True
    assert verdict(f"{OK}\n\nIt returns the sum, by the way prime numbers work.") is None


SUMS = block("def add(a, b):\n    return sum((a, b))")


@pytest.mark.parametrize(
    ("between", "ok"),
    [
        ("Alternatively, a more concise version:", True),
        ("**Option 2: built-in**", True),
        ("Approach 2: use `sum`.", True),
        ("This is wrong.", True),
        ("Do not use this version:", None),
    ],
)
def test_several_versions_that_all_pass(between: str, ok: bool | None) -> None:
    assert verdict(f"**Option 1: operator**\n\n{OK}\n\n{between}\n\n{SUMS}") is ok


def test_several_versions_of_which_one_fails() -> None:
    for one, other in ((OK, WRONG), (WRONG, OK)):
        assert verdict(f"{one}\n\nAlternatively:\n\n{other}") is None
    assert verdict(f"{WRONG}\n\nAlternatively:\n\n{block('def add(a, b): return 0')}") is False


def test_a_line_that_is_no_version_but_looks_like_one() -> None:
    code = f"def add(a, b):\n    return a + b\n# or: what{source.SAID}"
    assert verdict(block(code)) is None


@pytest.mark.parametrize(
    "lead",
    [
        "**Approach**: add both numbers.",
        "Key idea: use the operator.",
        "1. Take both.\n2. Add.",
        "A loop is not needed. A single expression is simpler:",
    ],
)
def test_a_way_in_front_of_the_code(lead: str) -> None:
    assert verdict(f"{lead}\n\n{OK}") is True


@pytest.mark.parametrize(
    "sentence",
    [
        "✅ Handles negative numbers\n✅ Works for floats",
        "Why `a + b`? Because that is the sum.",
        "That's it: one expression.",
        "The code is readable and short.",
        "Tested with the examples from the docstring.",
        "Negative numbers such as -7 are handled correctly.",
        "Python's `+` operator works for all numbers.",
        "**How it works:** add the one to the other.",
    ],
)
def test_what_real_explanations_say_besides(sentence: str) -> None:
    assert verdict(f"{OK}\n\n{sentence}") is True


@pytest.mark.parametrize(
    "sentence",
    ["Correction: `return a - b`.", "Approach: replace `+` by `-`.", "Why not `a - b`?"],
)
def test_what_looks_like_a_way_but_changes_the_code(sentence: str) -> None:
    assert verdict(f"{OK}\n\n{sentence}") is None


LARGEST = {
    "prompt": 'def top(nums: list) -> int:\n    """The largest even number of nums, or -1.\n\n'
    '    >>> top([1, 2, 4])\n    4\n    """\n',
    "entry_point": "top",
    "test": "def check(candidate):\n    assert candidate([1, 2, 4]) == 4\n"
    "    assert candidate([]) == -1\n    assert candidate([-2, -4]) == -2\n",
    "complete": True,
}
TOP = block("def top(nums):\n    return max((n for n in nums if n % 2 == 0), default=-1)")


@pytest.mark.parametrize(
    "sentence",
    [
        "If there is no even number, it returns 0.",
        "It returns 1 when there is none.",
        "Otherwise zero is returned.",
        "Without any even number, None comes back.",
        "In every test the result is 4.",
        "It returns two for [1, 2, 4].",
        "It gives 0 if the list is empty.",
        "For nums = [3] the output is 3.",
        "It raises an IndexError for such inputs.",
        "An empty list throws an exception.",
        "This counts the even numbers and returns the number of them.",
        "It returns the number of even numbers.",
        "Then set the default to 2.",
        "The check `n % 2 == 1` finds them.",
        "Here, `min` is applied to them.",
        "Only odd numbers are kept.",
        "The even numbers are dropped, and the odd ones are kept.",
        "It finds the lowest of them.",
        "Since the list is walked twice, it is doubled.",
        "It computes the median.",
        "It reverses it.",
        "To finish, drop the default.",
        "The brackets are exchanged for parentheses.",
        "It must not be a number.",
        "This works for the example, nothing else.",
        "An empty list returns 4.",
        "An empty list gives minus two.",
        "With nums being [1, 2] we get 1.",
        "We start with `default = 0`.",
        "It counts the vowels in the list.",
        "The loop is left out.",
    ],
)
def test_what_is_told_of_a_program_and_is_not_so(sentence: str) -> None:
    for text in (f"{TOP}\n\n{sentence}", f"{TOP}\n\n- {sentence}"):
        assert verdict(text, LARGEST) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "If there is no even number, it returns -1.",
        "Otherwise -1 is returned.",
        "It returns four for [1, 2, 4].",
        "It gives -1 if the list is empty.",
        "For nums = [3] the output is -1.",
        "For an empty list, -1 is returned.",
        "`max` without a default would raise a ValueError.",
        "It never raises an exception.",
        "`n % 2` returns 0 for even numbers.",
        "The check `n % 2 == 0` finds them.",
        "Here, `max` is applied to them.",
        "Only even numbers are kept.",
        "Odd numbers are skipped.",
        "The odd numbers are ignored, and the even ones are kept.",
        "It checks whether each number is even or odd.",
        "It finds the highest of them.",
        "This function takes a list of integers and returns the maximum even value.",
        "It returns the result.",
        "It checks if a number is divisible by 2.",
        "Unlike `sorted`, this needs one pass.",
        "We set the default to -1.",
        "An empty list returns -1.",
        "An empty list gives minus one.",
        "With nums being [1, 2] we get 2.",
        "This is more efficient.",
    ],
)
def test_what_is_told_of_a_program_and_is_so(sentence: str) -> None:
    assert verdict(f"{TOP}\n\n{sentence}", LARGEST) is True


@pytest.mark.parametrize(
    ("note", "ok"),
    [
        ('"""Return the smallest even number."""', None),
        ('"""Return the largest odd number."""', None),
        ('"""Count the vowels of a text."""', None),
        ('"""Look it up.\n\n    Returns 0 for an empty list.\n    """', None),
        ('"""Return the largest even number, or 0 if there is none."""', None),
        ("# This returns the smallest odd number", None),
        ("# only odd numbers are kept", None),
        ('"""Return the largest even number."""', True),
        ('"""Return the largest even number, or -1 if there is none."""', True),
        ('"""Look it up.\n\n    Returns -1 for an empty list.\n    """', True),
        ('"""The largest even number of nums, or -1."""', True),
        ("# skip the odd numbers", True),
        ("# find the maximum", True),
        ("# check the bounds", True),
        ("# this checks for palindromes", None),
    ],
)
def test_what_a_docstring_or_a_comment_says(note: str, ok: bool | None) -> None:
    code = TOP.replace("    return", f"    {note}\n    return")
    assert verdict(code, LARGEST) is ok


@pytest.mark.parametrize(
    ("sentence", "ok"),
    [
        ("This prints 4 for the input '1 2'.", None),
        ("For the input '1 2' the output is 3.", True),
    ],
)
def test_what_is_told_of_a_program_that_reads(sentence: str, ok: bool | None) -> None:
    assert verdict(f"{block(READS + 'print(a + b)')}\n\n{sentence}", PROGRAM) is ok


def test_a_line_between_tells_what_the_earlier_version_gives() -> None:
    first = block("def add(a, b):\n    return a - b")
    lead = "That is wrong: for 1 and 2 it gives -1. Corrected version:"
    assert verdict(f"{first}\n\n{lead}\n\n{OK}") is True
    assert verdict(f"For 1 and 2 it gives -1.\n\n{OK}") is None
    assert verdict(f"For 1 and 2 it gives 3.\n\n{OK}") is True


@pytest.mark.parametrize(
    "said",
    [
        *("This is not the solution", "That isn't the answer", "This is no solution"),
        *("This isn't what you want", "This does not solve it", "That's not it"),
    ],
)
@pytest.mark.parametrize("layout", ["{said}:\n\n{code}", "{code}\n\n{said}."])
def test_a_sentence_that_denies_the_code_alone(said: str, layout: str) -> None:
    text = layout.format(said=said, code="```python\ndef add(a, b):\n    return a + b\n```")
    assert verdict(text) is not True


@pytest.mark.parametrize(
    "above",
    ["Some other code:", "An invalid solution:", "What I would not write:", "Anything but this:"],
)
def test_a_heading_of_another_program(above: str) -> None:
    assert verdict(f"{above}\n```python\ndef add(a, b):\n    return a + b\n```") is not True
