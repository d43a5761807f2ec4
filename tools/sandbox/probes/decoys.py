"""What the attacks are aimed at: files, servers, processes and names made for the purpose.

No attack touches anything else of the host, so that a control, which succeeds, does no harm.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

VARIABLE = "AGENTFLOW_DECOY"
"""The environment variable that the check's own process sets before the sandbox starts."""

VICTIM = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)  # any process may trace this one
kept = ctypes.create_string_buffer(sys.argv[1].encode())
file = open(sys.argv[2])
os.dup2(file.fileno(), 9)
print(ctypes.addressof(kept), flush=True)
sys.stdin.read()
"""


@dataclass
class Decoys:
    """The decoys of one check.

    Attributes:
        folder: Holds all of its files.
        secret: What a reader should not learn.
        facts: What the attacking programs are told, but for what differs from run to run.
    """

    folder: Path
    secret: str
    facts: dict[str, Any]
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 10**6)))
    token: str = field(default_factory=lambda: secrets.token_hex(3))

    def marker(self) -> str:
        """A name that nothing else on this host has; a process can bear it (15 characters)."""
        return f"af{self.token}{next(self.numbers)}"

    def places(self) -> list[Path]:
        """Where files could have been left."""
        user = f"/run/user/{os.getuid()}"
        installed = [*self.facts["installation"], *filter(None, sys.path)]
        listed = ["/", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/etc", "/usr", "/run", user]
        listed += ["/usr/bin", "/lib", "/home", "/root", self.facts["home"], os.getcwd()]
        return [Path(place) for place in dict.fromkeys([*listed, *installed])] + [self.folder]

    def left(self, marker: str) -> list[Path]:
        """The files on the host that bear the name."""
        found = []
        for place in self.places():
            with contextlib.suppress(OSError):
                names = os.listdir(place)
                found += [place / name for name in names if name.split(".")[0] == marker]
        return found


@dataclass(frozen=True, slots=True)
class Victim:
    """Its process number, and where in its memory the secret is."""

    number: int
    address: int


@contextlib.contextmanager
def decoys() -> Iterator[Decoys]:
    """Make them; take them away at the end."""
    folder = Path(tempfile.mkdtemp(prefix="agentflow-check-"))
    secret = secrets.token_hex(16)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        file = folder / "secret"
        file.write_text(secret)
        formula = folder / "formula.smt2"
        formula.write_text(f"(declare-const x{secret} Bool) (assert x{secret})")
        (folder / "program.py").write_text("")
        facts = {
            "secret": secret,
            "secret_file": str(file),
            "formula_file": str(formula),
            "folder": str(folder),
            "program": str(folder / "program.py"),
            "variable": VARIABLE,
            "home": os.path.expanduser("~"),
            "installation": list(dict.fromkeys((sys.prefix, sys.base_prefix))),
            "host_name": socket.gethostname(),
            "boot": boot(),
            "handle": handle(file),
            **stack.enter_context(servers(folder, secret)),
        }
        os.environ[VARIABLE] = secret
        stack.callback(os.environ.pop, VARIABLE, None)
        opened = os.open(folder, os.O_RDONLY)
        os.set_inheritable(opened, True)
        stack.callback(os.close, opened)
        yield Decoys(folder, secret, facts)


def boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "none"


def handle(file: Path) -> str:
    """The handle of a file as hexadecimal digits (struct file_handle); empty if it has none."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = ctypes.create_string_buffer(8 + 128)
    ctypes.memmove(found, (128).to_bytes(4, sys.byteorder), 4)
    mount = ctypes.c_int()
    failed = libc.name_to_handle_at(-100, str(file).encode(), found, ctypes.byref(mount), 0)
    return "" if failed else bytes(found).hex()


@contextlib.contextmanager
def servers(folder: Path, secret: str) -> Iterator[dict[str, Any]]:
    """Servers that tell the secret to whoever comes."""
    token = secrets.token_hex(8)
    path, abstract = str(folder / "socket"), f"agentflow-{token}"
    with contextlib.ExitStack() as stack:
        listening: dict[str, socket.socket] = {}

        def listen(name: str, family: int, kind: int, address: Any) -> None:
            server = stack.enter_context(socket.socket(family, kind))
            with contextlib.suppress(OSError):  # a host without IPv6: no control of that probe
                server.bind(address)
                if kind == socket.SOCK_STREAM:
                    server.listen(16)
                listening[name] = server

        listen("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        if socket.has_ipv6:
            listen("tcp6", socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0))
        listen("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        listen("unix", socket.AF_UNIX, socket.SOCK_STREAM, path)
        listen("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract)
        ours, theirs = socket.socketpair()
        stack.enter_context(ours)
        stack.enter_context(theirs)
        selector = stack.enter_context(selectors.DefaultSelector())
        for server in (*listening.values(), theirs):
            selector.register(server, selectors.EVENT_READ)
        told = (selector, theirs, secret.encode())
        thread = threading.Thread(target=tell, args=told, daemon=True)
        thread.start()
        stack.callback(thread.join)
        stack.callback(ours.send, b"end")
        ports = {
            name: listening[name].getsockname()[1] if name in listening else 1
            for name in ("tcp", "tcp6", "udp")
        }
        yield {**ports, "unix": path, "abstract": abstract}


def tell(selector: selectors.BaseSelector, stop: socket.socket, secret: bytes) -> None:
    """Answer until there is something to read on ``stop``."""
    while True:
        for key, _ in selector.select():
            server = key.fileobj
            assert isinstance(server, socket.socket)
            if server is stop:
                return
            with contextlib.suppress(OSError):
                if server.type == socket.SOCK_DGRAM:
                    asked, sender = server.recvfrom(512)
                    server.sendto(named(asked) if len(asked) > 12 else secret, sender)
                else:
                    connection, _ = server.accept()
                    with connection:
                        connection.send(secret)


def named(question: bytes) -> bytes:
    """A name server's answer: every name is 127.0.0.1."""
    head = question[:2] + b"\x81\x80\0\x01\0\x01\0\0\0\0"
    return head + question[12:] + b"\xc0\x0c\0\x01\0\x01\0\0\0\0\0\x04\x7f\0\0\x01"


@contextlib.contextmanager
def victim(decoys: Decoys, marker: str) -> Iterator[Victim]:
    """A process to attack."""
    command = [sys.executable, "-I", "-S", "-c", VICTIM]
    with subprocess.Popen(
        [*command, decoys.secret, decoys.facts["secret_file"], marker],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        try:
            yield Victim(process.pid, int(process.stdout.readline()))
        finally:
            process.kill()
