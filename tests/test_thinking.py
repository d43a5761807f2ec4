"""Where thinking ends, in any model's text."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from agentflow.errors import BadInput
from agentflow.profile import PROFILES, thinking_format
from agentflow.thinking import How, Split, split, unfinished
from agentflow.thinking_formats import FORMATS, MARKERS, PLAIN, of_markers

CALL = "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}"
CASES: list[tuple[str, How, str, str | None]] = [
    # text, how, thinking, answer
    ("<think>a</think>4", "closed", "a", "4"),
    ("\n <think>\na\n</think>\n\n4", "closed", "\na\n", "\n\n4"),
    ("<think></think>4", "closed", "", "4"),
    ("<think>\n\n</think>\n\n4", "closed", "\n\n", "\n\n4"),
    ("<think>\n<think>\na</think>4", "closed", "\na", "4"),
    ("a</think>4", "only closed", "a", "4"),
    ("</think>4", "only closed", "", "4"),
    ("</think>", "only closed", "", ""),
    ("<think>a", "unclosed", "a", None),
    ("<think>", "unclosed", "", None),
    ("a", "unmarked", "", "a"),
    ("", "unmarked", "", ""),
    # each model's own
    ("[THINK]a[/THINK]4", "closed", "a", "4"),
    ("a[/THINK]4", "only closed", "a", "4"),
    ("<seed:think>a</seed:think>4", "closed", "a", "4"),
    ("<longcat_think>\na</longcat_think>\n4", "closed", "\na", "\n4"),
    ("◁think▷a◁/think▷4", "closed", "a", "4"),
    ("a◁/think▷4", "only closed", "a", "4"),
    ("<thinking>a</thinking>4", "closed", "a", "4"),
    ("<thinking>a</thinking>\n<output>4</output>", "closed", "a", "4"),
    ("<Thought>\na\n</Thought>\n<Output>\n4\n</Output>", "closed", "\na\n", "\n4\n"),
    ("<Thought>a</Thought><Output>4", "closed", "a", "4"),
    ("<thought>a</thought>4", "closed", "a", "4"),
    ("<reasoning>\na\n</reasoning>\n<answer>\n4\n</answer>\n", "closed", "\na\n",
     "\n<answer>\n4\n</answer>\n"),
    ("<think>\na\n</think>\n<response>\n4\n</response>\n", "closed", "\na\n", "\n4\n\n\n"),
    ("<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>4<|end_of_solution|>",
     "closed", "a", "4"),
    ("<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>4<|END_RESPONSE|>",
     "closed", "a", "4"),
    ("<|channel>thought\na<channel|>4", "closed", "a", "4"),
    ("<|inner_prefix|>a<|inner_suffix|>4", "closed", "a", "4"),
    ("<mm:think>a</mm:think>4", "closed", "a", "4"),
    ("<|plamo:begin_think:plamo|>a<|plamo:end_think:plamo|>4", "closed", "a", "4"),
    ("<ifm|think>a</ifm|think>4", "closed", "a", "4"),
    ("<ifm|think_faster>a</ifm|think_faster>4", "closed", "a", "4"),
    ("<|open|>think<|sep|>a<|close|>think<|sep|><|open|>response<|sep|>4<|close|>response<|sep|>",
     "closed", "a", "4"),
    ("<|message_model|><|content_thinking|>a<|end_message|><|message_model|><|content_text|>4"
     "<|end_message|>", "closed", "a", "4"),
    ("<|content_thinking|>a<|end_message|>", "unclosed", "a", None),
    ("to=self<|message|>a<|eom|><|start|>assistant to=user<|message|>4<|eot|>", "closed", "a", "4"),
    ("to=self<|message|>a", "unclosed", "a", None),
    ("think\na\nanswer\n4", "closed", "a\n", "4"),
    ("<|im_start|>think\na\n<|im_start|>answer\n4", "closed", "a\n", "4"),
    ("think\na\nthink\nthe answer\nanswer\n4", "closed", "a\nthink\nthe answer\n", "4"),
    ("think\na", "unclosed", "a", None),
    ("think\na\nanswer\nb\nanswer\n4", "repeated", "a\n", "4"),
    ("I think\nthe\nanswer\n4", "unmarked", "", "I think\nthe\nanswer\n4"),
    ("Here is my thought process:\na\n\nHere is my response:\n4", "closed", "\na\n\n", "\n4"),
    ("Here's my thought process: a Here's my response: 4", "closed", " a ", " 4"),
    ("4. Here is my response: 5", "unmarked", "", "4. Here is my response: 5"),
    ("analysisWe add.assistantfinal4", "closed", "We add.", "4"),
    ("analysisWe add.", "unmarked", "", "analysisWe add."),
    ("Analysis: we add </think>4", "only closed", "Analysis: we add ", "4"),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>4"
     "<|return|>", "closed", "a", "4"),
    ("<|start|>assistant<|channel|>analysis<|message|>a<|end|>", "unclosed", "a", None),
    ("<|channel|>final<|message|>4", "only closed", "", "4"),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant to=functions.f<|channel|>commentary"
     " <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final <|constrain|>json"
     "<|message|>4", "closed", "a\n{}", "4"),
    ("<|channel|>final<|message|>3<|end|><|start|>assistant<|channel|>analysis<|message|>no",
     "unclosed", "no", None),
    # gpt-oss's calls, which end a text or do not
    (f"<|channel|>analysis<|message|>a<|end|>{CALL}<|call|>", "closed", "a", f"{CALL}<|call|>"),
    (CALL, "only closed", "", CALL),
    (f"<|channel|>analysis<|message|>a<|end|>{CALL}<|call|>{CALL}<|call|>", "closed", "a",
     f"{CALL}<|call|>{CALL}<|call|>"),
    ("<|channel|>commentary<|message|>a<|end|><|start|>assistant to=functions.f<|channel|>"
     "commentary json<|message|>{}", "closed", "a",
     "<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}"),
    (f"{CALL}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>4<|end|>"
     f"{CALL}<|call|>", "closed", "{}\n<|start|>functions.f to=assistant\n4", f"{CALL}<|call|>"),
    (f"{CALL}<|call|><|start|>assistant<|channel|>analysis<|message|>a<|end|>{CALL}",
     "only closed", "a", f"{CALL}<|call|>\n{CALL}"),
    (f"{CALL}<|call|><|start|>assistant<|channel|>analysis<|message|>a", "unclosed", "{}\na", None),
    # calls that end a text whose thinking is open
    ("<think>a\n<tool_call>f</tool_call>", "closed", "a\n", "<tool_call>f</tool_call>"),
    ("<think>a<tool_call>f</tool_call>\n<tool_call>g</tool_call>\n", "closed", "a",
     "<tool_call>f</tool_call>\n<tool_call>g</tool_call>\n"),
    ("<think><tool_call>f</tool_call>, so<tool_call>g</tool_call>", "closed",
     "<tool_call>f</tool_call>, so", "<tool_call>g</tool_call>"),
    ("<think>a<|tool_call>call:f{}<tool_call|>", "closed", "a", "<|tool_call>call:f{}<tool_call|>"),
    ("<think>a<tool_call>f</tool_call>. So", "unclosed", "a<tool_call>f</tool_call>. So", None),
    ("<think>a `<tool_call>f</tool_call>`", "unclosed", "a `<tool_call>f</tool_call>`", None),
    ("<think>a</tool_call>", "unclosed", "a</tool_call>", None),
    # more than one of them
    ("<think>a</think>3<think>b</think>4", "closed", "a\nb", "3\n4"),
    ("<think>a</think>\n3\n<think>\nb", "unclosed", "a\n\nb", None),
    ("<think>a</think>It is 3. <think>b", "unclosed", "a\nb", None),
    ("<think>a</think><think>b</think><think>c", "unclosed", "a\nb\nc", None),
    ("<think>a</think><answer>4</answer><think>b</think>", "closed", "a\nb", None),
    ("<think>a</think>3</think>4", "repeated", "a", "4"),
    ("a</think>3</think>4", "repeated", "a", "4"),
    ("a</think>3</think>", "repeated", "a", ""),
    ("4\n<think>a</think>\n4", "late", "a", "\n4"),
    ("4\n<think>a", "unclosed", "a", None),
    ("a </thinking> b </think>4", "repeated", "a ", "4"),
    ("<think>a </thinking> b </think>4", "closed", "a </thinking> b ", "4"),
    ("<think>\nthe form:\n<think>x</think>\nso", "unclosed",
     "\nthe form:\n<think>x</think>\nso", None),
    ("<think>\nthe form:\n<think>x</think>\nso</think>4", "closed",
     "\nthe form:\n<think>x</think>\nso", "4"),
    ("[Think] of it. 4", "unmarked", "", "[Think] of it. 4"),
    ("<THINK>a</THINK>4", "closed", "a", "4"),
    # spoken of
    ("use <think> and </think> tags; 4", "unmarked", "", "use <think> and </think> tags; 4"),
    ("<think>after the </think> tag I say 5", "unclosed", "after the </think> tag I say 5", None),
    ("<think>in <think></think> tags</think>4", "closed", "in <think></think> tags", "4"),
    ("<think>in <think>...</think> tags", "unclosed", "in <think>...</think> tags", None),
    ("put it in <think>...</think> tags</think>4", "only closed",
     "put it in <think>...</think> tags", "4"),
    ("<think>the <think> tag</think>4", "closed", "the <think> tag", "4"),
    ("<think>the <think> so</think>4", "unclosed", "the <think> so</think>4", None),
    ("The <think> tag. 4", "unmarked", "", "The <think> tag. 4"),
    ("<think>`</think>` ends it</think>4 `</think>`", "closed", "`</think>` ends it",
     "4 `</think>`"),
    ('<think>"</think>" ends it', "unclosed", '"</think>" ends it', None),
    ('<think>("<think>...</think>")', "unclosed", '("<think>...</think>")', None),
    ('it is "B"</think>"B"', "only closed", 'it is "B"', '"B"'),
    ("<think>a</think>The tag `</think>` is 4", "closed", "a", "The tag `</think>` is 4"),
    ("<think>\n```\n</think>\n```\nso", "unclosed", "\n```\n</think>\n```\nso", None),
    ("<think>\n~~~~ xml\n</think>\n```\n~~~~\n</think>4", "closed",
     "\n~~~~ xml\n</think>\n```\n~~~~\n", "4"),
    ("<think>a</think>\n```xml\n<think>x</think>\n```", "closed", "a",
     "\n```xml\n<think>x</think>\n```"),
    ("<think>\n```python\nleft open\n</think>\n```python\nx\n```\n4", "closed",
     "\n```python\nleft open\n", "\n```python\nx\n```\n4"),
    ("<think>a ``` b</think>4 ``` c", "closed", "a ``` b", "4 ``` c"),
    ("```python\nx\n```</think>4", "only closed", "```python\nx\n```", "4"),
    ("<think>\n~~~\n</think>\n~~~</think>4", "closed", "\n~~~\n</think>\n~~~", "4"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "how", "thinking", "answer"), CASES)
def test_thinking_and_answer_are_told_apart(
    text: str, how: How, thinking: str, answer: str | None
) -> None:
    found = split(text)
    assert (found.how, found.thinking, found.answer) == (how, thinking, answer)
    assert rebuilt(found) == text


def rebuilt(found: Split) -> str:
    """The text from the parts, which touch and are none of them empty."""
    ends = [0, *(part.end for part in found.parts)]
    assert [part.start for part in found.parts] == ends[:-1]
    assert all(part.start < part.end for part in found.parts)
    return "".join(found.text[part.start : part.end] for part in found.parts)


@pytest.mark.parametrize("name", [name for name, (opens, _) in MARKERS.items() if opens])
def test_every_pair_of_markers_is_told_in_three_forms(name: str) -> None:
    opens, closes = MARKERS[name]
    for form in (None, FORMATS[name], of_markers(opens, closes)):
        assert split(f"{opens}a{closes}4", form).answer == "4"
        assert split(f"a{closes}4", form).answer == "4"
        assert split(f"{opens}a", form).answer is None


def test_a_format_that_is_named_is_the_only_one() -> None:
    magistral = FORMATS["magistral"]
    assert split("<think>a</think>4", magistral).how == "unmarked"
    assert split("[THINK]a</think>b[/THINK]4", magistral).answer == "4"
    assert split("a</think>4", PLAIN).answer == "a</think>4"
    assert split("a\nanswer\n4", FORMATS["s1"]).answer == "4"


def test_a_text_that_begins_in_the_thinking() -> None:
    form = FORMATS["think"]
    assert split("4", form, opened=True).how == "unclosed"
    assert split("a</think>4", form, opened=True).answer == "4"
    assert split("<think>a</think>4", form, opened=True).how == "closed"
    assert split("a<tool_call>f</tool_call>", form, opened=True).how == "only closed"


@pytest.mark.parametrize("markers", [("<ponder>", "</ponder>"), ("{{", "}}"), ("", "=====")])
def test_markers_of_a_profile_of_ones_own(markers: tuple[str, str]) -> None:
    opens, closes = markers
    form = of_markers(*markers)
    assert split(f"{opens}a</think>b{closes}4", form).answer == "4"
    assert split(f"a `{closes}` b{closes}4", form).answer == "4"
    assert split("a", form).how == "unmarked"


def test_of_profiles_by_name() -> None:
    assert thinking_format("seed-oss") == (FORMATS["seed"], False)
    assert thinking_format("qwen3") == (FORMATS["think"], False)
    assert thinking_format("qwq") == (FORMATS["think"], True)
    assert thinking_format("llama-3.1-instruct") == (PLAIN, False)
    with pytest.raises(BadInput, match=r"known: think, .*qwen3"):
        thinking_format("nope")


def test_profiles_that_open_the_thinking() -> None:
    opened = {name for name, profile in PROFILES.items() if profile.opened}
    assert opened == {"qwen3-thinking", "qwq", "deepseek-r1-distill", "pocket"}


TEXTS = st.lists(
    st.sampled_from(
        [marker for both in MARKERS.values() for marker in both]
        + [
            "```",
            "~~~",
            "```python\n",
            "`",
            "<tool_call>",
            "</tool_call>",
            '"',
            "'",
            "\n",
            " ",
            "a",
            "think\n",
            "answer\n",
            "é𝄞",
        ]
        + ["<answer>", "</answer>", "<Output>", "</Output>", "<response>", "assistantfinal"]
        + ["<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "<|end|>", "analysis"]
        + [
            "<|start|>assistant",
            CALL,
            "<|call|>",
            "Here is my thought process:",
            "Here is my response:",
            "<",
            "[/",
        ]
    ),
    max_size=30,
).map("".join)


@given(TEXTS | st.text(), st.sampled_from([None, *FORMATS.values()]), st.booleans())
@example("</think>a<think><think></think></think>", None, False)
@example("</think>a<think>b</think> \n", None, False)
def test_any_text_is_split_and_rebuilt(text: str, form: Any, opened: bool) -> None:
    found = split(text, form, opened=opened)
    assert rebuilt(found) == text
    said = [one.kind for one in found.parts if text[one.start : one.end].strip()]
    said = [kind for kind in said if kind in ("thinking", "answer")]
    goes_on = "answer" in said and said[-1] == "thinking"
    assert (found.answer is None) == (found.how == "unclosed" or goes_on)
    if found.how == "unclosed":
        assert found.parts == () or found.parts[-1].kind in ("thinking", "marker")
    for kind, said in (("thinking", found.thinking), ("answer", found.answer)):
        if found.how != "unmarked" and said is not None:
            assert said == "\n".join(text[p.start : p.end] for p in found.parts if p.kind == kind)


@given(st.text(alphabet="<>/thinkTHINK[]", max_size=12), st.integers(0, 3))
def test_the_end_of_a_stream_that_may_become_a_marker(text: str, which: int) -> None:
    markers = list(MARKERS.values())[which]
    length = unfinished(text, markers)
    tails = [n for n in range(len(text) + 1) if any(m.startswith(text[len(text) - n :])
             and m != text[len(text) - n :] for m in markers)]  # fmt: skip
    assert length == max(tails)


def work(text: str) -> int:
    """Lines of Python that a split runs."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        split(text)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "piece",
    ["</think>x", "<think>", "<think>x</think>", "\n<think>\n", "`</think>", "```\n</think>\n",
     "~~~ ", '"<think>', "<response>", "</think>\n<response>x</response>", " " * 50 + "</think>",
     "<tool_call></tool_call>", "</tool_call>", "<tool_call>\n",
     "<|channel|>analysis", "<|end|>", "<|channel|>final<|message|>", "◁", "[t", "<a"],
)  # fmt: skip
def test_the_work_grows_with_the_length(piece: str) -> None:
    once, twice = work(f"<think>a</think>{piece * 500}"), work(f"<think>a</think>{piece * 1000}")
    assert twice <= 2.2 * once + 200


SAMPLE = Path(__file__).parent / "data" / "traces"


def test_recorded_texts_are_rebuilt_and_no_answer_holds_its_marker() -> None:
    texts = [
        json.loads(line)["output"]
        for file in sorted(SAMPLE.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    assert len(texts) > 60
    for text in texts:
        found = split(text)
        assert rebuilt(found) == text
        answer = found.answer or ""
        assert found.how == "unmarked" or not any(m in answer for m in ("</think>", "</Thought>"))


THOUGHT = ["<think>", "<think>x</think> tags", "\n", " ", "T ", ". ", "```\n", "`", "`</think>`"]
SAID = ["A ", "\n", "`", "```python\n", " <answer>", "<think>T</think>", "`<think>`", "\n<think>T"]


@given(st.lists(st.sampled_from(THOUGHT)), st.lists(st.sampled_from(SAID)), st.booleans())
def test_nothing_that_was_thought_gets_into_the_answer(
    thought: list[str], said: list[str], opened: bool
) -> None:
    # Whose code that is cannot be told.
    assume(not {"`", "`</think>`"} <= {*thought})
    for written in ("".join(thought), "".join(said)):
        assume("````" not in written and not re.search(r"(?<!`)``(?!`)", written))
    found = split(f"<think>{''.join(thought)}</think>{''.join(said)}", opened=opened)
    quoted = r"(?s)```.*?(?:```|\Z)|`[^`]*`"  # which is letters
    assert "T" not in re.sub(quoted, "", found.answer or "")
