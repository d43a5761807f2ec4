"""Errors that people see: each says what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


def known(name: str, names: Iterable[str], group: str = "") -> str:
    """The end of a message about an unknown name: what there is, and what was probably meant.

    Args:
        group: The entry points by which installed packages add names, where they may.
    """
    listed = list(names)
    near = get_close_matches(name, listed, n=1)
    meant = f"; did you mean {near[0]}?" if near else ""
    yours = f"; a package adds its own by an entry point of the group {group}" if group else ""
    return f"known: {', '.join(listed)}{meant}{yours}"


class AgentflowError(RuntimeError):  # of a kind whose message a LangGraph server passes on
    """Base of all errors that agentflow raises on purpose.

    Attributes:
        request_id: By which a server's operator finds the request that failed; its message has it,
            too. Empty where no server told one.
        told: What a server had told of the tokens of a request before it failed, as a
            :class:`~agentflow.models.model.Finish`; None where it told nothing.
    """

    request_id: str = ""
    told: Any = None


class BadInput(AgentflowError):
    """The user's input cannot be used (exit code 2 on the command line)."""


class Unfit(BadInput):
    """A method, as it is set, is not for this problem."""


class Refused(BadInput):
    """A server refused a request that another attempt would not mend.

    Attributes:
        status: The HTTP status; 0 where there was none.
    """

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class MissingCapability(BadInput):
    """A method needs something that the chosen model cannot do."""


class ModelUnavailable(AgentflowError):
    """The model's server cannot be reached or refused the request before the first token.

    Attributes:
        status: The HTTP status; 0 where there was none.
        after: Seconds that the server asks to be left alone (``retry-after``); None where it does
            not say.
    """

    def __init__(self, message: str = "", status: int = 0, after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.after = after


class BadReply(ModelUnavailable):
    """A server's reply is not what its API says; names the server and the field."""


class StreamBroken(AgentflowError):
    """The stream ended before the model was done; the trace so far is kept."""


class Withheld(StreamBroken):
    """The provider withholds the rest of a reply; another attempt is of no use."""


def passing(error: BaseException) -> bool:
    """Whether asking anew may mend an error of a model."""
    return isinstance(error, ModelUnavailable | StreamBroken) and not isinstance(error, Withheld)


def unread(error: BaseException, generated: int) -> bool:
    """Whether a server refused a request by its status before it read the prompt.

    Args:
        generated: How many tokens had come.
    """
    return bool(getattr(error, "status", 0)) and not generated


def put_off(error: BaseException) -> bool:
    """Whether a server has too much to do, and is to be asked again: 429, 503 and Anthropic's 529;
    each request does that by itself."""
    return getattr(error, "status", 0) in (429, 503, 529)


class Exhausted(AgentflowError):
    """The run's budget is spent: what was to be asked next is not asked."""


class Paused(AgentflowError):
    """The run waits for a person; its thread goes on when it is resumed.

    Attributes:
        question: What the graph asks, as plain JSON.
    """

    def __init__(self, thread: str, question: Any) -> None:
        super().__init__(f"thread {thread!r} is paused")
        self.thread = thread
        self.question = question

    def __reduce__(self) -> tuple[Any, ...]:  # else it would be made anew from its message alone
        return type(self), (self.thread, self.question), vars(self)
