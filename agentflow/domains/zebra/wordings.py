"""What headings say, and how people are called after a value: the wordings that are understood.

A heading that is none of these, and a phrase that is none of its attribute's, say nothing: what a
verb that is not listed means (``detests``, ``ran out of``) is not guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from agentflow.domains.spelling import word_set

_SUBJECT = r"(?:(?:each|every) (?:person|one)|everyone|everybody|they all|(?:the )?people)"
_A = r"(?:an? |the |their )?(?:own )?(?:unique |different |distinct )?"
_FAVORITE = r"favou?rite "
_WHO = r"(?:the )?(?:person|one) who"
_WHOSE = r"(?:the )?(?:person|one) whose"
_WITH = r"(?:the )?(?:person|one) with"
_LIKES = r"(?:loves|likes|enjoys|prefers)"
_AN = r"(?:an? |the )?"


@dataclass(frozen=True)
class Kind:
    """What an attribute is.

    Attributes:
        noun: What it is called, as a pattern.
        heading: The whole heading, as a pattern.
        phrases: What may stand for a person, as patterns in which ``#`` is the value.
        columns: What a column of an answer may be called, as patterns without spaces.
        proper: Whether its values are names of people, which have no plural.
    """

    noun: str
    heading: str
    phrases: tuple[str, ...]
    columns: tuple[str, ...] = ()
    proper: bool = False

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        return re.compile("|".join(self.phrases))

    @cached_property
    def column(self) -> re.Pattern[str]:
        """All names of a column: lower case, without spaces."""
        named = [re.sub(r"[ ]", "", self.noun), *self.columns]
        return re.compile(rf"(?:the|their|person)?(?:favou?rite)?(?:{'|'.join(named)})s?")


def _has(noun: str, verbs: str = "has|have") -> str:
    return rf"{_SUBJECT} (?:{verbs}) {_A}(?:{noun})s?"


def _liked(noun: str, verbs: str = "", tail: str = "", *, of: str = "") -> tuple[str, list[str]]:
    """The heading of what people like, and the phrases for it; a verb, and a word behind the value,
    may be used besides."""
    heading = rf"{_SUBJECT} (?:(?:has|have) {_A}{_FAVORITE}|(?:prefer|like|love|enjoy)s? {_A}"
    heading += rf"(?:{_FAVORITE})?){of}(?:{noun})s?"
    likes = rf"(?:{_LIKES}{'|' + verbs if verbs else ''})"
    behind = rf"(?: (?:{tail}))?" if tail else ""
    return heading, [
        rf"{_WHO} {likes} (?:the )?#{behind}",
        rf"{_AN}#{behind} (?:lover|enthusiast|fan)",
        rf"{_WHOSE} {_FAVORITE}(?:{noun}) is (?:the )?#",
    ]


def _favorite(
    noun: str,
    *phrases: str,
    verbs: str = "",
    tail: str = "",
    of: str = "",
    columns: tuple[str, ...] = (),
    heading: str = "",
) -> Kind:
    found, usual = _liked(noun, verbs, tail, of=of)
    return Kind(noun, heading or found, (*usual, *phrases), columns)


def _hair(part: str) -> Kind:
    noun = rf"{part} colou?r"
    phrases = (
        rf"{_WHO} has # {part}s?",
        rf"{_WITH} # {part}s?",
        rf"{_WHOSE} {part}s? (?:colou?r )?(?:is|are) #",
    )
    return Kind(noun, _has(noun), phrases, (part,))


NAME = Kind(
    "name", _has("(?:first )?name"), (r"(?:(?:the )?person (?:named |called )?)?#",), proper=True
)

KINDS = (
    NAME,
    _favorite("colou?r", rf"{_WHO} {_LIKES} the colou?r #"),
    _hair("hair"),
    _hair("eye"),
    _favorite(
        "drink",
        r"the # drinker",
        rf"{_WHO} (?:only )?drinks #",
        r"the one who only drinks #",
        columns=("beverage",),
    ),
    _favorite("smoothie", r"the # (?:smoothie )?drinker", verbs="drinks", tail="smoothies?"),
    Kind(
        "pet|animal",
        _has("(?:type of |kind of )?(?:pet|animal)", "has|have|keeps?|owns?"),
        (
            rf"{_WHO} (?:owns|has|keeps) {_AN}(?:pet )?#",
            rf"{_WITH} {_AN}(?:pet |aquarium of )?#",
            r"the # (?:lover|owner|keeper|enthusiast)",
            rf"{_WHOSE} (?:pet|animal) is {_AN}#",
        ),
        ("typeofpet", "pettype"),
    ),
    Kind(
        "nationality",
        rf"the people are of (?:{_A})?nationalities|{_has('nationality')}",
        (r"(?:the )?#(?: person)?", rf"{_WHO} is {_AN}#", rf"{_WHOSE} nationality is #"),
        ("nationalitie", "country"),
    ),
    _favorite(
        "book genre|book|genre of books?",
        rf"{_WHOSE} {_FAVORITE}(?:genre|books) (?:is|are) #",
        verbs="reads|loves reading|enjoys reading|likes reading",
        tail="books?|novels?",
        columns=("genre",),
    ),
    _favorite(
        "music genre|music|genre of music",
        rf"{_WHOSE} {_FAVORITE}genre is #",
        verbs="listens to",
        tail="music",
        columns=("genre",),
    ),
    Kind(
        "height",
        _has("height"),
        (
            rf"{_WHO} is #",
            rf"{_WHO} has {_AN}# height",
            rf"(?:the )?person of # height|{_WITH} {_AN}# height",
            r"the # (?:person|one)",
            rf"{_WHOSE} height is #",
        ),
    ),
    Kind(
        "birthday month|birthday|birth month",
        _has("birthday month|birthday|birth month"),
        (
            rf"{_WHOSE} (?:birthday|birth month|birthday month) is (?:in )?#",
            rf"{_WHO} was born in #",
            rf"{_WITH} {_AN}# birthday",
        ),
        ("month",),
    ),
    Kind(
        "child",
        r"each mother is accompanied by their child|" + _has("child"),
        (
            r"(?:the )?person 's child is (?:named |called )?#",
            rf"{_WHOSE} child is (?:named |called )?#",
            rf"(?:{_WHO} is )?the (?:mother|parent) of #",
            r"# 's (?:mother|mom|parent)",
        ),
        ("children", "childname"),
        proper=True,
    ),
    Kind(
        "mother",
        r"the mothers ?' names in different houses are (?:unique|different)",
        (rf"{_WHOSE} mother(?: 's name)? is (?:named |called )?#",),
        ("mothername", "mothersname", "mothersnames"),
        proper=True,
    ),
    Kind(
        "car model|car",
        _has("car model|car", "has|have|owns?|drives?"),
        (
            rf"{_WHO} (?:owns|drives|has) {_AN}#(?: car)?",
            r"the # (?:owner|driver)",
            rf"{_WHOSE} car (?:model )?is {_AN}#",
        ),
    ),
    Kind(
        "phone model|phone",
        _has("phone model|phone", "has|have|owns?|uses?"),
        (
            rf"{_WHO} (?:uses|owns|has) {_AN}#(?: phone)?",
            r"the # (?:user|owner)",
            rf"{_WHOSE} phone (?:model )?is {_AN}#",
        ),
    ),
    Kind(
        "occupation|job|profession",
        _has("occupation|job|profession"),
        (
            rf"{_WHO} (?:is|works as) {_AN}#",
            r"the #",
            rf"{_WHOSE} (?:occupation|job|profession) is {_AN}#",
        ),
    ),
    _favorite(
        "lunch|food|meal",
        rf"{_WHO} is an? # lover",
        rf"(?:{_WHO} loves )?the # eater",
        heading=rf"{_SUBJECT} (?:has|have) something (?:unique|different) for lunch|"
        + _liked("lunch|food|meal")[0],
        verbs="eats|loves eating|likes eating|enjoys eating",
        tail="for lunch",
    ),
    _favorite(
        "cigar|cigarette|brand of cigars?|brand of cigarettes?",
        rf"{_WHO} smokes (?:many (?:unique |different )?)?#(?: cigars?)?",
        r"the # smoker",
        r"the person partial to #",
        columns=("smoke", "brand"),
    ),
    _favorite(
        "flower",
        rf"{_WHO} {_LIKES} {_AN}(?:bouquet|boquet|vase) of #",
        rf"{_WHO} {_LIKES} {_AN}# (?:arrangement|bouquet)",
    ),
    _favorite("sport", verbs="plays"),
    _favorite(
        "vacation|holiday|trip",
        rf"{_WHO} (?:likes going on|enjoys going on|goes on|prefers going on) #"
        r"(?: (?:breaks?|vacations?|trips?|retreats?|tours?))?",
        tail="breaks?|vacations?|trips?|retreats?|tours?",
        of="(?:type of |kind of )?",
        columns=("vacationtype",),
    ),
    _favorite(
        "hobby",
        rf"{_WHO} # as a hobby",
        r"the # hobbyist",
        rf"{_WHOSE} hobby is #",
        heading=rf"{_SUBJECT} (?:has|have) {_A}(?:{_FAVORITE})?hobb(?:y|ie)s?",
        columns=("hobbie",),
    ),
    Kind(
        "education|degree",
        _has("level of education|education level|education|degree"),
        (rf"(?:{_WITH}|{_WHO} has) {_AN}#(?: 's)?(?: degree| diploma)?",),
        ("levelofeducation", "educationlevel"),
    ),
    Kind(
        "house style|style of house",
        rf"{_SUBJECT} (?:lives|live) in {_A}(?:style of house|house style)|{_has('house style')}",
        (
            r"(?:the )?person (?:in|residing in|living in|who lives in|who resides in) "
            rf"{_AN}#(?: style)?(?: (?:home|house|villa))?",
        ),
        ("style",),
    ),
)

_ANY = re.compile(rf"{_SUBJECT} (?:has|have) {_A}(?P<favorite>{_FAVORITE})?(?P<noun>[a-z]{{3,}})")
_LIKEABLE = word_set("""
    activity band berry bird board book cake candy car card cheese city clothing country cuisine
    dance day dessert dish film fish food fruit furniture game ice instrument juice king letter meal
    metal month movie number pasta pastime pet pizza planet plant season shape shoe snack song soup
    spice subject superhero tea team toy tree vegetable weekday wine
""")
"""What is liked where it is a favorite. Of other words (``a favorite enemy``) that is not said."""
_DESCRIBED = ("least", "most", "favorite", "favourite", "unique", "different", "distinct")


def kind(heading: str) -> Kind | None:
    """What an attribute is by its heading, in lower case; None if that is not understood.

    Besides the known ones: what people have that is called by one word (``a favorite fruit``).
    """
    for one in KINDS:
        if re.fullmatch(one.heading, heading):
            return one
    found = _ANY.fullmatch(heading)
    if found is None or found["noun"] in _DESCRIBED:
        return None
    noun = found["noun"]
    single = noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
    if found["favorite"] and single in _LIKEABLE:
        return _favorite(single)
    favorite = _FAVORITE if found["favorite"] else ""
    return Kind(single, heading, (rf"{_WHOSE} {favorite}{single} is {_AN}#",))
