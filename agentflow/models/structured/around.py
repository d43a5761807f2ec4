"""What may stand around the one object that a reply is asked for: a lead, and a good-bye.

    Here is my verdict:
    {"correct": true}
    Let me know if you need more.

The prompts ask for one object and nothing else, so that a word too many has a meaning: it may take
the object back, make it depend on something, or say that it is an example or somebody else's. There
is no end to such words, in any language. So what stands there is read by a whitelist of what says
nothing; of any other reply the model is told what was wrong with it, and asked once more.

What is finished in front of the lead is free: it may be reasoning of any length. Only a sentence
right in front that points ahead ("Below is a bad example.") has to be a lead, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection


def words(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


LEADS = words("""
    here here's is are be my our the this these that that's below above following as follows so
    therefore thus hence now finally overall final full complete resulting single valid
    corrected revised requested required specified desired structured formatted
    verdict answer answers reply response result results output object json evaluation assessment
    judgement judgment decision conclusion rating score review analysis critique comparison choice
    summary solution reasoning explanation checks facts calls tests statement query plan report
    premises tools selected selection strategy proposal proposed next claims value number thoughts
    questions update updated extracted relevant data
    sure certainly ok okay alright great of course i i'll will provide give return respond present
    conclude and with in a an it on based to sum up
    hier ist mein meine das die der endgültiges urteil ergebnis antwort bewertung
    voici mon ma le la réponse résultat évaluation aquí está mi el respuesta resultado
    veredicto est es ответ результат 回答 答案 结果 答え
""")
"""Words of which a lead is made; a few of other languages, too."""

_GOOD_BYES = words("""
    hope helps help helpful let me know if you have any questions question need would like more
    details detail detailed further anything else want please feel free to ask assistance
    clarification you'd end thank thanks happy through walk for your for
""")
"""Words of which a good-bye is made besides."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SIGNS = frozenset(" \t\r\n*_:.,!-–—=→()[]`#✅✓👉➡\ufe0f")
_FORMAT = re.compile(
    r"\bin (?:(?:the|this|your|requested|required|specified|following|valid|json) ){0,4}format\b"
)
"""``in the requested format``; a format alone would only be shown."""
_FENCE = re.compile(r"[`~]{3,}\w*")
_TAG = re.compile(r"</?([a-z_]{1,20})>|<\|\w{1,40}\|>", re.IGNORECASE)
_SINCE = re.compile(r"\W*(?:since|because|after|having) [^,:]*,")
"""A clause in front of a lead that says why or when, and makes no condition."""
_FROM = re.compile(
    r"\b(?:based on|given)(?: (?:the|this|these|your|my|our|above|provided|given|email|and|analysis"
    r"|contexts?|conversation|data|documents?|information|input|messages?|questions?|texts?)\b)++"
)
"""What says from what an object was made: ``Given the context and question provided, ...``"""
_MEANING = re.compile(r",? (?:meaning|which means)\b")
_SENTENCE = re.compile(r"(?<!\be\.g)[.!?;。](?:\s|\Z)")
_GOES_ON = re.compile(
    r"(?:[:=→]|\b(?:is|are|be|as|answer|reply|response|result|object|output|verdict|json|return"
    r"|provide|give|respond))\Z",
    re.IGNORECASE,
)
"""How a sentence ends that goes on with an object."""
_POINTS = re.compile(
    r"\b(?:below|hereafter|following|what follows|(?:the )?next (?:line|reply|object|comes|is)"
    r"|here(?: is|'s| are| comes)|e\.g|examples?|format|template|sample|placeholder"
    r"|(?:is|are|was|be|like|write|reply|say) (?:this|these)(?=\W*\Z)"
    r"|(?:this|that|the|a|my|the json) (?:object|reply|output|response|json))\b"
    r"(?![^:]*:\s*\S)",
    re.IGNORECASE,
)
"""What in a finished sentence points ahead; not ``the following holds: 3 < 4``."""
_HEADING = re.compile(r"#|\*\*[^*]+\*\*\Z|\[.*\]\Z")
_SECTION = re.compile(r"^\[([A-Z][\w ,'’-]{0,60})\][ \t]*$", re.MULTILINE)
_AT_MOST = 400
"""Characters of a lead, or of a good-bye."""


def lets_stand(text: str, fields: Collection[str] = ()) -> bool:
    """Whether what is in front of an object only leads to it: the sentence that goes on into it, or
    the line above that announces it.

    Args:
        fields: The names of its fields, after which it may be called: ``the updated booking``.
    """
    if fields:
        names = "|".join(re.escape(one.replace("_", " ")) for one in fields)
        text = re.sub(rf"(?i)\b(the (?:updated |extracted )?)(?:{names})\b", r"\1", text)
    if any(not _is_made_of(found[1], LEADS - {"solution"}) for found in _SECTION.finditer(text)):
        return False  # a prompt that is repeated
    *above, line = text.split("\n")
    own = _without_marks(line)
    if bare := own.strip(" \t*_-[(`"):
        if bare.endswith((".", "!")):
            return not points_ahead(own)
        return _GOES_ON.search(bare) is not None and _leads(own)
    between = False
    for line in reversed(above):
        if said := _without_marks(line).strip():
            ahead = _announces(said, between) or points_ahead(said)
            return not ahead or _leads(said)
        between = between or not line.strip()
    return True


def says_nothing_new(behind: str, said: Collection[str] = ()) -> bool:
    """Whether what is behind an object is a good-bye, or only says its values again.

    Args:
        said: The values, as texts.
    """
    text = _without_marks(behind).rstrip("*_-`)] \t\r\n")
    if len(text) > _AT_MOST or (_WORD.search(text) and not text.endswith((".", "!"))):
        return False  # it may have been cut off
    again = words(" ".join(word for value in said for word in _WORD.findall(value.casefold())))
    first, *meaning = _MEANING.split(text, maxsplit=1)
    if meaning and not again.isdisjoint(_WORD.findall(first.casefold())):
        text = first
    return _is_made_of(text, LEADS | _GOOD_BYES | again)


def _without_marks(text: str) -> str:
    """A text without fences and the tags of an answer."""
    text = _FENCE.sub(" ", text)
    return _TAG.sub(lambda tag: " " if _is_made_of(tag[1] or "", LEADS) else tag[0], text)


def _leads(line: str) -> bool:
    """Whether the last sentence of a line has no words but those of a lead."""
    if len(line) > _AT_MOST or line.rstrip("*_ ").endswith("?"):
        return False
    sentences = [one for one in _SENTENCE.split(line) if one.strip()]
    return not sentences or _is_made_of(_FROM.sub("", _SINCE.sub("", sentences[-1].lower())), LEADS)


def _announces(line: str, between: bool) -> bool:
    """Whether a line announces what stands below it, and not only ends above."""
    bare = line.rstrip("*_ \t")
    if bare.endswith((":", "?")) or _HEADING.match(line):
        return True
    return not between and (not bare.endswith((".", "!", "。", ")", "$")) or bare.endswith("e.g."))


def last_sentence(text: str) -> str:
    """The last sentence of a text, as far as it is no longer than a lead may be."""
    said = [one for one in _SENTENCE.split(_without_marks(text[-2 * _AT_MOST :])) if one.strip()]
    return said[-1].strip()[-_AT_MOST:] if said else ""


def points_ahead(line: str) -> bool:
    """Whether the last sentence of a line, which is finished, speaks of what stands behind it."""
    return _POINTS.search(last_sentence(line)) is not None


def _is_made_of(text: str, known: frozenset[str]) -> bool:
    """Whether a text has no words but these, and no sign that says something."""
    text = _FORMAT.sub("", " ".join(text.replace("_", " ").casefold().replace("’", "'").split()))
    return known.issuperset(_WORD.findall(text)) and _SIGNS.issuperset(_WORD.sub("", text))
