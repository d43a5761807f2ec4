"""The jail: around the zygote once, around each call anew.

Around the zygote: user, PID, mount, network, IPC and UTS namespaces, and a file system that holds
the Python installation, read-only, and nothing else: no /proc, no /etc, no /home. Around a call:
a PID namespace, an empty scratch folder in a mount namespace, a user namespace in which it has no
capability (so that its threads are counted apart), Landlock and seccomp.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import socket
import stat
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentflow.tools.sandbox import kernel
from agentflow.tools.sandbox.seccomp import filter_for

SCRATCH = "/scratch"
USER = 1000
"""Who the zygote is in its namespace."""
NEW_ROOT = "/tmp"
"""A folder that every machine has, to build the new root upon."""
LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Links in many a root folder."""
DEVICES = ("null", "zero", "urandom")
LOADERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
"""What programs other than Python may need."""
LIBRARY = re.compile(r"(/\S.*)/[^/]*\.so[.\d]*$")
"""The folder of a shared library, in a line of /proc/self/maps."""
WRITE = 0x7FFF & ~kernel.EXECUTE & ~(1 << 6) & ~(1 << 11)
"""All that Landlock tells apart but to execute and to make devices."""
READ = kernel.READ_FILE | kernel.READ_DIR
INODES = 1024
"""Files in the scratch folder."""


class JailError(Exception):
    """A step of building the jail failed.

    Attributes:
        step: Its name.
        number: The errno.
    """

    def __init__(self, step: str, number: int) -> None:
        super().__init__(step, number)  # by which it is made anew where it is unpickled
        self.step, self.number = step, number

    def __str__(self) -> str:
        return f"{self.step}: {os.strerror(self.number)}"


@contextlib.contextmanager
def step(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise JailError(name, error.errno or 0) from error
    except KeyError as error:
        raise JailError(f"{name} on {error}", 0) from error


# Around the zygote


def leave_host(client: socket.socket) -> int:
    """Enter new namespaces, as nobody: 0 in the process that goes on, else the pid of that.

    The client, which stays outside, writes who we are in them.
    """
    os.umask(0o022)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("800")  # a program that eats the memory dies before who runs it
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):
            os.setgroups([])
    with step("user namespace"):
        kernel.unshare(kernel.CLONE_NEWUSER)
    for name in ("PID", "NET", "IPC", "UTS"):
        with step(f"{name} namespace"):
            kernel.unshare(getattr(kernel, f"CLONE_NEW{name}"))
    client.send(b'{"map": true}')
    if not client.recv(1):
        raise SystemExit
    return os.fork()


def leave_files(mounts: Sequence[str], folders: Sequence[str]) -> None:
    """Make the installation all there is to see.

    Args:
        mounts: Files and folders of the host to show too.
        folders: Where the libraries are.
    """
    with step("mount namespace"):
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "none", kernel.MS_REC | kernel.MS_PRIVATE)
    links = {name: os.readlink(f"/{name}") for name in LINKS if os.path.islink(f"/{name}")}
    # Opened as who we are outside: root's own folders are closed to who we shall be.
    shown = {
        path: os.open(path, os.O_PATH)
        for path in (*installation(mounts, folders), *(f"/dev/{name}" for name in DEVICES))
    }
    with step("user map"):
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    with step("tmpfs"):
        kernel.mount("tmpfs", NEW_ROOT, "tmpfs", kernel.MS_NOSUID, "mode=755,size=1m")
    with step("bind mount"):
        for path, descriptor in shown.items():
            show(path, descriptor)
    for name, target in links.items():
        with contextlib.suppress(FileExistsError):
            os.symlink(target, f"{NEW_ROOT}/{name}")
    os.mkdir(NEW_ROOT + SCRATCH)
    if not os.path.lexists(f"{NEW_ROOT}/tmp"):
        os.symlink(SCRATCH, f"{NEW_ROOT}/tmp")
    if mounts:  # programs look themselves up there; what they find, the call may write
        os.symlink(f"{SCRATCH}/proc", f"{NEW_ROOT}/proc")
    with step("pivot_root"):
        os.chdir(NEW_ROOT)
        kernel.pivot_root(".", ".")
        kernel.umount(".", kernel.MNT_DETACH)
        os.chdir("/")
        remount("/", kernel.MS_NOSUID | kernel.MS_NODEV)
    with step("UTS namespace"):
        socket.sethostname("sandbox")


def installation(mounts: Sequence[str], folders: Sequence[str]) -> list[str]:
    """What to show: the standard library, the libraries, and the shared libraries loaded by now."""
    paths = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *folders, *mounts}
    with open("/proc/self/maps") as file:
        paths |= {found[1] for line in file if (found := LIBRARY.search(line.rstrip()))}
    if mounts:
        paths |= {path for path in LOADERS if not os.path.islink(path)}
    paths.add("/etc/ld.so.cache")
    there = sorted(path for path in map(os.path.normpath, paths) if os.path.exists(path))
    return [path for path in there if not any(path.startswith(f"{other}/") for other in there)]


def show(path: str, descriptor: int) -> None:
    """Bind a file or folder of the host to the same place in the new root."""
    target = NEW_ROOT + path
    device = path.startswith("/dev/")
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT, 0o444))
    flags = kernel.MS_BIND | kernel.MS_REC
    kernel.mount(f"/proc/self/fd/{descriptor}", target, "none", flags)
    os.close(descriptor)
    remount(target, kernel.MS_NOSUID | (0 if device else kernel.MS_NODEV))


def remount(path: str, flags: int) -> None:
    """Make a mount read-only; the flags that it has are kept, as the kernel demands."""
    kept = os.statvfs(path).f_flag
    flags |= kept & 0xC0E  # nosuid, nodev, noexec, noatime, nodiratime have the same bits in both
    flags |= kernel.MS_RELATIME if kept & 0x1000 else 0
    flags |= kernel.MS_BIND | kernel.MS_REMOUNT | kernel.MS_RDONLY
    kernel.mount("none", path, "none", flags)


# Around a call


@dataclass(frozen=True, slots=True)
class Jail:
    """What the jail of a call is built from.

    Attributes:
        namespace: A descriptor of the zygote's own PID namespace.
        landlock: The kernel's Landlock ABI.
        filter: The seccomp filter.
        rights: What Landlock allows on all files.
    """

    namespace: int
    landlock: int
    filter: bytes
    rights: int


def build(mounts: Sequence[str], folders: Sequence[str]) -> Jail:
    """Leave the host's files, and prepare the jails of calls.

    Args:
        mounts: Files and folders of the host to show too; programs there may be executed.
        folders: Where the libraries are.
    """
    with step("seccomp"):
        code = filter_for(execute=bool(mounts))
    with step("PID namespace"):
        namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    leave_files(mounts, folders)
    rights = READ | (kernel.EXECUTE if mounts else 0)
    return Jail(namespace, kernel.landlock_version(), code, rights)


def fork_inside(jail: Jail) -> int:
    """os.fork() into a PID namespace of its own."""
    kernel.unshare(kernel.CLONE_NEWPID)
    pid = None
    try:
        pid = os.fork()
    finally:
        if pid != 0:  # the next child of the zygote is to be its own again
            kernel.setns(jail.namespace, kernel.CLONE_NEWPID)
    return pid


def shut(jail: Jail, limits: Mapping[str, Any], size: int) -> None:
    """Shut the process of a call in; what it does from here on cannot undo it.

    Args:
        jail: What it is built from.
        limits: `Limits` as a dict.
        size: Bytes of address space of the zygote.
    """
    kernel.unshare(kernel.CLONE_NEWNS)
    options = f"mode=700,size={int(limits['file_mib'] * 2**20)},nr_inodes={INODES}"
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("tmpfs", SCRATCH, "tmpfs", flags, options)
    os.chdir(SCRATCH)
    kernel.unshare(kernel.CLONE_NEWUSER)
    restrict(limits, size)
    resource.setrlimit(resource.RLIMIT_NPROC, (int(limits["processes"]),) * 2)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # no core either where cores go to a program
    kernel.no_new_privileges()
    if jail.landlock:
        rules = [("/", jail.rights), ("/dev", READ | kernel.WRITE_FILE), (SCRATCH, WRITE)]
        kernel.landlock(jail.landlock, rules)
    kernel.seccomp(jail.filter)


def restrict(limits: Mapping[str, Any], size: int) -> None:
    """Set what the kernel counts for each process."""
    most = {
        resource.RLIMIT_AS: size + int(limits["memory_mib"] * 2**20),
        resource.RLIMIT_CPU: int(-(-limits["cpu_seconds"] // 1)),
        resource.RLIMIT_FSIZE: int(limits["file_mib"] * 2**20),
        resource.RLIMIT_NOFILE: 128,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: 128,
    }
    for which, value in most.items():
        resource.setrlimit(which, (value, value))
