from __future__ import annotations

from agentflow.profile import PROFILES, Piece, Profile, detect


def test_a_prompt_opens_the_thinking_and_only_markers_are_special() -> None:
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


def test_a_users_marker_stays_text() -> None:
    pieces = PROFILES["pocket"].render("say </think> and <|im_end|>")
    assert Piece("user\nsay </think> and <|im_end|>") in pieces
    assert [piece.text for piece in pieces if piece.special] == [
        "<|im_start|>",
        "<|im_end|>",
        "<|im_start|>",
        "<think>",
    ]


def test_a_model_that_opens_its_own_thinking_is_not_prefilled() -> None:
    pieces = Profile("other", prefills_thinking=False).render("u")
    assert pieces[-1] == Piece("assistant\n")


def test_markers_are_what_is_recognised_by_id() -> None:
    assert Profile("other", stops=("<|a|>", "<|b|>")).markers == (
        "<think>",
        "</think>",
        "<|a|>",
        "<|b|>",
    )


def test_the_profile_follows_from_the_served_name() -> None:
    assert detect("agentflow-Pocket").name == "pocket"
    assert detect("Qwen/Qwen3-8B").name == "qwen3-thinking"
    assert detect("").name == "qwen3-thinking"


def test_notes_have_room_for_the_reason() -> None:
    for profile in PROFILES.values():
        assert profile.thinking_note.format(reason="7 is gone") == "Wait, 7 is gone\n"
        assert "7 is gone" in profile.answer_note.format(reason="7 is gone")
        assert profile.max_tokens <= profile.context
