"""What may stand around a program that is held on to: what announces it, explains it, or ends.

    Here is the function: [...]                       it is held on to
    [...] It returns the sum. We need no loop.        it is held on to
    Previously I had: [...]                           is open
    [...] It breaks for b < 0. Swap the sign.         is open

An explanation says too many things for a list of them. But a sentence about the program as such, to
its reader, or of its author may take it back, so that of those only known ones are understood. Any
other speaks of a part, and must not find a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains.closings import closes
from agentflow.domains.python import faults
from agentflow.domains.spelling import lowered, phrases, plain, word_set

_BLOCK = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_TAG = re.compile(
    r"</?(?:answer|code|final|output|python|response|result|s|solution|\|\w{1,20}\|)>", re.I
)
_ITEM = re.compile(r"\s*(?:[-*+•|✅✔✓☑]\ufe0f?|\d{1,2}[.)])\s")
"""How an item of a list begins, or what is ticked."""
_ROW = re.compile(r"\s*\|.*\|\s*$")
_SPAN = re.compile(r"`[^`\n]{1,200}`")
_ORDER = re.compile(r"\bO\([^()\n]{1,40}(?:\([^()\n]{1,20}\))?\)")
_ORDERED = re.compile(rf",? (?:instead of|rather than|compared (?:to|with)) {_ORDER.pattern}")
"""Another order than that of the program, to which that is compared."""
_SHORT = re.compile(r"\b[Ee]\.g\.")
_SENTENCE = re.compile(r"[^.!?:\n]*(?:[.!?:](?=[^\s*_])[^.!?:\n]*)*[.!?:]*")
_EDGE = " \t*_#>\"'()[]|✓✔✅-–—+•"
_SIGNS = re.compile(r"[\x00-\u024f\u0370-\u03ff\u2000-\u2bff\ufe0f\U0001f389\U0001f60a]*")
_MARKUP = re.compile(r"<[!/\w]|~~")
"""What is struck out, or a comment."""
_BAD_SIGN = re.compile(r"[❌✗✘✖🚫?]|~~")
_WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")
_ENGLISH = word_set("""
    a all an and are as at be both by code each else empty every for from function handles if in
    input is it its list lists name no not numbers of on or otherwise return returns so strings that
    the their then they this to until uses value we when which while with works you your
""")
_OPENS = word_set("""
    a additionally after again all also always an and any as at because before besides both but by
    complexity during each either every finally first for furthermore given hence here here's how
    however if in inside instead it it's its lastly let let's like moreover name next no none note
    now o once one only other otherwise overall python remember second secondly similarly since so
    some space subsequent such thanks that that's the their then there there's therefore these they
    third this those though through thus time to together two unlike until using we we'll we're
    when where which while with within without
""")
"""How sentences of an explanation begin; an order begins with a verb."""
_TITLES = word_set("""
    analysis approach array case cases check checks class complexity conclusion dynamic edge
    example examples explanation features function how idea initialization input key loop method
    note notes output points result space step step-by-step steps summary table test tests time
    usage use verification walkthrough why
""")
"""Of these a heading has one."""
_CODE = (
    r"(?:algorithm|answer|approach|code|function|implementation|program|script|snippet"
    r"|solution|version)"
)
_ABOUT = re.compile(
    rf"(?:(?:that|the|this|my) (?:above )?(?:\w+ ){{0,2}}{_CODE}s?"
    r"(?: (?:above|name|of \w+(?: \w+)?))?|the above|it|that|this)(?=['’ ])"
)
"""A program, as a whole."""
_HOW = (
    r"(?: (?:also|always|already|correctly|directly|effectively|efficiently|first|iteratively|just"
    r"|now|recursively|repeatedly|simply|still|then))*"
)
_VERBS = phrases(r"""
    accept; achieve; add; allow; appl[yi]; append; assume; avoid; build; calculate; call; check
    combine; compare; compute; contain; continue; convert; copy; count; cover; create; define
    demonstrate; determine; display; divide; ensure; enter; fill; filter; find; follow; fulfill?
    generate; get; give; go; greatly reduce; guarantee; handle; implement; include; indicate
    initialize; insert; iterate; keep; lead; leverage; loop; maintain; make; match; mean; merge
    mirror; multipl[yi]; open; pass; perform; pop; print; prompt; process; produce; provide; push
    read
    reconstruct; reduce; remove; represent; return; reverse; run; satisf[yi]; save; scan; search
    simulate; skip; solve; sort; split; start; stop; store; subtract; support; swap; take
    traverse; update; use; utilize; validate; visit; work; write
""")
_PART = re.compile(
    rf"(?:that|this) (?!{_CODE}|\w+ly\b|also\b|just\b|never\b|still\b)\w+(?: expression| pattern)?"
    rf" (?:are|can|has|is|will|(?:{_VERBS})e?s)\b|this way,|the (?:brute[- ]force|naive) "
)
"""A part of it, or another program."""
_SAYS = re.compile(
    rf"{_HOW} (?:(?:{_VERBS})e?s\b|fails only if\b|never (?:crashes|fails|raises)\b"
    r"|does (?:so|this|the following)\b"
    rf"|(?:can|should|will){_HOW} (?:{_VERBS}"
    r"|be (?:called|done|expressed|implemented|solved|used|written))\b"
    r"|(?:does not|doesn't) (?:change|check|depend|modify|mutate|need|require|use)\b"
    r"|raises? (?:an? )?(?:\w*error|exception|name) (?:if|when)\b"
    r"|(?:needs?|takes?|uses?)(?: only)? (?:name|constant|linear|one pass|a single)\b"
    r"|(?:is|runs in) name\b(?=[.!]?$| (?:time|space|memory|extra|in)\b)"
    r"|(?:suffices to|(?:always )?(?:ends|halts|holds|stops|terminates))\b"
    r"|does \w+ things\b"
    r"|(?:has|is)(?: an?| the)? (?:overall )?(?:time|space|linear|constant|logarithmic"
    r"|quadratic|o\()"
    rf"|is{_HOW} (?:because|correct|valid|fine|efficient|optimal|sufficient|used|called|needed|done"
    r"|achieved|important|necessary|safe|possible|equivalent|returned|the same|where|how|to"
    r"|designed|crucial|amortized|optimized|straightforward|readable|concise|simple|clean|clear"
    r"|more (?:efficient|concise|readable|general|elegant|compact)|the (?:faster|shorter) one"
    r"|short|easy|pythonic|robust|idiomatic|fast|elegant|well)\b"
    r"|is (?:an?|the|my) (?:\w+ )?(?:common|complete|correct|efficient|final|iterative|linear"
    r"|recursive|simple|standard|straightforward|working|base|sum|result|data|domain|part)\b)"
    r"|(?:'s|’s) (?:because|correct|fine|important|valid|it\b|all\b)"
)
"""How a sentence about a program goes on that holds on to it."""
_FINE = re.compile(
    r".*\bso (?:it|that|the code|this) (?:is (?:still )?(?:correct|fine|right)|still works)\.?"
)
"""A thought that holds on to the code."""
_TURNED = re.compile(
    r"\b(?:although|but(?! (?:also|larger|smaller|greater|less|still)\b)|contrary|instead of"
    r"|not (?:allowed|given|to|wanted)|examples? only|only (?:for|handles|works)|rather than"
    r"|so do|though)\b"
)
"""What turns a sentence about a program round."""
_I = re.compile(
    r"(?:i|i've|i have)(?: also)? (?:added|chose|hope(?! (?:it|that|this)(?: is|['’]s)\b)"
    rf"|implemented|tested|use|used|wrote|{_VERBS})\b"
)
_WE_DO = re.compile(
    r"(?:let's (?:break|consider|go|look|see|take|test|walk)|we(?:'ll)?)\b"
    r"(?! (?:actually|really|want|need (?!to\b|no\b)|need to handle"
    r"|can(?:'t|not| not)|(?:do|could|did)(?:n't| not) (?!have|need|use)))"
)
_I_WILL = re.compile(rf"i(?:'ll| will)(?: first| now)? (?:{_VERBS}|use)\b")
_TO_READER = re.compile(
    r"(?:if you (?:have|need|prefer|want|would like|'d like)\b.*, )?(?:please )?(?:also )?"
    r"(?:you (?:can|could|may|might)(?: also| now| simply)* (?:adjust|call|choose|copy|extend|find"
    r"|check|confirm|memoi[sz]e|read|run|see|test|try|use|verify|want to)\b"
    r"|you (?:can|could) (?:write|implement|solve|do|express|compute|calculate|count|find) "
    r"|let me know\b|feel free\b|note\b|make sure\b|keep in mind\b"
    r"|remember\b"
    r"|(?:call|copy|run|save|test|try) (?:it|this)(?: \w+)? (?:as|by|in|like|using|with)\b"
    r"|if you (?:call|input|pass|run|use)\b|(?:change|replace) .*\byour (?:actual|own)\b)"
)
_OFFERS = re.compile(r"would you like me to (?:add|explain)\b[^?]*\?")
_READER = re.compile(
    r"(?:please|you\w*|if you|would you|let me know|feel free|make sure"
    r"|keep (?:in|it|that|this)|change|replace"
    r"|(?:call|copy|run|save|test|try) (?:it|this))\b"
)

_HERE = re.compile(
    r"(?:here(?:'s| is| are| it is)|below is|this is|following is|the following)"
    r"(?! (?:the|your) code you\b)"
)
_LABEL = word_set("""
    a again alternatively and answer code comments complete completed corrected example final
    fixed full function implementation improved in itself method more my of once optimized
    option program python refactored result revised rewritten script simplified solution step
    the then updated usage version with
""")
_WE = re.compile(
    r"(?:i|let's|let us|let me|we|you)(?:'ll| can| could| will| should| need to| use)*"
    r"(?: now| then| also| simply)* (?:achieve|create|define|do|implement|proceed|put|solve|use"
    r"|write)\b|with (?:a |the )?\w+$|putting it (?:all )?together$|here you go$"
    rf"|(?:the|my|our) (?:complete |corrected |final |full |python |whole )*{_CODE}"
    r" (?:is|is as follows|looks like this|would be)$"
    r"|(?:an?|the) (?:\w+ ){1,3}(?:is|would be) (?:better|cleaner|easier|enough|faster|simpler)$"
    r"|(?:alternatively,? )?(?:an?|the) (?:more |even )?(?:\w+ ){1,2}(?:version|solution)$"
)
_WITH = re.compile(
    rf"(?:an?|the|my) (?:[\w-]+ ){{0,3}}{_CODE} (?:using|with|that uses|based on) [^,]+$"
    rf"|(?:an?|the) (?:[\w-]+ ){{1,3}}{_CODE} (?:works|is enough|suffices)(?: \w+){{0,2}}$"
    r"|it(?:'s| is)? (?:suffices|sufficient|enough|possible|easy|easiest) to [^:]*$"
    r"|[\w -]+ does the (?:job|trick)$|(?:my|the) (?:approach|idea|method|plan|trick) is [^:]*$"
    r"|(?:simple|easy|short)(?: enough)?$"
    r"|name(?: (?:with|and|from|on) name)?,? (?:does|is|gives)(?: exactly)? what (?:we|is)\b[^,]*$"
    r"|python [\w ]*\b(?:has|have|comes with|provides|offers)\b [^,]*$"
    r"|(?:we|you) (?:only )?(?:ever )?(?:need|have to|can) [^:]*$"
)
"""What says with what a program below is made."""
_ASIDE = re.compile(
    r"(?:tested (?:with|on|against) (?:the )?(?:given |provided )?(?:examples?|tests?|docstring)\b"
    r"|(?:[\w'-]+ ){1,5}(?:such as [^,]{1,20} )?(?:is|are) (?:all |also |always |then |only )*"
    r"(?:added|allowed|checked|compared|considered|copied|counted|enqueued|handled|ignored|kept"
    r"|processed|pushed|skipped|stored|supported|those|tracked|updated|used|visited)\b"
    r"|python['’]s (?:built-in )?name (?:\w+ )?(?:gives|handles|is|returns|works)\b)"
)
"""A sentence about what a program works on, or works with."""
_ASKS = re.compile(
    r"(?:how|why) (?:(?:are|code|correct|do|does|efficient|function|is|it|name|that|the|this|use|we"
    r"|works?) ?)+\?"
)
"""A heading that is a question."""
_IDEA = re.compile(
    r"(?:the )?(?:(?:basic|core|general|key|main|simple) )?(?:algorithm|approach|explanation|idea"
    r"|implementation|insight|intuition|logic|method|observation|reasoning|solution|strategy|that's"
    r" it|how it works)(?: used)?:"
)
"""What announces the way in which a program works."""
_OPTION = re.compile(
    r"(?:approach|method|option|solution|version|way) (?:\d|[a-d]|one|two|three)\b[:.)]?"
    r"|(?:alternative(?:ly)?|or)\b,?"
)
"""What heads one of several versions."""
_MENDS = re.compile(r"\b(?:corrected|fixed|improved) version of the (?:given|original) code\b")
_NO_USE = re.compile(r"(?:do not|don't) use\b")
_WHY = re.compile(r"(?:to|since|as|because|based on|given|for|using|with)\b[^:]*, ")
_TO = re.compile(r"(?:to|since|as|because) [^:,]*, ")
_SO = re.compile(
    r"(?:(?:(?:and|so|now|sure|certainly|of course|ok|okay|thus|therefore|hence|then|finally|great"
    r"|yes|absolutely|alright|but|however|also|additionally|note that|in summary|overall)[,!.]*"
    r"|here,) )*"
)
_OTHERS = re.compile(
    r"\b(?:given|original|old|earlier"
    r"|previous\w*(?! (?:one|two|\w+ (?:numbers?|terms?|values?)|characters?|elements?|items?"
    r"|numbers?|rows?|terms?|values?)\b)|first,? (?:i )?(?:attempt|tried|try)|later"
    r"|throw away|naive|user\w*"
    r"|student\w*|sent|attempt|draft|(?<!at )most|wrote|reject\w*|badly|the other|not the|submitted"
    r"|review\w*|tempted|might|instead|rather|suppose|imagine|before"
    r"|not (?:do|like|this|to|write)|never (?:do|use|write))\b"
)
"""What a line announces that is not the program asked for."""


_GIVES_UP = re.compile(
    r"\b(?:i|we) (?:cannot|can['’]t|could not|couldn['’]t|am unable to|are unable to"
    r"|don['’]t know how to) (?:solve|do|answer|figure|find)\b|\b(?:a|my|wild) guess\b"
)
"""What in front of a program makes it nobody's."""
_WAS = re.compile(
    r"the (?:bug|error|issue|mistake|problem|fault)(?: in (?:the|your) (?:original|first|old)"
    r"(?: \w+)?)? was (?:that|in|with|the|a|due)\b"
)
"""What says what was wrong with an earlier program."""


def announced(above: str) -> bool:
    """Whether the last sentence in front of a block announces it, or explains it."""
    bare = _TAG.sub("", above)
    sentences = list(_sentences(bare))
    if not sentences or _MARKUP.search(bare):
        return not bare.strip(_EDGE)
    if any(_GIVES_UP.search(one) for one in sentences):
        return False
    last = sentences[-1]
    low = _SO.sub("", last.rstrip(" :.*_") + " ", count=1).rstrip()
    low = _MENDS.sub("", _NO_USE.sub("use", _WHY.sub("", low, count=1)))
    item = _ITEM.match(above) is not None or _headed(sentences)
    if _faulty(low) or _OTHERS.search(low) or not _readable(last):
        return False
    if _WITH.match(low) and not faults.CHANGES.search(low):
        return True
    if _HERE.match(low) or _WE.match(low) or set(_WORD.findall(low)) <= _LABEL:
        return True
    if _ABOUT.match(low):
        return _explains(low, item=False)
    if any(_WE_DO.match(one) or _I_WILL.match(one) for one in (low, _TO.sub("", last, count=1))):
        return True
    if last.rstrip("*_ ").endswith(":"):
        return (
            faults.DECLARES.match(low) or _I.match(low)
        ) is not None and not faults.CHANGES.search(low)
    return _explains(last, item=item)


def explained(behind: str, *, mended: bool = False) -> bool:
    """Whether what stands behind a block only explains it, or ends the text.

    Args:
        mended: Whether it takes the place of an earlier one, whose fault may be spoken of.
    """
    prose = _BLOCK.sub("\n", behind)
    for line in prose.split("\n"):
        item = _ITEM.match(line) is not None
        if _ROW.match(line):
            if any(_faulty(one) or faults.CHANGES.search(one) for one in _cells(line)):
                return False
            continue
        for sentence in (said := list(_sentences(line))):
            if mended and _WAS.match(sentence):
                continue
            way = item or (sentence is not said[0] and _headed(said))
            if faults.OF_TASK.search(sentence) or not _explains(sentence, item=way):
                return False
    return True


def declared(text: str) -> str:
    """The lines of a text with a sentence of no form that explains a program: it only declares
    something, so that each of its words is to be understood."""
    lines = _BLOCK.sub("\n", text).split("\n")
    return "\n".join(line for line in lines if any(map(_only_declares, _unlisted(line))))


def _unlisted(line: str) -> list[str]:
    """The sentences of a line, without the items of lists, and the rows of tables."""
    if _ROW.match(line) or _ITEM.match(line):
        return []
    said = list(_sentences(line))
    return said[:1] if said and _headed(said) else said


def _only_declares(sentence: str) -> bool:
    forms = (_WITH, _HERE, _WE, _I)
    low = _SO.sub("", sentence, count=1).rstrip(" :.*_")
    known = any(one.match(low) for one in forms)
    return not known and not _explains(sentence, item=False, declares=False)


def _cells(row: str) -> list[str]:
    """The cells of a row of a table, in small letters."""
    return [lowered(one).strip(_EDGE) for one in plain(row).split("|")]


def find_fault(front: str) -> bool:
    """Whether a sentence of what stands in front of a program takes it back, or finds a fault."""
    return any(
        faults.FAULT.search(one) and not faults.MENDED.search(one)
        if _ITEM.match(line) and not faults.OF_CODE.search(one)  # a step, which may be to replace
        else _faulty(one)
        for line in front.split("\n")
        for one in _sentences(line)
    )


def _headed(sentences: list[str]) -> bool:
    """Whether the first of a line's sentences only heads what follows: a way, or a version."""
    first = sentences[0]
    option = len(sentences) > 1 and _OPTION.fullmatch(first) is not None
    return option or _IDEA.fullmatch(first) is not None


def _sentences(line: str) -> Iterator[str]:
    """The sentences of a line in small letters; a piece of code in them, and an O(n),
    is a ``name``."""
    line = _SHORT.sub("for example", line)
    line = _ORDER.sub("name", _ORDERED.sub("", _SPAN.sub("name", _TAG.sub("", plain(line)))))
    for said in _SENTENCE.findall(line):
        if bare := " ".join(lowered(said).strip(_EDGE).replace("**", "").split()):
            yield bare


def _readable(sentence: str) -> bool:
    """Whether a sentence is English and asks nothing."""
    words = _WORD.findall(sentence)
    if not _SIGNS.fullmatch(sentence) or _BAD_SIGN.search(sentence):
        return False
    return len(words) < 3 or not (_ENGLISH | _TITLES).isdisjoint(words)


def _faulty(sentence: str) -> bool:
    """Whether a sentence takes a program back, changes it, or finds a fault that is not one of
    another program."""
    if faults.UNSAID.search(sentence):
        return True
    return faults.FAULT.search(sentence) is not None and faults.MENDED.search(sentence) is None


def _explains(sentence: str, *, item: bool, declares: bool = True) -> bool:
    """Whether a sentence, or one of a list's ``item``, only explains a program, or ends a text.

    Args:
        declares: Whether it may declare something in a form of its own.
    """
    if faults.UNSAID.search(sentence):
        return False
    if closes(sentence) or _OFFERS.fullmatch(sentence) or _ASKS.fullmatch(sentence):
        return True
    if not _readable(sentence):
        return False
    if _faulty(sentence) or faults.CHANGES.search(sentence):
        return False
    words = _WORD.findall(sentence)
    if not words or _FINE.fullmatch(sentence):
        return True
    low = _SO.sub("", sentence, count=1)
    if words[0] in ("i", "i'm", "i've"):
        return _I.match(low) is not None
    if _READER.match(low):
        return _TO_READER.match(low) is not None
    about = None if _PART.match(low) else _ABOUT.match(low)
    if about:
        return _SAYS.match(low, about.end()) is not None and not _TURNED.search(low)
    heading = len(words) <= 6 and not sentence.endswith(".") and not _TITLES.isdisjoint(words)
    if low.startswith(("we ", "we'", "let's ")):
        return _WE_DO.match(low) is not None
    if _ASIDE.match(low) or _IDEA.fullmatch(low):
        return True
    if item or heading or words[0] in _OPENS or words[0].endswith("ing"):
        return True
    return declares and faults.DECLARES.match(low) is not None
