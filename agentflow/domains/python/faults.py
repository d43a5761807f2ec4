"""Phrases that find a fault with a program, change it, or take it back, and sentences without any
of them."""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases

_FAULTS = phrases(r"""
    (?:real|better) solution; (?:subtle|small|known) (?:issue|problem); contrary to
    contradict\w*; violat\w+; garbage
    too soon; to fix (?:it|this|that); don't cover; edge case we; none of the tests
    bug(?:s|gy)?; wrong(?:ly)?(?! types?\b); incorrect(?:ly)?; mistak\w+; pitfalls?
    (?:works?|correct|right|holds?|handles?)\b.{1,60}\b(?:except|apart from|but not|other than)
    crash(?:es|ed)?; broken; flaw\w*; faulty; fails?(?! to match| only if); failed; missing
    incomplete; infinite; too (?:slow|large); off by one; off-by-one
    too (?:early|few|late|many|much|often); made an error; should have; deprecated
    (?:it|code|function|program|solution|loop|that|this|which) has no
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
    (?:should|must) (?:have|read|return|say) (?:an?|name); should be (?:an?|name)
    must be (?:name|an? (?:name|minus|plus|star|sign)); (?:should|must) (?:have been|read)
""")
FAULT = re.compile(rf"\b(?:{_FAULTS})\b|^no(?:[,.!]|$)")
_AWAY = r"(?:delet|discard|ignor|scrap|disregard|forget|remov|drop|reject|throw)\w*(?: away)?"
_CODES = r"(?:above|answer|code|function|program|return|solution)"
OF_CODE = re.compile(rf"\b{_CODES}\b|\b(?:below|everything|all|anything|following)\b")
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
UNSAID = re.compile(rf"\b(?:{_TAKES_BACK})\b|{_ORDERS}")
"""What no sentence around a program says that is held on to: it takes it back, or changes it."""
_PIECE = (
    r"(?:bound|check|comparison|condition|index|`?name`?|line|loop|operator|range|result|return"
    r"|return value|sign|statement)"
)
_MUST = r"(?:belongs?|ha(?:s|ve) to|must|needs?|ought to|should)"
CHANGES = re.compile(
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
OF_TASK = re.compile(
    r"\b(?:docstring|problem|prompt|question|specification|task|user)s? "
    r"(?:asks?|expects|requires|says|wants)\b|\bwas (?:asked|meant|wanted)\b|\basked for\b"
)
"""What behind a program says that it was to be another one."""
MENDED = re.compile(
    r"\b(?:avoid\w*|ensur\w+|fix(?:ed|es)|handl\w+|never (?:crashes|fails)|no (?:bugs?|errors?)"
    r"|prevent\w*|to not|unlike|without|would)\b"
)
"""What makes a fault one of another program."""

_UNSURE = phrases(r"""
    should; must(?! (?:be|match|equal|have|contain|appear|differ)\b); ought
    might; may; could; would; cannot; can't; has to; have to
    but; except\w*; however; although; though; instead
    only(?! (?:once|if|when|those|one)\b); rather; another; other than; better
    needs?; needed; required?; wants?; wanted; asked; expect\w*; meant; intended; supposed; lacks?
    i; i'm; my; you; your; user\w*; someone; somebody; nobody; anyone; people; who; whoever
    code; fix\w*; correct\w*; rewrite; redo; revise\w*
    answer; function; program; solution; version; task; docstring; tests?; not for; break\w*
    forget\w*; replaced; changed to; unsolved; unclear; unknown; untested; nonsense; no good
""")
DECLARES = re.compile(
    rf"(?!.*\b(?:{_UNSURE})\b)(?!(?:it|that|this|they|these|those|don't|do|never)\b)"
    r"(?=[a-z])(?:[^\s:]+[\s:]+){3}"
)
"""A sentence about what a program works on: not about what it should be, nor about anybody."""
