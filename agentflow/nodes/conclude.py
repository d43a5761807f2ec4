"""Conclude: ask for the answer in a second call, where thinking was stopped and cannot go on."""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import accumulate

from agentflow import prompts
from agentflow.models import Request, complete
from agentflow.models.model import segment
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.solve import cut_by_server, room_of
from agentflow.profile import Piece
from agentflow.settings import Settings, request_seed
from agentflow.trace import Segment


@node(Settings)
async def conclude(run: Run[Settings]) -> Update:
    """Close the thinking, and append the answer that the model gives to a prompt with it.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    return await concluded(run)


async def concluded(run: Run[Settings]) -> Update:
    """What :func:`conclude` writes."""
    settings, problem, trace = run.settings, run.problem, run.trace
    done, branch = len(trace.operations), run.branch
    model = await run.ask("solver", "solver", f"{branch}/{done}")
    profile = model.profile
    texts = {
        "problem": "\n\n".join(filter(None, await run.prompt(profile))),
        "thinking": trace.body.removeprefix(profile.think_open).strip(),
    }
    system, user = await prompts.rendered("early_exit", "conclude", profile, texts)
    pieces = profile.render(user, system)
    question = await segment(model, "prompt", pieces)
    room = room_of(trace, model, settings)
    if room.tokens <= 0:
        return {"stream_end": asdict(replace(run.stream, ended="length", limit=room.limit))}
    request = Request(
        question.text,
        room.tokens,
        settings.sampling(profile),
        request_seed(settings.seed, problem.id, "solver", branch, done),
    )
    reply = await complete(model, request)
    thinking = bool(profile.think_close) and trace.split(profile.think_close)[1] is None
    pieces = profile.closing if thinking else [Piece("\n\n")]
    trace.append(await segment(model, "marker", pieces, trace.leftover))
    texts_of = [token.text for token in reply.tokens]
    closed = [n for n, text in enumerate(texts_of, 1) if text == profile.think_close]
    opened = bool(profile.think_open) and profile.think_open in texts_of
    unended = opened and not closed  # thinking is no answer
    answer = [] if unended else texts_of[closed[-1] if closed else 0 :]
    trace.append(Segment("generated", "".join(answer), (), tuple(accumulate(map(len, answer)))))
    run.emit({"type": "token", "text": "".join(answer)})
    run.spent(model.entries)
    whole = reply.finish.reason == "stop"
    told = reply.finish.generated
    generated = sum(token.generated for token in reply.tokens) if told is None else told
    counted = model.capabilities.exact_prefix or told is not None
    cut = cut_by_server(reply.finish.reason, generated, room.tokens, counted=counted)
    ended = replace(
        run.stream,
        ended="stop" if whole else "length",
        limit="" if whole else model.budget.over or cut or room.limit,
    )
    return {
        "operations": trace.operations[done:],
        "ledger": model.entries,
        "stream_end": asdict(ended),
    }
