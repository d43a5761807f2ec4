r"""What a backslash in a quoted string means, where models write LaTeX and JSON in one.

JSON's grammar says that ``"\frac"`` is a form feed and ``rac``, and refuses ``"\sqrt"``. No library
that we tried reads the first as its author meant it: json-repair, partial-json-parser, json5,
demjson3, dirtyjson and pyjson5 all give the form feed, and json5 and demjson3 read ``"\sqrt"`` as
``sqrt``. So strings are decoded here, by what they can mean:

- ``\u`` with four hexadecimal digits, ``\"``, ``\'``, ``\/`` and ``\\`` are what JSON says.
- A backslash before the letters of a LaTeX command is that command: ``\frac``, ``\times``.
- ``\n``, ``\r`` and ``\t`` before anything else are the control characters. Text has no backspace
  and no form feed: ``\b`` and ``\f`` before anything else cannot be read.
- A backslash that begins no escape (``\(``, ``\sqrt``, ``\d``) stands for itself.
- ``\nu``, ``\ne``, ``\ni`` and ``\tt`` may also be a line break or a tab before a variable. The
  other escapes tell whether the author doubles his backslashes; where they do not, it cannot be
  read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_COMMANDS = frozenset(
    re.findall(
        r"\w+",
        """
Big Bigg backprime backsim backsimeq backslash bar barwedge bcancel because begin beta beth
between bf bfseries bibitem big bigcap bigcirc bigcup bigg biggl biggm biggr bigl bigm bigodot
bigoplus bigotimes bigr bigskip bigsqcup bigstar bigtriangledown bigtriangleup biguplus bigvee
bigwedge binom blacklozenge blacksquare blacktriangle blacktriangledown blacktriangleleft
blacktriangleright bm bmatrix bmod bold boldsymbol bot bowtie box boxdot boxed boxminus boxplus
boxtimes bra braket break breve buildrel bullet bumpeq fallingdotseq fbox fcolorbox fi flat
footnote footnotemark footnotesize forall frac frak frown nLeftarrow nLeftrightarrow nRightarrow
nVDash nVdash nabla natural ncong ne nearrow neg neq newcommand newline newpage nexists ngeq
ngeqq ngeqslant ngtr ni nicefrac nleftarrow nleftrightarrow nleq nleqq nleqslant nless nmid
nobreak noindent nolimits nonumber normalsize not notag notin nparallel nprec npreceq
nrightarrow nshortmid nsim nsubseteq nsucc nsucceq nsupseteq ntriangleleft ntriangleright nu
nvDash nvdash nwarrow rVert raggedright raise raisebox rangle rbrace rbrack rceil real ref relax
renewcommand rfloor rgroup rhd rho right rightangle rightarrow rightarrowtail rightharpoondown
rightharpoonup rightleftarrows rightleftharpoons rightrightarrows rightsquigarrow rlap rm
rmfamily rmoustache root rule rvert tag tan tanh tau tbinom text textbackslash textbf textcolor
textdegree textdollar textgreater textit textless textmd textnormal textrm textsc textsf textsl
textstyle textsubscript textsuperscript texttt textup tfrac therefore theta thetasym thickapprox
thicksim thickspace thinspace tilde times tiny to top triangle triangledown triangleleft
trianglelefteq triangleq triangleright trianglerighteq tt ttfamily twoheadleftarrow
twoheadrightarrow
""",
    )
)
"""Commands of LaTeX whose first letter is that of an escape of JSON; ``u`` needs no list."""

_VARIABLES = frozenset({"nu", "ne", "ni", "tt"})
_WORDS = frozenset({"nless", "nmid", "nexists", "nparallel", "nsim"})
_EITHER = _VARIABLES | _WORDS
"""Commands that may also be a line break or a tab before a variable, or before a word."""

_GLUED = re.compile(
    r"(?:text|times|theta|tilde|tfrac|triangle|right|rho|rangle|rfloor|rceil|rvert)[A-Za-z]"
)
"""A command with letters behind it: no command, and no word behind a control character."""

_ESCAPE = re.compile(r"(\\+)(u[0-9A-Fa-f]{4}|[A-Za-z]+|.|\Z)", re.DOTALL)
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}
_ITSELF = frozenset("\"'/“”‘’")
_PATH = re.compile(r"[C-Z]:(?:\\[\w.$ -]+)+")
_ASSIGNED = re.compile(r"\s*(?::?=(?!=)|:)")
_GOES_ON = re.compile(r"\s+[a-z]{2}")
_INDENTED = frozenset({"tag", "tan", "text", "to", "top"})
"""Commands that in an indented line of a program may be a tab before a variable."""


class Unclear(ValueError):
    """A string can be read in two ways, or in none; says so in one line."""


@dataclass(frozen=True, slots=True)
class Style:
    """How an author writes backslashes.

    Attributes:
        raw: Some LaTeX stands with single ones.
        doubled: Some stands with doubled ones.
        broken: Some line is broken by ``\\n``.
    """

    raw: bool = False
    doubled: bool = False
    broken: bool = False


def style_of(texts: Iterable[str]) -> Style:
    """What the strings of one reply, as they are written, tell of their author."""
    raw = doubled = broken = False
    for text in texts:
        for found in _ESCAPE.finditer(text):
            many, said = len(found[1]), found[2]
            if many % 2 == 0:
                doubled |= said[:1].isalpha() or said in tuple("()[]{}")
            elif said[:1] not in _CONTROL and said[:1] not in "bfu":
                raw |= said not in _ITSELF
            elif said in _COMMANDS:
                raw |= said not in _EITHER
            else:
                broken |= said[0] == "n"
    return Style(raw, doubled, broken)


def decoded(text: str, style: Style) -> str:
    """What a string says, of which ``text`` is what stands between its quotes.

    Raises:
        Unclear: If it can be read in two ways, or in none.
    """
    if "\\" not in text:
        return text
    if _PATH.fullmatch(text) and re.search(r"\\[nrt]", text):
        raise Unclear("a path with single backslashes, or line breaks")
    said = _ESCAPE.sub(lambda found: _meant(found, style), text)
    try:
        return said.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise Unclear("half a surrogate pair is no character") from None


def _meant(found: re.Match[str], style: Style) -> str:
    many, said = len(found[1]), found[2]
    before = "\\" * (many // 2)
    if style.raw and many in (2, 3) and (said[:1].isspace() or said[:1] == "&" or many == 3):
        before = "\\\\"  # the line break of who does not double
    if many % 2 == 0:
        return before + said
    return before + (_command(found, said, style) if said[:1].isalpha() else _sign(found, said))


def _sign(found: re.Match[str], said: str) -> str:
    """A backslash before what is no letter."""
    if said in _ITSELF and said:
        return said
    if not said or said.isdigit() or said in "\r\n":
        raise Unclear(f"{found[0]!r} is no escape")
    return f"\\{said}"


def _command(found: re.Match[str], said: str, style: Style) -> str:
    """A backslash before letters."""
    first, behind = said[0], found.string[found.end() :][:20]
    if first == "u":
        if re.fullmatch(r"u[0-9A-Fa-f]{4}", said):
            return chr(int(said[1:], 16))
        if len(said) == 1:
            raise Unclear(r"\u needs four hexadecimal digits")
    if first == "x" and re.match(r"x[0-9A-Fa-f]{2}", said + behind) and said != "xi":
        raise Unclear(f"{found[0]!r} is no escape of JSON")
    if first not in _CONTROL and first not in "bf":
        return f"\\{said}"
    if said in _EITHER and not _is_command(found, said, behind, style):
        return _CONTROL[first] + said[1:]
    if said in _INDENTED and _ASSIGNED.match(behind) and _begins_line(found):
        raise Unclear(f"\\{said} may be a command, or a tab before {said[1:]!r}")
    if said in _COMMANDS:
        return f"\\{said}"
    if first in "bf" or _GLUED.match(said):
        raise Unclear(f"\\{said} is no command, and text has no control character there")
    return _CONTROL[first] + said[1:]


def _begins_line(found: re.Match[str]) -> bool:
    """Whether nothing but line breaks and tabs stands in front of an escape, in its line."""
    return re.search(r"(?:\A|\n|\\[nt])[ \t]*\Z", found.string[: found.start()][-20:]) is not None


def _is_command(found: re.Match[str], said: str, behind: str, style: Style) -> bool:
    """Whether one of :data:`_EITHER` is the command.

    Raises:
        Unclear: If nothing tells.
    """
    word = found.start() > 0 and found.string[found.start() - 1] not in " $(" and _GOES_ON
    doubtful = said in _WORDS or said in ("ni", "tt") or _ASSIGNED.match(behind) is not None
    doubtful = doubtful or bool(word and word.match(behind))
    doubtful = doubtful or (said == "ne" and not behind.strip())  # unequal to nothing
    if style.raw and not (style.broken and doubtful):
        return True
    if not style.raw and (style.doubled or style.broken):
        return False
    if doubtful:
        raise Unclear(f"\\{said} may be a command, or a line break before {said[1:]!r}")
    return True
