"""Words of the sentences behind an answer: of doubt, of their author, of options."""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases, word_set

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
"""A word of any script."""
FEWEST = 3
"""Words of a plain sentence."""
MAX_SENTENCE = 1_000
"""Characters of a sentence that is read."""
SMILEYS = (
    "✓✔✅☑☺✨⭐🌟💡💯🔥🚀🥳🏆🎯🎉🎊👍👏🙌🙂😀😃😄😁😊😎🤓🤗💪🤝🙏🎓📎🧭🗺📊📈🧮📐📏📚📖✏🔢🔍🧩"
    "📦⏱⏰📅🏠🍎🍪🌍\ufe0f"
)
"""Signs behind an answer that say yes, or nothing."""
_OF_THINGS = (
    "☀-☄⚛⚡⚽⚾\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3ac\U0001f3b5-\U0001f3c5\U0001f3d4-\U0001f3f0"
    "\U0001f400-\U0001f440\U0001f4b0-\U0001f4bc\U0001f4c1-\U0001f4d9\U0001f680-\U0001f69f"
    "\U0001f950-\U0001f96f\U0001f980-\U0001f9ae\U0001f9c0-\U0001f9cb\U0001f9e9-\U0001f9f5"
)
"""Pictures of things: weather, food, animals, places, vehicles, flags; of no face, hand or sign."""
_GOOD_SIGNS = (
    r"!-/:->@\[-`{-~°±²³×÷−–—‐‑―…‘’‚“”„«»‹›·•∙◦‣○●■□▪▫▶►◆§©®™€£¥₹¢←→↑↓↔⇒⇐⇔↦➡∴∵∈⊂⊆∪∩∀∃∑∏∫√∞∠∥△π"
    rf"≈≅≡≤≥∎∘⌊⌋⌈⌉⟨⟩′″。，、；：！（）「」『』【】👉📌🔹🧠📝🏁{SMILEYS}{_OF_THINGS}"
)
BAD_SIGN = rf"[^\w\s{_GOOD_SIGNS}]"
"""A sign that is not known to say nothing: it may say no, or ask."""
ODD_SIGN = BAD_SIGN.replace("]", "?]")
"""The same, but for a question mark."""
FORMULA = re.compile(r"\\\(.*?\\\)|\$[^$]*\$")
"""A formula of LaTeX in a sentence."""
ITS_OWN = phrases(r"""
    answer; solution; result; path; list; expression; arrangement; grid; choice; conclusion; order
    route; sequence; schedule; assignment; coloring; scheme; placement; board; plan
""")
"""What a solution calls what it gives."""
STANDS_BY = phrases(r"""
    is (?:derived|based|supported|obtained|consistent|valid|correct|found|unique); follows; comes
    aligns; satisfies; uses; represents; matches; meets; fulfil\w+; respects; successfully; works
    holds; fits; accounts; reflects; navigates; ensures; reaches; leads; gives; covers; avoids
""")
"""What is said well of it."""
TRUTH = word_set("true false uncertain unknown yes no")
"""Answers to whether something holds."""
CHOSEN = re.compile(r"\W*(?:(?i:option|choice|answer)\W*)?([A-J])(?![\w'’])")
"""An answer that is an option's letter."""
LETTER = re.compile(
    r"(?<![\w'’.])(?:[B-HJ]|A(?! [a-z]|-)"
    r"|A(?= (?:is|was|it|would|seems|fits|works?|and|or|are|must|holds|satisfies|follows"
    r"|also|matches|gives|violates|contradicts)\b))(?![\w'’])"
)
"""An option; ``A`` before a word is an article."""
PAST = (
    r"(?:made|spent|bought|sold|kept|ran|ate|slept|cut|paid|got|won|lost|found|saw|drove|rode|read"
    r"|wrote|drank|grew|left|gave|took|caught|built|drew|began|put)"
)
"""Verbs in the past that end in no ``ed``."""
MONTH = re.compile(
    r"(?<=\b(?:in|of|to|by) )May\b|(?<=\b(?:and|for) )May\b|(?<=\bfrom )May\b|\bMay(?= \d)"
    r"|\bMay(?=['’]s\b|:)"
)
"""The month, which is no doubt."""
CALL = "call"
"""What stands for a call of a tool: what is said around one may speak of it in any way."""
_AUTHOR = phrases(r"""
    i; i['’]\w+; my; me; mine; none; nothing; nobody; random\w*; coin; placeholder; default; prompt
    mirror\w*; ignor\w+; told; made (?:it|this|that) up; closer (?:look|inspection); not among
    (?:sounds?|feels?|looks?) (?:right|good|nice|better|plausible|fine); (?:says?|said) so
    suggests? (?:it|this|that); popular; remember; copied
    (?:my|hidden|secret) notes?; want (?:it|this|that); skipped; dice
    student; grader; teacher; hints?; deadline; ran out
    follows if; works only; format; template; example
""")
OF_ITS_AUTHOR = re.compile(rf"\b(?:{_AUTHOR})\b|\b0\s?%")
"""What no sentence behind an answer says of how its author came to it, or of whose it is."""
PUTS = re.compile(
    r"[\W_]*(?:(?:so|then|please|just|now|let['’]s|let us|i['’]ll|i will|i['’]m)[, ]+)*"
    r"(?:(?:make|call|say|use|put|read|choose|pick|select|submit|enter|take|change|replace|swap)"
    r" (?:that|it|this|them|\W*(?:\d|[a-j]\b))"
    r"|(?:go|going) with\b|(?:changing|switching|moving|going) to\b|(?:negate|invert|flip)\b)"
)
"""What puts something in the place of an answer: ``Make that 15.``"""
_DOUBTS = phrases(r"""
    wrong; incorrect\w*; mistak\w*; errors?; typo; oops; sorry; guess\w*; specul\w*; unsure; unclear
    mis(?:count|read|calc|interpret|underst|s?tat)\w*; ambigu\w*; uncertainty; doubt\w*; lies?
    refut\w*; disprov\w*; disproof; den(?:y|ie[sd]|ying); disput\w+; nonsense
    counter-?(?:examples?|models?)
    spurious; extraneous; inadmissible; unacceptable
    untrue; fail\w*; instead; switch\w*; chang\w* my; take (?:it|that|this) back; never ?mind
    forget; cancel\w*; strike; scratch; ignor\w+; disregard\w*; retract\w*; withdraw\w*; reject\w*
    discard\w*; invalid; contradict\w*; violat\w*; however; although; though; unfortunately
    actually; wait; hmm+; hold on; nope; no (?:solution|answer|valid); none of; giv(?:e|ing) up
    undecid\w*; undetermin\w*; ill-\w+; on the other hand; alternativ\w*; rather; i mean\w*; meant
    still (?:have|need)s? to
    also (?:possible|be|valid|work); another (?:answer|possib\w+|option|reading|way); only if
    should (?:be|have|read); could; might; may; perhaps; maybe; probabl\w+; possibl[ey]; depend\w*
    assum\w*; unless; provided; if and only; jok\w+; kidding; tempting; would (?:be|have); otherwise
    reali[sz]\w+; reconsider\w*; revis\w*; correction; correcting; corrected; edit; update[ds]?
    (?:two|several|many|multiple|more than one) (?:answers|solutions); not unique
    (?:is|are) (?:missing|ambiguous|unspecified|incomplete)
    flaws?; flawed; faulty; gaps?; holes?; unsound; fallac\w*; backwards; hasty; unproven
    opposite; negation; different; in fact; strictly; on second; re-?reading; textbook; suppos\w+
    forg[oe]t\w*; omitt?ed; overlook\w*; neglect\w*; dropped; left out; doubled; halved
    twice (?:that|this|it); (?:is|was|are) negative
    should (?:add|subtract|multiply|divide|double|halve|round|take)
    except; not (?:sure|confident|certain|clear|right|correct|valid|possible|so|it|the|true|what)
    not (?:really|quite|enough|my|an?|final|verified|checked|proven|guaranteed)
    (?:do not|don['’]t) trust; w?oops; then again; ought to; (?:is|are|seems) better
    (?:reverse|contrary|converse|inverse) (?:holds|is true|is the case|is right)
    (?:this|that|above|it) (?:is|was) (?:false|untrue|a joke|a lie)
""")
_DENYING = phrases(r"""
    can(?:not|['’]t); (?:could|should|is|was|are|wo|would)n['’]t; never
    (?:do|does|did)(?: not|n['’]t)
""")
_DENIED = phrases(r"""
    be; it; that; right; work; match; fit; hold; follow; satisfy; add; equal; make; mean; agree
    apply; count; know; think; believe; determine; tell; say; the; correct; true
""")
DOUBTFUL = re.compile(rf"\b(?:{_DOUBTS}|(?:{_DENYING}) (?:{_DENIED}))\b|{BAD_SIGN}")
"""What no sentence behind an answer says."""


def letter(answer: str) -> str | None:
    """The option that an answer names by its letter."""
    found = CHOSEN.match(answer)
    return found[1] if found else None
