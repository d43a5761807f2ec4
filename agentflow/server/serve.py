"""Listen, until told to stop."""

from __future__ import annotations

import ipaddress
import signal
import socket
from collections.abc import Callable, Mapping
from types import FrameType

import uvicorn

from agentflow.errors import BadInput
from agentflow.server.app import application
from agentflow.server.connections import Protocol
from agentflow.server.offers import Offer
from agentflow.server.settings import ServeSettings


async def serve(
    settings: ServeSettings, offers: Mapping[str, Offer], ready: Callable[[str], None]
) -> None:
    """Serve until SIGTERM or Ctrl-C: then no more is accepted, and what runs has its grace.

    Args:
        ready: Told the base URL once requests are accepted.

    Raises:
        BadInput: If the address cannot be listened on, or is not loopback and there are no keys.
    """
    await listen(application(settings, offers), settings, "/v1", ready)


async def listen(
    app: object, settings: ServeSettings, path: str, ready: Callable[[str], None]
) -> None:
    """Serve an ASGI application; as :func:`serve`.

    Args:
        path: What stands behind the address in what ``ready`` is told.
    """
    if not settings.keys and not _is_loopback(settings.host):
        raise BadInput(
            f"{settings.host} can be reached from elsewhere: name keys first ([serve.keys.NAME] in "
            "the settings file, or AGENTFLOW_API_KEY), or listen on 127.0.0.1"
        )
    listening = _listen(settings.host, settings.port)
    server = Server(configuration(app, settings))
    host, port = listening.getsockname()[:2]
    # Heard from now on; uvicorn raises it again when it has stopped, which then does nothing.
    signal.signal(signal.SIGTERM, server.handle_exit)
    with listening:
        ready(f"http://{f'[{host}]' if ':' in host else host}:{port}{path}")
        await server.serve([listening])


class Server(uvicorn.Server):
    """uvicorn's; a second signal ends the grace of what still runs, and the server stops in order
    all the same."""

    _ending = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal; behind the second one it is uvicorn's, which then waits for nothing."""
        if self.should_exit and not self._ending:
            self._ending = True
            for task in self.server_state.tasks:
                task.cancel()
            return
        super().handle_exit(sig, frame)


def configuration(app: object, settings: ServeSettings) -> uvicorn.Config:
    """uvicorn's."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=Protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=settings.grace_seconds,
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM
        )[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        raise BadInput(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    return listening
