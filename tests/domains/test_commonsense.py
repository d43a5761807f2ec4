from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from counting import is_linear
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import StructuredTool

from agentflow.domains.commonsense import HITS, LOOK_UPS, Commonsense, is_yes_no, supported
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.prompts import for_problem
from agentflow.state import State
from agentflow.tools.search import Hit, SearchFailed, local_search, search_tool
from agentflow.tools.toolbox import Toolbox, Use

YES_NO = "Did the Otter Bridge stand before Lake Orrin was dammed?"
SHORT = "In which year was the Otter Bridge built?"
DOCUMENTS = [
    {"title": "Otter Bridge", "text": "A stone bridge over the Wend, built in 1831."},
    {"title": "Lake Orrin", "text": "A lake that was dammed in 1902."},
]


class Counted:
    """A search backend that finds nothing and counts."""

    name = "counted"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def search(self, query: str, limit: int) -> list[Hit]:
        self.asked.append(query)
        return []


def domain(**tools: Any) -> Commonsense:
    return Commonsense(Toolbox(tools or {"search": search_tool(Counted())}))


@pytest.fixture
def library(tmp_path: Path) -> Commonsense:
    (tmp_path / "docs.json").write_text(json.dumps(DOCUMENTS))
    return domain(search=local_search(str(tmp_path)))


COMMON = domain()


def problem(text: str = YES_NO) -> Problem:
    return COMMON.parse(text)


def states(text: str, of: Problem | None = None) -> list[State]:
    memory: dict[str, Any] = {}
    found: list[State] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        memory, new = COMMON.extract(of or problem(), line, offset, memory)
        json.dumps(memory)
        found += new
        offset += len(line)
    return found


class TestParse:
    def test_the_form_of_the_question_is_told(self) -> None:
        parsed = problem()
        assert parsed.data["form"] == "yes_no"
        assert parsed.id == parsed.text == parsed.data["question"] == YES_NO
        assert problem(SHORT).data["form"] == "short"
        assert COMMON.parse(SHORT, "row-1").id == "row-1"

    def test_white_space_and_a_label_do_not_matter(self) -> None:
        assert problem(f" Question:  {YES_NO.replace(' ', chr(10), 2)}\n") == problem()

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "the question is empty"),
            ("Question: \n", "the question is empty"),
            ("?!", "'?!' is no question"),
            ("12 34", "is no question"),
            ("why " * 1000, "has 3999 characters, at most 2000"),
        ],
    )
    def test_bad_input_is_one_clear_line(self, text: str, says: str) -> None:
        with pytest.raises(BadInput, match="commonsense: ") as caught:
            COMMON.parse(text)
        assert says in str(caught.value)
        assert COMMON.example in str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        "question",
        [
            "Is a heron a bird?",
            "could a kea open a bin?",
            "Are both the Wend and the Orrin rivers?",
            "Do both herons or keas swim?",
            "For a long journey, is a train better than a plane?",
            "If it rains, will the bridge be flooded?",
            "Isn't a kea a parrot?",
            "Did the man who built the Otter Bridge see it finished?",
            "When it rains, does the Wend, which is a river, rise?",
            "Did the man, who built the Otter Bridge, see it finished?",
        ],
    )
    def test_questions_of_yes_or_no(self, question: str) -> None:
        assert is_yes_no(question)

    @pytest.mark.parametrize(
        "question",
        [
            "Who built the Otter Bridge?",
            "Is the Wend or the Orrin longer?",
            "Which is longer, the Wend or the Orrin?",
            "The Wend flows into what lake?",
            "What river does the bridge cross?",
            "Island birds of the county: which is largest?",
            "In which county, if any, is the Otter Bridge?",
            "At what age, in years, did Odo Falk die?",
            "In 1831, was which bridge the longest?",
            "Is the kea a parrot, and if so, which other birds are?",
            "Does it fly and how far?",
        ],
    )
    def test_other_questions(self, question: str) -> None:
        assert not is_yes_no(question)

    @given(st.text(max_size=80))
    def test_any_text_is_parsed_or_refused(self, text: str) -> None:
        try:
            parsed = COMMON.parse(text)
        except BadInput:
            return
        json.dumps(parsed.data)
        assert COMMON.parse(parsed.text).data == parsed.data

    def test_the_prompt_is_filled_in(self) -> None:
        for text, ask in ((YES_NO, "Answer with yes or no."), (SHORT, "Answer with a few words")):
            system, user = for_problem("interwhen", problem(text), PROFILES["qwen3"])
            assert user.startswith(text)
            assert ask in user
            kinds = [state.kind for state in states(system)]
            assert kinds == ["step", "step", "step", "candidate"]


class TestExtract:
    @pytest.mark.parametrize(
        "line",
        [
            "Fact: The Otter Bridge was built in 1831.",
            "fact:The Otter Bridge was built in 1831.\r",
            "- **Fact 2:** The Otter Bridge was built in 1831.",
            "* Fact 12 : The Otter Bridge was built in 1831.",
            "  FACT: The Otter Bridge was built in 1831.  ",
        ],
    )
    def test_a_fact_is_a_step(self, line: str) -> None:
        (state,) = states(f"so\n{line}\n")
        assert state.kind == "step"
        assert state.data == {"claim": "The Otter Bridge was built in 1831.", "fresh": True}
        assert (state.start, state.end) == (3, 3 + len(line) + 1)

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("Answer: yes", "yes"),
            ("**Answer:** Yes.", "Yes"),
            ("**Answer**: 1831", "1831"),
            ("So the answer is the Otter Bridge.", "the Otter Bridge"),
            (r"\boxed{\text{yes}}", "yes"),
            (r"the answer is $\boxed{1831}$.", "1831"),
        ],
    )
    def test_an_answer_is_a_candidate(self, line: str, answer: str) -> None:
        (state,) = states(line)
        assert (state.kind, state.data["answer"]) == ("candidate", answer)

    @pytest.mark.parametrize(
        "line",
        [
            *("", "\n", "Fact:", "Fact: \n", "In fact: no", "a factory: big", "Note: it rained"),
            *("Answer:", "Answer: **\n", "Fact: " + "x" * 2000, r"\boxed{"),
        ],
    )
    def test_other_lines_hold_nothing(self, line: str) -> None:
        assert states(line) == []

    def test_what_was_said_before_is_not_fresh(self) -> None:
        found = states("Fact: A b.\nAnswer: yes\nFact: a, B!\nFact: C.\nAnswer: Yes\nFact: yes\n")
        assert [state.data["fresh"] for state in found] == [True, True, False, True, False, True]

    def test_only_so_many_are_looked_up(self) -> None:
        found = states("".join(f"Fact: number {n} is it\n" for n in range(50)))
        assert [n for n, state in enumerate(found) if state.data["fresh"]] == [*range(LOOK_UPS)]

    def test_memory_is_never_changed_in_place(self) -> None:
        memory: dict[str, Any] = {}
        first, _ = COMMON.extract(problem(), "Fact: A.\n", 0, memory)
        second, _ = COMMON.extract(problem(), "Fact: B.\n", 9, first)
        assert memory == {}
        assert len(first["known"]) == 1
        assert len(second["known"]) == 2


class TestAnswer:
    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ("Fact: A.\nAnswer: yes\n", "yes"),
            ("Answer: no\nwait\nAnswer: yes", "yes"),
            ("Answer: no\n\\boxed{yes}\nthat is it", None),
            ("thinking\n\n1831.\n\n", "1831"),
            ("thinking\n**No**", "No"),
            ("", None),
            ("\n \n", None),
            ("I cannot say, since none of what I know decides the question in one way", None),
            ("What could the answer be?", None),
            ("the answer is:\n", None),
            ("Fact: The Otter Bridge was built in 1831.", None),
            ("Answer: yes\nFact 2: It was built in 1831.", "yes"),
            ("Answer: yes\nFact 2: That is wrong.", None),
            ("Answer: yes\nFact 2: The answer is no.", None),
            ("1831\nFact 2: It was built in 1831.", None),
            ("Answer: yes\nWait, it was built in 1931. So it was not.", None),
            ("\\boxed{yes}\n\nActually, I think it is no.", None),
            ("\\boxed{yes}\nHmm, no.\nThe answer is no.", None),
            ("\\boxed{yes}\n\nThe answer is yes.", "yes"),
            ("The answer is yes.\nWait, let me verify.\n", "yes"),
        ],
    )
    def test_the_answer_of_a_text(self, text: str, answer: str | None) -> None:
        said = COMMON.answer(text)
        assert (said and COMMON.shown(said)) == answer

    @pytest.mark.parametrize(
        "text",
        [
            *(
                "I doubt the answer is {}",
                "It is false that the answer is {}",
                "I will not answer: {}",
            ),
            *("Maybe the answer is {}", "The wrong answer is {}", "Never say the answer is {}"),
            *("Not \\boxed{{{}}}", "The answer is not \\boxed{{{}}}", "\\boxed{{{}}}?"),
            *("~~\\boxed{{{}}}~~", "\\cancel{{\\boxed{{{}}}}}", "Answer: {} ❌"),
        ],
    )
    @pytest.mark.parametrize(("question", "said"), [(YES_NO, "yes"), (SHORT, "1831")])
    def test_what_is_doubted_or_denied_is_no_answer(
        self, text: str, question: str, said: str
    ) -> None:
        told = text.format(said)
        answer = COMMON.answer(told)
        assert answer is None or COMMON.normalise(problem(question), answer) is None
        assert not any(COMMON.candidate(problem(question), one) for one in states(told))
        for plain in ("Answer: {}", "So the answer is {}.", "\\boxed{{\\text{{{}}}}}", "**{}**"):
            answer = COMMON.answer(plain.format(said))
            assert answer is not None
            assert COMMON.normalise(problem(question), answer) == said

    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ("**Step 2:** Multiply by\n**14**", None),
            ("**Step 2: Total**\n**14**", None),
            ("### Step 2: Count them\n\n**14**", None),
            ("**Step 2:** Count them.\n\n**14**", "14"),
            ("The moons are counted\n\n14", "14"),
        ],
    )
    def test_a_number_below_the_heading_of_a_step(self, text: str, answer: str | None) -> None:
        said = COMMON.answer(text)
        assert (said and COMMON.shown(said)) == answer

    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            ("yes", "Yes.", True),
            ("true", "yes", True),
            ("yes", "no", False),
            ("maybe", "maybe", None),
            ("Yes (476 < 1440)", "yes", None),
        ],
    )
    async def test_equality_of_yes_and_no(self, one: str, other: str, same: bool | None) -> None:
        assert await COMMON.equal(problem(), one, other) is same

    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            ("The Otter Bridge", "otter bridge.", True),
            ("1,831", "1831", True),
            ("6", "six", True),
            ("1831", "1832", False),
            ("", "", None),
            ("?", "!", None),
            ("two hundred", "200", True),
            ("Paris", "Lyon", False),
            ("in 1918", "1918", True),
            ("about 1918", "1918", None),
            ("Paris, France", "Paris", None),
            ("It's Paris", "Paris", None),
            ("two moons", "2", None),
            ("1918", "not 1918", None),
            ("11 November 1918", "12 November 1918", False),
        ],
    )
    async def test_equality_of_short_answers(self, one: str, other: str, same: bool | None) -> None:
        assert await COMMON.equal(problem(SHORT), one, other) is same

    async def test_a_sentence_may_come_to_a_yes_or_a_no(self) -> None:
        asked = problem("A lamp is off. Ida presses the switch. Is the lamp still off?")
        assert await COMMON.equal(asked, "The lamp is on now", "No") is None
        assert await COMMON.equal(asked, "Yes", "No") is False

    def test_a_candidate_has_the_normal_form_of_its_answer(self) -> None:
        fact, answer = states("Fact: Yes.\nAnswer: Yes, it did.\n")
        assert COMMON.candidate(problem(), fact) is None
        assert COMMON.candidate(problem(), answer) == "yes"


class TestLookUp:
    async def judge(self, domain: Commonsense, text: str, of: Problem | None = None) -> list[Any]:
        return [await domain.verify_state(of or problem(), state, ()) for state in states(text)]

    async def test_a_fact_brings_evidence_and_no_verdict(self, library: Commonsense) -> None:
        true, false = await self.judge(
            library, "Fact: The Otter Bridge was built in 1831.\nFact: Lake Orrin is a volcano.\n"
        )
        assert (true.ok, false.ok) == (None, None)
        assert true.evidence["hits"][0]["title"] == "Otter Bridge"
        assert true.score == true.evidence["supported"] == 1.0
        assert false.score == pytest.approx(2 / 3)
        json.dumps(true.evidence)

    async def test_an_answer_is_looked_up_with_its_question(self, library: Commonsense) -> None:
        verdict = await library.verify_answer(problem(SHORT), "1831")
        assert verdict.ok is None
        assert verdict.evidence["query"] == f"{SHORT} 1831"
        assert verdict.evidence["hits"][0]["title"] == "Otter Bridge"
        assert (await library.verify_answer(problem(), "yes")).evidence["query"] == YES_NO

    async def test_the_same_is_asked_once_and_only_so_often(self) -> None:
        backend = Counted()
        text = "".join(f"Fact: number {n % 40} is it\n" for n in range(80))
        await self.judge(domain(search=search_tool(backend)), text)
        assert len(backend.asked) == len(set(backend.asked)) == LOOK_UPS

    async def test_where_nothing_is_found_there_is_no_score(self) -> None:
        verdict = await COMMON.verify_answer(problem(), "yes")
        assert (verdict.ok, verdict.score, verdict.evidence["supported"]) == (None, None, 0.0)
        assert verdict.reason == "nothing was found that speaks of it"

    async def test_no_answer_is_not_looked_up(self) -> None:
        backend = Counted()
        verdict = await domain(search=search_tool(backend)).verify_answer(problem(), "perhaps")
        assert (verdict.ok, verdict.kind) == (None, "unread")
        assert "could not read 'perhaps'" in verdict.reason
        assert backend.asked == []

    async def test_without_a_network_nothing_can_be_told(self) -> None:
        class Offline(Counted):
            def search(self, query: str, limit: int) -> list[Hit]:
                raise SearchFailed("offline", "no network")

        (verdict,) = await self.judge(domain(search=search_tool(Offline())), "Fact: A b.\n")
        assert (verdict.ok, verdict.kind) == (None, "tool_error")
        assert verdict.reason.startswith("it could not be looked up: search: ")
        assert "no network" in verdict.reason
        assert "no network" in verdict.evidence["said"]

    @pytest.mark.parametrize("answer", ["A, b and c.", RuntimeError("broken")])
    async def test_any_tool_may_take_the_place_of_search(self, answer: Any) -> None:
        def other(query: str, limit: int) -> str:
            """Look up."""
            if isinstance(answer, Exception):
                raise answer
            return str(answer)

        tool = StructuredTool.from_function(other)
        (verdict,) = await self.judge(domain(search=tool), "Fact: A b.\n")
        assert verdict.ok is None
        if isinstance(answer, Exception):
            assert verdict.evidence["said"] == "RuntimeError: broken"
            assert verdict.score is None
        else:
            assert verdict.evidence["hits"] == [{"text": answer}]
            assert verdict.reason == "1 result: evidence, no proof"
            assert verdict.score == 1.0

    @pytest.mark.parametrize("artifact", [{"page": 3}, {"hits": None}, {"ok": True, "hits": ["A"]}])
    async def test_data_of_another_form_are_no_failure(self, artifact: Any) -> None:
        def other(query: str) -> tuple[str, Any]:
            """Look up."""
            return "A, b and c.", artifact

        tool = StructuredTool.from_function(other, response_format="content_and_artifact")
        (verdict,) = await self.judge(domain(search=tool), "Fact: A b.\n")
        assert verdict.evidence["hits"] == [{"text": "A, b and c."}]
        assert (verdict.reason, verdict.score) == ("1 result: evidence, no proof", 1.0)

    async def test_an_empty_text_is_no_result(self) -> None:
        tool = StructuredTool.from_function(lambda query: "", name="other", description="Look up.")
        (verdict,) = await self.judge(domain(search=tool), "Fact: A b.\n")
        assert verdict.reason == "nothing was found that speaks of it"

    async def test_calls_are_told(self) -> None:
        told: list[Use] = []
        toolbox = Toolbox({"search": search_tool(Counted())}, told.append)
        await self.judge(Commonsense(toolbox), "Fact: A b.\nFact: C d.\n")
        assert [use.arguments for use in told] == [
            {"query": "A b.", "limit": HITS},
            {"query": "C d.", "limit": HITS},
        ]


def test_support_is_the_share_of_content_words() -> None:
    assert supported("the bridges of Wend", "A bridge over the Wend") == 1.0
    assert supported("herons nest in June", "Nest of a kea") == pytest.approx(1 / 3)
    assert supported("the of and", "anything") == 0.0
    assert supported("A b.", "") == 0.0


LINES = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            [
                *(
                    "Fact",
                    "fact 3",
                    ":",
                    " ",
                    "**",
                    "answer",
                    "Answer",
                    "is",
                    "\\boxed{",
                    "\\text{",
                ),
                *("}", "yes", "no", "1,831", "the", "\n", "\x00", "\ud800", "?", "/"),
            ]
        ),
        max_size=30,
    ).map("".join),
)


@given(st.lists(LINES, max_size=6), st.sampled_from([YES_NO, SHORT]))
def test_any_lines_are_read_without_an_error(lines: list[str], question: str) -> None:
    of, memory, offset = problem(question), {}, 0
    for line in lines:
        memory, found = COMMON.extract(of, line, offset, memory)
        json.dumps(memory)
        for state in found:
            verdict = asyncio.run(COMMON.verify_state(of, state, ()))
            assert verdict.ok is None
            assert verdict.reason
            COMMON.candidate(of, state)
        offset += len(line)
    if (answer := COMMON.answer("\n".join(lines))) is not None:
        assert answer
        COMMON.normalise(of, answer)


@pytest.mark.parametrize(
    ("begin", "piece", "end"),
    [
        *(("Answer:", "\n", ""), ("", "answer is :", ""), ("", "\\boxed{", ""), ("", "Fact:", "")),
        *(("", "fact ", ":"), ("Answer ", " ", ""), ("", "\\text{", ""), ("", "x\n", "")),
    ],
)
def test_long_texts_are_read_in_linear_time(begin: str, piece: str, end: str) -> None:
    def read(size: int) -> None:
        text = begin + piece * size + end
        COMMON.answer(text)
        states(text)

    is_linear(read)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Yes, the Roman Empire fell in 476 AD, long before the printing press.", "yes"),
        ("**Yes.**\n\nThe Western Roman Empire fell in 476 AD.", "yes"),
        ("Answer: Yes, it fell in 476.", "yes"),
        ("Yes — the Western Empire fell in 476, and that is long before the press of 1440.", "yes"),
        ("Now.\n\nYes, the Empire fell in 476 AD, and that is long before the press.", "yes"),
        ("Let me see.\n\nYes, the Empire fell in 476 AD, but that is long before it ended.", None),
        ("Yes — the Western Empire fell in 476, unless the press of 1440 was not first.", None),
        ("No, it did not fall before 1453.", "no"),
        ("Yes, it fell nearly 1,000 years before the printing press, in 476.", "yes"),
        ("Yes, the Roman Empire fell after the printing press was invented.", None),
        ("Yes, the printing press was invented before the Roman Empire fell.", None),
        ("Yes, the printing press was invented after the Roman Empire fell.", "yes"),
        ("Yes, the printing press came first.", None),
        ("Yes, the Empire fell in 1453 and the printing press was invented in 1440.", None),
        ("Yes. The Empire fell in 476. The press was invented after that.", "yes"),
        ("No, the Roman Empire fell before the printing press was invented.", None),
        ("No, the Roman Empire fell after the printing press was invented.", "no"),
        ("Yes, in a sense.", None),
        ("Yes, in the West.", None),
        ("Yes, at least the western part of it.", None),
        ("Yes, depending on the definition.", None),
        ("Yes, that is incorrect.", None),
        ("Yes, absolutely.", "yes"),
        ("Yes; it fell in 476.", "yes"),
        ("So yes, the Roman Empire fell before the printing press was invented.", "yes"),
        ("Yes\n\nThe Western Roman Empire fell in 476 CE.", "yes"),
        ("Step 1: Rome fell.\nStep 2: The press came.\nConclusion: Yes", "yes"),
        ("No, but yes.", None),
        ("Yes, if you count the West.", None),
        ("Yes, it did not.", None),
        ("Yes, I guess it fell then.", None),
        ("Yes.\n\nAnswer: no", None),
        ("Answer: Yes\n\nExplanation: It fell in 1453, after the press, so no.", None),
    ],
)
def test_a_yes_that_is_explained_is_one_that_is_doubted_none(text: str, form: str | None) -> None:
    domain = Commonsense()
    asked = "Did the Roman Empire fall before the printing press was invented?"
    said = domain.answer(text)
    assert (said and domain.normalise(domain.parse(asked), said)) == form
