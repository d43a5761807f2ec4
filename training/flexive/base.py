"""The model that a training starts from."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerBase

from agentflow.errors import BadInput
from agentflow.models.bundled import file
from agentflow.models.template import SPECIAL, Jinja, Messages, learn, render_jinja
from agentflow.profile import PROFILES, Profile, detect
from training.convert import convert
from training.flexive.options import BUNDLED, Options
from training.mistakes import POCKET

ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")
"""The attention projections, which get the adapters."""


@dataclass(frozen=True, slots=True)
class Base:
    """A model in Hugging Face's layout, by name or folder, and how it is spoken to."""

    where: str
    tokenizer: PreTrainedTokenizerBase
    profile: Profile

    def weights(self, kind: Any = AutoModelForCausalLM, **config: Any) -> Any:
        """Its weights as a model of ``kind``, in 16 bits on a GPU, else in 32.

        Raises:
            BadInput: If its attention has other projections than :data:`ATTENTION`.
        """
        dtype = torch.bfloat16 if torch.cuda.is_available() else torch.float32
        model = kind.from_pretrained(self.where, dtype=dtype, **config)
        names = {name.rpartition(".")[2] for name, _ in model.named_modules()}
        if missing := [name for name in ATTENTION if name not in names]:
            raise BadInput(f"{self.where} has no layers {', '.join(missing)} to put adapters on")
        return model


def open_base(options: Options) -> Base:
    """Find the base model; the bundled one is converted into the training's folder first.

    Raises:
        BadInput: If there is no such model.
    """
    where, profile = options.base, options.profile
    if options.base in BUNDLED:
        folder = options.out / "base"
        if not (folder / "config.json").exists():
            convert(file(BUNDLED[options.base]), folder)
        where, profile = str(folder), profile or POCKET.name
    try:
        tokenizer = AutoTokenizer.from_pretrained(where)
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n")[0]
        raise BadInput(f"no base model {options.base!r}: {reason}") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return Base(where, tokenizer, PROFILES[profile] if profile else _detected(options, tokenizer))


def _detected(options: Options, tokenizer: PreTrainedTokenizerBase) -> Profile:
    """The profile that a server of the model is found to have: with the model's own template."""
    text = tokenizer.chat_template if isinstance(tokenizer.chat_template, str) else ""
    jinja = Jinja(text, tokenizer.bos_token or "", tokenizer.eos_token or "")

    async def render(messages: Messages) -> str:
        return render_jinja(jinja, messages)

    profile = detect(options.base, text)
    template = asyncio.run(learn([render])) if text else None
    if template is None or profile.name == POCKET.name:
        return profile
    texts = (template.start, template.middle, template.alone, template.end)
    named = {token for one in texts for token in re.findall(SPECIAL, one)}
    specials = tuple(sorted(named & tokenizer.get_added_vocab().keys()))
    return replace(profile, template=replace(template, specials=specials))
