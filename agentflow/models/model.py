"""What a model can be asked, whatever engine runs it."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from agentflow.errors import MissingCapability
from agentflow.profile import Piece, Profile, Sampling
from agentflow.together import together
from agentflow.trace import Segment, Trace
from agentflow.vllm_plugin.ask import Ask

_CHARACTERS = 4
"""Of a token, about: a prompt sent as text is taken to have so many until its server says how long
it is."""


class Token(NamedTuple):
    """One streamed token.

    ``text`` is empty for a token that completes no character yet. A marker of the profile has
    the marker as its text. ``top`` holds (text, log-probability) pairs, most likely first.
    ``generated`` is how many tokens were generated for it, as :func:`whole` has it.
    """

    text: str
    id: int | None = None
    logprob: float | None = None
    top: tuple[tuple[str, float], ...] = ()
    generated: int = 1


_LONG = 40
"""Characters of a piece of text above which it surely is more than one token."""


def estimated(text: str) -> Token:
    """A piece of a reply whose tokens are not told: one token, or a long one's by its characters,
    four each."""
    return Token(text, generated=1 if len(text) <= _LONG else -(-len(text) // 4))


class Finish(NamedTuple):
    """The last item of a stream: why it ended, and what the engine says of the prompt.

    ``reason`` is ``stop`` (the model ended its turn) or ``length``. ``top`` holds the alternatives
    to the token that ended the turn, which itself is not streamed. ``generated`` is how many tokens
    the engine says it generated, where the items of the stream are not its tokens one by one;
    ``reasoning`` how many of them were hidden thought, as far as it tells.
    """

    reason: str
    prompt: int | None = None
    cached: int | None = None
    top: tuple[tuple[str, float], ...] = ()
    generated: int | None = None
    reasoning: int = 0


def whole(pieces: Iterable[Token], generated: int | None) -> Iterator[Token]:
    """The pieces of a reply that comes as a whole: the first counts for all, so that a reply that
    is cut has cost what it did.

    Args:
        generated: Tokens of the reply; None where nobody says, and each piece counts as it does.
    """
    for number, piece in enumerate(pieces):
        if generated is None:
            yield piece
        else:
            yield piece._replace(generated=0 if number else generated)


@dataclass(frozen=True, slots=True)
class Request:
    """One request for a continuation.

    Attributes:
        prompt: Token ids, or text for an engine without ids.
        max_tokens: Most tokens to generate.
        sampling: All sampling parameters.
        seed: Seed of this request.
        top: How many alternatives per token to return (0 for none).
        cache: Whether the engine may reuse a cached prefix.
        schema: JSON schema that the generated text follows; None for any text.
        said: The prompt as a text, for whoever looks on; ids alone tell nobody anything.
        ask: What our plugin inside vLLM is to do; None for nothing.
        known: Tokens at the beginning that this server has read or written before, as far as the
            caller knows: what its prefix cache is measured by.
        own: Set where only those may be reused, and ``cache`` is off: the number of the stream
            among its run's. llama.cpp keeps a slot for each, where a stream behind a cut finds
            what came before the cut as it was computed; vLLM reuses nothing.
    """

    prompt: tuple[int, ...] | str
    max_tokens: int
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    top: int = 0
    cache: bool = True
    schema: dict[str, Any] | None = field(default=None, hash=False)
    said: str = field(default="", compare=False, repr=False)
    ask: Ask | None = None
    known: int = field(default=0, compare=False)
    own: int | None = None

    @property
    def prompt_tokens(self) -> int:
        """How many tokens the prompt has; 0 for text, of which only the engine knows."""
        return 0 if isinstance(self.prompt, str) else len(self.prompt)

    @property
    def length(self) -> int:
        """Tokens of the prompt; a guess where only the engine knows."""
        return self.prompt_tokens or len(self.prompt) // _CHARACTERS


class Digits(NamedTuple):
    """The token ids that our plugin inside vLLM spells numbers with: ``base`` of them from
    ``first`` on."""

    first: int
    base: int


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine can do.

    Attributes:
        continues: Generates from any prefix of ours (a chat-only API does not).
        turns: Goes on from a text of ours by a new turn that shows it: the weaker form, in which
            the model thinks anew about what it is shown.
        exact_prefix: Takes and returns token ids, so a prefix is continued exactly.
        logprobs: Most alternatives per token; 0 for none, None for the whole vocabulary.
        in_engine: Set where the server has our plugin: exact probes of a few bytes, and stop rules
            in the engine (:mod:`agentflow.models.in_engine`).
    """

    continues: bool = True
    turns: bool = False
    exact_prefix: bool = True
    logprobs: int | None = None
    in_engine: Digits | None = None


@dataclass(frozen=True, slots=True)
class Distribution:
    """The next-token distribution after a prefix, at temperature 1 on the raw logits.

    Attributes:
        top: (text, probability), most likely first.
        missing: Probability mass outside ``top``; 0 for the whole vocabulary.
    """

    top: tuple[tuple[str, float], ...]
    missing: float

    @property
    def entropy(self) -> float:
        """Entropy in nats over ``top``, not counting the missing mass."""
        return -sum(p * math.log(p) for _, p in self.top if p > 0)

    def entropy_bounds(self, vocabulary: int) -> tuple[float, float]:
        """Between what the entropy over all ``vocabulary`` tokens lies, in nats.

        Least where the missing mass lies on as few tokens as may be, none of them likelier than
        the last of ``top``; most where all tokens that are not in ``top`` share it evenly.

        Raises:
            ValueError: If ``top`` holds more tokens than the vocabulary.
        """
        unlisted = vocabulary - len(self.top)
        if unlisted < 0:
            raise ValueError(f"{len(self.top)} alternatives of a vocabulary of {vocabulary}")
        most = self.top[-1][1] if self.top else 1.0
        if not (unlisted and self.missing and most):
            return self.entropy, self.entropy
        full = min(int(self.missing / most), unlisted)
        rest = max(0.0, self.missing - full * most)
        fewest = -full * most * math.log(most) - (rest * math.log(rest) if rest else 0.0)
        spread = -self.missing * math.log(self.missing / unlisted)
        return self.entropy + fewest, self.entropy + max(fewest, spread)

    def probability(self, words: Iterable[str]) -> float:
        """Probability that the next token begins one of ``words``, whatever its case and spacing;
        it may be the whole word or, where the word has several tokens, the first of them."""
        wanted = tuple(word.strip().lower() for word in words)
        begun = ((text.strip().lower(), p) for text, p in self.top)
        return sum(p for text, p in begun if text and any(w.startswith(text) for w in wanted))


def distribution(logprobs: Iterable[tuple[str, float]]) -> Distribution:
    """A distribution from (text, log-probability) pairs."""
    top = sorted(((text, math.exp(p)) for text, p in logprobs), key=lambda pair: -pair[1])
    return Distribution(tuple(top), max(0.0, 1.0 - sum(p for _, p in top)))


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole completion: its tokens and how it ended."""

    tokens: tuple[Token, ...]
    finish: Finish

    @property
    def text(self) -> str:
        return "".join(token.text for token in self.tokens)


class Model(Protocol):
    """A served model.

    Implementations: :class:`~agentflow.models.http.HTTPModel` and
    :class:`~agentflow.models.scripted.ScriptedModel`.
    """

    @property
    def name(self) -> str: ...
    @property
    def profile(self) -> Profile: ...
    @property
    def capabilities(self) -> Capabilities: ...

    async def open(self) -> None:
        """Connect, and learn what the engine can do; calling it again costs nothing.

        Raises:
            ModelUnavailable: If no server answers.
            BadInput: If what answers cannot be used.
        """

    def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """Stream tokens, then one :class:`Finish`. Closing the generator aborts the request.

        Raises:
            ModelUnavailable: If no token came (worth a retry).
            StreamBroken: If the stream ended before its time.
        """

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """Token ids of prompt pieces; each piece alone, only ``special`` ones as markers."""

    async def close(self) -> None:
        """Release connections."""


async def segment(model: Model, kind: str, pieces: Sequence[Piece], leftover: str = "") -> Segment:
    """The pieces as a segment to append to a trace, the leftover of a cut before them."""
    if leftover:
        pieces = [Piece(leftover), *pieces]
    ids = await model.tokenize(pieces) if model.capabilities.exact_prefix else ()
    return Segment(kind, "".join(piece.text for piece in pieces), ids)  # type: ignore[arg-type]


def prompt_of(model: Model, trace: Trace) -> tuple[int, ...] | str:
    """The trace as the prompt of the next request."""
    return tuple(trace.ids) if model.capabilities.exact_prefix else trace.text


async def complete(model: Model, request: Request) -> Completion:
    """One whole completion."""
    tokens: list[Token] = []
    finish = Finish("length")
    async for item in model.stream(request):
        if isinstance(item, Finish):
            finish = item
        else:
            tokens.append(item)
    return Completion(tuple(tokens), finish)


async def sample(model: Model, request: Request, n: int) -> list[Completion]:
    """``n`` independent completions of one prompt, with seeds ``request.seed``, +1, …

    They are separate concurrent requests: engines share the prompt through their prefix cache,
    and each completion's tokens are counted, which a server's own ``n`` does not do everywhere.
    """
    requests = [replace(request, seed=request.seed + i) for i in range(n)]
    return await together(complete(model, one) for one in requests)


async def next_token(
    model: Model, prompt: tuple[int, ...] | str, top: int | None = None, *, known: int = 0
) -> Distribution:
    """The distribution of the token after ``prompt`` (one generated token).

    Args:
        top: How many alternatives to ask for; None for as many as the engine gives.
        known: As of :class:`Request`.

    Raises:
        MissingCapability: If the model gives no log-probabilities, or gave none this time.
    """
    limit = model.capabilities.logprobs
    if limit == 0:
        raise MissingCapability(f"{model.name} gives no log-probabilities, which are needed")
    wanted = min(n for n in (top, limit, 1_000_000) if n is not None)
    raw = Sampling(temperature=1.0, top_p=1.0, top_k=0)
    completion = await complete(model, Request(prompt, 1, raw, top=wanted, known=known))
    first = completion.tokens[0] if completion.tokens else completion.finish
    if not first.top:  # taken as it is, nothing would look like certainty
        raise MissingCapability(f"{model.name} gave no log-probabilities, which are needed")
    return distribution(first.top)
