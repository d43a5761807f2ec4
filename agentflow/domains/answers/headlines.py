"""Whether a headline, or a line that ends in a colon, heads the work that ends in an answer.

    ### Step 3: Add the two        heads it
    Putting it all together:       heads it
    ### A common mistake           does not
    In a mirror world:             does not

A headline is one of the listed kinds, and says nothing of another answer, author or world.
"""

from __future__ import annotations

import re

from agentflow.domains.answers import languages
from agentflow.domains.spelling import lowered, phrases

NOT_OURS = phrases(r"""
    previous\w*; placeholder; template; examples?; sample; first attempt
    (?:students?|users?|textbooks?|teachers?|friends?|someone|somebody)(?:['’]s?)?
""")
"""Whose, or what, an answer is that is not its author's: said so in front of one, or above."""
_BAD = phrases(rf"""
    {NOT_OURS}
    to trick; tricking; tricks? (?:you|us|them|people); fool(?:s|ing|ed)?; deceiv\w+; mislead\w*
    reject\w*; drafts?; attempts?; first (?:try|version|guess|idea); mistak\w+
    wrong\w*; err(?:or|on|ing)\w*; lies?; lying; false(?!\W*\Z); fake\w*; faulty; buggy; bugs?
    incorrect\w*; beginners?(?:['’]s?)?; people; everybody; everyone
    rivals?; most; (?:would|could|might)(?: have)? \w+; says?; said
    thinks?(?! (?:step|through|about)); claim\w*
    format (?:example|to follow); decoy\w*; distractor\w*; mirror\w*; world; dream\w*
    pretend\w*; imagin\w+; suppos\w+; hypothe\w+; if; unless; without; instead; another
    different (?:question|problem|puzzle)\w*; other (?:question|problem|puzzle)\w*; similar
    second (?:question|problem|puzzle)\w*; sarcas\w+; jok\w+; iron\w+; parod\w+; satir\w+
    negat(?:e|ion|ed)\w*; opposite\w*; revers\w+; contrary; inver\w+; anything but; guess\w*
    random\w*; coin\w*; dice; toss\w*; ignor\w+; refut\w+; disprov\w+; prompt\w*; hints?
    traceback; old; outdated; expected; parrot\w*; translat\w+; discard\w*; exclud\w+; eliminated
    dismiss\w*; trap\w*; pitfall\w*; misconception\w*; fallac\w+; astray; typical; common; popular
    naive\w*; tempting; tentative\w*; rough\w*; maybe; perhaps; possibly; unsure; inspired by
    quot(?:e|es|ed|ing); copied; cop(?:y|ies) of; grader\w*; rumou?r\w*; before; earlier
    so-called; alleged\w*; fiction\w*; novel; game of; contradict\w*(?! the conclusion); violat\w+
    unrelated; irrelevant; unused; obsolete; deprecated; corrupt\w*; bad; worst; crossed; struck
    else; something; (?:the )?next question; simpler (?:question|problem); question (?:\d|two|three)
    neighbou?r\w*
    garbage; nonsense; liars?; cheat\w*; peek\w*; his; her; hers; he; him; she; they; flaw\w*
    oversights?; flipped; swapped; doubts?; failed; bogus; jest; fantasy; wild; internet
    newspapers?
    models?; repl(?:y|ies); second answer; first answer; alternative answer; break the rules
    noise; bait; editors?; assistants?; losers?; failures?
    v\d; version \d; key (?!insight|idea|point|observation|step|fact|takeaway)\w+
""")
_DISOWNS = re.compile(rf"\b(?:{_BAD})(?!\w)|\d\s*!=|[≠¬~]")
"""What makes a headline that of something else than the answer."""
_DENIES = re.compile(r"\b(?:not|never|no|none|nothing|cannot|\w+n['’]t)\b")
_OWNED = re.compile(r"\b(?:[Bb]y|[Oo]f|[Ff]rom|[Ff]or) [A-Z][a-z]+\b|\b[A-Z][a-z]+['’]s\b")
"""Somebody whose work it is: ``Solution by Bob``."""
_MADE_BY = re.compile(
    r"\b(?:outputs?|results?|answers?|solutions?|response|verdict|conclusions?|reasoning"
    r"|work(?:ing)?|proof|explanation|calculations?) (?:of|from|by|in|for) (?:[\w'’-]+ ){0,4}?"
    r"(?:versions?|edition|variants?|code|program|script|system|machine|robot|bot|run|release|branch"
    r"|patch|draft|revision|build|tool|parser|solver|agent|player|team|group|candidate|author|writer"
    r"|contestant)\b"
)
"""What made it, and was not its author: ``Output of the broken version``."""
_THEOREM = re.compile(
    r"\b(?:[A-Z][a-z]+['’]s|[Tt]he [A-Z][a-z]+) (?:formula|theorem|rule|law|identity|method"
    r"|algorithm|Formula|Theorem|Rule|Law|Method|inequality|criterion|[Ll]emma)\b"
    r"|\b(?:Let|Here|That|It|What)['’]s\b"
    r"|(?<=[Ff]or )(?:April|May|June|July|Part|Step|Each)\b"
)
"""Names that are no author's."""

_OF_NOUN = (
    r"(?:final|full|brief|short|quick|complete|detailed|formal|overall|key|main|last|first|second"
    r"|third|next|step[- ]by[- ]step|logical|mathematical|sanity|general|core|basic|total|grand"
    r"|daily|weekly|monthly|yearly|new|sale|selling|turn|truth|solution|relative|single|direct"
    r"|important|clear|concise|given|required|alternative|boxed|numerical|algebraic|additional)"
)
_NOUN = phrases(r"""
    conclusions?; summary; recap; final; solutions?; explanations?; reasoning; analys[ie]s
    calculations?; computations?; verification; results?; proof; work; working; answers?; output
    response; justification; derivation; simplification; evaluation; substitution; findings?
    decision; verdict; assessment; check; double[- ]check; determination; insights?; ideas?
    observations?; notes?; remarks?; approach; method(?: \d| [a-c])?; strategy; set[- ]?up; plan
    given; facts?; breakdown; deductions?; formulas?; equations?; reasons?; rationale; why; steps?
    problem 1; question 1; takeaways?; outcome; count; tally; sum; total; totals; points?
    understanding; logic; evidence; inference; addition; subtraction; multiplication; division
    revenue; price; cost; profit; income; area; volume; perimeter; length; width; height; distance
    speed; time; age; value; set; direction; position; location; author; year; date; timeline; name
    path; moves?; turns?; (?:move )?(?:list|sequence|order|grid|board|layout); option; choice
    expression; boxed; variables?; unknowns?; details
    probability; percentage; average; remainder; difference; product; quotient; number; amount
    context; background; known(?: facts)?; information; data; premises; rules; clues; map; grid
""")
_OPENS = (
    r"(?:(?:and|so|now|the|our|my|to|sure|ok|okay|actually|wait|hmm|alright|well|great|a|an|then"
    r"|thus|hence|therefore|next|finally|first)\b,? )*"
)
_VERB = (
    r"(?:(?:re|double-)?(?:check|verify|calculat|comput|evaluat|solv|count|write|try|do|start|state"
    r"|give|summari[sz]e|put|fix|think|break|work|go|analy[sz]|wrap|simplify|add|explain|box|format"
    r"|answer|list|find|found|got|get|see|know|have|conclud|deduc|infer|end up|set|use|apply|combin"
    r"|subtract|multiply|divid|trac|follow|look|enumerat|construct|recall|note|define|denot|plug|sum"
    r"|review|confirm|determin|convert|translate|express|rewrite|examin|consider|compar|place"
    r"|present|provid|organi[sz]|proceed|just|also|arrive|obtain))(?:e|y)?\b"
)
_WE = (
    r"(?:let me|let['’]?s|i['’]ll|i will|i|we|we['’]ll|we will|we can|i can|now we|now i|we now"
    r"|we have|we (?:can|must|need to)) (?:(?:now|then|also|just|can|will|carefully|first|finally"
    r"|quickly|briefly) )*"
)
_NUMBERED = r"(?:step|part|method|approach) (?:\d{1,2}|[a-h]|one|two|three|four|five|six)\b.*"
"""``Step 3: Add the two``"""
_SECTION = (
    rf"(?:{_OF_NOUN}[ ,-]+(?:and )?){{0,3}}(?:{_NOUN})\b(?: ?\([a-z \d]{{1,20}}\)| found)?"
    r"(?:,? (?:of|for|from|to|the|using|by|in|and|with|below|through|as)\b[^:]{0,60})?"
)
"""``Final calculation``, ``Solution found``, ``Verification of the result``"""
_QUESTION = r"(?:who|what|which|where|when|how (?:many|much|long|far|old))\b.*"
_WE_DO = rf"{_WE}{_VERB}[^:]{{0,60}}"
"""``Let me double-check``"""
_DO = (
    r"(?:add|apply|use|substitute|find|plug in|compute|calculate|count|combine|simplify|solve|sum"
    r"|subtract|multiply|divide|check|verify|put|set up|identify|determine|evaluate|convert|list"
    r"|trace|follow|compare|conclude|summarize|round|factor|expand|integrate|differentiate)\b"
    r"[^:]{0,60}"
)
"""``Apply the formula``"""
_DOING = (
    r"(?:calculat|comput|simplify|evaluat|solv|determin|combin|add|subtract|multiply|divid|count"
    r"|summ|apply|find|substitut|convert|round|conclud|putt|verify|check|compar|format|work"
    r"|encapsulat|wrapp|box|present|stat|summariz|us|do|perform|sett|tak|integrat|differentiat"
    r"|plugg|isolat|reduc|factor|expand|match|look|trac|ty|bring|plac|understand|distribut|rearrang"
    r"|squar|mov|follow|consider|complet|cancel|collect|express|analy[sz]|list|writ|answer|break"
    r"|think|review|confirm|rewrit|group|recall)ing\b[^:]{0,100}"
)
"""``Putting it all together``"""
_CLOSING = (
    r"(?:found|bottom line|tl;?dr|in (?:short|brief|summary|conclusion|total|other words)"
    r"|to (?:sum up|summarize|conclude)|alternatively|lastly|equivalently|simply|put simply"
    r"|put together|together|combined|altogether|overall|grand total|done|verified|logically"
    r"|here you go|i\.?e\.?|in the end|boxed|as requested)(?: (?:a|the|one|an?) \w+)?"
)
"""``In short``, ``Found a solution``"""
_HERE = r"(?:the following is|here(?: is|['’]s| are)|below is) (?:the|a|an|my|our) [a-z -]{1,40}"
_WHERE = (
    r"(?:by|at|for|when|with|where|since|from) [^a-z:]*[a-z]? ?=[^a-z:]*"
    r"|by (?:the )?(?:\w+ )?(?:rule|theorem|formula|law|identity|property|transitivity|induction"
    r"|definition|symmetry|substitution|addition|subtraction|multiplication|division|\w+ing)\b"
    r"[^:]{0,60}"
    r"|in (?:(?:its|the|a|an) )?(?:lowest|simplest|reduced|requested|required|single|standard|exact"
    r"|decimal|interval|set|fraction\w*|vector|factored|desired)\b[^:]{0,30}"
    r"|(?:according to|based on|given|using) (?:the|this|these|our|all) [^:,]{1,40}"
    r"|(?:written|expressed|formatted|placed|stated) (?:as|in) [^:]{1,40}"
)
"""``At x = 2``, ``By factoring``, ``In lowest terms``, ``According to the map``"""
_IT_IS = (
    r"it['’]?s a (?:simple|basic|straightforward|direct) \w+"
    r"|(?:this|that|which|it) (?:matches|corresponds to|is|gives|means|equals)"
    r" (?:the )?(?:option|choice|answer|a simple \w+)s?"
)
"""``This matches option``"""
_WAY = (
    r"(?:(?:a|the|one) )?(?:(?:quick|simple|easy|short|fast|direct|standard|good)(?:er|est)? )?"
    rf"way to (?:{_VERB}|finish)[^:]{{0,60}}"
)
"""``A quick way to find it``"""
_KINDS = (
    _NUMBERED,
    _SECTION,
    _QUESTION,
    _WE_DO,
    _DO,
    _DOING,
    _CLOSING,
    _HERE,
    _WHERE,
    _IT_IS,
    _WAY,
)
_WORK = re.compile(rf"{_OPENS}(?:{'|'.join(_KINDS)})[\W_]*")
"""A headline of the work: its lower-case words, without what stands in front of them."""
_FRONT = re.compile(r"\A[\W\d_]+")
_ASIDE = re.compile(r" ?\([^()]{0,60}\)")


def heads_work(line: str) -> bool:
    """Whether a headline heads the work that ends in an answer.

    Args:
        line: The headline, with or without the signs around it.
    """
    low = lowered(line)
    if (
        disowns(line)
        or _DENIES.search(low)
        or _MADE_BY.search(low)
        or _OWNED.search(_THEOREM.sub("", line))
    ):
        return False
    low = _ASIDE.sub("", low)
    return languages.heads(f"**{low}**") or _WORK.fullmatch(_FRONT.sub("", low)) is not None


def disowns(line: str) -> bool:
    """Whether a headline speaks of another answer, author or world, or of none."""
    return _DISOWNS.search(lowered(line)) is not None
