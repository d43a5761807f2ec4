"""Which code a text means: one of its blocks, with those that belong to it."""

from __future__ import annotations

import ast
import builtins
import re
from itertools import pairwise

from agentflow.domains.python import (
    examples,
    explanations,
    remarks,
    sections,
    told,
    usage,
    vocabulary,
    walks,
)
from agentflow.domains.python.blocks import FENCE, Block, blocks
from agentflow.domains.python.source import (
    SAID,
    TESTS,
    as_told,
    as_version,
    assertions,
    at_margin,
    binds,
    defines,
    loads,
    names_in,
    notes,
    only_makes,
    reads,
    returns,
    tested,
    tree_of,
)
from agentflow.domains.python.task import examples as tried
from agentflow.domains.spelling import word_set

_SHOWN = re.compile(
    r"(?ms)^[ \t]*(?P<fence>```|~~~)[`~]*[ \t]*(?P<language>\w*)[^\n]*\n?(?P<body>.*?)"
    r"(?:^[ \t]*(?P=fence)[^\n]*|\Z)"
)
_PYTHON = word_set("py python python3")
_COMMANDS = word_set("bash cmd console powershell sh shell zsh")
_PATCH = re.compile(r"(?m)^[ \t]*(?:```|~~~)(?:diff|patch)\b")
_DEFINED = re.compile(
    r"(?m)^[ \t]*(?:```|~~~)(?!py)[a-z+#]+\s[^`]*?\b(?:def|fn|fun|func|function) (\w+)"
)
"""A function in a block that is not said to be of Python."""
_FAILED = re.compile(
    r"\bFAILED\b|Traceback \(most recent|(?m:^(?:E +)?[A-Z]\w*(?:Error|Exception)\b)"
    r"|\b[1-9]\d* failed|(?m:==.*\bFalse\s*$)"
)
"""What a run that failed prints."""
_LEADS_TO_OUTPUT = re.compile(
    r"[\s*_#-]*(?:[^\w\s*_#-]\ufe0f?\s)?(?:(?:the )?(?:expected |sample )?(?:output|result)s?"
    r"(?: (?:is|will be|would be|should be))?"
    r"|(?:this|it|which|the code above)(?: will| would| should)? (?:outputs?|prints?|gives?))"
    r"(?: \([\w ]{1,30}\))?[:*_\s]*",
    re.IGNORECASE,
)
"""What stands between a program and what it prints."""
_SHOWS = re.compile(r"(?i)#\W*(?:output|expected|result|prints)\b|#\W*\d")
_MAKES = word_set("exec globals setattr vars __dict__ __code__ delattr builtins __builtins__")
"""What may define a function without naming it."""
_BUILT_IN = frozenset(dir(builtins))
_ASKED = re.compile(r"(?m)^[ \t]*(?:>>>|\.\.\.) ?(.*)$")
_PIECE = re.compile(r"(?m)^[ \t]*(?:return|def|yield|elif|else:)\b|^[-+] ")


def meant(text: str, entry: str = "") -> Block | None:
    """The code that a text means: its last block that defines ``entry``; without one, any function;
    else its last block.

    None if there is no code, or if the text does not hold on to it. Others that define the same
    stand with it as its versions where the text does not say which one holds.
    """
    asked = entry.partition(".")[0]
    text = _without_lessons(text, asked)
    found = blocks(text)
    if (chosen := _chosen(found, asked)) is None:
        return None
    before, last = chosen
    at = found.index(last)
    runs, behind = walks.parted(text[last.end :], last.code)
    text = text[: last.end] + behind
    names = {asked} if entry else defines(last.code)
    rivals = [one for one in before if _rivals(one.code, last.code)]
    open_ones = [
        one
        for one in ([] if remarks.chosen(last.above) else rivals)
        if not (remarks.denied(one.above) or remarks.taken_back(text[one.end :]))
    ]
    if not _stands(text, last, names, mended=bool(rivals)):
        return None
    if any(_changes(one, last.code, names) for one in found[at + 1 :]):
        return None
    if (code := _joined(found[:at], last.code)) is None:
        return None
    shown = examples.of_calls(f"{code}\n{text[last.end :]}", names)
    for body in _sessions(text[last.end :] if rivals else text):
        shown += [one for name in names for one in tried(body, name)]
    above = "" if rivals else last.above  # it may tell what an earlier one gives
    said_of_it = "\n".join([above, text[last.end :], *notes(last.code)])
    shown += examples.of_inputs(said_of_it, last.code)
    later = [one.code for one in found[at + 1 :]]
    shown += [said for one in (code, *later) for said in usage.shown(one, names)]
    shown += [said for one, output in _outputs(text) for said in usage.shown(one, names, output)]
    said = [line for one in later for line in (*assertions(one), *tested(one))]
    said += [*tested(code), *runs, *shown]
    whole = text[last.end :] if rivals or not last.opening else text
    prose = last.beside or _prose(whole)
    packed = "".join(code.lower().split())
    told_of_it = vocabulary.sentences(prose)
    said += [as_told(one) for one in told_of_it if "".join(one.split()) not in packed]
    prose = vocabulary.without_steps(prose, code)
    said += [f"# {one}" for one in vocabulary.strange(prose, "\n".join([code, *shown]))]
    said += [as_version(one.code) for one in open_ones]
    lines = [f"{line}{SAID}" for line in dict.fromkeys(said) if "\n" not in line]
    return last._replace(code="\n".join([code.strip("\n"), *lines]))


def _without_lessons(text: str, asked: str) -> str:
    """A text without the lessons in front of what it means, with their programs; all of it where
    these may stand in its place."""
    chosen = _chosen(blocks(text), asked)
    if chosen is None or not chosen[1].opening:
        return text
    last = chosen[1]
    told = sections.before(text, text.rfind(last.opening, 0, last.end))
    left = blocks(told)
    gone = [one for one in chosen[0] if one.code not in {it.code for it in left}]
    return text if any(_rivals(one.code, last.code) for one in gone) else told


def _sessions(text: str) -> list[str]:
    """The blocks of a text that show what an interpreter gives."""
    return [one["body"] for one in _SHOWN.finditer(text) if ">>>" in one["body"]]


def _outputs(text: str) -> list[tuple[str, str]]:
    """(program, what the block below it shows that it prints)."""
    found = list(_SHOWN.finditer(text))
    return [
        (one["body"], other["body"])
        for one, other in pairwise(found)
        if _is_run(one)
        and not _is_run(other)
        and _LEADS_TO_OUTPUT.fullmatch(text, one.end(), other.start())
    ]


def _prose(text: str) -> str:
    """What stands in a text outside of its programs: its sentences, and the lines of blocks that
    show an output."""
    return _SHOWN.sub(lambda one: f"\n{'' if _is_run(one) else one['body']}\n", text)


def _is_run(block: re.Match[str]) -> bool:
    """Whether a block is a program, a command, or what an interpreter gives."""
    language, tree = block["language"].lower(), tree_of(block["body"])
    if language in _COMMANDS or ">>>" in block["body"]:
        return True
    return language in _PYTHON or (tree is not None and any(map(_does, tree.body)))


def _does(statement: ast.stmt) -> bool:
    """Whether a statement does something; ``Input: 24`` is one to Python, too."""
    match statement:
        case ast.AnnAssign(value=None):
            return False
        case ast.Expr(value=one):
            return isinstance(one, ast.Call)
    return True


def _chosen(found: list[Block], asked: str) -> tuple[list[Block], Block] | None:
    """(the blocks that may stand in its place, the block that a text means by where it stands);
    None where there is none, or several are left."""
    named = [one for one in found if asked in defines(one.code, asked)] if asked else []
    best = named or [one for one in found if defines(one.code) - TESTS]
    best = best or [one for one in found if defines(one.code)]
    best = best or [one for one in found if reads(one.code)] or found
    if not best:
        return None
    last = best[-1]
    behind = found[found.index(last) + 1 :]
    programs = [] if asked else [one for one in behind if _is_program(one.code, last.code)]
    if not programs:
        return best[:-1], last
    return (best, programs[-1]) if remarks.chosen(programs[-1].above) else None


def _stands(text: str, block: Block, names: set[str], *, mended: bool) -> bool:
    """Whether a text holds on to a block: what stands above it, in it and behind it.

    Args:
        names: What it defines.
        mended: Whether it takes the place of an earlier one.
    """
    behind = text[block.end :]
    front = text.partition(block.opening)[0] if block.opening and not mended else ""
    if explanations.find_fault(front):
        return False
    if remarks.disowned(block.code) or not explanations.announced(block.above):
        return False
    if not explanations.explained(behind, mended=mended):
        return False
    if _PATCH.search(behind) or not names.isdisjoint(_DEFINED.findall(behind)):
        return False
    return told.agrees(f"{block.above}\n{behind}", block.code)


def _is_program(code: str, other: str) -> bool:
    """Whether code is a program of its own that reads its input, beside another one."""
    tree = tree_of(code)
    if tree is None or not at_margin(other).isdisjoint(loads(tree)):
        return False
    return not {"input", "stdin", "open"}.isdisjoint(loads(tree))


def _changes(block: Block, code: str, names: set[str]) -> bool:
    """Whether a block behind code changes what it does, or shows that it fails; lines of the code
    that it shows again do not."""
    if _FAILED.search(block.code):
        return True
    lines = {line.strip() for line in code.splitlines()}
    if all(line.strip() in lines for line in block.code.splitlines() if line.strip()):
        return False
    tree = tree_of(block.code)
    if tree is None:
        return not _is_session(block.code, names) and _is_piece(block)
    if not tree.body:  # comments alone
        return not _SHOWS.search(block.code)
    whole = tree_of(code)
    free = (names_in(whole) & _BUILT_IN) - binds(code) if whole else set[str]()
    if returns(tree) or not _MAKES.isdisjoint(loads(tree)):
        return True
    if not (names.isdisjoint(binds(block.code)) and free.isdisjoint(at_margin(block.code))):
        return True
    inner = binds(code) - at_margin(code)  # a line of a function uses what only it has
    return bool(inner & names_in(tree) - binds(block.code))


def _is_session(code: str, names: set[str]) -> bool:
    """Whether code is what an interpreter gives for calls of what is defined, which are run."""
    asked = _ASKED.findall(code)
    return bool(asked) and all(one.partition("(")[0] in names for one in asked)


def _is_piece(block: Block) -> bool:
    """Whether a block that is no program is a piece of one, and no output."""
    language = FENCE.match(block.opening.rstrip("\n"))
    return bool(language and language["language"]) or _PIECE.search(block.code) is not None


def _joined(before: list[Block], code: str) -> str | None:
    """Code with the blocks in front of it that belong to it: that make what it uses, or use what it
    defines; None where two of them make the same."""
    for one in reversed(before):
        tree, whole = tree_of(one.code), tree_of(code)
        if tree is None or whole is None or remarks.denied(one.above) or not only_makes(tree):
            continue
        makes, own = binds(one.code), binds(code)
        linked = makes & loads(whole) or loads(tree) & defines(code)
        if not linked or ast.unparse(tree) in ast.unparse(whole):
            continue
        if makes & own:
            if loads(whole) & makes - own:
                return None
            continue
        code = f"{one.code.rstrip()}\n\n{code}"
    return code


def _rivals(one: str, other: str) -> bool:
    """Whether two pieces of code define the same, and not alike."""
    if defines(one).isdisjoint(defines(other)):
        return False
    ours, theirs = tree_of(one), tree_of(other)
    return ours is None or theirs is None or ast.unparse(ours) != ast.unparse(theirs)
