"""Answers in other languages than English."""

from __future__ import annotations

import pytest

from agentflow.domains import answers


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("La réponse est 42.", "42"),
        ("Donc la réponse finale est donc **7 cm**.", "7 cm"),
        ("Réponse : B", "B"),
        ("Die richtige Antwort lautet B.", "B"),
        ("Antwort: 3,5", "3,5"),
        ("Por tanto, la respuesta es 12.", "12"),
        ("A resposta correta é C.", "C"),
        ("La risposta è quindi 9.", "9"),
        ("Het antwoord is 5.", "5"),
        ("Ответ: 17.", "17"),
        ("所以答案是42。", "42"),
        ("最终答案为：B", "B"),
        ("答えは 15 です。", "15"),
        ("정답은 3입니다.", "3"),
        ("الجواب هو 42", "42"),
        ("**Antwort**: 42", "42"),
        ("### Antwort\n\n42", "42"),
        ("**Endergebnis: 42**", "42"),
        ("Die Lösung lautet 42.", "42"),
        ("Also ist die Antwort 42.", "42"),
        ("因为 6 * 7 = 42，所以最终答案是42。", "42"),
        ("La solución es 42.", "42"),
        ("La respuesta correcta es la opción **B**.", "B"),
    ],
)
def test_an_answer_is_read(text: str, answer: str) -> None:
    assert answers.stated(text) == answer
    assert [one.text for one in answers.statements(text)] == [answer]


@pytest.mark.parametrize(
    "text",
    [
        "Ist die Antwort 42?",
        "La réponse est-elle 42 ?",
        "Die Antwort ist nicht 42.",
        "La réponse n'est pas 42.",
        "La respuesta no es 42.",
        "Wenn die Antwort 42 ist, dann geht es weiter.",
        "Si la réponse est 42, on a fini.",
        "答案是42吗？",
        "如果答案是42，那么我们继续。",
        "答案不是42。",
        "有人说答案是42。",
        "学生的答案是42。",
        "第2题的答案是42。",
        "Vermutlich ist die Antwort 42.",
        "Für eine andere Frage lautet die Antwort 42.",
        "Ein Schüler sagt, die Antwort ist 42.",
        "„Die Antwort ist 42“, so las man es.",
        "The antwort of the choir was sung.",
    ],
)
def test_what_is_asked_supposed_or_denied_is_none(text: str) -> None:
    assert not list(answers.statements(text))
