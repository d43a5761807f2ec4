"""Words of the controlled English: which nouns have a plural that surely is theirs, and so on.

That two words are one is said only of the nouns listed here, whose plural means nothing else
(``glasses``, ``customs`` and ``goods`` may be other things than several of one kind), and of nouns
in ``-us``. Words that merely look related are neither one nor two: :func:`alike` finds them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from agentflow.domains.spelling import word_set

PERSONS = word_set("""
    actor adult artist athlete author baker banker barber boy builder carpenter chef child
    citizen coach composer dancer dentist detective doctor driver engineer farmer firefighter
    fisherman gardener genius girl guest hero historian human hunter journalist judge king
    knight lawyer leader librarian man mathematician mayor mechanic musician neighbor
    neighbour nurse officer painter parent person philosopher physicist pianist pilot plumber
    poet politician president priest prince princess professor programmer pupil queen sailor
    scholar scientist sculptor senator singer soldier student surgeon swimmer tailor teacher
    teenager thief tourist traveller vegan vegetarian violinist waiter winner woman worker
    writer
""")
"""Nouns for people only."""

_THINGS = word_set("""
    animal ant apple arachnid banana bat beagle bear bed bee beetle berry bicycle bird boat
    book bridge building bus butterfly cactus cake camel car carnivore carrot cat chair
    chicken city cookie cow crocodile dinosaur dog dolphin dragon dragonfly dress duck eagle
    elephant feline film flower forest fork fox frog fruit fungus game giraffe goat hamster
    hat hawk herb herbivore horse house insect invertebrate island kangaroo kettle kitten lake
    lamp lemon lion lizard lobster lynx machine mammal mineral monkey mosquito mountain mouse
    mushroom octopus orange owl panda parrot peach pear pen pencil penguin pet pig
    pigeon pizza planet plant poodle predator primate product puppy rabbit rat raven reptile
    river robot rodent rose salamander sandwich shark ship shirt shoe skirt snail snake song
    spaniel sparrow spider spoon sport squirrel swan table tiger tomato tool toy train tree
    truck tulip turtle unicorn vegetable vehicle vertebrate virus weapon whale wolf worm zebra
""")
_IRREGULAR = {
    **{"child": "children", "fisherman": "fishermen", "man": "men", "woman": "women"},
    **{"thief": "thieves", "hero": "heroes", "tomato": "tomatoes", "mosquito": "mosquitoes"},
    **{"mouse": "mice", "wolf": "wolves", "fungus": "fungi"},
}
_TWO_PLURALS = frozenset(("person", "cactus", "octopus"))

ADJECTIVES = word_set("""
    active aggressive alive amenable angry anxious arrogant attractive awake bad bald
    beautiful bitter black blind blue bold boring brave bright brilliant brown bumpy busy calm
    careful careless charming cheerful clean clever cold colourful comfortable confident
    cowardly cozy creative cruel curious curved dangerous dark deaf deep delicious delightful
    diligent dirty discordant dry dull eager earthy elegant energetic evil expensive fair
    faithful famous fast fat feisty fierce flexible floral fluffy foolish fragile fresh
    friendly fruity funny furry generous gentle gloomy good graceful greedy green grey grumpy
    guilty happy hard hardworking harmless harsh healthy heavy helpful honest hot huge humble
    hungry ill impatient innocent intelligent jealous jolly kind large lazy light liquid
    lively lonely long loud loyal lucky luminous mad massive mean mellow melodic metallic
    moderate modest mortal muffled muscular musical naughty nervous nice noisy obedient odd
    old opaque orange organic patient peaceful pink pleasant poisonous polite poor popular
    powerful pretty proud purple quick quiet red reliable rich rough round rude sad scared
    selfish serious sharp shiny short shy silent silly sleepy slow small smart smooth soft
    solid sour spicy spotted square stern stormy strict striped strong stubborn stupid sturdy
    sunny sweet talented tall temperate tender thick thin thirsty thorny tidy timid tiny tired
    tough toxic translucent transparent ugly venomous violent warm weak wealthy well-behaved
    well-made wet white wicked wild windy wise witty wooden worried yellow young
""")
"""Adjectives that hold of each thing for itself, not of a kind (``rare``, ``numerous``)."""

NOUNS_TOO = word_set("human vegan vegetarian")
"""Adjectives that say the same as the noun: who is human is a human."""

FUNCTION = word_set("""
    a about above across after afterwards again all alleged allegedly almost alone along
    already also alternatively although always am among an and another any anybody anyone
    anything apart are aren't as assume assuming at away barely be because been before behind
    being below beside besides between beyond both but by can cannot certainly consider could
    daily de definitely did do does doing done down dozen during each eight either eleven else
    enough even ever every everybody everyone everything everywhere exactly except fake few
    fewer fifty first five following for former formerly four frequently from generally given
    half hardly has have having he hence her here hers herself him himself his hitherto how
    however hundred i if in indeed inside instead into is it its itself just last later latter
    least less lest let like likely lots many maybe me mere merely might million mine more
    moreover most mostly much must my myself nearly neither never nevertheless next nine no
    nobody none none-the-less nonetheless nor not nothing now nowhere occasionally of off
    often on once one ones oneself only onto or other others otherwise ought our ours
    ourselves out outside over own particular people per perhaps person persons plenty
    possibly presumably previously probably quite rarely rather same second seldom several
    shall she should since six so so-called some somebody somehow someone something sometimes
    somewhere soon still such suppose supposedly ten than that the their theirs them
    themselves then there therefore these they thing things third this those thousand three
    through throughout thus till to today together tomorrow too toward towards twelve twenty
    twice two under unless unlike until up upon us usually various versus very via was we were
    what whatever when whenever where whereas whether which whichever while who whoever whole
    whom whose why with within without would would-be yes yesterday yet you your yours
    yourself
""")
"""Words of grammar, a closed class: neither names nor properties, which are an open one."""

_NUMBER_WORDS = word_set("""
    billion eight eighteen eighty eleven fifteen fifty first five forty four fourteen half
    hundred million nine nineteen ninety one quarter second seven seventeen seventy six
    sixteen sixty ten third thirteen thirty thousand three twelve twenty two zero
""")
_SUFFIXES = (
    *("", "s", "es", "ies", "er", "ers", "est", "ly", "ness", "ish", "ing", "ed", "y", "ful"),
    *("less", "al", "ic", "ics", "en", "ess", "esses", "ity", "ism", "ist", "able", "ous", "like"),
)
_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "anti", "mis", "semi", "half", "super")


def _plural(noun: str) -> str:
    if irregular := _IRREGULAR.get(noun):
        return irregular
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return noun + ("es" if re.search(r"(?:[sxz]|ch|sh)$", noun) else "s")


NOUNS = (PERSONS | _THINGS) - ADJECTIVES - NOUNS_TOO
"""Nouns that are no adjectives."""
_SINGULARS = {_plural(noun): noun for noun in (PERSONS | _THINGS) - _TWO_PLURALS}


def singular(word: str) -> str | None:
    """The noun that ``word`` surely is the plural of; None if it is none, or that is not sure."""
    if found := _SINGULARS.get(word):
        return found
    return word[:-2] if re.fullmatch(r"[a-z]{2,}uses", word) else None


def alike(predicates: Iterable[str], things: Iterable[str], *, forms: bool) -> str:
    """Two different names that may yet mean the same, in words; empty if there are none.

    What follows while they are told apart follows all the more if they are one. That something
    does *not* follow cannot be said.

    Args:
        predicates: Names of properties and functions.
        things: Names of things, and numbers.
        forms: Whether predicates are words, which have forms (``kind``, ``unkind``, ``kinder``).
    """
    kinds, named = sorted(set(predicates)), sorted(set(things))
    for one, other in combinations(kinds, 2):
        if _key(one) == _key(other) or (forms and _roots(one) & _roots(other)):
            return f"{one!r} and {other!r}"
    for one, other in combinations(named, 2):
        if _key(one) == _key(other) or (
            _numeral(one) and _numeral(other) and not (is_number(one) and is_number(other))
        ):
            return f"{one!r} and {other!r}"
    keys = {_key(one): one for one in kinds} if forms else {}
    for one in named:
        if _key(one) in keys:
            return f"{one!r} and {keys[_key(one)]!r}"
    foreign = [one for one in (*kinds, *named) if not _latin(one)]
    if 0 < len(foreign) < len(kinds) + len(named):
        return f"{foreign[0]!r} and a name in other letters"
    return ""


def is_number(name: str) -> bool:
    """Whether a name is a number, written in digits."""
    return re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", name) is not None


def _numeral(name: str) -> bool:
    """Whether a name is a number, or may be another way to write one."""
    return name[0].isnumeric() or _key(name) in _NUMBER_WORDS


def _latin(name: str) -> bool:
    """Whether the letters of a name are Latin ones that look like no others."""
    return all(
        one.isascii() or not one.isalpha() or one in "ßøØłŁđĐæÆœŒðÐþÞ’" for one in _bare(name)
    )


def _bare(name: str) -> str:
    """Without marks on the letters."""
    apart = unicodedata.normalize("NFKD", name)
    return "".join(one for one in apart if not unicodedata.combining(one))


@lru_cache(maxsize=4_096)
def _key(name: str) -> str:
    """The same for two spellings of one name; a number is its value, and has one spelling."""
    return name if is_number(name) else re.sub(r"[_\-’'.]", "", _bare(name).casefold())


@lru_cache(maxsize=4_096)
def _roots(word: str) -> frozenset[str]:
    """What a word may be a form of, roughly; two words with one in common may be related."""
    word = word.replace("-", "")
    words = [word, *(word.removeprefix(one) for one in _PREFIXES if word.startswith(one))]
    stems = (
        one.removesuffix(suffix) for one in words for suffix in _SUFFIXES if one.endswith(suffix)
    )
    return frozenset([word, *(_root(stem) for stem in stems if len(stem) >= 3)])


def _root(word: str) -> str:
    """``happi`` and ``happy``, ``wis`` and ``wise``, ``bigg`` and ``big`` have the same."""
    word = re.sub(r"(?:e|i|y)$", "", word)
    return re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", word)
