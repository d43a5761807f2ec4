"""What each built-in template writes, to the letter, and which of it are special tokens."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.profile import PROFILES, Piece, Profile, Template, Thinking, detect

CHATML = ("<|im_start|>user\nU<|im_end|>\n", "<|im_start|>system\nS<|im_end|>\n")
CHATML_TURN = "<|im_start|>assistant\n"
QWEN25 = "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant."
PHI = (
    "<|im_start|>system<|im_sep|>Work through the question step by step before you answer it: "
    "explore it, check each step, and revise what turns out wrong. Then state the solution."
)
LLAMA = (
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n"
    "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n"
)
LLAMA_USER = "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|>"
LLAMA_TURN = "<|start_header_id|>assistant<|end_header_id|>\n\n"

MAGISTRAL = (
    "Think the question through first, and mark what you think with [THINK] and [/THINK]. Then "
    "give an answer that can be understood without it."
)
OPEN, NONE = "<think>\n", "<think>\n\n</think>\n\n"
BODY = "1 + 1 = 3\n</think>\n3"

PROMPTS = {  # name: (before the turn without a system text, with one, the turn, plain, open, none)
    "qwen3": (CHATML[0], CHATML[1] + CHATML[0], CHATML_TURN, "", OPEN, NONE),
    "qwen3-thinking": (CHATML[0], CHATML[1] + CHATML[0], CHATML_TURN, OPEN, OPEN, NONE),
    "qwq": (CHATML[0], CHATML[1] + CHATML[0], CHATML_TURN, OPEN, OPEN, NONE),
    "pocket": (CHATML[0], CHATML[1] + CHATML[0], CHATML_TURN, OPEN, OPEN, NONE),
    "qwen2.5-instruct": (
        f"{QWEN25}<|im_end|>\n{CHATML[0]}",
        CHATML[1] + CHATML[0],
        CHATML_TURN,
        "",
        "",
        "",
    ),
    "chatml": (CHATML[0], CHATML[1] + CHATML[0], CHATML_TURN, "", "", ""),
    "deepseek-r1-distill": (
        "<｜begin▁of▁sentence｜><｜User｜>U",
        "<｜begin▁of▁sentence｜>S<｜User｜>U",
        "<｜Assistant｜>",
        OPEN,
        OPEN,
        NONE,
    ),
    "phi-4-reasoning": (
        f"{PHI}<|im_end|><|im_start|>user<|im_sep|>U<|im_end|>",
        f"{PHI}\n\nS<|im_end|><|im_start|>user<|im_sep|>U<|im_end|>",
        "<|im_start|>assistant<|im_sep|>",
        "",
        OPEN,
        NONE,
    ),
    "llama-3.1-instruct": (LLAMA + LLAMA_USER, f"{LLAMA}S{LLAMA_USER}", LLAMA_TURN, "", "", ""),
    "magistral": (
        f"<s>[SYSTEM_PROMPT]{MAGISTRAL}[/SYSTEM_PROMPT][INST]U",
        f"<s>[SYSTEM_PROMPT]{MAGISTRAL}\n\nS[/SYSTEM_PROMPT][INST]U",
        "[/INST]",
        "",
        "[THINK]\n",
        "[THINK][/THINK]",
    ),
    "seed-oss": (
        "<seed:bos>user\nU",
        "<seed:bos>system\nS<seed:eos><seed:bos>user\nU",
        "<seed:eos><seed:bos>assistant\n",
        "",
        "<seed:think>\n",
        "<seed:think></seed:think>",
    ),
}
MARKER = re.compile(r"<\|\w+\|>|<｜[\w▁]+｜>|</?think>|</?(?:s|seed:\w+)>|\[/?[A-Z_]+\]")

each_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


@each_profile
def test_the_text_of_every_built_in_template(profile: Profile) -> None:
    alone, both, turn, plain, opened, none = PROMPTS[profile.name]
    for before, system in ((alone, ""), (both, "S")):
        before += turn
        render = profile.render
        assert text_of(render("U", system, thinking="plain")) == before + plain
        assert text_of(render("U", system, thinking="open")) == before + opened
        assert text_of(render("U", system, thinking="none")) == before + none
        assert text_of(render("U", system, body=BODY)) == before + opened + BODY
        assert render("U", system) == render("U", system, thinking="open")


@each_profile
def test_every_marker_of_the_template_is_a_special_piece_and_nothing_else_is(
    profile: Profile,
) -> None:
    pieces = profile.render("U", "S", thinking="none")
    special = [piece.text for piece in pieces if piece.special]
    assert special == MARKER.findall(text_of(pieces))
    assert len(special) > 2


@each_profile
def test_only_thinking_markers_are_markers_in_a_continued_trace(profile: Profile) -> None:
    def special(body: str) -> list[str]:
        return [piece.text for piece in profile.render("U", body=body) if piece.special]

    close = [profile.think_close] if profile.think_close else []
    body = f"a{profile.think_close or '</think>'}b<|im_end|><|eot_id|></s>"
    assert special(body) == special("") + close


def test_a_prompt_in_pieces() -> None:
    assert PROFILES["qwen3-thinking"].render("What?", "Be brief.") == [
        Piece("<|im_start|>", special=True),
        Piece("system\nBe brief."),
        Piece("<|im_end|>", special=True),
        Piece("\n"),
        Piece("<|im_start|>", special=True),
        Piece("user\nWhat?"),
        Piece("<|im_end|>", special=True),
        Piece("\n"),
        Piece("<|im_start|>", special=True),
        Piece("assistant\n"),
        Piece("<think>", special=True),
        Piece("\n"),
    ]


texts = st.lists(
    st.sampled_from([*(m for p in PROFILES.values() for m in p.template.specials), "<think>"])
    | st.sampled_from(["</think>", "<", "|>", "\n", " ", "a", "{", "é"]),
    min_size=1,
).map(lambda parts: "x" + "".join(parts) + "y")


@given(st.sampled_from(list(PROFILES.values())), texts, texts, st.sampled_from(get_args(Thinking)))
def test_contents_stay_letters_whatever_they_spell(
    profile: Profile, user: str, system: str, thinking: Thinking
) -> None:
    plain = profile.render("υ", "σ", thinking=thinking)
    pieces = profile.render(user, system, thinking=thinking)
    assert [p for p in pieces if p.special] == [p for p in plain if p.special]
    assert len(pieces) == len(plain)
    assert [p.text for p in pieces if not p.special and user in p.text]
    before, _, behind = text_of(plain).rpartition("υ")
    start, _, middle = before.rpartition("σ")
    assert text_of(pieces) == start + system + middle + user + behind


def test_contents_are_trimmed_where_the_model_was_trained_so() -> None:
    padded = PROFILES["llama-3.1-instruct"].render("\n U ", " S\n")
    assert padded == PROFILES["llama-3.1-instruct"].render("U", "S")
    assert Piece("user\n\n U ") in PROFILES["qwen3"].render("\n U ")


@pytest.mark.parametrize(
    ("written", "opened", "none"),
    [
        ("A", "A<think>\n", "A<think>\n\n</think>\n\n"),
        ("A<think>", "A<think>", "A<think>\n\n</think>\n\n"),
        ("A<think>\n", "A<think>\n", "A<think>\n\n</think>\n\n"),
        ("A<think>\n\n</think>\n\n", "A<think>\n", "A<think>\n\n</think>\n\n"),
        ("A</think>", "A</think><think>\n", "A</think><think>\n\n</think>\n\n"),
        ("<think>A", "<think>A<think>\n", "<think>A<think>\n\n</think>\n\n"),
    ],
)
def test_the_thinking_is_as_wanted_whatever_the_template_does(
    written: str, opened: str, none: str
) -> None:
    profile = Profile("other", Template("", "", "", written))
    assert text_of(profile.render("")) == opened
    assert text_of(profile.render("", thinking="none")) == none
    assert text_of(profile.render("", thinking="plain")) == written


def test_the_longest_special_token_counts() -> None:
    profile = Profile("other", Template("", "", "<a><a><b>", "", ("<a>", "<a><b>")))
    assert [p.text for p in profile.render("U", thinking="plain")] == ["<a>", "<a><b>", "U"]


def test_markers_are_what_is_recognised_by_id() -> None:
    thinks = Profile("other", stops=("<|a|>", "<|b|>"))
    assert thinks.markers == ("<think>", "</think>", "<|a|>", "<|b|>")
    assert replace(thinks, think_open="", think_close="").markers == ("<|a|>", "<|b|>")


THINKING = '{{ "<think>" }}'


@pytest.mark.parametrize(
    ("name", "template", "profile"),
    [
        ("agentflow-Pocket", "", "pocket"),
        ("Qwen/Qwen3-30B-A3B-Thinking-2507", "", "qwen3-thinking"),
        ("Qwen/Qwen3-8B", "", "qwen3"),
        ("qwen3:8b", "", "qwen3"),
        ("Qwen/QwQ-32B", "", "qwq"),
        ("Qwen/Qwen2.5-7B-Instruct", "", "qwen2.5-instruct"),
        ("qwen2.5-math-7b-instruct-q4_k_m", "", "qwen2.5-instruct"),
        ("Qwen/Qwen3-4B-Instruct-2507", "", "qwen2.5-instruct"),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "", "deepseek-r1-distill"),
        ("DeepSeek-R1-Distill-Llama-8B-Q4_K_M.gguf", "", "deepseek-r1-distill"),
        ("microsoft/Phi-4-reasoning", "", "phi-4-reasoning"),
        ("microsoft/Phi-4-reasoning-plus", "", "phi-4-reasoning"),
        ("meta-llama/Llama-3.1-8B-Instruct", "", "llama-3.1-instruct"),
        ("meta-llama/Meta-Llama-3.1-70B-Instruct", "", "llama-3.1-instruct"),
        ("", "", "qwen3"),
        ("mine", "", "qwen3"),
        ("mine", THINKING + "<|im_start|>", "qwen3"),
        ("mine", THINKING + "<｜Assistant｜>", "deepseek-r1-distill"),
        ("mine", THINKING + "<|im_start|><|im_sep|>", "phi-4-reasoning"),
        ("mine", "<|start_header_id|>", "llama-3.1-instruct"),
        ("mine", "<|im_start|>system\nYou are Qwen, ", "qwen2.5-instruct"),
        ("mine", "<|im_start|>", "chatml"),
        ("mine", "<start_of_turn>", "chatml"),
        ("SmolLM2-135M-Instruct.Q4_1", "<|im_start|>", "chatml"),
        ("mine", "[INST]...[THINK]...[/THINK]", "magistral"),
        ("Magistral-Small-2509", "", "magistral"),
        ("mine", "'</seed:think>'", "seed-oss"),
        ("Seed-OSS-36B", "", "seed-oss"),
        ("Qwen3-8B", "<|start_header_id|>", "qwen3"),
    ],
)
def test_the_profile_follows_from_the_name_or_else_the_template(
    name: str, template: str, profile: str
) -> None:
    assert detect(name, template) is PROFILES[profile]


LIMITS = {  # temperature, top-p, top-k, generated tokens, context
    "qwen3": (0.6, 0.95, 20, 32_768, 40_960),
    "qwen3-thinking": (0.6, 0.95, 20, 32_768, 262_144),
    "qwq": (0.6, 0.95, 20, 32_768, 40_960),
    "deepseek-r1-distill": (0.6, 0.95, 0, 32_768, 131_072),
    "phi-4-reasoning": (0.8, 0.95, 50, 16_384, 32_768),
    "llama-3.1-instruct": (0.7, 0.9, 0, 1024, 131_072),
    "qwen2.5-instruct": (0.7, 0.9, 0, 1024, 32_768),
    "chatml": (0.7, 0.9, 0, 1024, 32_768),
    "pocket": (0.7, 0.95, 20, 1024, 2048),
    "magistral": (0.7, 0.95, 0, 32_768, 40_960),
    "seed-oss": (1.1, 0.95, 0, 32_768, 524_288),
}


@each_profile
def test_sampling_and_limits(profile: Profile) -> None:
    sampling = profile.sampling
    assert LIMITS[profile.name] == (
        sampling.temperature,
        sampling.top_p,
        sampling.top_k,
        profile.max_tokens,
        profile.context,
    )


@pytest.mark.parametrize("answering", [False, True])
@each_profile
def test_interwhen_section_4_3_notes_say_to_resume_from_the_last_valid_state(
    profile: Profile, answering: bool
) -> None:
    said = profile.note("It says that 7 is gone.", answering=answering)
    if profile.name == "pocket":  # which knows its own notes alone
        assert said in (
            "Wait, It says that 7 is gone.\n",
            "[verifier: It says that 7 is gone.]\n",
        )
    else:
        assert "gone. That is inconsistent; resume from the last valid state." in said


@each_profile
def test_notes_have_room_for_the_reason(profile: Profile) -> None:
    assert profile.note("7 is gone").startswith("Wait, 7 is gone")
    assert profile.note("7 is gone", answering=True).startswith("[verifier: 7 is gone")
    assert profile.note("7 is gone").endswith("\n")
    assert profile.stops


@pytest.mark.parametrize(
    ("name", "opened", "reply", "said"),
    [
        ("qwen3", False, "<think>a</think>b", "b"),
        ("qwen3", False, "b", "b"),
        ("qwen3", False, "<think>a", ""),
        ("qwen3", True, "a", ""),
        ("magistral", False, "[THINK]a</think>[/THINK]b", "b"),
        ("llama-3.1-instruct", True, "b", "b"),
    ],
)
def test_what_a_reply_says_behind_its_thinking(
    name: str, opened: bool, reply: str, said: str
) -> None:
    assert PROFILES[name].said(reply, opened=opened) == said


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
@pytest.mark.parametrize("thinking", get_args(Thinking))
def test_at_once_every_turn_begins_behind_a_thought(profile: Profile, thinking: Thinking) -> None:
    """Same pieces, same special tokens; and nothing is left to be closed."""
    wanted = profile.thought_already.render("U", "S", thinking="none")
    at_once = profile.at_once
    assert at_once.render("U", "S", thinking=thinking) == wanted
    assert at_once.at_once == at_once
    assert (at_once.think_open, at_once.opened) == ("", False)
