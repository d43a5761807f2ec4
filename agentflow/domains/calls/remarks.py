"""What a reply says beside its calls, judged with them and with what was asked.

    get_weather(city="Paris")  This gets the weather in Paris.   goes with it
                               This gets the weather in London.  is open: London is not in the call
                               This sends an email.              is open: nobody asked for that
    book(hotel="Ritz", nights=2), book(hotel="Hilton", nights=3)
                               This books the Ritz for 3 nights. is open: no call does

Every word has to be one of the calls, of the functions that they call, of the request, or of
:data:`_STOCK`; a name has to be one of the calls or their functions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.calls import surroundings
from agentflow.domains.calls.wanted import Calls
from agentflow.domains.spelling import LETTERS, NUMBERS, plain, stem, word_set
from agentflow.models.structured.calls import spelled

_STOCK = word_set("""
    absolutely apologies apologize assuming before going retry thank thanks was were
    a about above accomplish accomplished accordingly achieve achieved action actions additional
    address addressing after again ahead all alright also always am an and answer any api
    appropriate are argument arguments array as ask asked asking asks assist at attempt attempting
    attempts available back based be been begin beginning being below best between boolean both by
    calculate calculates calculation calculations call called calling calls can carry certainly
    check checking checks code complete completed completely completing compute computes conditions
    confirm confirmation confirmed confirms correct correctly corresponding could course criteria
    current currently default defined detail detailed details determine determines direct directly
    display do does each easily either ensure entire exact execute executed executes executing
    expected fetch fetches fetching final finally find finding finds first float follow following
    follows for forecast format from fulfill fulfilling full function functions gather gathers get
    gets getting give given gives glad go goal goes got great had handle handles handling happy has
    have he help helping helps hence her here his hold how hz i id if in include includes including
    indicate indicated info information input integer into invoke invoked invokes invoking is it its
    itself json just keep know latest let lets like line lines list ll look looking looks lookup
    made make makes making may me meet meets mentioned moment my name named names necessary need
    needed needs next note now null number object obtain obtains of ok okay on once one ones
    optional or order our out output over parallel parameter parameters pass passed passing per
    perform performed performs please possible problem proceed proceeding process produce produces
    properly provide provided provides providing purpose python queries query question re ready
    received relevant representation represents request requested requests require required requires
    respective respectively response result results retrieve retrieved retrieves retrieving return
    returned returning returns right run running runs same second see separate set sets share she
    should show shows signature signatures simply since single so solution solve solves soon
    specific specified specify start started starting starts step steps string suitable sure take
    takes task tell tells that the their them then there therefore these they third this those three
    through thus to together tool tools try trying twice two type types understand understood up
    update updates usd use used useful user users uses using utilize valid value values variable
    variables various ve via want wanted wants we well were what when where which while who whose
    will wish with within would yes you your
""")
"""Words that say nothing of what is called."""
_UNITS = word_set("celsius fahrenheit kelvin metric imperial")
"""Words that a description may list, of which one is meant."""
_OPTIONS = re.compile(r"\w+(?:, \w+)*,? or \w+\.?")
"""A description that lists the words that a value may be: ``km or miles``."""
_IES = re.compile(r"(?<=\w\w)ies\Z")
_FROM_TO = re.compile(r"\b([a-z]+) (?:in|into|to) (?:the )?([a-z]+)\b")
_STANDS = re.compile(
    r"(?i)\A\W*(?:\w+[,!.] )?(?:since |as )?(?:the|this) [^,.;]{1,60} (?:is|was|were|has) "
)
"""How a sentence begins that tells how things stand."""
_WITH_NUMBER = re.compile(r"(?i)\b[a-z]+-\d+\b")
"""What is called by a number: ``level-2``."""
_NON = re.compile(r"(?i)\bnon-\w+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LISTED = re.compile(r"\A\W*\d{1,2}[.)](?:\s|\Z)")
_CLAUSE = re.compile(r"[,;:.]\s|\b(?:and|then|while|as well as)\b")
_NO_MORE = re.compile(
    r"(?i)\bno (?:other |further |additional )?(?:information|parameters?) (?:is|are) "
    r"(?:missing|needed|required)\b"
    r"|\b(?:does not|doesn't) (?:need|require) any (?:additional|further|other)\b"
    r"|\b(?:is|are) not (?:needed|required)\b|, not [A-Z]\w*(?=[,.]|$)"
)
"""What denies nothing of the calls."""


def go_with(remarks: Iterable[str], found: Calls, data: Mapping[str, Any]) -> bool:
    """Whether remarks go with calls.

    Args:
        found: The calls.
        data: The problem's: its ``question``, and the ``functions`` offered.
    """
    said = [one for text in remarks for one in _sentences(text)]
    if not said:
        return True
    question = data["question"].lower()

    def called_so(found: re.Match[str]) -> str:
        return "it" if found[0].lower() in question else found[0]

    called = {spelled(name, data["known"]) for name, _ in found}
    offered = json.loads(data["functions"])
    ours = [one for one in offered if one["name"] in called]
    made = json.dumps(found, ensure_ascii=False)
    made += made.replace("e-0", "e-")  # 1e-9 is 1e-09 in JSON
    count = str(len(found))
    names = _stems([made, *_texts(ours)])
    known = names | _stems([data["question"]]) | _stems(_STOCK)
    rivals = ({*_options(ours)} | _UNITS) - {*_words(made)}
    rivals -= {*_words(data["question"])} & _UNITS
    others = [_function(one) - _stems([made]) for one in offered if one not in ours]
    own = [_alone(one, [it for it in offered if it not in ours]) for one in ours]
    for whole in said:
        sentence, later = surroundings.parted(_WITH_NUMBER.sub(called_so, whole))
        if later and any(one <= _stems([later]) for one in own):
            return False
        sentence = surroundings.at_24_hours(sentence, made)
        words = _words(sentence)
        stems = _stems([sentence])
        if _turned(sentence, data["question"]):
            return False
        if "?" in sentence or not stems <= known or rivals.intersection(words):
            return False
        of_others = _stems([_NON.sub("", sentence)])
        if any(one and one <= of_others for one in others) and not _STANDS.search(sentence):
            return False
        named = [one for one in _names(sentence) if not (one.isupper() and f'"{one}' in made)]
        if not _stems(named) <= names | _stems(_STOCK):
            return False
        numbers = {one for one in words if one[0].isdigit()}
        if surroundings.tells_else(sentence, made) or not numbers <= {*_words(made), count}:
            return False
    return len(found) < 2 or _of_all(said, found)


def _turned(sentence: str, question: str) -> bool:
    """Whether a sentence turns round what the request says: ``from euros to dollars`` for ``100
    dollars in euros``."""
    asked = _words(question)
    for found in _FROM_TO.finditer(plain(sentence).lower()):
        one, other = found.groups()
        if one != other and one in asked and other in asked:
            between = asked[asked.index(other) : asked.index(one)]
            if any(word in ("in", "into", "to") for word in between):
                return True
    return False


def says(remark: str) -> bool:
    """Whether a remark says anything that may not go with calls."""
    stock = _stems(_STOCK)
    return any(
        "?" in one or not _stems([one]) <= stock or re.search(r"\d", one)
        for one in _sentences(remark)
    )


def _of_all(said: list[str], found: Calls) -> bool:
    """Whether each clause goes with one of several calls, and all are told of, if any is."""
    own = [{*_words(json.dumps(values, ensure_ascii=False))} for _, values in found]
    some = set[str].union(*own) - set[str].intersection(*own)
    told = [{*_words(clause)} & some for one in said for clause in _CLAUSE.split(one)]
    if not all(any(words <= each for each in own) for words in told):
        return False
    all_told = set[str]().union(*told)
    return not all_told or all(all_told & each for each in own)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text that say something of its calls."""
    for one in surroundings.SENTENCE.findall(_NO_MORE.sub("", _LISTED.sub("", plain(text)))):
        if not (closes(one) or surroundings.is_silent(one) or surroundings.HEADS.fullmatch(one)):
            yield one


def _words(text: str) -> list[str]:
    """The words and numbers of a text in small letters; a number of :data:`NUMBERS` in digits."""
    said = re.findall(r"\d+(?:\.\d+)?|[^\W\d_]+", plain(text).lower())
    return [str(NUMBERS[one]) if one in NUMBERS and NUMBERS[one] > 1 else one for one in said]


def _stems(texts: Iterable[str]) -> set[str]:
    """What the words of texts begin with, as far as their forms have it in common."""
    words = (one for text in texts for one in LETTERS.findall(_CAMEL.sub(" ", plain(text)).lower()))
    return {stem(_IES.sub("y", one)) for one in words if one not in NUMBERS and len(one) > 1}


def _names(sentence: str) -> list[str]:
    """The words of a sentence that are written with a capital, but the first."""
    first = LETTERS.search(sentence)
    found = LETTERS.finditer(sentence, first.end() if first else 0)
    return [one[0] for one in found if one[0][:1].isupper()]


def _function(schema: Mapping[str, Any]) -> set[str]:
    """What the name of a function says of it."""
    return _stems([schema["name"]]) - _stems(_STOCK)


def _alone(schema: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> set[str]:
    """What the name of a function says of it, and not of others."""
    return _function(schema).difference(*map(_function, others))


def _texts(said: Any) -> Iterator[str]:
    """The texts of schemas, but what a value may be."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, list):
        for one in said:
            yield from _texts(one)
    elif isinstance(said, dict):
        for key, one in said.items():
            if key not in ("enum", "default"):
                yield key
                yield from _texts(one)


def _options(said: Any) -> Iterator[str]:
    """The words that a value may be, by schemas."""
    if isinstance(said, list):
        for one in said:
            yield from _options(one)
    elif isinstance(said, dict):
        for key, one in said.items():
            listed = (
                _OPTIONS.fullmatch(one) if key == "description" and isinstance(one, str) else None
            )
            if listed:
                yield from (word.lower() for word in re.findall(r"\w+", listed[0]) if word != "or")
            elif key == "enum" and isinstance(one, list):
                yield from (word.lower() for word in one if isinstance(word, str))
            else:
                yield from _options(one)
