"""Stories about money: only these, none held out, and a few of the solutions wrong."""

from __future__ import annotations

from itertools import islice

from agentflow.judge import judge
from training.here import at_once, domain
from training.judging import money
from training.judging.own import held_out


def test_solutions_are_about_money_and_a_few_of_them_wrong() -> None:
    wrong, texts = 0, set[str]()
    for one in islice(money.examples(1), 60):
        said = "".join(one.steps)
        found = at_once(judge(domain("math"), one.problem, said))
        assert "$" in one.problem.text
        assert " = $" in said
        assert not held_out("math", one.problem.text)
        if one.wrong < 0:
            assert found.ok is not False
        else:
            assert one.line in one.steps[one.wrong]
            assert one.reason
            wrong += 1
        texts.add(one.problem.text)
    assert 3 < wrong < 30
    assert len(texts) > 30


def test_held_out_stories_are_others() -> None:
    for one in islice(money.examples(1, held_out=True), 20):
        assert held_out("math", one.problem.text)
