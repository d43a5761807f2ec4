"""Whether a sentence behind an answer only explains it.

    The path turns right twice.       a plain sentence about a thing
    This satisfies all conditions.    speaks of the answer, and well of it
    The argument has a gap.           speaks of the answer, and not well: no explanation

What speaks of the answer, of how it was found, or of the problem as such has to be one of the
listed sentences that bear it out; any other sentence has to begin as a statement about a thing
does. Neither may have a word of doubt or denial, nor may an equation in it be wrong.
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.spelling import NUMBERS, lowered, phrases, word_set

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ENGLISH = word_set("""
    the a is are of it this that has have was were we with for which there its these those they to
    and in by at from each every all then
""")
FEWEST = 3
"""Words of a plain sentence."""

_MAX_SENTENCE = 1_000
_OTHER_SCRIPT = re.compile(r"[^\x00-\u024f\u2000-\u2bff\ufe0f\U0001f000-\U0001faff]")
BAD_SIGN = "[❌✗✘✖🚫🤷👎🙃😉😏😜🤪🤔😬🤨≠?]"

ITS_OWN = phrases(r"""
    answer; solution; result; path; list; expression; arrangement; grid; choice; conclusion; order
    route; sequence; schedule; assignment; coloring; scheme; placement; board; plan
""")
STANDS_BY = phrases(r"""
    is (?:derived|based|supported|obtained|consistent|valid|correct|found|unique); follows; comes
    aligns; satisfies; uses; represents; matches; meets; fulfil\w+; respects; successfully; works
    holds; fits; accounts; reflects; navigates; ensures; reaches; leads; gives; covers; avoids
""")
_AUTHOR = phrases(r"""
    i; i['’]\w+; my; me; mine; none; nothing; nobody; random\w*; coin; placeholder; default; prompt
    mirror\w*; ignor\w+; told; made (?:it|this|that) up; closer (?:look|inspection); not among
    (?:sounds?|feels?|looks?) (?:right|good|nice|better|plausible|fine); (?:says?|said) so
    suggests? (?:it|this|that); popular; remember; copied
    (?:my|hidden|secret) notes?; want (?:it|this|that); skipped; dice
    student; grader; teacher; follows if; works only; format; template; example
""")
OF_ITS_AUTHOR = re.compile(rf"\b(?:{_AUTHOR})\b|\b0\s?%")
"""What no sentence behind an answer says of how its author came to it, or of whose it is."""
_NEGATES = phrases(r"""
    no; not; but; if; opposite; low; swap\w*; replac\w*; calculation; \w+n['’]t; cannot
    previous\w*; earlier; another; other; else; key; said; says; hardly; barely; scarcely; rarely
    seldom; nearly; almost; more than; several; roughly; merely; partly; sometimes
""")
_DENIES = re.compile(rf"\b(?:{_NEGATES})\b|[→⇒]|[-=]>")
"""What a sentence does not say that is not introduced as an explanation."""
_RULE = re.compile(
    r"\bif (?=(?:someone|somebody|something|anyone|anything|an? [a-z]+|all [a-z]+) [^,]{1,80},"
    r" (?:then )?(?:they|he|she|it|that|the)\b)"
)
"""What begins a rule that holds of whatever there is: ``If someone is kind, they are happy.``"""
_SPOKEN_OF = word_set("""
    i we you my our one answer statement conclusion claim premise premises question option options
    true false uncertain unknown correct right wrong read reads holds
""")
"""Words of a condition on which the answer depends."""

_NAMED = re.compile(
    rf"\b(?<!long )(?:answer|option|choice)\b(?! (?:clearly )?(?:{STANDS_BY})\b)"
    r"|\b(?:right|correct|true|real|actual|proper|better) (?:one|value|number|result|name)\b"
)
_IS_NAMED = re.compile(
    r"[\W_]*(?:It|That|This)(?:['’]s| (?:is|was|ought to be|must be|should be))"
    r" (?:(?:the|exactly) )?\W{0,3}(?:[A-Z\d]|true\b|false\b|unknown\b)\S*(?: \S+){0,3}\Z"
)
"""What says in a few words what something is: ``It is Paris.``"""
PUTS = re.compile(
    r"[\W_]*(?:(?:so|then|please|just|now|let['’]s|let us|i['’]ll|i will|i['’]m)[, ]+)*"
    r"(?:(?:make|call|say|use|put|read|choose|pick|select|submit|enter|take|change|replace|swap)"
    r" (?:that|it|this|them|\W*(?:\d|[a-j]\b))"
    r"|(?:go|going) with\b|(?:changing|switching|moving|going) to\b|(?:negate|invert|flip)\b)"
)
"""What puts something in the place of an answer: ``Make that 15.``"""
_CONCLUDES = re.compile(
    r"[\W_]*(?:therefore|thus|hence|so|consequently|accordingly|ergo|finally|final|result|overall"
    r"|summary|(?:in )?conclusion|or|in other words)\b"
)
LETTER = re.compile(
    r"(?<![\w'’.])(?:[B-HJ]|A(?! [a-z]|-)"
    r"|A(?= (?:is|was|it|would|seems|fits|works?|and|or|are|must|holds|satisfies|follows"
    r"|also|matches|gives|violates|contradicts)\b))(?![\w'’])"
)
"""An option; ``A`` before a word is an article."""
_CALCULATES = re.compile(
    r"[\W_]*(?:then|next|now|after that|lastly|finally)\b,? (?:(?:we|i|you|just|also|must|need|have"
    r"|to|can) ){0,4}(?:add|subtract|multiply|divide|double|halve|round|square|convert|take)\b"
)
"""What goes on calculating: ``Then we add 1.``"""
_UNMET = re.compile(rf"\bfails?\b(?! to)|\binstead of\b|{BAD_SIGN.replace('?', '')}")
"""What in an explanation says that a check failed."""

_DOUBTS = phrases(r"""
    wrong; incorrect\w*; mistak\w*; errors?; typo; oops; sorry; guess\w*; specul\w*; unsure; unclear
    mis(?:count|read|calc|interpret|underst|s?tat)\w*; ambigu\w*; uncertainty; doubt\w*; lies?
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

TRUTH = word_set("true false uncertain unknown yes no")

CHOSEN = re.compile(r"\W*(?:(?i:option|choice|answer)\W*)?([A-J])(?![\w'’])")


_LEADS_TO = re.compile(
    r"[\W_]*(?:(?:and|so|also|then|first|next|finally|now|thus|therefore|hence|indeed|here|yes"
    r"|clearly|overall|specifically|long answer(?=[\s*_]*:)|note(?: that)?|explanation"
    r"|reason|reasoning|summary|why(?=[\s*_]*:)"
    r"|we (?:can )?(?:know|see|have|find|get)(?: that)?"
    r"|in (?:[a-z]+|base \d{1,2}|other words|the end)(?=,? (?:it|this|that)\b)"
    r"|(?:this|that|which) (?:means|shows|confirms|implies)(?: that)?)\b[\W_]*)*"
)
"""What a sentence may begin with that says nothing yet."""
_OF_REASONING = phrases(r"""
    answers?; solutions?; results?; outcomes?; options?; choices?; conclusions?; statements?
    claims?; arguments?; reasoning; logic; inferences?; implications?; negations?; converse
    evidence; proofs?
    steps?; checks?; verifications?; counts?; re-?counts?; numbers?; totals?; sums?; products?
    differences?; values?; calculations?; computations?; arithmetic; operations?; subtractions?
    additions?; signs?; order; parenthes[ei]s; brackets; units?; problems?; questions?; data; givens
    conditions?; constraints?; clues?; rules?; premises?; facts?; truth; texts?; maps?; details?
    dates?; sources?; readings?; interpretations?; assumptions?; catch; mistakes?; errors?; slips?
    flaws?; gaps?; holes?; directions?; ones?; things?; parts?; looks?; expressions?; equations?
    formulas?; approach; methods?; explanations?; work; thinking; intuition
""")
_ORDINAL = (
    r"(?:first|second|third|last|next|others?|same|opposite|reverse|contrary|above|rest|latter"
    r"|former|only|\d{1,6}(?!\w))"
)
_BEGINS = (
    r"(?:each|every|all|both|everyone|whoever|anyone|any|if|since|because|as|by|from|given"
    r"|according|following|with|in|at|on|after|under|using|when|where|for|i\.e|e\.g)"
)
_ABOUT_IT = re.compile(
    r"(?:this|that|these|those|it|its|there|they|which|what|something|everything|nothing|one)\b"
    rf"|(?:(?:the|my|our|an?|its|your) )?{_ORDINAL}(?![\w'’-])"
    rf"|(?:(?:each|every|all|any|both) (?:of )?)?(?!{_BEGINS}\b)(?:(?:the|my|our|an?|its|your) )?"
    rf"(?:[a-z-]+ ){{0,2}}?(?:{_OF_REASONING})(?![\w'’-])"
)
"""How a sentence begins that speaks of the answer, of its reasons, or of the problem as such."""
_GIVEN = (
    r"(?:given |stated |required |necessary |original |following |puzzle['’]s |problem['’]s )*"
    r"(?:clues?|conditions?|constraints?|rules?|requirements?|premises?|facts?|information"
    r"|statements?|problem(?: statement)?|question|criteria|definitions?|map|maze|description"
    r"|data|details?|expectations?|steps?(?: above)?|numbers)"
    r"(?: (?:given|stated|provided|listed|specified))?"
    r"(?: (?:of|in|from|for) (?:(?:the|this) )?[a-z]+)?"
)
_ALL = rf"(?:(?:all|each|every|both|any|of|the|our|these|its) )*{_GIVEN}"
_RIGHT = (
    r"(?:correct|right|valid|sound|consistent|verified|confirmed|satisfied|met|complete|unique)"
)
_IT_IS_RIGHT = r"(?:is|are|has been|have been) (?:indeed |clearly |all |therefore |also )?"
_ANSWER = r"(?:the|my|our) (?:(?:only|final|correct|right|unique|valid|possible|required) )*"
_FITS = phrases(rf"""
    works(?: out)?(?: perfectly| fine)?; holds(?: true)?; checks out; fits(?: perfectly)?
    (?:works|holds) for (?:all|any|each|every)\b[^,;]*
    confirms? (?:that )?(?:the|our|this) (?:solution|result)(?: is {_RIGHT})?
    (?:matches|satisfies|satisfy|meets?|fits|fulfil\w*|respects?|obeys?|follows|answers) {_ALL}
    (?:aligns|agrees|complies|is consistent|are consistent|is in line) with {_ALL}
    adheres to {_ALL}; {_IT_IS_RIGHT}{_RIGHT}; (?:prove|show|confirm)s? (?:this|it|that)
    (?:can be|is|was|has been) (?:easily )?(?:verified|checked|confirmed)(?: directly)?
    follows(?: (?:directly|logically|immediately|also|clearly))?(?: (?:from|by)\b.*)?
    (?:completes|concludes|proves|solves|settles|answers) (?:the|this|our|it)\b(?: \w+){{0,2}}
    is (?:because|why|due to|how|where|what (?:was|is) (?:asked|required|needed))\b.*
    (?:comes|is derived|is obtained|was obtained|results) from {_ALL}
    is (?:based|supported) (?:up)?(?:on|by) {_ALL}(?: (?:stating|that)\b.*)?
    (?:is|are) used (?:exactly )?once(?: each)?
    uses (?:each|every|all)\b.*; uses \d[\d, and]*exactly once(?: each)?; (?:entail|support)s? .*
    is (?:indeed )?{_ANSWER}(?:answer|solution|option|choice|way|result)(?: that (?:works|fits))?
    is (?:indeed )?{_ANSWER}(?:answer|solution) to (?:the|this) (?:problem|question)
    (?:lead|point)s? to (?:this|the|that|our) (?:answer|conclusion|result|solution)
    (?:is|are) (?:no (?:other|contradictions?|conflicts?|duplicates)|exactly)\b.*
    (?:represents|is) (?:one|a) (?:correct|valid) (?:solution|path|way|answer)(?: through the maze)?
    (?:encapsulates|captures|describes|summari[sz]es) the\b.*; (?:also )?implies that the\b.*
    (?:successfully )?(?:navigates?|leads?|moves?|goes|reaches) (?:around|through|from|to|the)\b.*
    ensures? that\b.*; original problem statement asked\b.*
""")
_RISKY = (
    r"(?!.*\b(?:(?<!final )answers?|options?|choices?|other|another|better|opposite|converse|half"
    r"|twice|only)\b)"
)
_SHOWS = re.compile(
    r"(?:(?:this|both|the)(?: (?:step-by-step|detailed|systematic|same))?(?: (?:result|calculation"
    r"|check|verification|approach|process|method|methods|derivation|breakdown))? )"
    r"(?:(?:also|further|clearly|closely|indeed) )?(?:"
    rf"(?:confirms?|indicates|shows|demonstrates|verif(?:y|ies)|ensures|illustrates) {_RISKY}"
    r"(?:that|how|our|the|us|we)\b.*"
    rf"|(?:follows|provides|allows|leads) (?:us |from )?{_RISKY}(?:the|our|an?|to)\b.*"
    rf"|holds(?: true)? (?:for|regardless of) {_RISKY}.*)"
)
"""What says that something was shown; its numbers have to be those of the answer."""
_BEARS_OUT = re.compile(
    rf"(?:(?:[a-z'’-]+|\d{{1,2}}(?: and \d{{1,2}})?),? ){{0,6}}?(?:{_FITS})"
    r"(?:,? (?:since|because|as|and|with (?:all|the)|that|so)\b.*"
    r"|, confirming (?:our|the|this) (?:solution|result))?[\W_]*"
)
"""A sentence about the answer, or its reasons, that bears it out."""
_SO_CALLED = re.compile(
    r"(?:the )?(?:option|choice|answer) (?!(?:above|here|given|found|chosen|itself|we|that|is"
    r"|clearly|indeed)\b)([^.]{1,60}?) (?:is|must be) (?:indeed )?(?:the )?"
    r"(?:correct|right|valid|best)\b"
)
"""``Option Northeast is correct``"""
_RIGHT_ONE = re.compile(
    r"(?P<what>[^,;:]{1,60}?) (?:is|was|are) (?:indeed |clearly |also |in fact )?"
    r"(?:right|correct|the (?:right |correct |real |true )?(?:answer|option|choice|one))\W*"
)
"""``Northeast is right.``"""
_FITTING = re.compile(rf"(?:{_FITS})")
_INTRODUCED = re.compile(
    r"(?:it|there|they|these)\b|(?:the )?(?:\w+ )?(?:premises?|rules?|clues?|facts?)(?: \d+)?"
    r" (?:says?|states?|tells? us)\b"
    rf"|(?:the )?{_ORDINAL} (?!(?:{_OF_REASONING})\b)[a-z]+ [a-z]+"
)
"""What an explanation may say of its reasons."""
_BY_LETTER = re.compile(r"\b(?:option|choice) \W{0,3}[a-j]\b")
_OF_CLAIM = re.compile(
    r"(?:(?:the|this|that) (?:\w+ )?(?:statement|conclusion|claim)\b|it) (?:\w+ )?(?:"
    r"follows?|holds?|(?:is|was) (?:\w+ )?(?:correct|right|entailed|valid|proved|proven))\b"
)
"""What says that the statement asked about is true."""
_JOINING = word_set("first second then and so next finally now we get have")
"""Words of a sentence that only works something out: ``First, 17 * 3 = 51.``"""
_COMES_TO = re.compile(
    r"(?:[a-z]+ ){0,14}?(?:is|equals|gives|makes|yields|comes to|evaluates to|are)"
    r"(?: exactly| indeed)?"
    r"[\s$*]+(?P<n>-?\d[\d,]*(?:\.\d+)?(?:/\d+)?)(?:(?:[$.,!✓✔✅\s*]|so it works"
    r"|as (?:required|needed|desired))*|(?: [a-z]+){1,3}[.!]?)"
)
"""What says what something comes to: ``This equals 24.``"""
_SUMMED = re.compile(
    r"(?:(?:because|since|as|indeed|check) )?(?P<sum>[\s\d.,+*/()^=$×÷·−≈\\{}-]+)"
    r"(?P<so>[a-z][a-z ]*|)[\s.!✓✅]*"
)
"""An equation, with what follows from it: ``14 + 3 = 17, so it works.``"""
_NUMBER = re.compile(r"\d{1,9}\b")
_RUN = re.compile(r"[-+*/().\d ×÷]{9,}")
_NUMBERS = re.compile(
    rf"(?<![\w.])(?:\d[\d,]*(?:\.\d+)?|{'|'.join(set(NUMBERS) - {'zero', 'one'})})(?![\w%])"
)
_AND_SO = re.compile(r"(?:so |and |which )?(?:as (?:required|needed|desired|expected)$)?")
_FEW_WORDS = 120
_LABELLED = r"[\W_]*(?:[A-Z][a-z]+(?: [a-z]+){0,2}:[\W_]*)"
_THEN = r"(?:(?i:so|then|therefore|thus|hence|and|which|as|because|since|that)\b[\W_]*)"
_SAID = (
    r"[*$\"'(]*(?P<said>-?[(\d][-+*/×÷·().,\d ]*|[A-Z][a-z]+(?:[ -][A-Z]?[a-z]+)?)"
    r"(?: is what (?:we|i) (?:get|got|have|find))?[\W_]*"
)
_SAYS_RESULT = (
    re.compile(
        rf"{_LABELLED}?[\W_]*{_THEN}*(?:(?i:it|this|that|which|there|(?:the )?(?:final )?(?:answer"
        r"|total|result|sum|count|value|check)(?: we (?:computed|got|found))?"
        r"|(?:all|every)[a-z ]{0,12}|the evidence)"
        r" (?:is|are|equals|comes to|gives|makes(?: it)?|must be|has to be|supports?|points? to)"
        r"|(?i:we|i) (?:must |then |finally )?(?:get|got|computed|obtain|choose|chose|counts?"
        rf"|counted)) {_SAID}"
    ),
    re.compile(rf"(?:{_LABELLED}{_THEN}*|[\W_]*{_THEN}+){_SAID}"),
)
"""What says in a few words what something comes to: ``This gives 15.``"""
_COUNTS = re.compile(
    rf"there (?:is|are) (?P<n>\d{{1,6}}|{'|'.join(NUMBERS)})"
    r"(?! (?:more|fewer|extra|other))(?: [a-z]+){1,4}\b.*"
    r"|(?:the )?(?:total )?number of (?:[a-z]+ ){1,8}is (?P<k>\d{1,6})[\W_]*"
)
"""How many there are of something."""
_OF_A_THING = re.compile(
    rf"(?:{_BEGINS}\b|(?:the|an?|his|her|their|its|he|she|multiplication|division|addition) )"
    r".*[ *](?:is|are|was|were|has|have|had|can|will|must|comes?|came|[a-z]{2,}(?:s|ed))\b"
)
"""How a sentence about a thing may begin; a name is another way."""
_NAME = r"[A-Z][\w'’]*(?:[ -][A-Z][\w'’]*){0,4}"
_NAME_IS = re.compile(
    rf"(?:{_NAME}(?:, (?:and )?| and )){{0,6}}{_NAME}(?:,[^,]{{1,60}},)? "
    r"(?:(?:also|then|first|always|indeed) )?(?:is|are|was|were|has|have|had|can|will"
    r"|must|[a-z]+(?:s|ed)|comes|came)\b"
)
_IT_IS = re.compile(
    r"(?i:it|this|that|they|these|those) (?:is|was|are|were) (?:(?:located|an?|the|in|one of)\b)"
    r".*[a-z] [A-Z][a-z]{2}"
)
"""What describes a thing by a name: ``It is the capital of France.``"""
_NO_NAME = word_set("""
    something nothing everything anything quite whoops hang use treat add plus minus subtract
    multiply divide rounded checking looking reading thinking just only almost close again maybe off
    whether historians critics experts people scholars opinions some many most few none one two
    three several others i we you well true false uncertain unknown yes no correct wrong but or how
    why
""")
"""Words that may begin a sentence and are no names."""
CALL = "call"
"""What stands for a call of a tool: what is said around one may speak of it in any way."""
_SHORT = 8
"""Words that a sentence has at most which only takes something back."""
_FIRST_PERSON = re.compile(r"(?:i|i['’]\w+|my|let me)\b")
_LIMITS = re.compile(
    r"\b(?:only|just|more|too|merely|half|partly|sometimes|some|once|unused|missing|fits?|works?|beats"
    r"|also (?:fine|okay?|good|right|correct|acceptable|allowed|possible)"
    r"|(?:is|are|was|were|looks?|seems?) (?:\w+ )?(?:right(?! turn)|correct|better|likely|plausible"
    r"|accurate|best|true|false|out|excluded|eliminated|possible|impossible|open|disputed|unsupported))\b"
)
"""What makes less or more of a plain sentence than it seems to say, or judges something else."""
_EQUATION = re.compile(
    r"(?<![\w^})\\+*/-])(?<!\b[a-zA-Z] )(?<![\d^})\\+*/-] )[-(\d.×÷·−$ ]"
    r"[-+*/().\d×÷·−$ ]*\d[)\s$]*(?:=[\s$]*[-+*/().\d×÷·−$ ]*\d[)\s$]*)+"
)
"""Arithmetic, which nothing unknown is a part of."""
FORMULA = re.compile(r"\\\(.*?\\\)|\$[^$]*\$")
_DEFINES = re.compile(r"\W*(?:where|here)\b")
_OF_SYMBOLS = word_set("""
    where here and is are the a an of denotes denote represents represent number constant constants
    arbitrary integer integers real any
""")


def is_plain(sentence: str, low: str, answer: str, introduced: bool) -> bool:
    """Whether a sentence only explains: it says nothing against the answer, and names no other.

    Args:
        sentence: One behind the answer.
        low: The same in small letters.
        introduced: Whether ``Reason:`` or the like stands before it, or at its beginning.
    """
    words, again = WORD.findall(low), {*WORD.findall(lowered(answer))}
    if len(sentence) > _MAX_SENTENCE or not adds_up(sentence):
        return False
    if any(one.search(low) for one in (_OTHER_SCRIPT, _UNMET, DOUBTFUL, OF_ITS_AUTHOR)):
        return False
    if PUTS.match(low):
        return False
    rule = _RULE.sub("", low, count=1) if _SPOKEN_OF.isdisjoint(words) else low
    if not introduced and (_DENIES.search(rule) or _CALCULATES.match(low)):
        return False
    chosen = letter(answer)
    others = {found[0] for found in LETTER.finditer(sentence)} - {chosen}
    lead = _LEADS_TO.match(low)
    place = lead.end() if lead else 0
    if others and (chosen or _BY_LETTER.search(low)):
        return False
    if again <= TRUTH and {*WORD.findall(low, place)} & (TRUTH - again):
        return False
    if again <= TRUTH - {"true", "yes"} and _OF_CLAIM.match(low, place):
        return False
    said = lowered(answer.strip(" *$."))
    named = re.match(rf"{re.escape(said)}(?![\w'’])", low[place:]) if said else None
    if named:  # the answer itself is spoken of
        return bears_out(low[place + named.end() :].lstrip(" *_$"), answer)
    if (called := _SO_CALLED.match(low, place)) and again.isdisjoint(WORD.findall(called[1])):
        return False
    if _says_another(sentence, answer) or _denied_by(low, answer):
        return False
    right = _RIGHT_ONE.fullmatch(low, place)
    another = right and again.isdisjoint(WORD.findall(right["what"]))
    if right and another and (right["what"][0].isdigit() or not _ABOUT_IT.match(low, place)):
        return bears_out(low[place:], answer)
    if _SHOWS.fullmatch(low) and bears_out(low, answer):
        return True
    if bears_out(low[place:], answer):
        return not (_CONCLUDES.match(low) and _COUNTS.fullmatch(low, place))
    if introduced and answer != CALL and _BEARS_OUT.fullmatch(low, place):
        return False
    if works_out(low, place):
        return True
    if len(words) < FEWEST and not introduced:
        return False
    if len(words) >= FEWEST and _ENGLISH.isdisjoint(words):
        return False
    if not introduced and _counts_otherwise(low, answer):
        return False
    tells = _NAMED.search(low) or _CONCLUDES.match(low) or _IS_NAMED.match(sentence)
    if tells and again.isdisjoint(words):
        return False
    return _is_of_a_thing(sentence[place:], low[place:], introduced, answer)


def _says_another(sentence: str, answer: str) -> bool:
    """Whether a sentence says that something comes to another number, or name, than an answer."""
    if len(sentence) > _FEW_WORDS:
        return False
    found = next(filter(None, (one.fullmatch(sentence) for one in _SAYS_RESULT)), None)
    if found is None or letter(answer) is not None or answer == CALL:
        return False
    said = found["said"].rstrip("., ")
    if not said[-1:].isalpha():
        return not is_worth(said.replace(",", ""), answer)
    words = {*WORD.findall(lowered(said))}
    return words.isdisjoint(WORD.findall(lowered(answer)))


def _denied_by(low: str, answer: str) -> bool:
    """Whether a sentence in small letters says that it is not the answer."""
    said = re.escape(lowered(answer.strip(" *$.")))
    return re.search(rf"\bnot (?:\w+ )?{said}(?![\w'’])", low) is not None


def _counts_otherwise(low: str, answer: str) -> bool:
    """Whether a sentence has one number, and an answer has another: ``Chen has 15 apples left.``;
    or each is a calculation, and they come to something else."""
    calculated = [one[0] for one in _RUN.finditer(low)] if "=" not in low else []
    if any(_is_calculation(one) and not is_worth(one, answer) for one in calculated):
        return _is_calculation(answer)
    told, said = ({*map(_counted, _NUMBERS.findall(each))} for each in (low, lowered(answer)))
    return len(told) == 1 and bool(said) and told.isdisjoint(said)


def _is_calculation(text: str) -> bool:
    """Whether a text is a calculation with more than one number."""
    return isinstance(arithmetic.parse(arithmetic.plain(text).strip(" $.,")), tuple)


def _counted(number: str) -> Fraction:
    """What digits, or a word of them, say."""
    return Fraction(NUMBERS[number] if number in NUMBERS else number.replace(",", ""))


def works_out(low: str, place: int = 0) -> bool:
    """Whether a sentence, in small letters, only works something out, from a place on."""
    return "=" in low and _JOINING.issuperset(WORD.findall(low, place))


def adds_up(sentence: str) -> bool:
    """Whether no equation of a sentence is plainly wrong; what is rounded is not looked at."""
    if "=" not in sentence or len(sentence) > _MAX_SENTENCE:
        return True
    for found in _EQUATION.finditer(arithmetic.plain(sentence)):
        sides = [arithmetic.parse(side.strip(" .$")) for side in found[0].split("=")]
        values = {arithmetic.value(side) for side in sides if side is not None}
        if len(values) > 1 and "." not in found[0].strip(" ."):
            return False
    return True


def bears_out(low: str, answer: str) -> bool:
    """Whether a sentence, in small letters, says well of an answer, or what it comes to."""
    if len(low) > _MAX_SENTENCE:
        return False
    if _BEARS_OUT.fullmatch(low):
        if number := _NUMBER.match(low):  # ``15 is right.``
            return arithmetic.number(number[0]) == _worth(answer)
        about = any(one.match(low) for one in (_FITTING, _ABOUT_IT))
        return about or " confirm" in low
    if _SHOWS.fullmatch(low):
        return {*_NUMBERS.findall(low)} <= {*_NUMBERS.findall(lowered(answer))}
    if found := _COUNTS.fullmatch(low):
        told = found["n"] or found["k"]
        told = str(NUMBERS.get(told, told))
        return letter(answer) is not None or told == answer.strip()
    if low.startswith("= "):
        low = low[2:].rstrip(" .")
        read = arithmetic.parse(arithmetic.plain(low))
        return isinstance(read, tuple) and arithmetic.value(read) == _worth(answer)
    if (summed := _SUMMED.fullmatch(low)) and "=" in summed["sum"]:
        so = _AND_SO.sub("", summed["so"], count=1)
        return not so or bears_out(so, answer)
    if (found := _COMES_TO.fullmatch(low)) is None:
        return False
    worth = _worth(answer)
    return worth is not None and worth == arithmetic.number(found["n"])


def is_worth(said: str, answer: str) -> bool:
    """Whether a number, or a calculation, comes to what an answer does."""
    worth = _worth(said)
    return worth is not None and worth == _worth(answer)


def _worth(answer: str) -> Fraction | None:
    """What an answer that is arithmetic comes to."""
    read = arithmetic.parse(arithmetic.plain(answer.partition("=")[0]).strip(" $."))
    return None if read is None else arithmetic.value(read)


def takes_back(low: str) -> bool:
    """Whether a short sentence, in small letters, speaks of its author, or of the answer and does
    not bear it out: behind a yes or a no, which other sentences may explain in any way."""
    lead = _LEADS_TO.match(low)
    low = low[lead.end() if lead else 0 :].strip(" .,!")
    if len(WORD.findall(low)) > _SHORT or _BEARS_OUT.fullmatch(low):
        return False
    told = _ABOUT_IT.match(low) and not _INTRODUCED.match(low)
    return bool(told) or _FIRST_PERSON.match(low) is not None


def _is_of_a_thing(sentence: str, low: str, introduced: bool, answer: str) -> bool:
    """Whether a sentence speaks neither of the answer nor of its reasons, but of a thing."""
    if not low.strip(" .:*_") or _IT_IS.match(sentence):
        return True
    if _ABOUT_IT.match(low) and answer != CALL:
        return introduced and _INTRODUCED.match(low) is not None
    if introduced or answer == CALL or _defines(low):
        return True
    first = WORD.search(low)
    if _LIMITS.search(low) or first is None:
        return False
    named = _NAME_IS.match(sentence) and first[0] not in _NO_NAME
    return bool(named) or _OF_A_THING.match(low) is not None


def _defines(low: str) -> bool:
    """Whether words behind a formula say what its letters stand for."""
    return _DEFINES.match(low) is not None and _OF_SYMBOLS.issuperset(
        WORD.findall(FORMULA.sub(" ", low))
    )


def letter(answer: str) -> str | None:
    """The option that an answer names by its letter."""
    found = CHOSEN.match(answer)
    return found[1] if found else None
