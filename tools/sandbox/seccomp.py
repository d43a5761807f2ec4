"""The system calls that a program may make, as a seccomp filter.

What is not named here is refused: a program that computes needs no more. Numbers are those of
x86-64 and aarch64, "-" where there is no such call.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Mapping
from itertools import pairwise

ALLOWED = """
access:21:- alarm:37:- arch_prctl:158:- brk:12:214 capget:125:90 chdir:80:49 chmod:90:-
clock_getres:229:114 clock_gettime:228:113 clock_nanosleep:230:115 close:3:57 close_range:436:436
copy_file_range:326:285 creat:85:- dup:32:23 dup2:33:- dup3:292:24 epoll_create:213:-
epoll_create1:291:20 epoll_ctl:233:21 epoll_pwait:281:22 epoll_pwait2:441:441 epoll_wait:232:-
eventfd:284:- eventfd2:290:19 exit:60:93 exit_group:231:94 faccessat:269:48 faccessat2:439:439
fadvise64:221:223 fallocate:285:47 fchdir:81:50 fchmod:91:52 fchmodat:268:53 fdatasync:75:83
fstat:5:80 fstatfs:138:44 fsync:74:82 ftruncate:77:46 futex:202:98 futex_waitv:449:449
futimesat:261:- get_robust_list:274:100 getcpu:309:168 getcwd:79:17 getdents:78:-
getdents64:217:61 getegid:108:177 geteuid:107:175 getgid:104:176 getgroups:115:158
getitimer:36:102 getpeername:52:205 getpgid:121:155 getpgrp:111:- getpid:39:172 getppid:110:173
getpriority:140:141 getrandom:318:278 getresgid:120:150 getresuid:118:148 getrlimit:97:163
getrusage:98:165 getsid:124:156 getsockname:51:204 getsockopt:55:209 gettid:186:178
gettimeofday:96:169 getuid:102:174 kill:62:129 link:86:- linkat:265:37 lseek:8:62 lstat:6:-
madvise:28:233 membarrier:324:283 mkdir:83:- mkdirat:258:34 mmap:9:222 mprotect:10:226
mremap:25:216 msync:26:227 munmap:11:215 nanosleep:35:101 newfstatat:262:79 open:2:- openat:257:56
pause:34:- pipe:22:- pipe2:293:59 poll:7:- ppoll:271:73 pread64:17:67 preadv:295:69
preadv2:327:286 prlimit64:302:261 pselect6:270:72 pwrite64:18:68 pwritev:296:70 pwritev2:328:287
read:0:63 readlink:89:- readlinkat:267:78 readv:19:65 recvfrom:45:207 recvmsg:47:212 rename:82:-
renameat:264:38 renameat2:316:276 restart_syscall:219:128 rmdir:84:- rseq:334:293
rt_sigaction:13:134 rt_sigpending:127:136 rt_sigprocmask:14:135 rt_sigreturn:15:139
rt_sigsuspend:130:133 rt_sigtimedwait:128:137 sched_get_priority_max:146:125
sched_get_priority_min:147:126 sched_getaffinity:204:123 sched_getparam:143:121
sched_getscheduler:145:120 sched_yield:24:124 select:23:- sendfile:40:71 sendmsg:46:211
sendto:44:206 set_robust_list:273:99 set_tid_address:218:96 setitimer:38:103 setrlimit:160:164
shutdown:48:210 sigaltstack:131:132 stat:4:- statfs:137:43 statx:332:291 symlink:88:-
symlinkat:266:36 sysinfo:99:179 tgkill:234:131 time:201:- timerfd_create:283:85
timerfd_gettime:287:87 timerfd_settime:286:86 times:100:153 tkill:200:130 truncate:76:45
umask:95:166 uname:63:160 unlink:87:- unlinkat:263:35 utime:132:- utimensat:280:88 utimes:235:-
wait4:61:260 waitid:247:95 write:1:64 writev:20:66
"""

EXECUTE = "execve:59:221 execveat:322:281"
"""Only where programs of the host are mounted; the new program replaces the call's own."""
NO_PROCESS = "fork:57:- vfork:58:-"
ABSENT = "clone3:435:435 openat2:437:437"
"""What the C library does another way where the kernel is too old to know it."""
NEWEST = 462
"""Calls from this number on are newer than this list."""
THREAD = 0x10000
"""CLONE_THREAD."""
NAMESPACES = 0x7E020000
"""The CLONE_NEW* bits."""
IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
FCNTLS = (*range(8), 1030, 1032)
"""Up to F_SETLKW, F_DUPFD_CLOEXEC, F_GETPIPE_SZ. A lease on a file would hold up its owner outside,
larger pipes hold memory that no limit counts."""
PRCTLS = (3, 15, 16, 21, 23, 39, 0x53564D41)
"""PR_GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, GET_NO_NEW_PRIVS, SET_VMA."""
ARGUMENTS = {
    "clone:56:220": (0, THREAD | NAMESPACES, (THREAD,), errno.EAGAIN),
    "fcntl:72:25": (1, 0xFFFFFFFF, FCNTLS, errno.EPERM),
    "ioctl:16:29": (1, 0xFFFFFFFF, IOCTLS, errno.ENOTTY),
    "prctl:157:167": (0, 0xFFFFFFFF, PRCTLS, errno.EPERM),
    "socketpair:53:199": (0, 0xFFFFFFFF, (1,), errno.EPERM),
}
"""Calls allowed where argument & mask is one of these values; else this error."""
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine: (its column in the lists, its AUDIT_ARCH)."""
X32 = 0x40000000
"""x32 calls on x86-64 have this bit."""

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, AND, RETURN, JUMP, IF_EQUAL, IF_NOT_LESS = 0x20, 0x54, 0x06, 0x05, 0x15, 0x35
Line = tuple[int, int, int, int]
"""(code, jump if true, jump if false, value) of one BPF instruction."""


def filter_for(machine: str = platform.machine(), *, execute: bool = False) -> bytes:
    """The filter as the kernel reads it (`struct sock_filter[]`).

    Args:
        machine: As `platform.machine()` names it.
        execute: Whether the process may become another program.

    Raises:
        KeyError: A machine whose system calls are not listed here.
    """
    column, arch = MACHINES[machine]
    start = [(LOAD, 0, 0, 4), (IF_EQUAL, 1, 0, arch), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    if machine == "x86_64":
        start += [(IF_NOT_LESS, 0, 1, X32), (RETURN, 0, 0, KILL)]
    lines = start + tree(spans(actions(column, execute)))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def actions(column: int, execute: bool) -> dict[int, list[Line]]:
    """What is done for each call that is listed."""
    listed: dict[int, list[Line]] = {}

    def put(text: str, lines: list[Line]) -> None:
        for call in text.split():
            number = call.split(":")[1 + column]
            if number != "-":
                listed[int(number)] = lines

    put(ALLOWED + (EXECUTE if execute else ""), [(RETURN, 0, 0, ALLOW)])
    put(ABSENT, refuse(errno.ENOSYS))
    put(NO_PROCESS, refuse(errno.EAGAIN))
    for call, (argument, mask, values, error) in ARGUMENTS.items():
        lines = [(LOAD, 0, 0, 16 + 8 * argument), (AND, 0, 0, mask)]
        lines += [(IF_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
        put(call, [*lines, *refuse(error), (RETURN, 0, 0, ALLOW)])
    return listed


def refuse(error: int) -> list[Line]:
    return [(RETURN, 0, 0, ERRNO | error)]


def spans(listed: Mapping[int, list[Line]]) -> list[tuple[int, list[Line]]]:
    """[(first number, what is done from there on)], ascending from 0."""
    every = [listed.get(number, refuse(errno.EPERM)) for number in range(NEWEST)]
    every.append(refuse(errno.ENOSYS))
    starts = [i + 1 for i, (one, other) in enumerate(pairwise(every)) if one != other]
    return [(start, every[start]) for start in (0, *starts)]


def tree(parts: list[tuple[int, list[Line]]]) -> list[Line]:
    """The spans as a search by halves: a filter is run for every call."""
    if len(parts) == 1:
        return parts[0][1]
    middle = len(parts) // 2
    low, high = tree(parts[:middle]), tree(parts[middle:])
    return [(IF_NOT_LESS, 0, 1, parts[middle][0]), (JUMP, 0, 0, len(low)), *low, *high]
