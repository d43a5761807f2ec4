"""What a tool found, told from that it found nothing, failed, or was not let in.

    Lima's cathedral was begun in 1535.                      is found
    No good search results found       {"results": []}       is nothing
    429 Too Many Requests      Please verify that you are human.

Tools that others made say so in words, of which there is no end. So a text is a finding only if it
says more than such messages do and, where it has a word of theirs, one of what was asked for.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from agentflow.tools.toolbox import Use


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SERVICE = _words("""
    accept access account again allowed alto api available bad banned blocked body bot browser
    captcha check checking click client code command completed complete computer configured
    confirm connect connection consent continue cookie cookies credentials daily data denied
    detected did document documents doctype duckduckgo duckduckgosearchexception enable
    entries entry error errors exceeded exception execute executed execution exhausted exit
    expired failed failure fetch find finished forbidden found gateway google head hits html
    http httperror https human index internal javascript key keywords killed later limit
    limited limits link load loading lookup many match matched matches matching message
    missing moment month moved network newsletter nil none null online output over page pages
    parse password permission process program programs proxy query queries quota rate
    ratelimit ratelimitexception reached recent redirect refused relevant reload request
    requests requirement response result results retry returned robot run sandbox script
    search searched searches searching security segmentation server service session sign sorry
    spelling status stderr stdout stopped string subscribe successful successfully suggest
    suggestions system systems temporarily terminated timed timeout title token too tool
    traffic try unable unauthorized unavailable unexpected unfortunately unusual url verify
    view wait warning web website wikipedia ergebnis ergebnisse gefunden fehler keine treffer
    suche résultat résultats trouvé aucun erreur recherche resultado resultados encontrado
    encontraron nada ningún búsqueda результатов найдено ничего risultato risultati trovato
    trovati resultaten gevonden nenhum träffar
    未找到结果 没有找到 无结果 結果 検索結果はありません 找不到 見つかりませんでした
""")
"""Words of messages about a search, or about running a program."""
_COMMON = _words("""
    a about after all an and any anything are as at back be been before but by can cannot could
    couldn couldn't didn didn't different do does doesn doesn't don don't due enter exist exists
    for from get give given good go had has have haven't here how i if in into is isn isn't it its
    just know latest least less made make may me mean more most must my n new no not nothing of on
    one only or other our out please re s so some still such t than that the their them then there
    these they this those to type up us use used using was wasn we were what when where which who
    why will with without won won't would you your à de et la le pas pour un une der die das es für
    ist und wurden zu el los se y не по invalid undefined unknown valid ok empty nan read ms second
    seconds minute minutes line signal step status close agree human bytes page too many
""")
"""Words that may stand beside them in any text."""
_STATES = _words("""
    nothing undefined empty done success aborted cancelled canceled interrupted redirecting deferred
    queued pending hello todo test foo placeholder ok
""")
"""Words that alone are the state of a request, or stand in for a finding."""
_FEW = 8
"""Words of a text that may be a message, whatever its words."""
_TELLS = re.compile(r"[1-9]|(?<=\w[ -])[A-Z][a-z]|(?<=\w, )[A-Z]")
"""What a few words have that find something: a number, or a name behind another word."""
_FAILS = _words("""
    error errors iserror failure failed exception traceback exitcode exitstatus returncode timedout
    timeout killed signal cancelled canceled aborted truncated
""")
"""Under these keys stands what went wrong; nothing where nothing did."""
_STATUS = ("error", "failed", "failure", "timeout", "timed_out", "cancelled", "canceled", "aborted")
_CODED = ("status", "state", "statuscode", "code")
"""Under these keys stands how it went: in a word, or a code of HTTP."""
_LISTS = ("hits", "results", "documents", "items", "organic", "matches", "pages", "data")
"""Under these keys stands what a search found."""
_VALUES = ("value", "outcome", "result", "answer")
_PRINTED = ("stdout", "output", "text")
_ECHOES = ("query", "q", "search", "searchParameters", "url", "link", "status", "type", "id")
"""Keys of what was asked, and of how it went."""
_RAISED = re.compile(
    r"\W*(?:Traceback \(most recent call last\)|[\w.]*(?:Error|Exception|Warning|Exit|Interrupt)"
    r"(?:[:(]|\Z)|(?:\w+ )?error(?::|\(|\s\d{3}\b|\Z))",
    re.IGNORECASE,
)
"""How a text begins that tells of an error."""
_HTML = re.compile(r"(?is)<(script|style)\b.*?</\1>|<[!/a-z][^<>]*>")
_URL = re.compile(r"https?://\S+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_COUNTED = re.compile(
    r"\b((?:line|code|after|within|in|status|page|signal|step)\b\W{0,2})\d+(?:\.\d+)?\b"
    r"|\b\d+(?:\.\d+)?( ?(?:m?s|seconds?|minutes?|results?|hits?|match(?:es)?|bytes|documents?)\b)"
    r"|\b(results?\W{0,2})0\b|\b[245]\d\d\b",
    re.IGNORECASE,
)
"""Numbers that such messages have: of a line, of seconds, of results, a code of HTTP."""
_STEM = 4
"""Letters in which forms of a word are alike."""
_READ = 4000
"""Characters of a text in which a finding has to begin."""


def failed(use: Use) -> bool:
    """Whether a tool failed to do its work: it raised, or says so in its data or its text."""
    return _failed(use, data_of(use))


def _failed(use: Use, data: Mapping[str, Any]) -> bool:
    told = {re.sub(r"[_\W]", "", str(key)).lower(): value for key, value in data.items()}
    if use.error or told.get("ok") is False or told.get("success") is False:
        return True
    if any(told.get(key) for key in _FAILS) or tells_of_error(str(told.get("stderr") or "")):
        return True
    for said in (told[key] for key in _CODED if key in told):
        if str(said).lower() in _STATUS or re.fullmatch(r"[45]\d\d", str(said)):
            return True
    return not use.fields and tells_of_error(use.content)


def tells_of_error(text: str) -> bool:
    """Whether a text is that of an error: ``ZeroDivisionError: division by zero``."""
    return _RAISED.match(text) is not None


def data_of(use: Use) -> dict[str, Any]:
    """A tool's data; of one that has none those that its text is."""
    return use.fields or (said if isinstance(said := _data(use.content), dict) else {})


def found_by(use: Use) -> str:
    """What a search says that found something; empty where it found nothing, and where it failed.
    What it was asked for is no finding."""
    content = _data(use.content)
    data = use.fields or (content if isinstance(content, dict) else {})
    if _failed(use, data):
        return ""
    asked = " ".join(map(str, use.arguments.values()))
    lists = [data[key] for key in _LISTS if isinstance(data.get(key), list)]
    if isinstance(use.fields.get("hits"), list):  # as our own search has it
        found = [text for text in _texts(lists) if says_something(text, asked)]
        return use.content if found else ""
    said = lists or content
    text = use.content if said is None else "\n".join(_texts(said))
    known = {*_each(asked)}
    about = _SERVICE.isdisjoint({*_each(text)} - known) or _speaks_of(asked, text)
    tells = about and says_something(text, asked) and not _is_state(text, asked)
    return use.content if tells else ""


def value_by(use: Use) -> Any:
    """What a program came to: its value, else the one line that it printed; None where it has no
    value. Of a tool that has no data, its text, where that is a line that says something."""
    data = data_of(use)
    value = next((data[key] for key in _VALUES if data.get(key) is not None), None)
    if value is None:
        printed = [str(data[key]).strip() for key in _PRINTED if data.get(key)]
        value = printed[0] if printed else None if data else use.content.strip()
        if "\n" in (value or ""):
            return None
        if not use.fields and value is not None and not _is_value(value):
            return None
    return None if isinstance(value, str) and tells_of_error(value) else value


def says_something(text: str, asked: str = "") -> bool:
    """Whether a text has something to say beside what it was asked for."""
    plain = _COUNTED.sub(r"\1\2\3", _URL.sub(" ", _HTML.sub(" ", text[:_READ])))
    said, known = _each(plain), {*_each(asked)}
    if said in ([], ["n", "a"], _each(asked)):
        return False
    beside = (_SERVICE - known).intersection(said)
    return not (beside and known.union(_SERVICE, _COMMON).issuperset(said))


def _is_state(text: str, asked: str) -> bool:
    """Whether a few words say only how a request went: ``Operation was cancelled``."""
    said = _each(text)
    if len(said) > _FEW or not text.isascii() or _speaks_of(asked, text):
        return False
    return said[0] in _STATES if len(said) == 1 else _TELLS.search(text) is None


def _speaks_of(asked: str, text: str) -> bool:
    """Whether a text has a word of what was asked for, in whatever form of it; of writing without
    spaces, two signs."""
    wanted = [one for one in _each(asked) if one not in _COMMON]
    parts = {one[:_STEM] if one.isascii() else one[:2] for one in wanted}
    said = _each(text)
    starts = {one[:length] for one in said for length in range(1, _STEM + 1)}
    return not parts or any(
        one in starts if one.isascii() else one in text.casefold() for one in parts
    )


def _is_value(text: str) -> bool:
    """Whether a line may be a value, and is no message about running a program."""
    said = _each(text)
    return said not in (["nan"], ["inf"]) and says_something(text) and _SERVICE.isdisjoint(said)


def _each(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("’", "'"))


def _data(text: str) -> Any:
    """The list or the object that a text is, as JSON or as Python writes it; None if it is none."""
    text = text.strip()
    if not (text[:1] in ("{", "[") and text[-1:] in ("}", "]")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def _texts(value: Any) -> Iterator[str]:
    """The texts in plain data, but for what was asked."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in _ECHOES:
                yield from _texts(one)
