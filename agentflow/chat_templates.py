"""Chat templates as data, and those of the built-in profiles."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Template:
    """A chat template, as the text it writes around the contents of one user turn.

    With a system text a prompt is ``start`` system ``middle`` user ``end``, without one it is
    ``alone`` user ``end``. So a default system prompt stands in ``alone``.

    Attributes:
        start, middle, alone, end: As above; ``end`` opens the model's turn.
        specials: What is a special token in them; everything else is letters.
        trims: Whether space around the contents is dropped.
    """

    start: str
    middle: str
    alone: str
    end: str
    specials: tuple[str, ...] = ()
    trims: bool = False


CHATML = Template(
    start="<|im_start|>system\n",
    middle="<|im_end|>\n<|im_start|>user\n",
    alone="<|im_start|>user\n",
    end="<|im_end|>\n<|im_start|>assistant\n",
    specials=("<|im_start|>", "<|im_end|>"),
)
CHATML_THINKING = replace(CHATML, end=CHATML.end + "<think>\n")
QWEN25 = replace(
    CHATML,
    alone="<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant."
    + CHATML.middle,
)
R1 = Template(
    start="<｜begin▁of▁sentence｜>",
    middle="<｜User｜>",
    alone="<｜begin▁of▁sentence｜><｜User｜>",
    end="<｜Assistant｜><think>\n",
    specials=("<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
)
# The model's own template names these dates before every system text; the second is its fixed
# default, so that a prompt is the same on every day.
_LLAMA_START = (
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n"
    "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n"
)
_LLAMA_MIDDLE = "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n"
LLAMA = Template(
    start=_LLAMA_START,
    middle=_LLAMA_MIDDLE,
    alone=_LLAMA_START + _LLAMA_MIDDLE,
    end="<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
    specials=("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    trims=True,
)
# The model was trained under one fixed system prompt, which says to reason before answering. Its
# wording is not ours to copy: here stands our own, and a template learned from the server has the
# real one.
_PHI_START = (
    "<|im_start|>system<|im_sep|>Work through the question step by step before you answer it: "
    "explore it, check each step, and revise what turns out wrong. Then state the solution."
)
_PHI_MIDDLE = "<|im_end|><|im_start|>user<|im_sep|>"
PHI = Template(
    start=_PHI_START + "\n\n",
    middle=_PHI_MIDDLE,
    alone=_PHI_START + _PHI_MIDDLE,
    end="<|im_end|><|im_start|>assistant<|im_sep|>",
    specials=("<|im_start|>", "<|im_sep|>", "<|im_end|>"),
)

# Magistral thinks where its system prompt says to; the wording here is our own, as with Phi.
_MAGISTRAL_START = (
    "<s>[SYSTEM_PROMPT]Think the question through first, and mark what you think with [THINK] and "
    "[/THINK]. Then give an answer that can be understood without it."
)
MAGISTRAL = Template(
    start=_MAGISTRAL_START + "\n\n",
    middle="[/SYSTEM_PROMPT][INST]",
    alone=_MAGISTRAL_START + "[/SYSTEM_PROMPT][INST]",
    end="[/INST]",
    specials=("<s>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[INST]", "[/INST]"),
)
SEED = Template(
    start="<seed:bos>system\n",
    middle="<seed:eos><seed:bos>user\n",
    alone="<seed:bos>user\n",
    end="<seed:eos><seed:bos>assistant\n",
    specials=("<seed:bos>", "<seed:eos>"),
)
