"""What a program is said to be for, held against its code and its task.

``It counts the vowels.``     where neither has to do with vowels
``Returns the largest one.``  where both speak of the smallest
``If empty, it returns -1.``  where no -1 can come of it
"""

from __future__ import annotations

import ast
import re

from agentflow.domains.python import examples, source, told
from agentflow.domains.python.source import nodes_of, notes, tree_of
from agentflow.domains.spelling import lowered, plain, word_set

_PROGRAM = r"(?:function|code|solution|program|implementation)"
_DOES = re.compile(
    rf"^\W*(?P<who>here(?:['’]s| is) (?:an? |my |the )?(?:\w+ )?{_PROGRAM}|it|this"
    rf"|(?:my|the|this) (?:above |following )?(?:\w+ )?{_PROGRAM}|this is an? (?:\w+ )?{_PROGRAM})?"
    r" ?(?:that |which |takes (?:\w+ ){1,3}and )?"
    r"(?P<verb>for|checks? if|(?:calculat|check|comput|count|find|implement"
    r"|read|return|revers|solv|sort)e?s?)\b(?P<what>(?:(?! (?:because|by|if|or|since|using|when"
    r"|where|while)\b)[^.,;:])*)"
)
"""A sentence that says what a program does, up to its conditions."""
WHOLE = re.compile(
    r"(?:it|this|that|the (?:function|code|program|solution|result)|returns?|finds?|computes?"
    r"|calculates?|counts?)\b|.*\b(?:is|are) (?:computed|found|given|returned|printed)\b"
)
"""How a sentence begins that is about all of a program."""
_FAMILIES = (
    ("odd", "even"),
    ("largest|biggest|greatest|highest|max|maximum", "smallest|least|lowest|min|minimum"),
    ("longest", "shortest"),
    (r"ascending|increasing", r"descending|decreasing"),
    (r"upper[ -]?case", r"lower[ -]?case"),
    ("vowels?", "consonants?"),
    ("prefix", "suffix"),
)
"""Words of which one says the opposite of the other."""
_POLES = [(one, other) for pair in _FAMILIES for one, other in (pair, pair[::-1])]
_CLAUSE = re.compile(r",|;| but | and | while | whereas ")
_BY = re.compile(r" (?:as|at|between|for|from|given|in|into|on|to|with|within) ")
_GENERIC = word_set("""
    calculate check compute count empty false find implement none read solve true
    a above all an and any approach are argument array as at based be both by case character code
    condition correct current data dictionary each edge element every expected final first following
    for from function given has have if in input int integer is it item its last list logic loop
    method name new number of on one only or other output over own pair parameter passed possible
    problem program provided python required requirement result return second set simple single
    solution specified step string task that the their them then these they this those through time
    to two up value variable way what whether which with x
""")
"""Words that say nothing of what a program is for."""
_SIGNS: tuple[tuple[type[ast.AST], str], ...] = (
    (ast.Add, "add addition sum total plus concatenat combin append join"),
    (ast.Sub, "subtract difference minus decrement"),
    (ast.Mult, "multipl product times double triple square repeat"),
    (ast.Pow, "power square cube exponent root"),
    (ast.Div, "divi quotient ratio half average mean"),
    (ast.FloorDiv, "divi quotient half floor"),
    (ast.Mod, "remainder modul divisib even odd multiple"),
    (ast.Compare, "compar equal great less small larg match big max min condition whether exceed"),
    (ast.For, "each iterat element loop"),
    (ast.comprehension, "each iterat element filter"),
    (ast.If, "condition case"),
)
"""What stands in a program -> beginnings of words for it."""


def foreign(prose: str, code: str) -> list[str]:
    """The sentences of a text that speak of what a program does not, as comments that
    :func:`is_for_another` reads where the task is known."""
    said = _sentences(told.NO_CODE.sub("\n", prose))
    return [f"# {one}" for one in said if _is_foreign(one, code, "")]


def is_for_another(code: str, ask: str) -> str:
    """What is said of a program, in it or by a line that stands for that, and cannot be so where
    its task is another; empty without that."""
    tree = tree_of(code)
    if tree is None:
        return ""
    asked = " ".join(lowered(ask).split())
    documented = set(_sentences("\n".join(source.docstrings(code))))
    for one in _sentences("\n".join(notes(code))):
        if one.replace("`", "").rstrip(".!") in asked:
            continue
        if _is_foreign(one, code, asked, whole=one in documented) or not told.may_result(
            one, code, tree
        ):
            return one
    return ""


def _sentences(text: str) -> list[str]:
    """The sentences of a text in small letters, without signs around them."""
    lines = lowered(plain(text)).split("\n")
    found = [one for line in lines for one in re.split(r"(?<=[.!])\s", line)]
    return [bare for one in found if (bare := " ".join(one.strip(" \t*_#>-•").split()))]


def _is_foreign(sentence: str, code: str, ask: str, *, whole: bool = False) -> bool:
    """Whether a sentence is about something that neither a program nor its task speaks of, or about
    the opposite.

    Args:
        ask: The task; empty where that is not known.
        whole: Whether the sentence is about the program, and no step of it, without naming it.
    """
    sentence = sentence.replace("`", "")
    if examples.CALLED.search(sentence) or examples.of_inputs(sentence, code):  # it is run
        return False
    known = f"{lowered(source.code_alone(code))} {ask}"
    for clause in _CLAUSE.split(sentence):
        for one, other in _POLES:
            if not re.search(rf"\b(?:{one})\b", clause) or told.NOT.search(clause):
                continue
            if re.search(rf"\b(?:{other})\b", clause) or re.search(one, known):
                continue
            if not ask or re.search(other, known):
                return True
    does = _DOES.match(sentence)
    if does is None or (does["verb"] == "for" and "," in sentence):
        return False
    if not (whole or does["who"] or does["verb"].endswith("s")):
        return False
    head, *more = _BY.split(does["what"])
    words = _content(f"{does['verb']} {head}") or _content(" ".join(more))
    nodes = nodes_of(code)
    known += " ".join(said for kind, said in _SIGNS if any(isinstance(one, kind) for one in nodes))
    known += " ".join(one for one, _ in _POLES if re.search(one, known))
    short = tuple(re.findall(r"[a-z]{3,}", known))
    return bool(words) and not any(_stem(one) in known or one.startswith(short) for one in words)


def _content(text: str) -> list[str]:
    """The words of a text that say what something is for."""
    found = re.findall(r"[a-z][a-z-]+", text)
    return [one for one in found if not {one, one.removesuffix("s")} & _GENERIC]


def _stem(word: str) -> str:
    """The beginning of a word by which others of its kind are found."""
    return re.sub(r"(?:ing|ed|es|s|e|ly|ion|al)$", "", word)[:6] if len(word) > 4 else word
