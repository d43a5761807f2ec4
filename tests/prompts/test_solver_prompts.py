from __future__ import annotations

from importlib import resources
from typing import Any

import pytest

from agentflow import domains, prompts
from agentflow.arguments import settings_for
from agentflow.domains import DOMAINS
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.profile import PROFILES

POCKET, QWEN = PROFILES["pocket"], PROFILES["qwen3"]
FRAMES = (
    "analogy",
    "cot",
    "draft",
    "eat",
    "least_to_most",
    "plan",
    "rephrase",
    "reread",
    "sdv",
    "step_back",
    "tot",
)
KNOWN = (
    "game24", "math", "logic", "commonsense", "maze", "spatialmap", "zebra", "verina", "python",
    "calls", "open",
)  # fmt: skip


def example(name: str) -> Problem:
    domain = domains.get(name, {"search": "off"})
    return domain.parse(domain.example)


def test_the_names_to_choose_from() -> None:
    assert prompts.solver_prompts() == sorted([*FRAMES, "interwhen"])


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", KNOWN)
def test_a_frame_states_the_problem_and_how_its_answer_is_written(frame: str, name: str) -> None:
    problem = example(name)
    system, user = prompts.for_problem(frame, problem, QWEN)
    form, asked = prompts.render("domains", name, "", problem.data)
    assert system == ""
    assert asked in user
    assert form in user
    assert "step by step" in user
    assert "$" not in user
    assert user != prompts.for_problem("interwhen", problem, QWEN)[1]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", KNOWN)
def test_a_prompt_repeated_is_no_answer(frame: str, name: str) -> None:
    domain, problem = domains.get(name, {"search": "off"}), example(name)
    lines = prompts.for_problem(frame, problem, QWEN)[1].splitlines()
    asked = prompts.render("domains", name, "", problem.data)[1].splitlines()
    ours = "\n".join(line for line in lines if line not in asked)
    options = problem.text.splitlines()  # each is an answer
    for text in (
        "\n".join(lines),
        ours,
        *(line for line in lines if line not in options),
        ours.replace("{}", "{...}"),
    ):
        answer = domain.answer(text)
        assert answer is None or not domain.is_answer(problem, answer), text


@pytest.mark.parametrize("choice", prompts.solver_prompts())
@pytest.mark.parametrize("name", KNOWN[:6])
def test_the_bundled_model_gets_the_prompt_that_it_knows(choice: str, name: str) -> None:
    problem = example(name)
    own = prompts.render("domains", name, "pocket", problem.data)
    assert prompts.for_problem(choice, problem, POCKET) == own
    assert own != prompts.render("domains", name, "", problem.data)


def test_questions_with_options_have_a_frame_of_their_own() -> None:
    maze, sums = (prompts.for_problem("eat", example(name), QWEN)[1] for name in ("maze", "math"))
    assert "Choose one of its\noptions" in maze
    assert "Choose" not in sums


def test_a_domain_of_others_states_its_problem_itself() -> None:
    problem = Problem("?", "riddles", data={"prompt": "What has keys and no locks?"})
    for name in prompts.solver_prompts():
        assert prompts.for_problem(name, problem, QWEN) == ("", "What has keys and no locks?")
    with pytest.raises(BadInput, match=r"no prompt template domains/riddles\.md"):
        prompts.for_problem("cot", Problem("?", "riddles"), QWEN)


@pytest.mark.parametrize("name", ["critic", "../interwhen", "", "auto", "interwhen/game24"])
def test_only_folders_of_problems_can_be_chosen(name: str) -> None:
    with pytest.raises(BadInput, match="prompts: analogy, cot, draft, eat, interwhen"):
        prompts.for_problem(name, example("game24"), QWEN)


@pytest.mark.parametrize(
    ("method", "given", "chosen"),
    [
        ("direct", {}, "cot"),
        ("early_exit", {}, "cot"),
        ("sampling", {}, "cot"),
        ("sampling", {"critic": "domain"}, "interwhen"),
        ("generate_test", {}, "cot"),
        ("verified_sampling", {}, "interwhen"),
        ("verified_sampling", {"verifier": "verifiagent"}, "cot"),
        ("tree_of_thoughts", {}, "cot"),
        ("tree_of_thoughts", {"critic": "steps"}, "interwhen"),
        ("solve_detect_verify", {}, "cot"),
        ("solve_detect_verify", {"ladder": ["fast", "domain"]}, "interwhen"),
        ("adaptive_compute", {}, "interwhen"),
        ("adaptive_compute", {"scorer": "prm"}, "cot"),
        ("adaptive_compute", {"roles": {"prm": "reward:http://localhost:1/v1"}}, "cot"),
        ("adaptive_compute", {"roles": {"prm": "http://localhost:1/v1"}}, "interwhen"),
        ("interwhen", {}, "interwhen"),
        ("interwhen", {"elicit": 3}, "interwhen"),
        ("interwhen", {"step_verifier": False, "k_stable": 2}, "cot"),
        ("unified", {}, "interwhen"),
        ("unified", {"steer": False, "ladder": ["fast"]}, "cot"),
        ("direct", {"prompt": "interwhen"}, "interwhen"),
        ("interwhen", {"prompt": "sdv"}, "sdv"),
    ],
)
def test_who_verifies_steps_asks_for_their_format(
    method: str, given: dict[str, Any], chosen: str
) -> None:
    assert settings_for(method, **given).solver_prompt == chosen


def test_every_domain_is_stated() -> None:
    assert set(KNOWN) == set(DOMAINS)


def test_interwhen_table_7_tree_of_thoughts_is_a_prompt_of_sampling() -> None:
    settings = settings_for("sampling", prompt="tot", k=8)
    _, user = prompts.for_problem(settings.solver_prompt, example("maze"), QWEN)
    assert "tree of thoughts" in user
    assert "likely, unlikely or impossible" in user


def test_eat_appendix_k_has_a_prompt_for_problems_and_one_for_multiple_choice() -> None:
    math = prompts.for_problem("eat", example("math"), QWEN)[1]
    choice = prompts.for_problem("eat", example("maze"), QWEN)[1]
    assert "step by step" in math
    assert "\\boxed{" in math
    assert "options" not in math
    assert "Choose one of its\noptions" in choice


@pytest.mark.parametrize("name", KNOWN)
def test_judges_read_the_problem_as_solvers_are_asked_it(name: str) -> None:
    problem = example(name)
    stated = prompts.stated(problem, QWEN)
    assert stated in prompts.for_problem("cot", problem, QWEN)[1]
    assert "boxed" not in stated  # how an answer is written is no part of the problem


def test_premises_have_the_numbers_by_which_solutions_name_them() -> None:
    problem = example("logic")
    for profile in (POCKET, QWEN):
        assert "2. If someone is kind, then they are happy." in prompts.stated(problem, profile)


def test_a_problem_that_no_template_states_is_its_text() -> None:
    assert prompts.stated(Problem("Why?", "riddles"), QWEN) == "Why?"


JUDGES = ("flexive", "stepwise", "critic", "verifiagent", "baseline_verifiers")


@pytest.mark.parametrize("folder", JUDGES)
def test_no_judge_of_a_solution_is_shown_the_bare_text(folder: str) -> None:
    """Four numbers alone do not say that they are to make 24. Backward masks a number in the text;
    the bundled solver learned its own short forms."""
    files = (resources.files(prompts) / folder).iterdir()
    shown = {one.name for one in files if "$problem" in one.read_text(encoding="utf-8")}
    assert {name for name in shown if ".pocket." not in name} <= {"backward.md"}
