"""What a text says of formulas: that they hold, are false, do not follow, or go with the premises.

Each formula is found by its form and taken out of its clause; the words that are left say what is
said of it. Where they are of none of the known kinds, and may deny or doubt, it is unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains.logic import fol

HOLDS, FALSE, UNSHOWN, OPEN = "holds: ", "false: ", "unshown: ", "left open: "
MAY, MAY_NOT, ASKED, CONCLUDED = "may hold: ", "may fail: ", "asked: ", "concluded: "
UNCLEAR, AMONG = "unclear: ", " ‖ "
KINDS = (HOLDS, FALSE, UNSHOWN, OPEN, MAY, MAY_NOT, ASKED, CONCLUDED, UNCLEAR)
"""What marks a ground that is a formula, and says what is said of it."""
OUTCOMES = {
    **{HOLDS: ("agree",), CONCLUDED: ("agree",), FALSE: ("contradict",), OPEN: ("uncertain",)},
    **{UNSHOWN: ("contradict", "uncertain"), MAY_NOT: ("contradict", "uncertain")},
    MAY: ("agree", "uncertain"),
}
"""What is said of a formula -> what Z3 may find of it."""

_MINUS = re.compile(
    r"(?m)(?:^|(?<=[→&|(])|(?<=[→&|:] )|(?<=:\t)|(?<=[∀∃][a-z] )|(?<=[A-Za-z][a-z] ))"
    r"-(?=[A-Z]\w*\(|\((?:[A-Z]\w*\(|[(¬∀∃-]))"
)
"""A ``not`` in front of a formula, as provers write it; behind a term it takes something away."""
_TYPESET = (
    (re.compile(r"\\n(?!eg\b|ot\b|otin\b|e\b|rightarrow\b)"), "\n"),
    (re.compile(r"\\\\(?=[a-zA-Z(\[])"), r"\\"),
    (re.compile(r"\\(?:text|mathrm|mathit|operatorname|textit)\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\(?:neg|lnot)\b ?"), "¬"),
    (re.compile(r"\\forall\b ?"), "∀"),
    (re.compile(r"\\exists\b ?"), "∃"),
    (re.compile(r"\\(?:land|wedge)\b"), "∧"),
    (re.compile(r"\\(?:lor|vee)\b"), "∨"),
    (re.compile(r"\\(?:oplus)\b"), "⊕"),
    (re.compile(r"\\(?:to|rightarrow|implies|Rightarrow|supset)\b"), "→"),
    (re.compile(r"\\(?:leftrightarrow|iff|Leftrightarrow)\b"), "↔"),
    (re.compile(r"\\(?:n[vV][dD]ash|not\\(?:vdash|models))\b|⊭"), "⊬"),
    (re.compile(r"\\(?:vdash|models|vDash)\b|⊨|⊧|⟹|\\therefore\b|∴|\|[-=](?=\s)"), "⊢"),
    (re.compile(r"\\(?:bot|perp)\b"), "⊥"),
    (re.compile(r"\\[()\[\],;! ]|[$*`]"), " "),
    (re.compile(r"\b([a-z]\w*) *(?:∉|\\notin\b) *([A-Z]\w*)"), r"¬\2(\1)"),
    (re.compile(r"\b([a-z]\w*) *(?:∈|\\in\b) *([A-Z]\w*)"), r"\2(\1)"),
    (re.compile(r"(?:=>|⇒|(?<!<)->|⟶)"), "→"),
    (re.compile(r"\b(?:all|forall) ([a-z]\d?)\. ?(?=[\w(∀¬-])"), r"∀\1 "),
    (re.compile(r"\bexists ([a-z]\d?)\. ?(?=[\w(∃¬-])"), r"∃\1 "),
    (_MINUS, "¬"),
)
_ATOM = r"(?:[^\W\d]\w{0,80}\((?:[^()\n]|\([^()\n]*\))*\))"
_FRONT = r"(?:(?:[∀∃] ?\w+(?: ?, ?\w+)* ?[.:]? ?)|[¬~!] ?|[(\[] ?)"
_FRONTS = rf"{_FRONT}{{0,20}}"
_PART = rf"(?:{_FRONTS}(?:{_ATOM}|(?<=[^\w\s] )[A-Z]\w*|(?<=[^\w\s])[A-Z]\w*))(?: ?[)\]])*"
_FORMULA = re.compile(
    rf"{_FRONTS}{_ATOM}(?: ?[)\]])*(?: ?(?:[∧∨⊕→↔&|]+|<->) ?{_PART})*"
    rf"|{_FRONTS}\b[A-Z]\w*(?: ?(?:[∧∨⊕→↔&]+|<->) ?{_PART})+|¬ ?[A-Z]\w*\b"
)
_OF_ANY = re.compile(r"¬?\w+\([u-z](?:, ?[u-z])*\)")
_SENTENCE = re.compile(r"(?<=[.!?])[\s\"]+|\n|;|[.]?\"")
_CLAUSE = re.compile(
    r", |,?(?:^| )(?:but|so|therefore|thus|hence|because|since|while|whereas"
    r"|although|which means)\b"
)
_MAX_LINE = 300
_ONLY_SIGNS = re.compile(r"[\s#∧⊢⊬,∴()\[\]{}]+")
_ITEM = re.compile(r"^\W*\d{1,2}[.)]\s+")
_OR_NOT = re.compile(r"\btrue(?:,| or|/| /)+ ?(?:false|not)\b")
_IF = re.compile(r"\bif # ?,? (?:then )?#")
_NO_MODEL = re.compile(r"\bno (?:such )?(?:model|interpretation|scenario|situation|world)s?\b")
_CASE = re.compile(r"\bcase \w{1,3}\b")
_DISCHARGES = re.compile(r"contradict|⊥|absurd|inconsisten|impossible|□|empty clause|\bunsat")
_NO_DISCHARGE = re.compile(
    r"\b(?:no|not|without|any) (?:\w+ )?(?:contradict|absurd|inconsisten|impossible)|n't contra"
)
_SUPPOSES = re.compile(r"\b(?:assum|suppos|negat|for contradiction|reductio)\w*|\bcase \w{1,3}\b")
_GOES_WITH = re.compile(
    r"\b(?:model|countermodel|interpretation|counter-?example|scenario|situation|world)s?\b"
)
_PATTERNS = (
    (
        "restated",
        re.compile(
            r"^[\W_]*(?:(?:the|our) )?(?:conclusion|statement|claim|goal|hypothesis|query)"
            r"(?: is)?[ :]+#[\W_]*$"
            r"|^[\W_]*(?:(?:in )?(?:fol|first-order logic|logic)|formula|translation)\W*: ?#[\W_]*$"
        ),
    ),
    (
        OPEN,
        re.compile(
            r"\b(?:uncertain|unknown|undetermined|undecided|undecidable|indeterminate"
            r"|(?:left |is |remains )open|may or may not|true or false|neither .* nor)\b"
        ),
    ),
    (
        UNSHOWN,
        re.compile(
            r"[⊬]|\b(?:do|does) ?(?:not|n't) know (?:if|whether|that)\b"
            r"|\b(?:does|do|did|would) ?(?:not|n't) (?:\w+ )?(?:follow|entail|imply|prove|give"
            r"|state|say|tell|establish|support)|\b(?:cannot|can't|can not|could not|couldn't"
            r"|unable to|not possible to|impossible to|no way to|not able to|fail(?:s|ed)? to)"
            r" (?:\w+ ){0,2}"
            r"(?:deriv|prov|conclu|infer|establish|determin|deduc|show|entail|obtain|get|follow|know"
            r"|decid|tell)\w*"
            r"|\b(?:is|are|was)(?: not|n't) (?:\w+ )?(?:entailed|implied|derivable|provable|given"
            r"|stated|known|proved|proven|derived|deducible|a consequence|guaranteed"
            r"|a logical consequence"
            r"|supported|established|determined|inferable|necessar\w+|said|mentioned)\b"
            r"|\b(?:unprovable|underivable|unproven|unsupported)\b|\bneed not\b|\bnot necessarily\b"
            r"|\b(?:no|nothing)\b.*\b(?:says|states|tells|gives|mentions|about|premise|information)\b"
        ),
    ),
    (
        "goal",
        re.compile(
            r"\b(?:whether|(?:to|must|should|can we|us|we) (?:show|prove|check|determine|decide|see"
            r"|derive|refute|test|evaluate|verify)|want|goal|asks?|question|asked|target|query)\b"
        ),
    ),
    (FALSE, re.compile(r"\b(?:unsat|unsatisfiable|inconsistent)\b")),
    (MAY, re.compile(r"\b(?:sat|satisfiable|consistent)\b")),
    (
        FALSE,
        re.compile(
            r"\b(?:false|refuted|impossible|disproved|ruled out|untrue)\b|\bcontradict|≡ ?⊥|= ?0\b"
            r"|\b(?:does|do)(?: not|n't) hold\b|[:=|] ?f\b|\bnot #|\b(?:is|are)(?: not|n't) true\b"
            r"|\bcannot (?:hold|be true)\b"
        ),
    ),
    (
        UNCLEAR,
        re.compile(
            r"n't\b|\b(?:not|no|never|none|nor|neither|cannot|unless|only if|may|might|could|would"
            r"|perhaps|maybe|possibly|probably|wrong|incorrect\w*|invalid|mistake\w*|fail\w*|without"
            r"|opposite|false\w*|doubt\w*|if|either|unsure|unclear|except|hardly|lacks?|missing)\b"
        ),
    ),
)
"""What the words around formulas say of them; the first that is found counts."""


def told(text: str) -> list[str]:
    """What a text says of formulas, as grounds of an answer.

    What is supposed until it is refuted is said to be false; what follows in between, nothing.
    """
    for pattern, sign in _TYPESET:
        text = pattern.sub(sign, text)
    found, held, model = list[str](), list[str](), False
    under = list[str]()
    for sentence in _SENTENCE.split(text):
        if not sentence or not sentence.strip():
            model = False
            continue
        masked, formulas = _masked(_ITEM.sub("", sentence))
        low = masked.lower()
        model = bool(_GOES_WITH.search(low)) or (model and not low.startswith(("so ", "thus ")))
        refuted = _DISCHARGES.search(low) and not _NO_DISCHARGE.search(low)
        if formulas and not refuted and _SUPPOSES.search(low):
            under, found = formulas[:1], found + held
            held = [] if _CASE.search(low) else [HOLDS + one for one in formulas]
            continue
        said = list(_said(masked, formulas, model=model))
        if not under:
            found += said
        elif refuted:
            found += [FALSE + one for one in under]
            under, held = [], []
        else:
            held += said
    return list(dict.fromkeys(found + held))


def ended(text: str) -> str:
    """A text with a full stop behind the line above its last one, if that has nothing but formulas
    and what follows from which: what it says, :func:`told` says, too."""
    before, _, last = text.rstrip().rpartition("\n")
    before = before.rstrip()
    line = before[-_MAX_LINE - 1 :].rpartition("\n")[2]
    if len(line) > _MAX_LINE or line.endswith((".", ":", "?", "!")):
        return text
    for pattern, sign in _TYPESET:
        line = pattern.sub(sign, line)
    masked, formulas = _masked(line)
    only = bool(formulas) and _ONLY_SIGNS.fullmatch(masked) is not None
    return f"{before}.\n\n{last}" if only else text


def _masked(sentence: str) -> tuple[str, list[str]]:
    """A sentence with ``#`` for each formula, and those."""
    formulas = list[str]()

    def mask(found: re.Match[str]) -> str:
        front, formula, behind = _balanced(found[0])
        formulas.append(formula)
        return f"{front} # {behind}"

    masked = _FORMULA.sub(mask, sentence.replace("#", " "))
    return " ".join(masked.split()), formulas


def _balanced(text: str) -> tuple[str, str, str]:
    """A formula without the brackets that it does not open or close, and those."""
    front, behind = "", ""
    text = text.strip()
    while text.count("(") > text.count(")") and text[0] == "(":
        front, text = front + "(", text[1:].lstrip()
    while text.count(")") > text.count("(") and text[-1] == ")":
        behind, text = ")" + behind, text[:-1].rstrip()
    return front, text, behind


def _said(masked: str, formulas: list[str], *, model: bool) -> Iterator[str]:
    """What a sentence says of the formulas in it."""
    left = iter(formulas)
    if masked.startswith("|") and len(formulas) > 1:  # the head of a truth table
        return
    if _IF.search(masked.lower()):
        one, other, *more = formulas
        yield f"{HOLDS}({one}) → ({other})"
        formulas, left = more, iter(more)
        masked = _IF.sub("", masked, count=1)
    if "?" in masked:
        yield from [ASKED + AMONG.join(formulas)] if formulas else []
        return
    if _NO_MODEL.search(masked.lower()):
        both = _said(_NO_MODEL.sub("", masked.lower()), formulas, model=False)
        told = [one.replace(FALSE, "¬").removeprefix(HOLDS) for one in both]
        yield FALSE + " ∧ ".join(f"({one})" for one in told)
        return
    for clause in _CLAUSE.split(masked):
        here = [next(left, "") for _ in range(clause.count("#"))]
        low = clause.lower()
        if "contradict" in low and len(here) > 1:
            continue
        kind = next((kind for kind, pattern in _PATTERNS if pattern.search(low)), HOLDS)
        if _OR_NOT.search(low) and kind in (OPEN, FALSE, "goal"):
            kind = OPEN if kind == OPEN and "goal" not in low and "either" in low else "goal"
        if kind == "goal":
            continue
        kind = CONCLUDED if kind == "restated" else kind
        if model and kind in (HOLDS, FALSE):
            kind = MAY if kind == HOLDS else MAY_NOT
        yield from (kind + one for one in here)


def parts(ground: str) -> tuple[str, str] | None:
    """(what is said, the formula) of a ground that is one of :func:`told`; None for another."""
    for kind in KINDS:
        if ground.startswith(kind):
            return kind, ground.removeprefix(kind)
    return None


def of_any(formula: str) -> bool:
    """Whether a formula is of a variable alone, as in ``any x with Kind(x)``."""
    return _OF_ANY.fullmatch(formula) is not None


def spelled(formula: str, known: fol.Signature) -> str:
    """A formula with the names in it spelled as a problem does."""
    names = {one.lower(): one for one in (*known.predicates, *known.functions, *known.constants)}
    return re.sub(r"[^\W\d]\w*", lambda name: names.get(name[0].lower(), name[0]), formula)
