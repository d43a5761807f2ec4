"""Whether a sentence above an answer speaks of the reply itself, and is not understood.

    Solution:                                       heads what is the author's own
    The following solution contains a mistake.      may say anything of what stands below
    Student's attempt:                              heads what somebody else wrote
    The attempt of both teams took 3 days.          is of the problem

What is said of the working above an answer may be of the things in the problem. What is said of the
reply as a whole claims nothing only if each of its words does, or stands elsewhere in the reply.
"""

from __future__ import annotations

import re
from collections.abc import Container

from agentflow.domains import narration
from agentflow.domains.answers.headlines import heads_work
from agentflow.domains.spelling import lowered, phrases, stem, word_set

_TEXT = phrases(r"""
    (?:re)?solutions?; answers?; arguments?; outputs?; responses?; repl(?:y|ies); reasoning
    derivations?; explanations?; proofs?; write-?ups?
""")
"""What a reply, or a part of one, may be called."""
_NO_REPLY = phrases(r"""
    answer keys?; attempts?; (?:counter-?)?examples?; templates?; drafts?; versions?; submissions?
    transcripts?; excerpts?; screenshots?; homework; samples?; quot(?:e|ation)s?; placeholders?
""")
"""What a text is called that is not its author's answer."""
_WRITES = r"(?:writes?|wrote|written|answer(?:s|ed)|submit(?:s|ted)|repl(?:ies|ied)|says?|said)"
_HEADS = re.compile(
    r"\W*(?!(?:since|because|as|so|thus|therefore|hence)\b)"
    rf"(?:[\w'’-]+,? ){{0,5}}?(?P<what>{_NO_REPLY}|{_TEXT})\b"
    r"(?:(?:,| -| –| —|\s\() ?[^:]{1,60}"
    r"| (?:from|by|of|for|to|as|in|on|with|that|which|says?|reads|below|above)\b[^:]{0,60})?:\W*"
    rf"|\W*[^:,]{{1,80}} {_WRITES}(?: (?:this|that|the following|back|down|once))?:\W*"
)
"""A line that heads a reply, or what somebody writes."""
_ORDERS = r"(?:please )?(?:ignore|disregard|skip|distrust|do(?: not|n['’]t) (?:trust|use|read))\b"
_WARNS = r"(?:(?:please )?note(?: that)?|warning|caution|attention|disclaimer):? "
_BELOW = (
    r"(?:(?:the|this) (?:following|next|below)"
    r"|(?:what|the text|(?:every|any|no)thing|all|none|the rest|most)(?: of (?:what|it))?"
    r"(?: that| which)?(?: is| stands| comes)?"
    r" (?:follows|below(?! (?:it|them|the|an?|this|that|\d)\b)|from here)"
    r"|below|here(?:['’]s| is| are| comes)"
    rf"|the (?:{_TEXT}|{_NO_REPLY}|lines?|text|work|result)"
    r"(?:,? (?:given|shown|written|that comes|you (?:see|find)))? (?:below|that follows))\b"
)
_IN_IT = rf"(?:[\w'’-]+,? ){{1,6}}?(?:{_TEXT}|{_NO_REPLY}|lines?|text) (?:below|that follows)\b"
_OF_IT = (
    rf"(?:this|the) (?!answer\b)(?:{_TEXT}|{_NO_REPLY}) "
    r"(?=(?:is|are|was|contains?|has|may|might|comes?|came)(?: \S+){1,9}\W*\Z)"
)
_OF_BELOW = (
    r"(?:[\w'’-]+,? ){1,6}?(?:the following|what follows|(?:what|all|everything)(?: that)? is below"
    rf"|the (?:{_TEXT}|lines?|text) below)"
    r"(?= (?:is|are|was|were|holds?|appl(?:y|ies)|stands?|counts?|would|should|must|can)\b|\W*\Z)"
)
"""What is told of what follows: ``The reverse of the following holds.``"""
_SEEKS_FAULT = re.compile(
    r"(?:[\w ]{1,40}: )?(?:please |now |can you |try to |try and )*(?:find|spot|locate|identify"
    r"|correct|fix|catch|point out|detect|explain|see|what is|where is|how many)\b"
    r"(?: [\w'’-]+){0,5}? (?:errors?|mistakes?|flaws?|faults?|bugs?|slips?|fallac(?:y|ies)|gaps?"
    r"|blunders?|typos?)\b[^,;:]{0,40}"
)
"""What asks the reader for a fault in what follows."""
_POINTS = re.compile(rf"\W*(?:{_ORDERS}|(?:{_WARNS})*(?:{_BELOW}|{_OF_IT}|{_IN_IT}|{_OF_BELOW}))")
"""How a sentence begins that points at what stands below it."""
_NAMES_IT = re.compile(
    rf"\b(?:{_TEXT}|{_NO_REPLY}|follows?|following|lines?|text|below|write|do)\b"
)
_KNOWN = word_set("""
    my full brief short formal quick own rigorous concise numbered key main mathematical worked
    possible one two three full proposed sample code python program function table list arrangement
    python3 implementation implements efficient requested call calls file json corrected improved
    updated optimized revised shortest expression grid assignment moves path map maze equation
    premise premises rule rules fact facts clue clues condition conditions puzzle statement
    format boxed markdown json tag tags using valid rearranged required filling filled empty cell
    cells uses
    row rows column columns select possible solutions several many various example instance
""")
"""Words that claim nothing of a reply, besides those of any narration."""
_MAY_DISOWN = word_set("""
    if would wanted imagine trick sample false true wrong right unknown yes no not
""")
"""Words that may say of a reply that it is none, wherever else they stand."""
_HOW = re.compile(r"\bhow to [a-z]|\bwhy (?:the|it|this|that)\b")
"""What begins a clause that tells what is done, or what is so: ``how to break it down``."""
_FALSELY = re.compile(
    r"\b(?:wrong|incorrect|false|fool|cheat|l(?:ie|ying)|pretend|fail|mislead|deceiv|trick|fak|avoid"
    r"|joke|seem|would|could|might)\w*"
)
_NOT_OWN = re.compile(_NO_REPLY)
_CALLED = re.compile(rf"\b(?:{_TEXT})\b")
_LONGEST = 160
"""Characters of such a sentence; a longer one is working."""
_BEGINNING = 4


def not_understood(sentence: str, elsewhere: Container[str], *, first: bool) -> bool:
    """Whether a sentence speaks of the reply itself in words that are not known to do no harm.

    Args:
        sentence: A sentence above an answer.
        elsewhere: How the words of the rest of the reply begin: a sentence in such words is of the
            problem.
        first: Whether the reply begins with it.
    """
    low = lowered(sentence).strip(" *_#\n")
    heading = not low.endswith((".", "!"))
    if len(low) > _LONGEST or (heading and heads_work(sentence.strip(" *_#:\n"))):
        return False
    if _SEEKS_FAULT.fullmatch(low.rstrip(".:!? ")):
        return True
    if heads := _HEADS.fullmatch(low):
        what = heads["what"]
        if first and what and _NOT_OWN.fullmatch(what):
            return True
        said = low.replace(what, " ", 1) if what else low
    elif _POINTS.match(low) and _NAMES_IT.search(low):
        said = _CALLED.sub(" ", low)
    else:
        return False
    if (how := _HOW.search(said)) and not _FALSELY.search(said):
        said = f"{said[: how.start()]} {' '.join(_MAY_DISOWN.intersection(said.split()))}"
    words = (one for one in narration.words(said) if len(one) > 1)
    return not all(
        one not in _MAY_DISOWN
        and (one in narration.WORDS or one in _KNOWN or beginning(one) in elsewhere)
        for one in words
    )


def beginning(word: str) -> str:
    """How the forms of a word, in small letters, begin."""
    return stem(word)[:_BEGINNING]
