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
    able absorb accept accomplish accordingly achieve across act action add addend addition
    additional additionally additive additively adjacent adjusting adjustment admittedly
    advantage advice after afterward ago agree aha ahead alert algebra algebraic algebraically
    align already alright alternatively although amaze among amount amuse angle another anyhow
    anyone anything anytime anyway anywhere apart appeal appear appreciate approachable area
    arise arithmetic arithmetically around arranged arrangement arrive arrow art aside assemble
    assign associate attack attempt attention attractive avail available avenue await aware away
    awkward awkwardly background backward balance base basic basically basis bear beat beautiful
    beautifully became become before beforehand began begun behind being belong benefit beside
    best better big bingo bit blend block board bonus book bother bottom bound bracket brain
    brainstorm break breakthrough bridge brief briefly bright brilliant broken brought brute
    build bunch bundle busy but button calculator called came cancel candidate care case catch
    category cause chain challenge chance choice choose chose chosen chunk circle clarity
    classic classify cleanest clearest click clue code collapse collect collection color colour
    column combination combo comfortable comfortably comment common compact companion compare
    comparison compelling complement complex compose composition computation conceptual concise
    concisely conclusive concrete condition confident configuration confirmation congrats
    congratulations connection consequence consequently consist constraint construction contain
    content contribute control convenience convert convey convince core correspond could cover
    crack craft create creative cross crucial crux cue cunning curious current currently cute
    decide decision decompose decomposition deep define definite delicate delight delightful
    deliver demand demonstrate demonstration denominator denote depend depth derivation describe
    description design despite detour develop device diagram did difference different difficult
    difficulty digit direct direction disappear discover discovery distance distribute
    distribution distributive distributivity divide dividend division divisor down draw drawn
    drew drive drove during eager earlier early ease edge effect effective efficient efficiently
    effort either elegance elegant elegantly elementary else emerge encounter encourage end
    engage enjoy enjoyable enough enter entire entirely entry equal equality equation
    equivalently escape especially essence essential establish eureka evaluation eventually ever
    every everyone everything everywhere evidence evident evidently exact examination excuse
    exhaust expand expect experience experiment expert exploration extend extract extremely eye
    factor factorisation factorization fair fairly familiar famous fancy fantastic far fashion
    fast fastest favorite favourite feature few figure fill fine finish fish fit fix flash
    flexible flip flow fly fold force foresee form formal format formulate formulation fortunate
    fortunately foundation four fraction free freely fresh fulfil fulfill fully fundamental
    furthermore game gap gave general generally generate genuine genuinely golden gone good got
    gotten grateful group guideline habit had hand handful handily happen happily hard harder
    hardest harmless head header held hello hey hi hint hit hmm hold however ideal ideally
    identification illustration imagine immediate immediately implement implicit implicitly
    imply impress incidentally include inclusive incorporate independent indicate indication
    initial inner innermost input inside inspect inspection inspiration inspire instant
    instantly instead instruction intact intend intention interest interestingly intermediate
    internal interpretation introduce intuition intuitive inverse invert investigate
    investigation isolate issue item iteration job jump justification justify key kind kindly
    knew knowledge label latter lay layer layout lead lean leave led left letter leverage lies
    lift light likewise line link list literal literally little live load locate location lone
    long longest loop love lovely luck luckily lucky machine made magic magical magically main
    mainly major manage manipulation manner map mark match material mathematical mathematically
    mathematics maths matter may mean meaningful meanwhile measure meet member mental mentally
    mention merely message met middle might minuend mix mixture moderate moment moreover most
    move movement multiplicand multiplication multiplicative multiplicatively multiplier
    multiply must namely narrow nature near neater neatest necessity neutral neutralise
    neutralize nevertheless news nicer nicest nonetheless normal normally notable notably
    notation nowhere number numerator numeric numerical numerically object objective observation
    observe obstacle obvious obviously occur occurrence offer often oh ok old onto opening
    operand operate operational operators opportunity option ordinary organise origin original
    originally other otherwise outer outline outright outside overview owing own pair paper
    paragraph parallel parentheses parenthesis parenthesize partial participant particular
    particularly partition partner pass passage past path patience pattern pause per perfect
    perfectly persist person personal personally perspective phase phrase pick picture pinpoint
    pivot place placement plain plainly platform play pleasant pleasure plenty plus point
    popular portion position possibility possible post potential practical practically practice
    practise precise prefer preferable preference preliminary premise prepare presence present
    press pretty previous previously primary principle print prior priority procedure produce
    product production productive progress promise promptly proof properly property proposal
    propose provide pull pure purely push puzzle qualify quality quickest quite quotient race
    raise range rapid rapidly rare rather ratio reader readily ready realise reality realize
    really rearrangement reason reasonable reasonably receive recipe recognise recognizable
    recognize recombine recommend recommendation record recover redistribute reduce reduction
    reference reflect regard regardless regroup regular relate relation relationship relative
    relatively relax remain remark remarkable remarkably reminder reorder repeatedly rephrase
    replicate reply representation require requirement reshape resolution resolve respect
    respective respond response rest restructure return reveal reverse review reward role
    roughly route routine rule run safe safely same sample sanity satisfactory satisfy
    satisfyingly save saw scenario scheme scratch search second section secure seek seems select
    selection sensible sensibly sent sentence separate sequence sequential sequentially series
    set setup several shape share shift shortcut shortest shorthand shortlist should shut side
    sight sign signal significant simpler simplest simplicity simplify single sit small smart
    smooth snag snap solid solver some somehow someplace something sometimes someway somewhat
    somewhere soon sound spark speak special specify split spoke spot spread spring stand
    standalone standard starter statement stay stepwise still stood straightaway strategic
    strategically strong strongly style sub subexpression subgoal subject submit subproblem
    subsequent subsequently substep subtle subtract subtraction subtrahend succeed success
    successful such suffice sufficient sufficiently suggest suggestion suitable suitably sum
    summand super surely surprising surprisingly sweet symbol symmetric symmetrical symmetry
    system systematic talk target temptation tempting term test text thankful thankfully
    themselves thereafter thereby thereof think third though thought thread throughout tick
    tidier tidiest tight till tip today too took tool top total toward trace trail transfer
    transform transformation transition trial trickier trickiest tricky tried trip trivial
    trivially truly truth tune turn tweak twist type typical typically ultimately underlying
    underneath understandable undertake unfold uniform unlock until unwind upfront upon usage
    usefully user usual usually valid validate validation variant variation variety vary verbal
    version versus via visible visualise visualize vital voila voilà wait walkthrough warm was
    went when whenever whereby wherever whether whichever whose why wish within won wonder
    wonderfully workable workflow workout worry worthwhile wow wrote yay yep yes yet yield
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
