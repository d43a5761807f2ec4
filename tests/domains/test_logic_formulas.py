"""What a reply says of formulas, and of what follows, has to go with its answer."""

from __future__ import annotations

import pytest
from replies import verdict

HAPPY = "Kind(alex)\n∀x (Kind(x) → Happy(x))\nConclusion: Happy(alex)"
RUDE = "Kind(alex)\n∀x (Kind(x) → ¬Rude(x))\nConclusion: Rude(alex)"
BEN = HAPPY.replace("Conclusion: Happy(alex)", "Conclusion: Happy(ben)")
ENGLISH = "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."


@pytest.mark.parametrize(
    "above",
    [
        *("¬Happy(alex)", "So ¬Happy(alex).", "$\\neg Happy(alex)$", "Γ ⊢ ¬Happy(alex)"),
        "1. Kind(alex)\n2. Kind(alex) → ¬Happy(alex)\n3. ¬Happy(alex)",
        "| Formula | Value |\n|---|---|\n| Kind(alex) | T |\n| Happy(alex) | F |",
        *("Happy(alex) does not follow.", "Happy(alex) is not entailed.", "Γ ⊬ Happy(alex)"),
        *("Happy(alex) cannot be derived.", "The conclusion Happy(alex) is false."),
        *("Happy(alex): False", "It is uncertain whether Happy(alex)."),
        *("Kind(alex) is not given.", "Question: is Kind(alex)?"),
        "Assume Happy(alex). This contradicts premise 1.",
        "Assume ¬Happy(alex). No contradiction arises.",
        "There is a countermodel, in which Kind(alex) but not Happy(alex).",
        "Model: Kind(alex)=T, Happy(alex)=F satisfies all premises.",
        *("sat", "```\n(assert (not (Happy alex)))\n(check-sat)\n; sat\n```"),
        "The set {premises, ¬Happy(alex)} is satisfiable.",
        "Alex is kind, and no kind people are happy.",
        "Alex is kind, but not happy.",
        *("\\boxed{False}", "So the result is False."),
    ],
)
def test_what_is_said_against_a_formula_leaves_its_answer_undecided(above: str) -> None:
    assert verdict("logic", HAPPY, f"{above}\n\nAnswer: True") is None


@pytest.mark.parametrize(
    "above",
    [
        *("It does not follow.", "There is a countermodel.", "sat", "¬Happy(Alex)"),
        *("$\\neg \\text{Happy}(\\text{Alex})$", "Kind(Alex) → ¬Happy(Alex)"),
    ],
)
def test_so_it_does_of_an_english_problem(above: str) -> None:
    assert verdict("logic", ENGLISH, f"{above}\n\nAnswer: True") is None


@pytest.mark.parametrize(
    ("problem", "reply"),
    [
        (HAPPY, '{"reasoning": "Happy(alex) does not follow.", "answer": "True"}'),
        (HAPPY, "True, since Happy(alex) is not derivable."),
        (RUDE, "So Rude(alex).\n\nAnswer: False"),
        (RUDE, "It is false that ¬Rude(alex), so the answer is False."),
        (BEN, "Happy(ben)\n\nAnswer: Uncertain"),
        (BEN, "The premises entail Happy(ben).\n\nAnswer: Uncertain"),
        (BEN, "¬Happy(ben)\n\nAnswer: Uncertain"),
        (BEN, "unsat\n\nAnswer: Uncertain"),
    ],
)
def test_other_answers_are_none_either(problem: str, reply: str) -> None:
    assert verdict("logic", problem, reply) is None


@pytest.mark.parametrize(
    ("problem", "reply"),
    [
        (HAPPY, "1. Kind(alex) (premise)\n2. Kind(alex) → Happy(alex) (UI)\n3. Happy(alex) (MP)"),
        (HAPPY, "Assume ¬Happy(alex). Then ¬Kind(alex). This contradicts premise 1."),
        (HAPPY, "We have to tell whether Happy(alex) is true, false, or uncertain."),
        (HAPPY, "$Kind(alex) \\rightarrow Happy(alex)$, so $Happy(alex)$."),
        (HAPPY, "If Kind(alex), then Happy(alex). Kind(alex) is given."),
        (HAPPY, "There is no model in which Kind(alex) is true and Happy(alex) is false."),
        (HAPPY, "unsat"),
        (HAPPY, "Alex is kind, and all kind people are happy, so Alex is happy."),
        (ENGLISH, "Let K(x) mean that x is kind.\nK(a) → H(a), so H(a)."),
        (ENGLISH, "Kind(Alex) → Happy(Alex), so Happy(Alex)."),
        (RUDE, "Conclusion: Rude(alex)\n¬Rude(alex) holds, so Rude(alex) is false."),
        (BEN, "Neither Happy(ben) nor ¬Happy(ben) follows."),
        (BEN, "Kind(ben) is not given, so Happy(ben) cannot be derived."),
        (BEN, "Model 1: Kind(ben)=T, Happy(ben)=T.\nModel 2: Kind(ben)=F, Happy(ben)=F."),
        (BEN, "There is a countermodel."),
    ],
)
def test_what_goes_with_an_answer_is_harmless(problem: str, reply: str) -> None:
    answer = {RUDE: "False", BEN: "Uncertain"}.get(problem, "True")
    assert verdict("logic", problem, f"{reply}\n\nAnswer: {answer}") is True


@pytest.mark.parametrize(
    ("reply", "ok"),
    [
        ("Kind(alex) ∧ ∀x(Kind(x) → Happy(x)) ⊢ Happy(alex)\n\n**True**", True),
        ("Kind(alex), ∀x(Kind(x) → Happy(x)) ⊨ Happy(alex)\n\nTrue", True),
        ("$Kind(alex) \\vdash Happy(alex)$\n\n**True**", True),
        ("∴ Happy(alex)\n\n**True**", True),
        ("Kind(alex) ⊬ Happy(alex)\n\n**True**", None),
        ("Kind(alex) ⊢ ¬Happy(alex)\n\n**True**", None),
        ("If Kind(alex) ⊢ Happy(alex)\n\n**True**", None),
        ("Kind(alex) ⊢ Happy(alex)?\n\n**True**", None),
        ("alex ∉ Happy\n\nAnswer: True", None),
        ("$alex \\notin Happy$\n\nAnswer: True", None),
        ("alex ∈ Happy\n\nAnswer: True", True),
    ],
)
def test_a_line_of_formulas_leads_to_an_answer_below(reply: str, ok: bool | None) -> None:
    assert verdict("logic", HAPPY, reply) is ok
