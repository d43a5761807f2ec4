"""What is said of a block of code: above it that it is wrong, or the one that holds; behind it that
it is not to be used."""

from __future__ import annotations

import ast
import re

from agentflow.domains.answer_doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.python.source import nodes_of, tree_of

_BAD = (
    r"(?:bad|broken|buggy|fail(?:ed|ing|s)|false|faulty|flawed|incorrect|invalid|mistaken|rejected"
    r"|wrong)"
)
_CODE = (
    r"(?:answer|approach|attempt|block|code|function|implementation|one|program|solution|try"
    r"|version|way)"
)
_NO_GOOD = (
    rf"not (?:(?:an?|my|the) )?(?:(?:correct|final|right) )?(?:{_CODE}|correct|it|right|valid)"
)
_DO_NOT_USE = r"(?:do not|don['’]t|never) use (?:it|that|this)\b"
_DENIED = re.compile(
    rf"(?i)\b(?:{_BAD}(?: {_CODE})?|{_NO_GOOD}|(?:does not|doesn['’]t|not) work|{_DO_NOT_USE})\W*$"
    r"|(?:\b(?:original|old|buggy|bad|student['’]?s?|submitted)\b|^\W*your\b)[^.]*:\W*$|<!--|<del>"
    r"|\b(?:don['’]t do|what not to do|not to do)\b|\bfor comparison\b|\bcounter-?example|^\W*not\b"
)
"""A line that says that the code below is none to be used: its last words do."""
_FIXES = re.compile(r"(?i)\b(?:correct(?:ed|s)?|final|fix(?:ed|es)?|repaired)\b")
_CHOSEN = re.compile(
    r"(?i)\b(?:answer|better|clean(?:ed|er)?|complete|correct(?:ed)?|efficient|final|fixed|full"
    r"|improved|optimi[sz]ed|refined|revised|simplified|solution|together|updated|whole)\b"
)
_OTHER = re.compile(r"(?i)\b(?:also|alternative(?:ly)?|another|or|other|second)\b")
_FENCE = re.compile(r"(?m)^\s*(?:```|~~~)")
_REJECTED = re.compile(
    r"(?i)\W*(?:(?:and|but|however|no|oh|sorry|unfortunately|wait|yet)\b[, ]*)*"
    rf"(?:(?:it|that|this|(?:the|this|that) (?:\w+ )?(?:above|{_CODE}))"
    r"(?:(?:['’]s| is| looks| seems| was)"
    rf"(?: (?:actually|also|clearly|completely|just|simply|still))? (?:{_BAD}|{_NO_GOOD})\b"
    r"| (?:isn|wasn)['’]t (?:the )?(?:answer|correct|it|right|solution|valid)\b"
    r"| fails\b(?! with)| (?:does not|doesn['’]t|will not|won['’]t) work\b"
    r"| (?:contains|has) (?:an?|some) (?:\w+ )?(?:bug|error|mistake)s?\b)"
    rf"|[^.]*\b(?:bug|crash(?:es)?|{_BAD}) (?:in|value|result|output)\b"
    rf"|[^.]*\b(?:code|function|program|solution|it) (?:is {_BAD}|crashes|returns the wrong)\b"
    r"|(?:change|replace|swap) [^.]*\b(?:to|with|before)\b|nope\b|[❌✗✘]|[^.]*\bi give up\b"
    rf"|(?:this|that|it) is the (?:\w+ )?{_BAD} version\b"
    rf"|(?:[^.]*(?:,|\bso|\bplease)\s*)?{_DO_NOT_USE}"
    r"|(?:disregard|ignore) (?:it|that|this|the (?:above|code|program))\b)"
)
"""A sentence that takes the code above it back."""
_COMMENT = re.compile(r"(?m)^#[# ]*(.*)$")
_DISOWNS = re.compile(
    rf"(?i)^(?:{_BAD})\b(?!.*\b(?:case|input|test|type|value)s?\b)"
    r"|\b(?:fixme|do not use|don['’]t use)\b"
    r"|\b(?:code|function|solution|version) (?:above|below|is) (?:.* )?(?:buggy|incorrect|wrong)\b"
    r"|\bthis (?:version )?is (?:buggy|incorrect|wrong)\b"
)
"""A comment that says of the code that it is wrong."""
_INNER = re.compile(r"#[^\n]*")
_IS_BAD = re.compile(
    r"(?i)\W*(?:(?:this|that|it|line) (?:is|looks|was) )?(?:wrong|buggy|incorrect|broken|a bug|bug"
    r"|an error|a mistake|not (?:right|correct))(?: (?:line|sign|operator|result|here))?\W*"
    r"|\W*(?:todo|fixme|xxx)\b.*|\W*should (?:be|have been|read|return) .*"
)
"""A comment within code that says that it is wrong."""
_SPEAKS_AGAINST = re.compile(
    r"(?i)^\W*(?:(?:known )?bug|draft|correction|wrong|incorrect|broken)\b\W*[:,]"
    r"|^\W*(?:hmm+|oops|wait|no)[,.: ]+(?:actually|that|this|it|the)\b|\bdo not submit\b"
    r"|\breturns? the wrong\b|\bnot what (?:is|was) (?:asked|wanted)\b|\bplaceholder\b"
    r"|\breal (?:solution|version|answer)\b|\bdoes(?: not|n['’]t) work\b"
    r"|\buse the \w+ version instead\b"
)
"""What a comment, or a docstring's line, says against its program."""
_AGAIN = re.compile(r"(?ms)^def (?P<name>\w+)\b.*^#[ \t]*def (?P=name)\b")
"""A function whose other version stands in comments behind it."""
_TAKES_BACK = re.compile(
    r"(?i)\b(?:i (?:retract|withdraw|take back)|on second thoughts?|(?:is|was) retracted"
    r"|(?:buggy|wrong|incorrect|broken) (?:version|on purpose|code|answer|implementation)"
    r"|(?:answer|code|function|solution) is (?:wrong|buggy|incorrect|broken))\b"
)
_OF_IT = re.compile(r"(?i)\W*(?:(?:and|but|however|no|oh|sorry|wait)\b[, ]*)*(?:it|that|this)\b")
_SENTENCE = re.compile(r"[^.!?\n]+")


def looks_back(line: str) -> bool:
    """Whether a line behind a block is a sentence about that: ``That is wrong.``"""
    return _OF_IT.match(line) is not None and line.rstrip(" *_").endswith((".", "!"))


def denied(above: str) -> bool:
    """Whether the line above a block says that the code is wrong. Which only speaks of a mistake
    that was mended does not."""
    return _DENIED.search(above) is not None and _FIXES.search(above) is None


def disowned(code: str) -> bool:
    """Whether a comment at a program's margin, or a text there or in a function, says that it is
    wrong."""
    told = [*_COMMENT.findall(code), *_texts(code)]
    inner = [found[0].lstrip("# ") for found in _INNER.finditer(code)]
    return (
        any(denied(one) or _DISOWNS.search(one) or _REJECTED.match(one) for one in _unmended(told))
        or any(_TAKES_BACK.search(one) for one in (*told, *inner))
        or any(_IS_BAD.fullmatch(one) for one in inner)
        or any(_SPEAKS_AGAINST.search(one) for one in _unmended([*_lines(code), *inner]))
        or _AGAIN.search(code) is not None
    )


def _lines(code: str) -> list[str]:
    """The lines of the texts that stand in a program for themselves."""
    nodes = nodes_of(code)
    texts = [one.value for one in nodes if isinstance(one, ast.Expr)]
    said = [one.value for one in texts if isinstance(one, ast.Constant)]
    return [line for one in said if isinstance(one, str) for line in one.splitlines()]


def _unmended(told: list[str]) -> list[str]:
    return [one for one in told if _FIXES.search(one) is None]


def _texts(code: str) -> list[str]:
    """What docstrings say, and what is printed at a program's margin."""
    if (tree := tree_of(code)) is None:
        return []
    kinds = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    documented = [ast.get_docstring(one) for one in ast.walk(tree) if isinstance(one, kinds)]
    printed = [
        one.value.args[0].value
        for one in tree.body
        if isinstance(one, ast.Expr)
        and isinstance(one.value, ast.Call)
        and one.value.args
        and isinstance(one.value.args[0], ast.Constant)
    ]
    firsts = [text.partition("\n")[0] for text in documented if text]
    return [*firsts, *(one for one in printed if isinstance(one, str))]


def chosen(above: str) -> bool:
    """Whether the line above a block says that this is the one that holds."""
    return _CHOSEN.search(above) is not None and not denied(above) and not _OTHER.search(above)


def taken_back(behind: str) -> bool:
    """Whether what stands behind a block, up to the next one, takes it back."""
    said = _FENCE.split(behind, maxsplit=1)[0]
    if TAKEN_BACK.search(said) or SECOND_THOUGHTS.search(said):
        return True
    return any(_REJECTED.match(found[0]) for found in _SENTENCE.finditer(said))
