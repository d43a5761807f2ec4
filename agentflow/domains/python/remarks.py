"""What a sentence, or a comment, says against a program: it is wrong, withdrawn, somebody else's,
or to be changed.

``That is incorrect.``      a fault
``It avoids this bug.``     a fault that it does not have
``The sign should be +.``   a change
``Your code:``              of another program
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.python.source import docstrings, nodes_of, notes
from agentflow.domains.spelling import lowered, phrases, plain

_CODE = (
    r"(?:algorithm|answer|approach|code|function|implementation|program|script|snippet|solution"
    r"|version)"
)
_PIECE = (
    r"(?:bound|check|comparison|condition|index|`?name`?|line|loop|operator|range|result"
    r"|return(?: value)?|sign|statement)"
)
_EDIT = r"(?:change|delete|fix|negate|remove|replace|swap)"
_MUST = r"(?:belongs?|ha(?:s|ve) to|must|needs?|ought to|should)"
_AWAY = r"(?:delet|discard|ignor|scrap|disregard|forget|remov|drop|reject|throw)\w*(?: away)?"
_ALL = r"(?:that|this|the above|everything|all|anything)"
_FAULTS = phrases(r"""
    bug(?:s|gy)?; wrong(?:ly)?(?! types?\b); incorrect(?:ly)?; mistak\w+; pitfalls?; broken; flaw\w*
    faulty; bad; buggy; crash(?:es|ed)?; fail(?:s|ed|ing)?(?! to match| only if); missing; garbage
    (?:are|is|looks?|seems?|was|were)(?: \w+)? (?:amiss|off)(?! by default)
    incomplete; infinite; forever; deprecated; anti-pattern; unfit; nonsense; unusable; violat\w+
    contradict\w*; contrary to; off[- ]by[- ]one; forgot\w*; breaks (?:if|for|on|when); an? trap
    (?:subtle|small|known) (?:issue|problem); (?:issue|problem) (?:is|with|here); edge case we
    too (?:early|few|large|late|long|many|much|often|slow|soon); never (?:ends|stops|terminates)
    (?:an?|one|some|two|several|known) (?:\w+ )?errors?(?! (?:for|if|is|messages?|when)\b)
    (?:works?|correct|right|holds?|handles?)\b.{1,60}\b(?:except|apart from|but not|other than)
    works? only; would only
    (?:do|does)(?: not|n't) (?:cover|handle|need this|pass|run|terminate|work)
    not (?:enough|sufficient|correct|right|valid|what|done|asked|as it should|the answer); not sure
    none of the tests; tim(?:e|es|ed) out; time limit; 0/\d+; cannot run; by accident; own risk
    actual \w+ (?:is|was|would); has no; (?:come|comes|turn|turns) out (?:false|wrong)
""")
_TAKES_BACK = phrases(rf"""
    to-?do; fixme; retract\w*; withdr(?:aw(?:ing|n|s)?|ew)
    (?:it|that|this) (?:is|was) (?:my|the) (?:first|old|original)
    take back; (?:on|at) (?:second thoughts?|reflection)
    chang(?:e|ed|ing) my mind; give up; nope; joke; draft; sketch; placeholder; pseudo-?code; stub
    omitted; left (?:out|to you); goes here; nothing is (?:computed|done); unsolved; untested
    feel free to {_AWAY}; {_AWAY} {_ALL}(?! \w); (?:disregard|forget|ignore|scrap) it
    {_AWAY} (?:the|this|that|my) (?:above|{_CODE})
    (?:don't|do not|never) (?:do|submit|use|write) (?:it|that|this|the (?:above|{_CODE}))
    what not to do
    {_ALL} (?:of (?:the|this|that) )?(?:above|here) (?:is|was|are)
    (?:can(?:not|'t)|could(?: not|n't)|am unable to|are unable to) (?:solve|be (?:solved|done|used))
    (?:do|did)(?: not|n't) (?:know|check|test|run|verify); (?:only|just|my|wild|is|a) (?:a )?guess
    i hope (?:it|this|that)(?: is|'s); hard-?cod\w+; (?:not|nor) (?:be )?(?:trusted|relied)
    nobody; (?:different|another|related|similar|easier|simpler) (?:problem|question|task|exercise)
    not (?:supported|handled|covered|implemented|needed here|be used); only the (?:examples?|tests?)
    only (?:for )?(?:the )?(?:first|given|shown)\b; nothing (?:more|else); counter-?example
    (?:negative|bad)[- ]example; no (?:solution|such function) exists; try (?:it )?again
    what (?:is|was) (?:asked|meant|wanted)(?! for\b); only for the (?:examples?|tests?); decoy
    i (?:am|could|did|have|was)(?: not|n't) (?:\w+ )?(?:able|certain|check\w*|sure|test\w*)
    i (?:could|did|have)(?: not|n't) underst\w+
    use (?:an|the )?other {_CODE}
""")
_CHANGES = phrases(rf"""
    (?:an?|the) (?:\w+ ){{0,2}}{_PIECE} (?:\w+ )?{_MUST}; ^(?:here )?{_PIECE} {_MUST}
    {_MUST} (?:\w+ )?(?:add|become|change|flip|invert|negate|replace|say)
    (?:should|must|has to|needs to|ought to) (?:be|have|have been|read|return) (?:an?|name)(?!\w)
    must be (?:minus|plus)|(?:should|would|will)(?: then)? (?:be (?:better|correct|right)|pass|work)
    ^{_EDIT} (?:that|the|this) (?:branch|comparison|condition|line|loop|operator|return)
    should (?:later )?be (?:fixed|mended|redone|replaced|revised|rewritten); should have
    one (?:has|needs) to; must not be; (?:is|are|be) (?:flipped|inverted|reversed)
    (?:is|are) (?:exchanged|swapped out) for; opposite; other way (?:a?round); in place of; upside
    (?:^|, )(?:(?:next|then|now|finally|please|so|first|just|in short)[, ]+)*instead(?! of\b)
    instead of (?:this|that|it|the above); if we (?:change|replace); ^in the \w+ line; ^for it to
    to (?:fix|correct|get|make) (?:it|this|that|the (?:correct|right))
    (?:want|need|like|get|prefer|have) to (?:correct|fix|repair|complete|debug)
    (?:want|need|like|get|prefer) (?:the|an?) (?:working|right|correct|fixed|real|proper)
    (?:adding|removing|changing|swapping|using) .{{1,40}} is (?:needed|required|necessary)
    stands for (?:subtraction|addition|multiplication|division|minus|plus); use (?:minus|plus)
    (?:better|real) (?:one|solution|version|way|answer); the answer is now; expected \w+, got
    (?:following|next|recursive|iterative|first|second|\w+er) (?:one|version) is(?! returned)
    (?:following|next|recursive|iterative|first|second|\w+er) (?:one|version) will
    (?:tests?|assertions?|examples?|task) (?:\w+ )?expects?; (?:is|are) expected; fix the
    ^(?:change|correction)(?! (?:in|of)\b)
""")
_REQUIRED = re.compile(
    r"\b(?:we|i)(?:['’]ll| will)?(?: also| then)? (?:need|have) to "
    r"|\b(?:should|must|needs? to|ha(?:s|ve) to|(?:is|are) expected to) "
    r"(?=(?:also |always |only )?(?:accept|contain|give|handle|have|include|output|print|raise"
    r"|return|take|be (?:an?|at|between|empty|equal|greater|in|less"
    r"|name|non|of|positive|the|(?!(?:chang|correct|delet|discard|fix|flipp|ignor|invert|mend|negat"
    r"|remov|replac|revis|swapp)ed\b)\w+ed))\b)"
)
_OF_CODE = re.compile(
    r"\b(?:above|below|bounds?|branch\w*|checks?|comparisons?|conditions?|following|here|lines?"
    r"|loops?|operators?|signs?|statements?)\b"
)
"""Pieces of a program, and what points at one."""
_AGAINST = re.compile(rf"(?:\b|^)(?:{_TAKES_BACK}|{_CHANGES})(?:\b|$)|^no(?:[,.!]|$)|[❌✗✘✖🚫]|~~")
_FAULT = re.compile(rf"\b(?:{_FAULTS})\b")
_WORKS = re.compile(
    r"^((?:this|the) (?:approach|code|function|implementation|solution)\b.*?) should (?:also )?work"
    r"(?: correctly| properly)? (?:for|with) (?=(?:any|all|both|the (?:given |whole )?problem)\b"
    r"|the (?:given|provided) examples (?:and any|as well as)\b)"
)
"""How one says that a program works, though it was not run."""
_TASK = re.compile(
    r"\b(?:about|approach\w*|behind|for|in|of|solv\w+|tackl\w+|to|understand\w*)"
    r" (?:the|this)(?: \w+){0,2} problem\b"
    r"|^this problem is (?!caused|due|fixed|here|in\b|still|that\b|with\b)|\bthe problem is to\b"
)
"""A problem that is the task, and no fault."""
_NOT_SO = re.compile(
    r"\b(?:avoid\w*|ensur\w+|fix(?:ed|es)|handl\w+|never (?:crashes|fails)|no (?:bugs?|errors?)"
    r"|prevent\w*|to not|unlike|without|would)\b"
)
"""What makes a fault one of another program."""
_ORDER = re.compile(
    r"(?:(?:to [^,]{1,40}|next|then|now|finally|please|so|first|just)[, ]+)*(?:avoid|delete|discard"
    r"|drop|forget|ignore|negate|put|reject|remove|replace|rewrite|scrap|swap|throw)\b"
    r"(?!.*\b(?:own|actual)\b)"
)
"""A sentence that tells the reader to change something."""
_OTHERS = re.compile(
    rf"\b(?:given|original)(?:(?:,? \w+){{0,2}},? (?:{_CODE}|one)\b|\W*$)"
    r"|\b(?:old|earlier|previously|previous(?: \w+)?:|first,? (?:i|we)|naive"
    r"|user\w*|student\w*|(?<!function )you (?:gave|sent|wrote)|attempt|wrote|submitted|review\w*"
    r"|tempted|might"
    r"|instead|rather|suppose|imagine|before|badly|not (?:do|like|this|to)|template|question"
    r"|somebody|for comparison|would be|(?:any|every)thing but|some other"
    r"|invalid (?:answer|code|program|solution)"
    r"|(?:is|does|must|should|would)(?: not|n't) (?:an?|the|my|our|it|look|what|write|solve))\b"
    r"|^(?:your|not)\b(?! code\b.*\bhere\b)|<!--|<del>"
)
"""What a line announces that is not the program asked for."""
_FIXES = re.compile(r"\b(?:correct(?:ed|s)|final|fix(?:ed|es)|repaired|mended|here is your)\b")
_CHOSEN = re.compile(
    r"\b(?:answer|better|clean(?:ed|er)?|complete|correct(?:ed)?|efficient|final|fixed|full"
    r"|improved|optimi[sz]ed|refined|revised|simplified|solution|together|updated|whole)\b"
)
_OTHER = re.compile(r"\b(?:also|alternative(?:ly)?|another|or|other|second)\b")
_FENCE = re.compile(r"(?m)^[ \t]*(?:```|~~~)")
_OF_IT = re.compile(r"\W*(?:(?:and|but|however|no|oh|sorry|wait)\b[, ]*)*(?:it|that|this)\b", re.I)
_UNWRITTEN = "NotImplementedError"
"""What is raised where a program is not finished; other errors are about what is given to it."""
_TELLS = re.compile(r"Change (?!(?:it|that|this|these|your)\b)(?=[a-z])")
"""How a docstring begins that tells what its function does; no order to change that."""
_AGAIN = re.compile(r"(?ms)^def (?P<name>\w+)\b.*^#[ \t]*def (?P=name)\b")
"""A function whose other version stands in comments behind it."""

_TAG = re.compile(r"</?(?:answer|code|final|output|python|response|result|s|solution)>", re.I)
_SPAN = re.compile(r"`[^`\n]{1,200}`|\bO\([^()\n]{1,40}(?:\([^()\n]{1,20}\))?\)")
_SENTENCE = re.compile(r"[^.!?:\n]*(?:[.!?:](?=[^\s*_])[^.!?:\n]*)*[.!?:]*")
_EDGE = " \t*_#>\"'()[]|✓✔✅-–—+•"


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text in small letters; a piece of code in them, and an O(n), is a
    ``name``."""
    text = _SPAN.sub("name", bare(plain(text)).replace("e.g.", "for example"))
    for said in _SENTENCE.findall(text):
        if one := " ".join(lowered(said).strip(_EDGE).replace("**", "").split()):
            yield one


def bare(text: str) -> str:
    """A text without the tags that only name its parts: ``<answer>``."""
    return _TAG.sub("", text)


def against(sentence: str) -> bool:
    """Whether a sentence takes a program back, changes it, or finds a fault that is not one of
    another program."""
    sentence = _TASK.sub("task ", _WORKS.sub(r"\1 works for ", sentence))
    if _AGAINST.search(sentence):
        return True
    return _FAULT.search(sentence) is not None and _NOT_SO.search(sentence) is None


def unrequired(sentence: str) -> str:
    """A sentence of what stands in front of all programs without its ``should``: there it tells
    what is asked for, unless it speaks of a piece of a program."""
    return sentence if _OF_CODE.search(sentence) else _REQUIRED.sub("", sentence)


def orders(sentence: str) -> bool:
    """Whether a sentence tells its reader to change something."""
    return _ORDER.match(sentence) is not None


def looks_back(line: str) -> bool:
    """Whether a line behind a block is a sentence about that: ``That is wrong.``"""
    return _OF_IT.match(line) is not None and line.rstrip(" *_").endswith((".", "!"))


def denied(above: str) -> bool:
    """Whether the last sentence above a block says that the code is wrong, or another's. Which
    only speaks of a mistake that was mended does not."""
    *_, last = "", *sentences(above)
    return not _FIXES.search(last) and (against(last) or _OTHERS.search(last) is not None)


def disowned(code: str) -> bool:
    """Whether a comment, a docstring, or a text that is printed says that a program is wrong."""
    nodes = nodes_of(code)
    calls = [one for one in nodes if isinstance(one, ast.Call) and _name(one) != _UNWRITTEN]
    raised = {id(one.exc) for one in nodes if isinstance(one, ast.Raise)} & {*map(id, calls)}
    printed = [one.args[:1] for one in nodes if isinstance(one, ast.Call) and id(one) not in raised]
    alone = [[one.value] for one in nodes if isinstance(one, ast.Expr)]
    texts = [
        one.value for args in (*printed, *alone) for one in args if isinstance(one, ast.Constant)
    ]
    documented = docstrings(code)
    said = [one for one in notes(code) if one not in documented]
    lines = [one.strip().partition("\n")[0] for one in texts if isinstance(one, str) and " " in one]
    said += [_TELLS.sub("", one) for one in lines]
    return _AGAIN.search(code) is not None or any(
        against(one) and not _FIXES.search(one) for text in said for one in sentences(text)
    )


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def chosen(above: str) -> bool:
    """Whether the line above a block says that this is the one that holds."""
    low = above.lower()
    return _CHOSEN.search(low) is not None and not denied(above) and not _OTHER.search(low)


def taken_back(behind: str) -> bool:
    """Whether what stands behind a block, up to the next one, takes it back."""
    said = _FENCE.split(behind, maxsplit=1)[0]
    if TAKEN_BACK.search(said) or SECOND_THOUGHTS.search(said):
        return True
    return any(against(one) for one in sentences(said))
