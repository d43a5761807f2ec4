"""Phrases of everyday words that claim something of a game which nothing here can judge.

This breaks the rules.         of the rules
I take that back.              of the answer, which is given up
This is the only solution.     of all answers
"""

from __future__ import annotations

import re

_PHRASES = (
    # the answer is given up, or only may be right
    r"g[ai]v(e|ing) up",
    r"tak\w+ (\w+ ){0,2}back",
    r"scratch (that|it|this|my)",
    r"(might|may|could|should|would) be (right|correct|fine|ok|valid|it)",
    # the rules, and what has to be
    r"(break|bend|skip|violat)\w* (the |a |this |that |one )?(rules?|conditions?|requirements?)",
    r"(should|must|ha(s|ve) to|needs? to|ought to) be (checked|changed|replaced|different|another)",
    # other answers
    r"(only|exactly one|just one) ((one|possible|valid|correct) )*(way|solution|answer|expression)",
    r"only (one )?number",
    r"there( is|'s) an? (better|nicer|simpler|shorter) ",
    r"(?<!any )(another|different|other) (answer|expression|equation|one)(?!.*\d)",
    # how many steps there are, and of which kind the last is
    r"(\d+|two|four|five|six) (\w+ )?(steps?|operations?)",
    r"(operation|step|move)\b.* is (the |an? )?(addition|subtraction|multiplication|division)",
    # numbers
    r"numbers? (is|are) \d+(?![\d, ]*\d| ?[-+*/])",
    r"(?<!a )(?<!one )(third|quarter|fourth|fifth|sixth|eighth) of (the )?\d+",
    r"stay\w* (behind|out|away)",
)
_UNJUDGED = (
    # how numbers are to each other, and to others
    r"away|next,? (\w+ )?to|gap|beyond|by,? (exactly )?(\d|one|two|three|four|five|six|seven)",
    r"factorials?|equal(?! to)|same(?! \w*(way|idea))|distinct|different,? (number|value|result)s?",
    r"negative|positive|(add|summ?)(ing)?,? (\w+ )?(all|everything|them)",
    r"(multipl\w+|factors?|divisors?|sum|product|total|divi\w+),? (\w+ )?(of|out|into|up|all"
    r"|everything|them|numbers?)",
    r"(their|whose|them|they|those|both|everything)\b.*(sum|total|ratio|product|difference|\d)",
    r"doubl(?!e-check)\w*|halv\w*",
    r"(made|reached|obtained|built|come) (from|of|by|using|with|out)\b.*\d",
    r"(are|is|be) different|(offer|suppl|contribut)\w*",
    r"leav\w* out|pairs?\b.*\(|into\b.*\d|out\b.* reach|consist\w*",
    # what is used, and how
    r"uses?\b(?! the numbers\b\D* 24\b\D*$).*\d|(need|us)(s|es|ing)? only",
    r"only (\w+ )?(one|add|mul|sub|div|num|sol|ans)\w*",
    r"(add|multipl|subtract|divi)\w*,? (only|alone)|purely|\d,? (\w+ )?(given|avail|only)\w*",
    r"(behind|to go|(cancel|absorb|incorporat|provid(?!ed (solution|answer"
    r"|expression)\b)|includ|involv)\w*|unused|spare|fit)",
    r"(fraction|decimal|integer|whole)\w*",
)
"""The same, where no form of :mod:`.claims` was read, which is judged."""
_SIGNS = re.compile(r"[✗✘❌✖≠<>%^!]\s*\d|\d!(?=\s*[-+*/=)\w])")
_CLAIMING = re.compile(rf"\b(?:{'|'.join(_PHRASES)})\b")
_STILL_CLAIMING = re.compile(rf"\b(?:{'|'.join(_UNJUDGED)})\b")
_OF_STEP = re.compile(r"\bstep \d+ (?:gives|is|yields|makes)\b")


def claims(said: str, written: str) -> bool:
    """Whether a sentence has one of the phrases, or signs that no answer has.

    Args:
        said: The sentence in plain signs, without the numbers of its steps.
        written: The sentence in small letters.
    """
    return any(one.search(said) for one in (_CLAIMING, _SIGNS)) or bool(_OF_STEP.search(written))


def still_claims(rest: str) -> bool:
    """Whether what remains of a sentence, the claims that are judged left out, has one."""
    return _STILL_CLAIMING.search(rest) is not None
