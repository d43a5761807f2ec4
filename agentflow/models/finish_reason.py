"""Why a reply ended, in each provider's words."""

from __future__ import annotations

_ENDS = {
    **dict.fromkeys(("stop", "eos", "eos_token", "stop_sequence", "end_turn"), "stop"),
    **dict.fromkeys(("complete", "completed", "finish", "finished", "done", "end"), "stop"),
    **dict.fromkeys(("safety", "recitation", "blocklist", "spii"), "content_filter"),
    **dict.fromkeys(("prohibited_content", "refusal", "sensitive"), "content_filter"),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "length"),
}


def ended(reason: str) -> str:
    """Why a reply ended, in OpenAI's words: ``stop``, ``length`` or ``content_filter``; any other
    reason as it is.

    Together and TGI name the token that ended it, Anthropic and Mistral have words of their own,
    and Gemini says behind a colon what was filtered.
    """
    word = reason.lower()
    return "content_filter" if word.startswith("content_filter") else _ENDS.get(word, reason)
