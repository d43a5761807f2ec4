"""Answers in other languages than English."""

from __future__ import annotations

import pytest
from replies import is_right

from agentflow.domains import answers
from agentflow.domains.answers import languages


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
        ("故选：D。", "D"),
        ("两个数之和是偶数，所以选C。", "C"),
        ("【答案】A", "A"),
        ("正确选项是B。", "B"),
        ("本题应选 **C**", "C"),
        ("所以，D", "D"),
        ("Jibu sahihi ni 42.", "42"),
        ("Vastaus: 42", "42"),
        ("La resposta final és 42.", "42"),
        ("Vậy câu trả lời là 42.", "42"),
        ("సమాధానం 42.", "42"),
        ("الإجابة النهائية هي 42.", "42"),
        ("ดังนั้นคำตอบคือ 42", "42"),
        ("따라서 답은 42이다.", "42"),
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
        "不选B。",
        "我们不应该选B。",
        "如果选B，那么就错了。",
        "有人说应选B。",
        "选B吗？",
        "选B或C。",
        "所以B不对。",
        "Sidhani kama jibu ni 42.",
        "Vastaus ei ole 42.",
    ],
)
def test_what_is_asked_supposed_or_denied_is_none(text: str) -> None:
    assert not list(answers.statements(text))


WORK = "In April she sold 48 clips, in May 24.\n\n{}"
PATH = "The path goes right, down, left.\n\n{}"


@pytest.mark.parametrize(
    "line",
    [
        "Réponse : {}",
        "Die Antwort lautet: **{}**",
        "La respuesta es {}.",
        "Ответ: {}",
        "**答案：** {}",
        "因此，最终答案是 {}。",
        "答えは{}です。",
        "정답은 {}입니다.",
        "الإجابة هي {}.",
        "Đáp án là {}.",
        "Cevap: {}",
        "คำตอบคือ {}",
        "उत्तर: {}",
        "התשובה היא {}.",
    ],
)
def test_a_domain_that_reads_every_sentence(line: str) -> None:
    assert is_right("mz", PATH.format(line.format(2))) is True
    assert is_right("mz", PATH.format(line.format(3))) is False
    assert is_right("mz", PATH.format(f"{line.format(3)}\n\n\\boxed{{2}}")) is not True


@pytest.mark.parametrize(
    "line",
    [
        "Die Antwort ist nicht 72.",
        "La respuesta no es 72.",
        "La réponse n'est pas 72.",
        "答案不是72。",
        "Vielleicht ist die Antwort 72.",
    ],
)
def test_a_denial_above_an_answer(line: str) -> None:
    assert is_right("sum", WORK.format(f"{line}\n\n\\boxed{{72}}")) is not True


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Diese Antwort ist richtig.", "Diese Antwort ist falsch."),
        ("Cette réponse est correcte.", "Cette réponse est fausse."),
        ("这个答案是正确的。", "这个答案是错误的。"),
    ],
)
def test_what_is_said_of_an_answer(right: str, wrong: str) -> None:
    assert is_right("sum", WORK.format(f"\\boxed{{72}}\n\n{right}")) is True
    assert is_right("sum", WORK.format(f"\\boxed{{72}}\n\n{wrong}")) is not True


def test_a_no_in_another_language_is_an_answer() -> None:
    assert is_right("cy", "The bridge is old.\n\nLa respuesta es no.\n\n\\boxed{yes}") is not True


def test_what_stands_in_front_of_a_statement_stays_a_sentence() -> None:
    found = answers.statements(languages.in_english("六乘七等于42。所以答案是42。"))
    assert [one.text for one in found] == ["42"]
    assert languages.in_english("因此，答案为选项B。") == "The answer is B. "


@pytest.mark.parametrize(
    "text", ["答案为 42 个。", "答えは42個です。", "సమాధానం: 42", "উত্তর হলো 42।", "इसलिए उत्तर 42 है।"]
)
def test_a_number_of_things_is_the_number(text: str) -> None:
    assert [one.text for one in answers.statements(languages.in_english(text))] == ["42"]


@pytest.mark.parametrize("text", ["సమాధానం 42 కాదు.", "উত্তর 42 নয়।", "Jibu ni 42 au 43."])
def test_a_denial_behind_a_number_is_no_number(text: str) -> None:
    assert "42" not in [one.text for one in answers.statements(languages.in_english(text))]
