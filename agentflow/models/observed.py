"""A model's stream as LangChain's events, for whoever listens: callbacks, tracers, Studio."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentflow.models.model import Finish, Model, Request, Token

if TYPE_CHECKING:
    from langchain_core.callbacks import AsyncCallbackManager
    from langchain_core.messages import AIMessage, BaseMessage


async def observed(model: Model, request: Request) -> AsyncGenerator[Token | Finish, None]:
    """The model's stream; the run that asks tells its listeners of start, tokens and end.

    Where nobody listens it costs nothing. A chat model of LangChain's tells them by itself.
    """
    manager = None if getattr(model, "tells", False) else _listeners()
    if manager is None:
        async with aclosing(model.stream(request)) as stream:
            async for item in stream:
                yield item
        return
    from langchain_core.messages import AIMessageChunk
    from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, LLMResult

    sampling = request.sampling
    said = {"max_tokens": request.max_tokens, "temperature": sampling.temperature}
    said |= {"top_p": sampling.top_p, "seed": request.seed}
    run = await _started(manager, model, _messages(request), said)
    id, texts, ended = f"run-{run.run_id}", list[str](), False

    async def end(finish: Finish) -> None:
        nonlocal ended
        ended = True
        message = _message("".join(texts), id, request, finish, len(texts))
        await run.on_llm_end(LLMResult(generations=[[ChatGeneration(message=message)]]))

    try:
        async with aclosing(model.stream(request)) as stream:
            async for item in stream:
                if isinstance(item, Finish):
                    await end(item)
                else:
                    texts.append(item.text)
                    chunk = ChatGenerationChunk(message=AIMessageChunk(content=item.text, id=id))
                    await run.on_llm_new_token(item.text, chunk=chunk)
                yield item
    except Exception as error:
        if not ended:
            await run.on_llm_error(error)
        raise
    except (GeneratorExit, asyncio.CancelledError):  # whoever reads has enough
        if not ended:
            await end(Finish("closed"))
        raise


@asynccontextmanager
async def observed_call(model: Model, messages: Sequence[BaseMessage]) -> AsyncIterator[Told]:
    """A request that is not streamed; the block says what its listeners are told of its end."""
    told = Told()
    manager = None if getattr(model, "tells", False) else _listeners()
    if manager is None:
        yield told
        return
    from langchain_core.outputs import ChatGeneration, LLMResult

    run = await _started(manager, model, list(messages), {})
    try:
        yield told
    except BaseException as error:
        await run.on_llm_error(error)
        raise
    message = _message(told.text, f"run-{run.run_id}", Request("", 0), told.finish, 0)
    await run.on_llm_end(LLMResult(generations=[[ChatGeneration(message=message)]]))


@dataclass(slots=True)
class Told:
    """What listeners are told of a reply."""

    text: str = ""
    finish: Finish = field(default_factory=lambda: Finish("stop"))


async def _started(
    manager: AsyncCallbackManager, model: Model, messages: list[BaseMessage], said: dict[str, Any]
) -> Any:
    """The run of a request, as listeners have it."""
    provider = getattr(model, "provider", "")
    about = {"ls_model_name": model.name, "ls_model_type": "chat", "ls_provider": provider}
    manager.add_metadata({key: one for key, one in about.items() if one}, inherit=False)
    known = {"model": model.name, "base_url": getattr(model, "base_url", "")}
    operation = "text_completion" if model.capabilities.continues else "chat"
    (run,) = await manager.on_chat_model_start(
        {"lc": 1, "type": "not_implemented", "id": ["agentflow", "models"], "name": model.name},
        [messages],
        name=model.name,
        invocation_params=known | said | {"operation": operation},
    )
    return run


def _listeners() -> AsyncCallbackManager | None:
    """The callbacks of the run that asks; None where there is none."""
    module: Any = sys.modules.get("langchain_core.runnables.config")
    config = None if module is None else module.var_child_runnable_config.get()
    if config is None:
        return None
    manager: AsyncCallbackManager = module.get_async_callback_manager_for_config(config)
    return manager if manager.handlers else None


def _messages(request: Request) -> list[BaseMessage]:
    """The prompt as messages."""
    from langchain_core.messages import HumanMessage, convert_to_messages

    from agentflow.errors import MissingCapability
    from agentflow.models.turns import chat_prompt

    text = request.prompt if isinstance(request.prompt, str) else request.said
    try:
        said = chat_prompt(text, "")
        body = [{"role": "assistant", "content": said.body}] if said.body else []
        asked = [said.follow_up] if said.follow_up else []
        return list(convert_to_messages([*said.messages, *body, *asked]))
    except (MissingCapability, TypeError, ValueError):
        return [HumanMessage(text or f"({request.prompt_tokens} tokens)")]


def _message(text: str, id: str, request: Request, finish: Finish, tokens: int) -> AIMessage:
    """The reply as a whole."""
    from langchain_core.messages import AIMessage

    prompt = request.length if finish.prompt is None else finish.prompt
    generated = tokens if finish.generated is None else finish.generated
    return AIMessage(
        content=text,
        id=id,
        response_metadata={"finish_reason": finish.reason},
        usage_metadata={
            "input_tokens": prompt,
            "output_tokens": generated,
            "total_tokens": prompt + generated,
            "input_token_details": {"cache_read": finish.cached or 0},
            "output_token_details": {"reasoning": finish.reasoning},
        },
    )
