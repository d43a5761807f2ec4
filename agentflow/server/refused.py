"""A request that is answered with an error; each API has words of its own for it."""

from __future__ import annotations


class Refused(Exception):
    """A request that is answered with an error.

    Attributes:
        status: HTTP's.
        code: A word for programs.
        param: The parameter that is wrong.
        retry_after: Seconds after which to ask again.
    """

    def __init__(
        self,
        status: int,
        message: str,
        code: str,
        param: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(status, message, code)  # by which it is made anew where it is unpickled
        self.message = message
        self.status, self.code, self.param, self.retry_after = status, code, param, retry_after

    def __str__(self) -> str:
        return self.message
