"""Words of a reply of Game of 24 that claim nothing of its numbers, whatever stands beside them."""

from __future__ import annotations

from collections.abc import Iterator

from agentflow.domains import narration
from agentflow.domains.spelling import word_set

_ROOTS = word_set("""
    able abroad absolutely absorb accept accomplish accordingly achieve across act action add
    addend addition additional additionally additive additively adjacent adjusting adjustment
    admire admittedly advantage advice afford after afterward ago agree aha ahead aim alert
    algebra algebraic algebraically align alive allow already alright alternatively although
    amaze amid among amount amuse analyse analysis analyze angle annoy another anyhow anyone
    anything anytime anyway anywhere apart appeal appear apply appreciate approach approachable
    architecture area arise arithmetic arithmetically around arranged arrangement arranging
    arrive arrow art aside ask assemble assign associate attack attempt attention attractive
    avail available avenue await aware away awesome awkward awkwardly background backward bag
    balance band banish bank base basic basically basis bear beat beautiful beautifully became
    become before beforehand began begun behind being belong benefit beside best better big
    bingo bit blend block board bonus book boom borrow bother bottom bound bracket brain
    brainstorm brand brave breadth break breakthrough breath brew bridge brief briefly bright
    brilliant bring broken brought brute bucket budget build bullseye bunch bundle burn business
    busy but button buy calculator called calm came can cancel candidate capture care careful
    carefully carry carryover case catch category cause certainly chain challenge chance charm
    chase cheap cheer chew chief choice choose chose chosen chunk circle clarify clarity classic
    classify clean cleanest cleanly clearest clever cleverly click climb clue coax code coffee
    coin collapse collect collection color colour column combination combine combo come
    comfortable comfortably comment common compact companion compare comparison compelling
    compensate complement complete complex compose composition comprehend computation conceptual
    concise concisely conclusive concrete condition confident configuration confirm confirmation
    congrats congratulations connection conquer conscious consequence consequently consist
    conspire constraint construct construction consume contain content context continue
    contribute control convenience convenient conveniently convert convey convince cook cool
    cooperate core corner correspond could counterpart course courtesy cover crack craft
    craftily create creative cross crucial crunch crux cue cunning cup curious current currently
    curve cute dance dash data day deal dear decide decision decode decompose decomposition
    dedicate deep define definite definitely delicate delight delightful delightfully deliver
    demand demonstrate demonstration denominator denote depend depth derivation derive describe
    description deserve design desired despite detour develop device diagram did difference
    different difficult difficulty dig digit dimension direct direction directly disappear
    discover discovery discuss dispose distance distribute distribution distributive
    distributivity dive divide dividend division divisor down draw drawn drew drive drove during
    dust eager ear earlier early earn ease easier easiest easy economical economy edge effect
    effective effectively efficient efficiently effort either elegance elegant elegantly
    elementary else emerge emoji employ encounter encourage end engage engineer enjoy enjoyable
    enlarge enormous enough ensure enter entertain entire entirely entry equal equality equation
    equivalently era escape especially essence essential essentially establish eureka evaluation
    eventually ever every everyone everything everywhere evidence evident evidently evolve exact
    examination examine example excellent excite excuse execution exercise exhaust expand expect
    experience experiment expert exploration explore expression extend extract extremely eye
    face factor factorisation factorization fair fairly faithful familiar famous fan fancy
    fantastic far fascinate fashion fast fastest favorite favourite feature feed fellow few
    fiddle field fight figure fill fine finger finish fish fit fix flash flavor flavour flexible
    flip flow fly focus fold folks fond food foot force foresee forge fork form formal format
    formula formulate formulation forth forthright fortunate fortunately forward foundation four
    fraction framework free freely fresh friendly fruit fruitful fulfil fulfill fully fun
    fundamental funny furthermore fuss gadget game gap gather gave gear gem general generally
    generate gentle genuine genuinely gift glad glance goal golden gone good got gotten grab
    graph grasp grateful great greedily greedy greet grew ground group grow grown guide
    guideline habit had hand handful handily handle handy hang happen happily happy hard harder
    hardest harmless has hat have head header heart heavy held hello help helpful helps hereby
    hereinafter hey hi hierarchy highlight hint historical hit hmm hold hooray hope house
    however hunt hurdle hurrah hurray icing idea ideal ideally identification illustrate
    illustration imagine immediate immediately implement implementation implicit implicitly
    imply important impress include inclusive incorporate incredible independent indicate
    indication infamous ingredient initial initially inner innermost innocent input inquiry
    inside insight inspect inspection inspiration inspire instance instant instantly instead
    instinct instinctive instinctively instruction intact integrate intend intention interact
    interest interestingly intermediate internal interpretation introduce intuition intuitive
    invent inverse invert investigate investigation invitation invite involve isolate issue item
    iteration jigsaw job joy juggle jump justification justify keen keep kept key kick kind
    kindly kit knack knew knock knowledge known kudos lab label land language later latter laugh
    launch law lay layer layout lead lean learn leave led left lent lesson letter lever leverage
    lies lift light likewise line link list literal literally little live load locate location
    logic logical logically lone lonely long longest loop loose loosely love lovely luck luckily
    lucky machine made magic magical magically magnitude main mainly maintain major manage
    maneuver manipulation manner manoeuvre map mark massage master match material mathematical
    mathematically mathematics maths matter may mean meaning meaningful means meanwhile measure
    mechanical mechanism meet member memorable memory mental mentally mention merely message met
    method middle might milestone mind mini minuend minute mix mixture model moderate modest
    moment momentarily money monitor moreover morning most motivate motivation motive mount move
    movement multiplicand multiplication multiplicative multiplicatively multiplier multiply
    music must name namely narrow natural naturally nature navigate near neat neater neatest
    neatly necessity nest neutral neutralise neutralize nevertheless news nice nicely nicer
    nicest niche night nod nominal nonetheless normal normally notable notably notation note
    notebook noteworthy notice notorious novel nowhere nudge number numerator numeric numerical
    numerically object objective observation observe obstacle obtain obvious obviously occasion
    occur occurrence offer official often oh ok old onto opening operand operate operation
    operational operators opportunity oppose option ordinary organise organize orient
    orientation origin original originally other others otherwise ourselves outcome outer
    outline outright outset outside outward overview owe owing own owner page paid pain pair
    paper paragraph parallel parentheses parenthesis parenthesize partial participant particular
    particularly partition partner party pass passage past path patience patient pattern pause
    pay peek peel pen pencil per perfect perfectly persist person personal personally
    perspective phase philosophy phrase pick picture piece pin pinpoint pivot place placement
    plain plainly plan platform play player pleasant pleasantly please pleasingly pleasure
    plenty plug plus pocket point pointer polish pool pop popular portion position possess
    possibility possible post potential pound practical practically practice practise precise
    precisely preface prefer preferable preference preliminary premise prepare presence present
    presentation preserve press prettiest pretty previous previously price primary principle
    print prior priority privilege prize probe procedure produce product production productive
    professional program progress project promise promptly pronounce proof properly property
    proposal propose prospect protect proud provide pull pure purely pursue push put puzzle
    qualify quality quickest quickly quite quotient race raise ran range rapid rapidly rare
    rather ratio raw ray react reaction reader readily ready realise reality realize really
    rearrange rearrangement reason reasonable reasonably recall recap receive recipe recognise
    recognizable recognize recombine recommend recommendation reconstruct record recover recur
    redistribute reduce reduction refer reference reflect regard regardless region regroup
    regular relate relation relationship relative relatively relax relevant reliable remain
    remark remarkable remarkably remember reminder render reorder repeatedly rephrase replicate
    reply represent representation request require requirement rescue research resemble reserve
    reshape resolution resolve resource respect respective respectively respond response rest
    restate restriction restructure retain retrieve return reveal reverse review reward rewrite
    rewritten rich ride ring rise risen road robust rode role roughly route routine rule run
    rush safe safely said sake same sample sanity sat satisfactory satisfy satisfyingly save saw
    say scan scenario scene scheme school science scope score scratch scratchpad screen script
    search second section sector secure seek seems segment select selection sense sensible
    sensibly sent sentence separate separately sequence sequential sequentially series serious
    seriously serve session set setup several shape share sharp sharper sheet shift shine shook
    shop shortcut shortest shorthand shortlist shot should shout shuffle shut side sight sign
    signal significant silly similarly simpler simplest simplicity simplification simplify
    single sit site situation size sketch skill skim slick slot slow slowly small smart smooth
    smoothly snag snap sneakily sneaky social soft solid solver some somehow someplace something
    sometimes someway somewhat somewhere song soon sound source space spark speak special
    specific specifically specify speed spend spent spirit split spoil spoiler spoke sport spot
    spread spring stack staff stage stand standalone standard stare starter statement station
    stay steadily steady steer stepwise still stone stood store story straight straightaway
    straightforward strategic strategically strategy stream street stress stretch strike stroke
    strong strongly structure struggle stubborn stuff style sub subexpression subgoal subject
    submit subproblem subsequent subsequently substance substep substitute substitution subtle
    subtract subtraction subtrahend succeed success successful successfully such suffice
    sufficient sufficiently suggest suggestion suit suitable suitably sum summand summarise
    summarize super superb supply support surely surprising surprisingly surround survey survive
    sweet swift swiftly swung symbol system systematic tab tackle tactic tada tag tail tailor
    talk target task taught teamwork tease technique temptation tempting tend term territory
    test text thank thankful thankfully theme themselves theory thereafter thereby thereof thick
    think third thorough thoroughly though thought thread throughout thumb tick tidier tidiest
    tidily tidy tight till tiny tip title today toil tone too took tool top topic toss total
    touch tough toughest tour toward trace track tract trade tradition traditional trail train
    transfer transform transformation transition translate transparent travel treat tree trend
    trial trick trickier trickiest tricky tried trigger trip trivial trivially truly truth try
    tuck tune turn tutorial tweak twist type typical typically ultimately underlying underneath
    understand understandable understood undertake uniform unite unlock unpack unravel until
    unwind upfront upon upward usage useful usefully user usual usually utilise utilize valid
    validate validation vanish variant variation variety various vary vast verbal version versus
    very via view virtue visible visit visual visualise visualize vital voila voilà wait
    walkthrough warm warmup was wash watch wave weave week weigh welcome went wheel when
    whenever whereby wherever whether whichever while whose why wide widely wider wing wink wipe
    wise wisely wish within won wonder wonderful wonderfully wore workable workflow
    workout world worry worth worthwhile wound wow wrap write written wrote yay yep yes yet
    yield yippee yourself zone zoom
""")
"""No denial, doubt, number or comparison, and nothing that takes an answer back: what has one of
these is read by :mod:`.claims`, or leaves a reply undecided."""
_ENDINGS = (("s", ""), ("es", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ies", "y"),
            ("ied", "y"))  # fmt: skip
_MIN_ROOT = 3


class _Words:
    """The words, with what is made of them by an ending."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and any(
            one in _ROOTS or one in narration.WORDS for one in _roots(word)
        )


WORDS = _Words()


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
