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
    analysis approach array case cases class complexity conclusion dynamic edge example examples
    explanation features function how idea initialization input key loop method note notes output
    points result space step step-by-step steps summary table test tests time usage use
    walkthrough why
""")
"""Of these a heading has one."""
_FAULTS = phrases(r"""
    (?:real|better) solution; (?:subtle|small|known) (?:issue|problem); contrary to
    contradict\w*; violat\w+; garbage
    too soon; to fix (?:it|this|that); don't cover; edge case we; none of the tests
    bug(?:s|gy)?; wrong(?:ly)?(?! types?\b); incorrect(?:ly)?; mistak\w+; pitfalls?
    (?:works?|correct|right|holds?|handles?)\b.{1,60}\b(?:except|apart from|but not|other than)
    crash(?:es|ed)?; broken; flaw\w*; faulty; fails?(?! to match| only if); failed; missing
    incomplete; infinite; too (?:slow|large); off by one; off-by-one
    too (?:early|few|late|many|much|often); made an error; should have; has no; deprecated
    better (?:one|version|way); (?:do|does) not pass
    (?:actual|correct|real|right) \w+ (?:is|was|would)
    one (?:has|needs) to; (?:earlier|old|original|previous) version; student\w*
    was(?! (?:already |ever |not |just )?(?:added|found|given|passed|reached|seen|visited)\b)
    own risk
    (?:is|are) expected; expected \w+, got; fix the; an? error in
    (?:issue|problem) (?:is|with|here); give up; forgot\w*
    not (?:enough|sufficient|correct|right|valid|what|done|asked); , not; to-?do; anti-pattern
    does(?: not|n't) (?:pass|work|compile|run|handle|terminate); never (?:ends|mind|stops)
    never terminates; forever; placeholder; pseudo-?code; (?:on|at) second thoughts?
    on reflection; sketch; (?:ha(?:s|ve)|ought|needs) to (?:be|read)
    (?:should|must) (?:be|have|read|return|say) (?:an?|name); (?:should|must) (?:have been|read)
""")
_FAULT = re.compile(rf"\b(?:{_FAULTS})\b|^no(?:[,.!]|$)")
_AWAY = r"(?:delet|discard|ignor|scrap|disregard|forget|remov|drop|reject|throw)\w*(?: away)?"
_CODES = r"(?:above|answer|code|function|program|return|solution)"
_OF_CODE = re.compile(rf"\b{_CODES}\b|\b(?:below|everything|all|anything|following)\b")
_TAKES_BACK = phrases(rf"""
    chang(?:e|ed|ing) my mind; feel free to {_AWAY}; {_AWAY} (?:all|everything)
    (?:{_AWAY}|skip(?:s|ping)?) (?:the|this|that|my) {_CODES}
    (?:everything|all|anything|nothing|none) (?:of (?:the|this|that) )?(?:above|here) (?:is|was|are)
    (?:cannot|can['’]t|could not|couldn['’]t) (?:solve|be (?:solved|done|answered|implemented))
    (?:do not|don['’]t|did not|didn['’]t) know (?:the|how|if|whether|what)
    (?:different|another|related|similar|other|easier|simpler) (?:problem|question|task|exercise)
    only the (?:examples?|tests?|given|first)
    (?:is|are) not (?:supported|handled|covered|implemented|needed here)
    (?:we|does not|doesn['’]t) ignore (?:[a-z]|name)(?!\w)
    (?:negative|bad|wrong)[- ]example; (?:only|just|my|wild) (?:a )?guess
    you (?:need|have|want) to (?:correct|fix|repair|complete|debug)
    with (?:one|an?|some|two|several|its|the) (?:\w+ )?(?:errors?|bugs?|mistakes?)(?!.* \w+ed\b)
    did(?: not|n['’]t) (?:check|test|run|verify); we hard-?cod\w+
    no (?:function|solution|code|such function) exists; tests?['’]? expected values
    (?:question|task|problem|prompt)(?:['’]s|s['’])? (?:own )?code; (?:do not|don['’]t) need this
    (?:should|must) not be used; not be (?:trusted|relied); when run, it (?:raises|crashes|fails)
    (?:adding|removing|changing|swapping|using) .{{1,40}} is (?:needed|required|necessary)
    stands for (?:subtraction|addition|multiplication|division|minus|plus)
    (?:works|handles|supports)? ?only (?:works|handles|supports) \w+; use (?:minus|plus)
    instead of (?:this|that|it|the above),? (?:use|write|return|call)
    (?:want|need|like|get|prefer) (?:the|an?) (?:working|right|correct|fixed|real|proper) (?:\w+)
    tests? (?:\w+ )?tim(?:e|es|ed) out; (?:come|comes|came|are|turn) out (?:false|wrong)
    the answer is now; to (?:get|make) (?:it|this) (?:right|work|correct|pass)
""")
_ORDERS = (
    r"^(?:to [^,]{1,40}, |(?:next|then|now|finally|please|so|first|just)[, ]+)*(?:avoid|delete"
    r"|discard|drop|forget|ignore|negate|only for|put|reject|remove|replace|rewrite|scrap|swap"
    r"|throw)\b(?!.*\b(?:own|actual)\b)"
    r"|, (?:avoid|discard|drop|ignore|scrap) (?:it|that|this)\b"
)
_UNSAID = re.compile(rf"\b(?:{_TAKES_BACK})\b|{_ORDERS}")
"""What no sentence around a program says that is held on to: it takes it back, or changes it."""
_PIECE = (
    r"(?:bound|check|comparison|condition|index|`?name`?|line|loop|operator|range|result|return"
    r"|return value|sign|statement)"
)
_MUST = r"(?:belongs?|ha(?:s|ve) to|must|needs?|ought to|should)"
_CHANGES = re.compile(
    rf"\b(?:a|an|the) (?:\w+ ){{0,2}}{_PIECE} (?:\w+ )?{_MUST}\b|^(?:here )?{_PIECE} {_MUST}\b"
    rf"|\b{_MUST} (?:\w+ )?(?:add|become|change|flip|invert|negate|replace|say)\b"
    r"|\b(?:is|are|must be|should be) (?:flipped|inverted|reversed|the other|upside)\b"
    r"|\b(?:is|are) (?:exchanged|swapped out) for\b|\bmust not be\b|\bnothing (?:more|else)\b"
    r"|\bopposite\b|\bother way (?:a?round)\b|\bin place of\b|\bif we (?:change|replace)\b"
    r"|^instead(?! of\b)|^in the \w+ line\b|^for it to\b|^all that is left\b"
    r"|^to (?:be correct|correct|get the (?:correct|right)|make (?:it|this) (?:pass|right|work))\b"
    r"|\b(?:should|would|will)(?: then)? (?:be (?:better|correct|needed|right)|pass|work)\b"
    r"|\b(?:following|next|recursive|iterative|first|second|\w+er) (?:one|version) (?:is|will)\b"
    r"|\bonly (?:for )?(?:the )?(?:first|given|shown)\b|\bworks? only\b"
    r"|\b(?:assertions?|examples?|tests?|task) (?:\w+ )?(?:expects?|do(?:es)?(?: not|n't))\b"
    r"|\bi get\b|\band we get\b|\b(?:drop|scrap) (?:it|this|that)\b|\bnot as it should\b"
    r"|\b(?:left (?:out|to you)|nothing is (?:computed|done)"
    r"|omitted|stub|goes here|not covered|unusable|time limit|cannot run|0/\d+)\b"
)
"""What behind a program says that something is to be changed in it, or that it is not all."""
_OF_TASK = re.compile(
    r"\b(?:docstring|problem|prompt|question|specification|task|user)s? "
    r"(?:asks?|expects|requires|says|wants)\b|\bwas (?:asked|meant|wanted)\b|\basked for\b"
)
"""What behind a program says that it was to be another one."""
_MENDED = re.compile(
    r"\b(?:avoid\w*|ensur\w+|fix(?:ed|es)|handl\w+|never (?:crashes|fails)|no (?:bugs?|errors?)"
    r"|prevent\w*|to not|unlike|without|would)\b"
)
"""What makes a fault one of another program."""

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
    multipl[yi]; open; pass; perform; pop; print; prompt; process; produce; provide; push; read
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
    rf"|(?:can|should|will){_HOW} (?:be (?:called|done|implemented|used|written)|{_VERBS})\b"
    r"|(?:does not|doesn't) (?:change|check|depend|modify|mutate|need|require|use)\b"
    r"|raises? (?:an? )?(?:\w*error|exception|name) (?:if|when)\b"
    r"|(?:needs?|takes?|uses?)(?: only)? (?:name|constant|linear|one pass|a single)\b"
    r"|(?:is|runs in) name\b(?=[.!]?$)"
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
    r"|implemented|tested|use|used|wrote)\b"
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
    r"(?:please|you\w*|if you|would you|let me|feel free|make sure|keep|change|replace"
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
_UNSURE = phrases(r"""
    should; must(?! be\b); ought; might; may; could; would; cannot; can't; has to; have to
    but; except\w*; however; although; though; instead
    only(?! (?:once|if|when|those|one)\b); rather; another; other than; better
    needs?; needed; required?; wants?; wanted; asked; expect\w*; meant; intended; supposed; lacks?
    i; i'm; my; you; your; user\w*; someone; somebody; nobody; anyone; people; who; whoever
    code; answer; function; program; solution; version; task; docstring; tests?; not for; break\w*
    forget\w*; replaced; changed to; unsolved; unclear; unknown; untested; nonsense; no good
""")
_DECLARES = re.compile(
    rf"(?!.*\b(?:{_UNSURE})\b)(?!(?:it|that|this|they|these|those|don't|do|never)\b)"
    r"(?=[a-z])(?:[^\s:]+[\s:]+){3}"
)
"""A sentence about what a program works on: not about what it should be, nor about anybody."""
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
    if _HERE.match(low) or _WE.match(low) or set(_WORD.findall(low)) <= _LABEL:
        return True
    if _ABOUT.match(low):
        return _explains(low, item=False)
    if any(_WE_DO.match(one) or _I_WILL.match(one) for one in (low, _TO.sub("", last, count=1))):
        return True
    if last.rstrip("*_ ").endswith(":"):
        return _DECLARES.match(low) is not None or _WITH.match(low) is not None
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
            if any(_faulty(one) or _CHANGES.search(one) for one in _cells(line)):
                return False
            continue
        for sentence in (said := list(_sentences(line))):
            if mended and _WAS.match(sentence):
                continue
            way = item or (sentence is not said[0] and _headed(said))
            if _OF_TASK.search(sentence) or not _explains(sentence, item=way):
                return False
    return True


def _cells(row: str) -> list[str]:
    """The cells of a row of a table, in small letters."""
    return [lowered(one).strip(_EDGE) for one in plain(row).split("|")]


def find_fault(front: str) -> bool:
    """Whether a sentence of what stands in front of a program takes it back, or finds a fault."""
    return any(
        _FAULT.search(one) and not _MENDED.search(one)
        if _ITEM.match(line) and not _OF_CODE.search(one)  # a step, which may be to replace
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
    if _UNSAID.search(sentence):
        return True
    return _FAULT.search(sentence) is not None and _MENDED.search(sentence) is None


def _explains(sentence: str, *, item: bool) -> bool:
    """Whether a sentence, or one of a list's ``item``, only explains a program, or ends a text."""
    if _UNSAID.search(sentence):
        return False
    if closes(sentence) or _OFFERS.fullmatch(sentence) or _ASKS.fullmatch(sentence):
        return True
    if not _readable(sentence):
        return False
    if _faulty(sentence) or _CHANGES.search(sentence):
        return False
    words = _WORD.findall(sentence)
    if not any(len(one) > 1 for one in words) or _FINE.fullmatch(sentence):
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
    return _DECLARES.match(low) is not None
