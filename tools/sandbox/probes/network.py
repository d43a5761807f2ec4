"""Attacks through the network, and on whoever listens on this host."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from typing import Any

from agentflow.tools.sandbox.probes.prelude import (
    NEWNET,
    any_succeeds,
    content,
    libc,
    tells,
    unshare,
)
from agentflow.tools.sandbox.probes.probe import probe


@probe()
def tcp(data: dict[str, Any]) -> bool:
    """Connects to a listening port of the host."""
    with socket.create_connection(("127.0.0.1", data["tcp"]), 3) as connection:
        return tells(connection.recv(100), data)


@probe(needs="IPv6")
def tcp6(data: dict[str, Any]) -> bool:
    """Connects to a listening port of the host over IPv6."""
    with socket.create_connection(("::1", data["tcp6"]), 3) as connection:
        return tells(connection.recv(100), data)


@probe()
def udp(data: dict[str, Any]) -> bool:
    """Sends a datagram to the host."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(3)
        sender.sendto(b"?", ("127.0.0.1", data["udp"]))
        return tells(sender.recv(100), data)


@probe()
def unix_path(data: dict[str, Any]) -> bool:
    """Connects to a Unix socket of the host by its path."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(3)
        connection.connect(data["unix"])
        return tells(connection.recv(100), data)


@probe()
def unix_abstract(data: dict[str, Any]) -> bool:
    """Connects to a Unix socket of the host in the abstract name space."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(3)
        connection.connect("\0" + data["abstract"])
        return tells(connection.recv(100), data)


@probe()
def resolver(data: dict[str, Any]) -> bool:
    """Asks a name server through C's resolver: data leaves in the names that are asked for."""

    class Resolver(ctypes.Structure):  # the head of struct __res_state in resolv.h
        _fields_ = (
            ("retransmit", ctypes.c_int),
            ("retry", ctypes.c_int),
            ("options", ctypes.c_ulong),
            ("count", ctypes.c_int),
            ("servers", ctypes.c_ubyte * 48),
            ("rest", ctypes.c_ubyte * 1024),
        )

    state = Resolver()
    libc.__res_ninit(ctypes.byref(state))
    state.count, state.retry, state.retransmit = 1, 1, 2
    server = struct.pack("=HH4s8x", socket.AF_INET, socket.htons(data["udp"]), b"\x7f\0\0\x01")
    ctypes.memmove(state.servers, server, len(server))
    answer = ctypes.create_string_buffer(512)
    question = f"{data['marker']}.example.org".encode()
    return bool(libc.res_nquery(ctypes.byref(state), question, 1, 1, answer, 512) > 0)


@probe()
def host_by_name(data: dict[str, Any]) -> bool:
    """Looks a name up as every program does."""
    try:
        return bool(socket.getaddrinfo("localhost", 80))
    except socket.gaierror:
        return False


@probe()
def families(data: dict[str, Any]) -> bool:
    """Opens a socket of any family but Unix, in any of the four types."""
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
    wanted = [(family, kind) for family in range(2, 47) for kind in kinds]
    return any_succeeds(lambda one: socket.socket(*one).close(), wanted)


@probe()
def netlink(data: dict[str, Any]) -> bool:
    """Asks the kernel over netlink for the interfaces and routes."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as kernel:
        kernel.bind((0, 0))
        kernel.send(struct.pack("=IHHII", 17, 18, 0x301, 1, 0) + b"\0")  # RTM_GETLINK, a dump
        return len(kernel.recv(65536)) > 16


@probe()
def packets(data: dict[str, Any]) -> bool:
    """Reads the packets of a link."""
    unshare(NEWNET)
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)).close()
    return True


@probe()
def raw_ip(data: dict[str, Any]) -> bool:
    """Makes up IP packets of its own."""
    unshare(NEWNET)
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW).close()
    return True


@probe(needs="a kernel with vsock")
def hypervisor(data: dict[str, Any]) -> bool:
    """Speaks to the machine that runs this one (vsock)."""
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()
    return True


@probe(needs="a kernel with its cryptography open to programs")
def kernel_cryptography(data: dict[str, Any]) -> bool:
    """Reaches the kernel's cryptography (AF_ALG)."""
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close()
    return True


@probe(needs="a kernel with Bluetooth")
def bluetooth(data: dict[str, Any]) -> bool:
    """Opens a Bluetooth socket."""
    family, host_controller = 31, 1  # Python may have been built without the names
    socket.socket(family, socket.SOCK_RAW, host_controller).close()
    return True


@probe()
def interfaces(data: dict[str, Any]) -> bool:
    """Reads the host's interfaces, addresses or connections in /proc/net."""
    text = content("/proc/net/dev").decode().split("\n")[2:]
    links = {line.split(":")[0].strip() for line in text if ":" in line} - {"lo"}
    return bool(links) or len(content("/proc/net/unix").splitlines()) > 3


@probe()
def host_name(data: dict[str, Any]) -> bool:
    """Learns the host's name, or changes it."""
    return bool(os.uname().nodename == data["host_name"])
