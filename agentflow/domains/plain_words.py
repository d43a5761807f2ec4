"""Everyday words that claim nothing of numbers, whatever stands beside them; and which of them may
claim something of places and ways.

    words = PlainWords(without=OF_PLACES, also=word_set("maze corridor"))
    "unfolds" in words          a form of a listed word
    "halfway" in words          is not listed: whoever reads this has to judge it

:data:`~agentflow.domains.narration.WORDS` are the fewer words that claim nothing in any domain.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from agentflow.domains import narration
from agentflow.domains.spelling import word_set

_ROOTS = word_set("""
    able absolutely absorb accept accomplish accordingly achieve across act action add addend
    addition additional additionally additive additively adjacent adjusting adjustment
    admittedly advantage advice after afterward ago agree aha ahead aim alert algebra algebraic
    algebraically align allow already alright alternatively although amaze among amount amuse
    analyse analysis analyze angle another anyhow anyone anything anytime anyway anywhere apart
    appeal appear apply appreciate approach approachable area arise arithmetic arithmetically
    around arranged arrangement arranging arrive arrow art aside ask assemble assign associate
    attack attempt attention attractive avail available avenue await aware away awesome awkward
    awkwardly background backward balance base basic basically basis bear beat beautiful
    beautifully became become before beforehand began begun behind being belong benefit beside
    best better big bingo bit blend block board bonus book bother bottom bound bracket brain
    brainstorm break breakthrough bridge brief briefly bright brilliant bring broken brought
    brute build bunch bundle busy but button calculator called came can cancel candidate care
    careful carefully carry case catch category cause certainly chain challenge chance choice
    choose chose chosen chunk circle clarify clarity classic classify clean cleanest cleanly
    clearest clever cleverly click clue code collapse collect collection color colour column
    combination combine combo come comfortable comfortably comment common compact companion
    compare comparison compelling complement complete complex compose composition computation
    conceptual concise concisely conclusive concrete condition confident configuration confirm
    confirmation congrats congratulations connection consequence consequently consist constraint
    construct construction contain content context continue contribute control convenience
    convenient conveniently convert convey convince core correspond could course cover crack
    craft create creative cross crucial crux cue cunning curious current currently cute deal
    decide decision decompose decomposition deep define definite definitely delicate delight
    delightful deliver demand demonstrate demonstration denominator denote depend depth
    derivation derive describe description design desired despite detour develop device diagram
    did difference different difficult difficulty digit direct direction directly disappear
    discover discovery discuss distance distribute distribution distributive distributivity
    divide dividend division divisor down draw drawn drew drive drove during eager earlier early
    ease easier easiest easy edge effect effective effectively efficient efficiently effort
    either elegance elegant elegantly elementary else emerge employ encounter encourage end
    engage enjoy enjoyable enough ensure enter entire entirely entry equal equality equation
    equivalently escape especially essence essential essentially establish eureka evaluation
    eventually ever every everyone everything everywhere evidence evident evidently exact
    examination examine example excellent excuse exhaust expand expect experience experiment
    expert exploration explore expression extend extract extremely eye factor factorisation
    factorization fair fairly familiar famous fancy fantastic far fashion fast fastest favorite
    favourite feature few figure fill fine finish fish fit fix flash flexible flip flow fly
    focus fold force foresee form formal format formula formulate formulation fortunate
    fortunately forward foundation four fraction free freely fresh fulfil fulfill fully fun
    fundamental furthermore game gap gather gave general generally generate genuine genuinely
    glad goal golden gone good got gotten grateful great group guide guideline habit had hand
    handful handily handle handy happen happily happy hard harder hardest harmless has have head
    header held hello help helpful hey hi highlight hint hit hmm hold hope however idea ideal
    ideally identification illustrate illustration imagine immediate immediately implement
    implicit implicitly imply important impress incidentally include inclusive incorporate
    independent indicate indication initial initially inner innermost input inside insight
    inspect inspection inspiration inspire instance instant instantly instead instruction intact
    intend intention interest interestingly intermediate internal interpretation introduce
    intuition intuitive inverse invert investigate investigation involve isolate issue item
    iteration job jump justification justify keep kept key kind kindly knew knowledge known
    label later latter lay layer layout lead lean learn leave led left letter leverage lies lift
    light likewise line link list literal literally little live load locate location logic
    logical logically lone long longest loop love lovely luck luckily lucky machine made magic
    magical magically main mainly major manage manipulation manner map mark match material
    mathematical mathematically mathematics maths matter may mean meaningful meanwhile measure
    meet member mental mentally mention merely message met method middle might mind minuend mix
    mixture moderate moment moreover most move movement multiplicand multiplication
    multiplicative multiplicatively multiplier multiply must name namely narrow natural
    naturally nature near neat neater neatest neatly necessity neutral neutralise neutralize
    nevertheless news nice nicely nicer nicest nonetheless normal normally notable notably
    notation note notice nowhere number numerator numeric numerical numerically object objective
    observation observe obstacle obtain obvious obviously occur occurrence offer often oh ok old
    onto opening operand operate operation operational operators opportunity option ordinary
    organise organize origin original originally other otherwise ourselves outcome outer outline
    outright outside overview owing own pair paper paragraph parallel parentheses parenthesis
    parenthesize partial participant particular particularly partition partner pass passage past
    path patience pattern pause per perfect perfectly persist person personal personally
    perspective phase phrase pick picture piece pinpoint pivot place placement plain plainly
    plan platform play pleasant please pleasure plenty plus point popular portion position
    possibility possible post potential practical practically practice practise precise
    precisely prefer preferable preference preliminary premise prepare presence present
    presentation press pretty previous previously primary principle print prior priority
    procedure produce product production productive progress promise promptly proof properly
    property proposal propose provide pull pure purely push put puzzle qualify quality quickest
    quickly quite quotient race raise range rapid rapidly rare rather ratio reader readily ready
    realise reality realize really rearrange rearrangement reason reasonable reasonably recall
    recap receive recipe recognise recognizable recognize recombine recommend recommendation
    record recover redistribute reduce reduction refer reference reflect regard regardless
    regroup regular relate relation relationship relative relatively relax relevant remain
    remark remarkable remarkably remember reminder reorder repeatedly rephrase replicate reply
    represent representation request require requirement reshape resolution resolve respect
    respective respectively respond response rest restate restructure return reveal reverse
    review reward rewrite rewritten role roughly route routine rule run safe safely said same
    sample sanity satisfactory satisfy satisfyingly save saw say scenario scheme scratch search
    second section secure seek seems select selection sense sensible sensibly sent sentence
    separate separately sequence sequential sequentially series set setup several shape share
    shift shortcut shortest shorthand shortlist should shut side sight sign signal significant
    similarly simpler simplest simplicity simplification simplify single sit slow slowly small
    smart smooth smoothly snag snap solid solver some somehow someplace something sometimes
    someway somewhat somewhere soon sound spark speak special specific specifically specify
    split spoke spot spread spring stage stand standalone standard starter statement stay
    stepwise still stood straight straightaway straightforward strategic strategically strategy
    strong strongly structure style sub subexpression subgoal subject submit subproblem
    subsequent subsequently substep substitute substitution subtle subtract subtraction
    subtrahend succeed success successful successfully such suffice sufficient sufficiently
    suggest suggestion suitable suitably sum summand summarise summarize super surely surprising
    surprisingly sweet symbol symmetric symmetrical symmetry system systematic talk target task
    technique temptation tempting term test text thank thankful thankfully themselves thereafter
    thereby thereof think third thorough thoroughly though thought thread throughout tick tidier
    tidiest tidily tidy tight till tip today too took tool top total toward trace track trail
    transfer transform transformation transition trial trick trickier trickiest tricky tried
    trip trivial trivially truly truth try tune turn tweak twist type typical typically
    ultimately underlying underneath understand understandable understood undertake unfold
    uniform unlock until unwind upfront upon usage useful usefully user usual usually valid
    validate validation variant variation variety various vary verbal version versus very via
    view visible visualise visualize vital voila voilà wait walkthrough warm was welcome went
    when whenever whereby wherever whether whichever while whose why wish within won wonder
    wonderful wonderfully workable workflow workout worry worth worthwhile wow wrap write
    written wrote yay yep yes yet yield yourself
""")
"""No denial, doubt, number or comparison, and nothing that takes an answer back."""
DOUBTS = word_set("""
    attempt could current currently earlier early eventually imagine initial initially intend
    intention luck luckily lucky magic magical magically may might originally popular prefer
    preferable preference previously proposal propose seek seems should sound suggest suggestion
    temptation tempting thought trial tried try user wish
""")
"""Those of them that may doubt something, or say of when it was so, and who says so."""
OF_PLACES = word_set("""
    across adjacent angle another apart area around arranged arrow aside away back backward
    balance became become before beforehand began begin begun behind belong beside big block
    board bottom bound bracket break breakthrough bridge broken came carry circle clear collapse
    combine come connection cross deep detour direct directly disappear distance divide double
    down draw drive drove edge either else end enter entire entirely equal equality escape every
    everything exact exhaust extend extract far fast feature few final first fit flip flow fly
    fold follow force forward four fraction free fully gap general generally go goes going gone
    good group had handful hard harmless has have held hit hold inner innermost inside instead
    intact inverse invert isolate jump keep kept later latter layer lead leads leave led left
    lies lift light line link little long longest loop love machine main middle mix most move
    movement must narrow natural near neat need neutral next normal nowhere old onto opening
    operate order original out outer outside over own pair parallel partial participant
    partition pass passage past path per perfect perfectly pivot place position possibility
    possible press previous previously prior product progress property pull push put quick race
    raise range rare rather ratio reach recover redistribute reduce reflect regular relation
    remain rest restructure return reverse roughly route run same search second section separate
    several shape share shift shortcut shortest shut side sight single sit slow small smooth
    snag some somehow something sometimes somewhere soon spread spring stand start stay still
    straight straightaway structure succeed such sum symmetric symmetrical symmetry take third
    thread through throughout tight till tip together top total toward track trail transfer
    transform transition trip truly turn tweak twist underneath uniform until unwind up upon
    usual usually various vary versus view warm way went within won wrap yes yet
""")
"""Those of them that may say where something is, which way it goes, how many there are, or
which."""
_ENDINGS = (("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ies", "y"),
            ("ied", "y"))  # fmt: skip
_MIN_ROOT = 3


@dataclass(frozen=True, slots=True)
class PlainWords:
    """The words, and those of :data:`~agentflow.domains.narration.WORDS`, in all their forms.

    Attributes:
        without: Words, in the form of the list, that claim something in the domain that asks.
        also: Further words, in this form only, that claim nothing there.
    """

    without: Container[str] = ()
    also: Container[str] = ()

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        if word in self.also:
            return True
        roots = list(_roots(word))
        listed = any(one in _ROOTS or one in narration.WORDS for one in roots)
        return listed and not any(one in self.without for one in roots)


def _roots(word: str) -> Iterator[str]:
    """A word, and those that it may be made of: ``swap`` for ``swapping``."""
    yield word
    for ending, instead in _ENDINGS:
        root = word.removesuffix(ending)
        if root == word or len(root) < _MIN_ROOT:
            continue
        yield root + instead
        if not instead and ending != "s" and root[-1] == root[-2]:
            yield root[:-1]
