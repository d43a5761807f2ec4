"""Where threads are kept: a SQLite file, or a Postgres database."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sqlite3
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import ERROR

from agentflow.errors import AgentflowError, BadInput
from agentflow.version import install

if TYPE_CHECKING:
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

_SHORTEST = 1024
"""Bytes below which compression wins nothing."""
_PACKED = "+zlib"
_MARKS = frozenset({*WRITES_IDX_MAP, "__error_source_node__"})
"""What LangGraph itself writes about a task; the last tells that an error handler has it."""


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """Where threads are kept.

    Attributes:
        where: For people: the file or the database.
        saver: LangGraph's checkpointer.
        journals: The folder of the journals of streams under way.
        options: What names the place on the command line, where it is not the default.
    """

    where: str
    saver: BaseCheckpointSaver[str]
    journals: Path
    options: tuple[str, ...] = ()

    def command(self, *words: str) -> str:
        """One of our commands on these threads, as it is typed."""
        return shlex.join(["agentflow", *words, *self.options])


class NoThreads(BadInput):
    """There is no file of threads to be read."""


def default_checkpoints() -> str:
    """``AGENTFLOW_CHECKPOINTS``, or a file under the user's state folder."""
    return os.environ.get("AGENTFLOW_CHECKPOINTS") or str(_state_folder() / "threads.sqlite")


def _state_folder() -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME", "")).expanduser()
    if not state.is_absolute():  # to be ignored, as its specification says
        state = Path("~/.local/state").expanduser()
    return state / "agentflow"


@asynccontextmanager
async def open_checkpoints(
    where: str | Path | None = None, *, make: bool = True
) -> AsyncIterator[Checkpoints]:
    """Open a SQLite file or a Postgres database.

    Args:
        where: A path, or a URL that starts with ``postgresql://``; None for
            :func:`default_checkpoints`.
        make: Whether to make a file where there is none.

    Raises:
        NoThreads: If there is no such file, and none is to be made.
        BadInput: If it cannot be opened.
        AgentflowError: If it fails later: the disk is full, the file is damaged, or the database
            is gone.
    """
    if not isinstance(where, str | Path | None):
        raise BadInput(f"checkpoints: {where!r:.60} is no path and no URL of a database")
    given, where = where, str(where or default_checkpoints())
    if where.startswith(("postgresql://", "postgres://")):
        shown = where.rpartition("@")[2]  # without the password
        journals = _state_folder() / f"{quote(shown, safe='')}.journals"
        options = ("--checkpoints", re.sub(r"(://[^/:@]*):[^/]*@", r"\1@", where)) if given else ()
        async with _postgres(where) as saver:
            yield Checkpoints(shown, saver, journals, options)
        return
    if "://" in where:
        raise BadInput(
            f"{where.partition('://')[0]}://: threads are kept in a SQLite file or at "
            "postgresql://USER@HOST/DATABASE; name one of these with --checkpoints"
        )
    path = Path(where)
    if not (make or await asyncio.to_thread(path.exists)):
        raise NoThreads(
            f"{path}: there is no such file of threads; name another with --checkpoints, or begin "
            "a thread with `agentflow solve --thread NAME`"
        )
    options = ("--checkpoints", where) if given else ()
    async with _sqlite(path) as saver:
        yield Checkpoints(where, saver, path.with_name(path.name + ".journals"), options)


class Damaged(ValueError):
    """What stands in the database was not written by a saver."""


@dataclass(frozen=True, slots=True)
class _Compressed(SerializerProtocol):
    """Another serializer, its longer output compressed; reads what that one wrote as well."""

    inner: SerializerProtocol

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        kind, data = self.inner.dumps_typed(obj)
        if len(data) < _SHORTEST:
            return kind, data
        return kind + _PACKED, zlib.compress(data, 1)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        kind, packed = data
        try:
            if kind.endswith(_PACKED):
                return self.inner.loads_typed((kind.removesuffix(_PACKED), zlib.decompress(packed)))
            return self.inner.loads_typed(data)
        except Exception as error:  # of any kind: who reads it depends on what stands there
            raise Damaged(f"{type(error).__name__}: {error}") from error


class _Guarded(BaseCheckpointSaver[str]):
    """Keeps no output of a task that failed, and tells what is damaged from what is a bug.

    A task that is cancelled between its writes and its edges has written half of what it had to,
    and LangGraph would take it for finished when the thread is resumed.
    """

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        with _reading():
            return await super().aget_tuple(config)

    async def alist(
        self, config: RunnableConfig | None, **which: Any
    ) -> AsyncIterator[CheckpointTuple]:
        with _reading():
            async for found in super().alist(config, **which):
                yield found

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        with _reading():
            return await super().aget_delta_channel_history(config=config, channels=channels)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        if any(channel == ERROR for channel, _ in writes):
            writes = [write for write in writes if write[0] in _MARKS]
        await super().aput_writes(config, writes, task_id, task_path)


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Damaged(str(error)) from error


@asynccontextmanager
async def _connected(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    """A connection that is closed also where its opening is cancelled: aiosqlite leaves that to its
    thread, which may outlive the loop."""
    import aiosqlite

    opening = asyncio.ensure_future(aiosqlite.connect(path))
    try:
        yield await asyncio.shield(opening)
    finally:
        await (await opening).close()


@asynccontextmanager
async def _sqlite(path: Path) -> AsyncIterator[BaseCheckpointSaver[str]]:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    class Saver(_Guarded, AsyncSqliteSaver):
        pass

    async with AsyncExitStack() as stack:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # What cannot be opened fails here: behind it aiosqlite would leave a thread.
            await asyncio.to_thread(lambda: sqlite3.connect(path).close())
            connection = await stack.enter_async_context(_connected(path))
            saver = Saver(connection)
            saver.serde = _Compressed(saver.serde)
            stack.push_async_callback(_come_to_rest, saver)
            await saver.setup()  # turns write-ahead logging on
            await connection.execute("PRAGMA synchronous=NORMAL")
        except (OSError, sqlite3.Error) as error:
            raise BadInput(_told(path, error)) from error
        try:
            yield saver
        except (sqlite3.Error, Damaged) as error:
            raise AgentflowError(_told(path, error)) from error


_REMEDIES = {
    sqlite3.SQLITE_FULL: "the disk is full: make room, and `agentflow resume` goes on from the "
    "last checkpoint",
    sqlite3.SQLITE_BUSY: "another program holds it: end that, or name another with --checkpoints",
    sqlite3.SQLITE_IOERR: "see that its disk has room and works, or name another with "
    "--checkpoints",
    sqlite3.SQLITE_NOTADB: "it is damaged, or none: name another with --checkpoints",
    sqlite3.SQLITE_CORRUPT: "it is damaged: take a copy of it, or name another with --checkpoints",
}


def _told(path: Path, error: Exception) -> str:
    """What is wrong with a file of threads, and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # what stands above says more exactly
    if isinstance(error, Damaged):
        code = sqlite3.SQLITE_CORRUPT
    remedy = _REMEDIES.get(code, "name another with --checkpoints")
    return f"{path}: cannot be used as a database of threads ({error}); {remedy}"


async def _come_to_rest(saver: AsyncSqliteSaver) -> None:
    """Wait for the last writes of a run that was left: LangGraph does not.

    A connection closed in the middle of one would keep the file locked.
    """
    for _ in range(5):  # a write begins a turn or two of the loop behind the run's end
        await asyncio.sleep(0)
        async with saver.lock:
            pass
    await saver.conn.rollback()


@asynccontextmanager
async def _postgres(url: str) -> AsyncIterator[BaseCheckpointSaver[str]]:
    try:
        import psycopg
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    except ImportError as error:
        raise BadInput(
            f"a Postgres database needs more packages ({error}); {install('postgres')}"
        ) from error

    class Saver(_Guarded, AsyncPostgresSaver):
        pass

    async with AsyncExitStack() as stack:
        try:
            saver = await stack.enter_async_context(Saver.from_conn_string(url))
            saver.serde = _Compressed(saver.serde)
            await saver.setup()
        except psycopg.Error as error:
            raise BadInput(f"Postgres does not answer ({' '.join(str(error).split())})") from error
        try:
            yield saver
        except Damaged as error:
            raise AgentflowError(f"Postgres: a checkpoint is damaged ({error})") from error
        except psycopg.Error as error:
            raise AgentflowError(
                f"Postgres broke off ({' '.join(str(error).split())}); `agentflow resume` goes on "
                "from the last checkpoint"
            ) from error
