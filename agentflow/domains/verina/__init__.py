"""Verina: Lean 4 code for a described task, or its specification (Ye et al., 2025)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import dedent, indent
from typing import Any, ClassVar

from agentflow.domains.protocol import UNREAD, Domain
from agentflow.domains.python import remarks
from agentflow.domains.python.explanations import explained
from agentflow.domains.verina import lean_text
from agentflow.domains.verina.task import EXAMPLE, Signature, read, signature
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.trace import LINES
from agentflow.verdict import Verdict

PARTS = ("IMPORTS", "CODE_AUX", "CODE", "PRECOND_AUX", "PRECOND", "POSTCOND_AUX", "POSTCOND")
"""What an answer consists of, in its order."""
NEEDED = {"code": ("CODE",), "spec": ("PRECOND", "POSTCOND")}
"""Task -> the parts that it cannot do without."""

_TAG = "|".join(PARTS)
_OPENED = re.compile(rf"[\s>*`_-]{{0,8}}\[({_TAG})\][*`_]{{0,3}}", re.IGNORECASE)
_CLOSED = re.compile(rf"\[/({_TAG})\][*`_.]{{0,4}}\s*", re.IGNORECASE)
"""Tags are looked for where a line begins and where it ends: elsewhere they are only spoken of."""
_EDGE = re.compile(r"!benchmark @(start|end) (\w+)")
_SECTIONS = {"import": "IMPORTS", "imports": "IMPORTS"} | {name.lower(): name for name in PARTS}
_FENCE = re.compile(r"\s*```\w*\s*")
_REDEFINES = frozenset({"elab", "elab_rules", "macro", "macro_rules", "notation", "syntax"})
"""Commands that may make another thing of ``sorry``: only Lean can tell."""
_DENIED = re.compile(
    r"(?i)^\s*>|<!--|~~|\b(?:do not|don['’]t|example|format|instead|never|not|option|previous\w*"
    r"|would|wrong)\b[^.!?:]*:?[\s*_]*$"
)
"""A line above an answer that does not hold on to it; what a verifier said of an earlier one is
none."""
_ASKS = {
    "code": "Write the code: the body of this definition.\n\n{head}",
    "spec": "Write the specification: the precondition and the postcondition of this function, "
    "which are the bodies of the two definitions behind it.\n\n{head}\n\n{precond}\n\n{postcond}",
}


class Verina(Domain):
    """The domain.

    An answer has parts between ``[CODE]`` and ``[/CODE]``, ``[PRECOND]`` and ``[/PRECOND]``, and so
    on (:data:`PARTS`), or between the marks of Verina's files. A ``candidate`` is a finished code,
    or a precondition and a postcondition, each as last stated, once there are both; for k-stable
    each has a counter of its own (interwhen, section 4.2). There are no steps.

    Two answers are equal if their normal forms are (:mod:`~agentflow.domains.verina.lean_text`);
    texts cannot tell that they are not. A tool with the role ``equality``, where one is given (it
    may evaluate, or be a model as in the paper: ``model:ROLE``), is asked about others.

    Nothing is ever passed: that Lean accepts a definition does not mean that it does what was
    described. Error kinds: ``unfinished`` (``sorry``), and with Lean installed
    ``does_not_compile``. An answer without the parts that the task needs is ``unread``.
    """

    name = "verina"
    verbatim = True
    description = "Lean 4 code, or a specification, for a described task."
    example = EXAMPLE
    form = "Lean 4 code between [CODE] and [/CODE], or between [PRECOND], [POSTCOND] and their ends"
    tools: ClassVar[Mapping[str, str]] = {"lean": "local"}
    by_model = ("equality",)

    def parse(self, text: str, id: str = "") -> Problem:
        """The problem in ``text``: see :func:`~agentflow.domains.verina.task.read`.

        Raises:
            BadInput: If there is no description, or the signature cannot be read.
        """
        task, description, given = read(text)
        ask = f"Write the {'code' if task == 'code' else 'specification'} in Lean 4."
        if given is not None:
            precond, postcond = _conditions(given)
            head = given.head(given.name, given.returns)
            ask = _ASKS[task].format(head=head, precond=precond, postcond=postcond)
        elif task == "spec":
            raise BadInput("verina: a specification needs the signature: def name (a : T) : R")
        data = {
            "task": task,
            "description": description,
            "head": None if given is None else given.head(given.name, given.returns),
            "ask": ask,
        }
        return Problem(text.strip(), self.name, id or text.strip()[:60], data=data)

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The candidates that a line finishes; what is remembered is the answer so far."""
        if "open" not in memory.get("fold", ()) and "[" not in line and "!benchmark" not in line:
            return memory, []
        fold, parts, closed = _fold(memory.get("fold", {}), line)
        memory = {**memory, "fold": fold}
        needed = NEEDED[problem.data["task"]]
        if closed not in needed:
            return memory, []
        since = parts or fold["parts"]
        statement = _render({n: since[n] for n in (f"{closed}_AUX", closed) if n in since})
        stated = [*memory.get("stated", ()), [closed, statement]]
        if parts is None and "last" in memory:  # one of two conditions, stated anew
            parts = {**memory["last"], **since}
        if parts is None or any(name not in parts for name in needed):
            return {**memory, "stated": stated}, []
        answer = {"answer": _render(parts), "stated": stated}
        memory = {"fold": fold, "last": parts}
        return memory, [State("candidate", answer, offset, offset + len(line))]

    def statements(self, problem: Problem, state: State) -> list[tuple[str, str]]:
        """The code, or the precondition and the postcondition apart, with what is theirs."""
        found = []
        for name, text in state.data.get("stated", ()):
            form = _form(_parts(text), (name,))
            found.append((name, text if form is None else form))
        return found

    async def same(self, problem: Problem, one: str, other: str) -> bool:
        """Whether their normal forms are the same, or the tool ``equality`` says they are equal."""
        forms = [_form(_parts(text), tuple(_parts(text))) for text in (one, other)]
        if None not in forms and forms[0] == forms[1]:
            return True
        return await self.asked_equal(problem, one, other) is True

    def shown(self, answer: str) -> str:
        """The answer as it is: it has no claims beside it."""
        return answer

    def disclaims(self, text: str) -> bool:
        """Never: what is said of programs that stand above is no matter of the last one."""
        return False

    def answer(self, text: str) -> str | None:
        """The last code and the last specification in a text, with what was written for them; none
        where the text does not hold on to them."""
        parts, memory = dict[str, str](), dict[str, Any]()
        above, before, place, end, cut = "", "", 0, 0, 0
        for line in LINES.findall(text):
            begun = "open" in memory or bool(memory.get("parts"))
            memory, found, closed = _fold(memory, line)
            place += len(line)
            if not begun and (closed or "open" in memory):
                above, cut = line if line.lstrip().startswith(">") else before, place
            if closed:
                end = place
            elif "open" not in memory and line.strip():
                before = line
            if found is not None:
                own = "CODE" if "CODE" in found else "COND"
                parts = {name: part for name, part in parts.items() if own not in name} | found
        behind = text[end:cut] if cut > end else text[end:]  # but for a part that has no end
        if _DENIED.search(above) or remarks.denied(above) or not explained(_OPENED.sub("", behind)):
            return None
        whole = all(name in parts for name in NEEDED["spec"])
        late = {
            name: part
            for name, part in memory.get("parts", {}).items()
            if "_AUX" in name or (whole and name in NEEDED["spec"])
        }
        return _render(parts | late) if parts else None

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Refute what is unfinished, or Lean rejects; never pass anything."""
        parts, task = _parts(answer), problem.data["task"]
        for name in NEEDED[task]:
            if not parts.get(name, "").strip():
                reason = f"could not read the answer: it has no [{name}] ... [/{name}]"
                return Verdict(None, reason, UNREAD, source=self.name)
        words = {name: lean_text.tokens(part) for name, part in parts.items()}
        meant_anew = any(one.text in _REDEFINES for found in words.values() for one in found or ())
        for name, found in words.items():
            if found is None:
                reason = f"could not read {name}: a comment or a string in it has no end"
                return Verdict(None, reason, UNREAD, source=self.name)
            if _is_unfinished(found) and not meant_anew:
                return self.wrong("unfinished", f"{name} is not finished: it has sorry in it")
        if problem.data["head"] is None:
            return Verdict(None, "without a signature nothing can be checked", source=self.name)
        return await self._compiled(task, signature(problem.data["head"]), parts)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The normal forms of the parts that the task needs, and of what they use."""
        return _form(_parts(answer), NEEDED[problem.data["task"]])

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether their normal forms are the same, or what the tool ``equality`` says of them; None
        without it: other words may say the same."""
        form, second = self.normalise(problem, one), self.normalise(problem, other)
        if form is None or second is None:
            return None
        return form == second or await self.asked_equal(problem, one, other)

    async def _compiled(self, task: str, head: Signature, parts: Mapping[str, str]) -> Verdict:
        """Whether Lean accepts the answer; it is to blame only if Lean accepts its frame."""
        found, why = await self._lean(_source(task, head, parts))
        if found is None:
            return Verdict(None, f"not checked with Lean: {why}", source=self.name)
        if found["ok"] and found.get("uses_sorry"):
            return self.wrong("unfinished", "it uses sorry")
        if found["ok"]:
            reason = "Lean accepts it; whether it does what is described is not checked"
            return Verdict(None, reason, source=self.name, evidence={"lean": "accepted"})
        kept = {name: part for name, part in parts.items() if name == "IMPORTS"}
        frame, _ = await self._lean(
            _source(task, head, dict.fromkeys(NEEDED[task], "sorry") | kept)
        )
        if frame is None or not frame["ok"]:
            return Verdict(None, "Lean here does not accept the task itself", source=self.name)
        errors = [one["text"] for one in found.get("messages", []) if one["severity"] == "error"]
        message = " ".join(errors[0].split())[:300] if errors else "no reason given"
        return self.wrong("does_not_compile", f"Lean does not accept it: {message}")

    async def _lean(self, source: str) -> tuple[dict[str, Any] | None, str]:
        """What Lean says of a file; None, and why, if it could not be checked to its end."""
        use = await self.toolbox.use("lean", source=source)
        found = use.fields
        if use.error or not isinstance(found.get("ok"), bool):
            return None, use.content[:300]
        if found.get("failure") or found.get("limit"):
            return None, use.content[:300]
        return found, ""


def _is_unfinished(tokens: Sequence[lean_text.Token]) -> bool:
    """Whether ``sorry``, or ``admit`` in a proof, stands for what is yet to be written; a field
    may have that name."""
    words = [token.text for token in tokens]
    return any(
        (word == "sorry" or (word == "admit" and "by" in words[:at]))
        and (at == 0 or words[at - 1] not in (".", "«"))
        for at, word in enumerate(words)
    )


def _fold(memory: dict[str, Any], line: str) -> tuple[dict[str, Any], dict[str, str] | None, str]:
    """Read one line; give the parts of the answer that it finishes, or None, and which it closes.

    The memory holds the ``parts`` since the last one, and the ``text`` of a part that is ``open``.
    """
    opens, closes, text = "", "", line
    if edge := _EDGE.search(line):
        name, text = _SECTIONS.get(edge[2], ""), ""
        opens, closes = (name, "") if edge[1] == "start" else ("", name)
    else:
        while opened := _OPENED.match(text):
            opens, text = opened[1].upper(), text[opened.end() :]
        while (at := text.rfind("[/")) >= 0 and (closed := _CLOSED.fullmatch(text, at)):
            closes, text = closed[1].upper(), text[:at].removesuffix("**")
    if opens:
        memory = {"parts": memory.get("parts", {}), "open": opens, "text": ""}
    memory = _grown(memory, text)
    if not closes or memory.get("open") != closes:
        return memory, None, ""
    parts = memory["parts"] | {closes: memory["text"].rstrip().lstrip("\n")}
    if any(all(name in parts for name in needed) for needed in NEEDED.values()):
        return {}, parts, closes
    return {"parts": parts}, None, closes


def _grown(memory: dict[str, Any], text: str) -> dict[str, Any]:
    """The memory with more text of the open part; one that grows too long is given up."""
    if "open" not in memory or not text or _FENCE.fullmatch(text):
        return memory
    if len(memory["text"]) + len(text) > lean_text.MAX_TEXT:
        return {"parts": memory["parts"]}
    return memory | {"text": memory["text"] + text}


def _render(parts: Mapping[str, str]) -> str:
    """An answer, as it is read back by :func:`_parts`."""
    named = [(name, parts[name]) for name in PARTS if name in parts]
    return "\n".join(f"[{name}]\n{part}\n[/{name}]" for name, part in named)


def _parts(answer: str) -> dict[str, str]:
    parts, memory = dict[str, str](), dict[str, Any]()
    for line in LINES.findall(answer):
        memory, found, _ = _fold(memory, line)
        parts |= found or {}
    parts |= memory.get("parts", {})
    return parts


def _form(parts: Mapping[str, str], needed: Sequence[str]) -> str | None:
    """The normal form of an answer: of the parts that it needs, and of what they use."""
    if any(not parts.get(name, "").strip() for name in needed):
        return None
    forms = dict[str, str]()
    for name in PARTS:
        if name.removesuffix("_AUX") in (*needed, "IMPORTS") and parts.get(name, "").strip():
            form = lean_text.normal_form(parts[name])
            if form is None:
                return None
            forms[name] = form
    return _render(forms)


def _conditions(head: Signature) -> tuple[str, str]:
    """The heads of the precondition and of the postcondition."""
    result = f" (result : {head.returns})"
    return (
        head.head(f"{head.name}_precond", "Prop"),
        head.head(f"{head.name}_postcond", "Prop", result),
    )


def _source(task: str, head: Signature, parts: Mapping[str, str]) -> str:
    """The Lean file that an answer makes."""
    pieces = [parts.get("IMPORTS", "")]
    heads = (head.head(head.name, head.returns),) if task == "code" else _conditions(head)
    for name, line in zip(NEEDED[task], heads, strict=True):
        pieces.append(dedent(parts.get(f"{name}_AUX", "")))
        body = dedent(parts[name])
        whole = re.match(r"(?:@\[[^\]]*\]\s*)?def\s", body.lstrip())
        pieces.append(body if whole else f"{line}\n{indent(body, '  ')}")
    return "\n\n".join(filter(None, pieces)) + "\n"
