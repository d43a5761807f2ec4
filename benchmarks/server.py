"""Whether the server stands 64 clients at once on the embedded engine.

    python benchmarks/server.py [--minutes 10] [--clients 64]

``agentflow serve`` runs in a process of its own. Its clients, with eight keys between them, ask for
Game of 24 one request after another, streamed or not, by several methods; a fifth of the requests
is left at a random point. One key may run fewer requests than it has clients, so that it is refused
some. The process' resident memory is read every tenth of the time.

Exits with 1 if a goal is missed: no reply but 200 and 429; every stream whole; no request is left
running at the end; memory grows by less than 5 % from the fifth tenth to the last (before that the
engine's prompt cache, 256 MB, fills; less than ten minutes say little); and SIGTERM ends the
process with 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import signal
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import monotonic

import aiohttp

from agentflow.evaluation.datasets import load

KEYS = 8
METHODS = ("direct", "interwhen", "early_exit")
LEFT = 0.2
"""Share of the requests that are left before they end."""
GROWTH = 1.05


@dataclass(slots=True)
class Seen:
    """What the clients saw."""

    replies: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)


async def client(
    number: int, url: str, key: str, puzzles: list[str], until: float, seen: Seen
) -> None:
    """One client: a request after another."""
    chance = random.Random(number)
    headers = {"authorization": f"Bearer {key}"}
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(headers=headers, timeout=timeout) as session:
        while monotonic() < until:
            streamed = chance.random() < 0.5
            body = {
                "model": f"{chance.choice(METHODS)}/agentflow-pocket",
                "messages": [{"role": "user", "content": chance.choice(puzzles)}],
                "max_tokens": 400,
                "stream": streamed,
            }
            work = ask(session, url, body, streamed, seen)
            if chance.random() < LEFT:
                try:
                    await asyncio.wait_for(work, chance.uniform(0, 3))
                except TimeoutError:
                    seen.replies["left"] += 1
            else:
                await work


async def ask(
    session: aiohttp.ClientSession, url: str, body: dict[str, object], streamed: bool, seen: Seen
) -> None:
    """One request, and whether its reply is whole."""
    begun = monotonic()
    try:
        async with session.post(f"{url}/chat/completions", json=body) as reply:
            text = await reply.text()
    except aiohttp.ClientError as error:
        seen.wrong[type(error).__name__] += 1
        return
    seen.replies[str(reply.status)] += 1
    if reply.status == 429:
        await asyncio.sleep(float(reply.headers["retry-after"]))
    elif reply.status != 200:
        seen.wrong[f"{reply.status} {text[:200]}"] += 1
    elif streamed and not ('"status":' in text and text.endswith("data: [DONE]\n\n")):
        seen.wrong["a stream without its end"] += 1
    else:
        seen.seconds.append(monotonic() - begun)


def resident(pid: int) -> float:
    """Megabytes of a process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


async def memory(pid: int, seconds: float) -> list[float]:
    """Resident megabytes, every tenth of the time."""
    found = []
    for _ in range(10):
        await asyncio.sleep(seconds / 10)
        found.append(resident(pid))
    return found


async def running(url: str, key: str) -> float:
    """Requests that the server says are under way, once they had five seconds to end."""
    headers = {"authorization": f"Bearer {key}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        left = -1.0
        for _ in range(50):
            async with session.get(url.removesuffix("/v1") + "/metrics") as reply:
                lines = (await reply.text()).splitlines()
            left = float(next(x for x in lines if x.startswith("agentflow_running ")).split()[1])
            if not left:
                break
            await asyncio.sleep(0.1)
        return left


def written(folder: str, keys: list[str], clients: int) -> Path:
    """The server's settings file; the first key may run half of what its clients ask for."""
    share = clients // KEYS
    lines = [f"[serve]\nconcurrency = {share}\n"]
    for number, key in enumerate(keys):
        lines.append(f"[serve.keys.client{number}]\nmetrics = true")
        lines.append(f'sha256 = "{sha256(key.encode()).hexdigest()}"')
        if number == 0:
            lines.append(f"concurrency = {max(1, share // 2)}")
    path = Path(folder) / "serve.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


async def measure(minutes: float, clients: int) -> bool:
    """Run, print, and say whether every goal was met."""
    keys = [secrets.token_hex(16) for _ in range(KEYS)]
    puzzles = [problem.text for problem in load("game24")]
    seen, seconds = Seen(), minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("w") as errors:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "agentflow", "serve", "--port", "0"),
                *("--settings", str(written(folder, keys, clients))),
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
            )
        assert process.stdout is not None
        url = (await process.stdout.readline()).decode().strip()
        until = monotonic() + seconds
        megabytes, *_ = await asyncio.gather(
            memory(process.pid, seconds),
            *(
                client(number, url, keys[number % KEYS], puzzles, until, seen)
                for number in range(clients)
            ),
        )
        left = await running(url, keys[0])
        process.send_signal(signal.SIGTERM)
        code = await process.wait()
        lines = [json.loads(line) for line in log.read_text().splitlines()]
    ends = Counter(line["run"] for line in lines if "run" in line)
    tokens = sum(line["tokens"]["generated"] for line in lines if "tokens" in line)
    quick = sorted(seen.seconds)
    print(f"{clients} clients, {minutes:g} minutes: {dict(seen.replies)}")
    print(f"runs ended: {dict(ends)}; {tokens / seconds:.0f} generated tokens a second")
    print(f"seconds a reply: median {quick[len(quick) // 2]:.1f}, longest {quick[-1]:.1f}")
    print("resident MB: " + " ".join(f"{one:.0f}" for one in megabytes))
    print(f"left running: {left:g}; exit code {code}; wrong: {dict(seen.wrong) or 'nothing'}")
    flat = megabytes[-1] < GROWTH * megabytes[4]
    return not seen.wrong and left == 0 and code == 0 and flat


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--clients", type=int, default=64)
    given = parser.parse_args()
    met = asyncio.run(measure(given.minutes, given.clients))
    print("goals met" if met else "a goal is missed")
    sys.exit(not met)


if __name__ == "__main__":
    main()
