"""Short answers in one spelling: HotpotQA's, with numbers and dates written one way."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from agentflow.domains import spelling
from agentflow.domains.answers.remarks import takes_back
from agentflow.tools.quantities import NUMBER_WORDS, read_number

_MONTHS = "january february march april may june july august september october november december"
_MONTH = {name: number for number, name in enumerate(_MONTHS.split(), 1)}
_MONTH |= {name[:3]: number for name, number in _MONTH.items()} | {"sept": 9}

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_NAME = r"(?P<month>[a-z]+)\.?"
_YEAR = r"(?P<year>\d{4})"
_DATES = (
    re.compile(rf"(?:the )?{_DAY} (?:of )?{_NAME}(?:,? {_YEAR})?"),
    re.compile(rf"{_NAME} (?:the )?{_DAY}(?:,? {_YEAR})?"),
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"),
)
_DIGITS = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")
_GROUPS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LOOSE = re.compile(r"(?<=[^\W\d])[.-]+|[.-]+(?!\d)|(?<=[.-])[.-]")
"""Points and dashes that belong to no number."""
_SLASH = re.compile(r"(?<!\d)/|/(?!\d)")
"""One that divides no numbers."""
_TELLING = re.compile(
    r"[+#%°$€£¥₹¢‰]|(?<=\b[A-Za-z])[-*]$|(?<=\d)!$|(?<=\w )(?:A(?= [a-z])|[Aa](?=\W*$))"
)
"""Signs that tell answers apart: C++ is not C, 5 % and $5 are not five, 5! is 120, a grade of A- or
A* is no A; and an ``A`` that is no article, as in ``Hepatitis A``."""
_BETWEEN = re.compile(r"(?P<between>(?<=\d)(?:[^\w\s]|_)+(?=\d))|.", re.DOTALL)
"""Signs between digits, which tell numbers apart (``3:1``, ``1,5``), or any other character."""
_CODE = re.compile(r"-?0\d\d")
"""How a number begins whose noughts count: that of a house is 6 or 06, but 007 is not 7."""
_AROUND = re.compile(r"(?P<sign>[*'\"])(?P<said>[^*'\"]+)(?P=sign)")
"""A text in quotes or in italics."""
_FEET = re.compile(r"[^'\"]*\d(?P<sign>['\"])")
"""A number of feet or of inches."""
_SCALED = re.compile(r"\A[a-z][a-z -]* (?:hundred|thousand|million)\b")
_ISO = re.compile(r"(?:\d{4}-)?\d{2}-\d{2}")
_LINKS = spelling.word_set("of and in on at by for from to with or st")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_SMALL = _LINKS | {"a", "an", "the"}
_NUMERAL = re.compile(
    "first|second|third|fifth|eighth|ninth|twelfth|half|quarter|couple|pair|dozen|once|twice|"
    rf"(?:{'|'.join(NUMBER_WORDS)}|hundred|thousand|million|billion|trillion)\w*|\w+tieth"
)
"""Words of numbers, not all of which are read."""
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})
"""Letters whose marks Unicode does not take off."""
_BRITISH = (
    (re.compile(r"our\b"), "or"),
    (re.compile(r"(?<=[bcdtv])re\b"), "er"),
    (re.compile(r"(?<=[a-z]{2})is(?=(?:e[drs]?|ing|ation|ations)\b)"), "iz"),
    (re.compile(r"ogue\b"), "og"),
    (re.compile(r"[ao]e"), "e"),
    (re.compile("grey"), "gray"),
    (re.compile("ll"), "l"),
)
"""Endings and letters of British spelling -> those of American spelling."""
_UMLAUT = re.compile("(?<=[aou])e")
"""What some write for one, as in ``Mueller``."""
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8"}
_MAX_SHORTENED, _BEGINS = 8, 4
"""Letters of a shortened name, and of those at most from one word."""
_YES = "yes|yeah|yep|y|true|correct"
_NO = "nope|no|n|false|incorrect"
_WHO = "it|he|she|they|that|this|there|one|i|we|you"
_DOES = (
    "is|are|was|were|am|does|do|did|can|could|will|would|shall|should|may|might|must|has|have|had"
)
_DENIES = rf"(?:(?:{_DOES}) not|(?:{_DOES})n't|cannot|can't|won't|shan't)"
_SO = r"(?:(?:so|therefore|thus|hence),? )?(?:the answer is )?"
_SAID_YES = re.compile(
    rf"{_SO}(?:{_YES})(?:,? (?:(?:{_WHO}) (?:{_DOES})|indeed|absolutely|definitely|of course))?"
)
_SAID_NO = re.compile(rf"{_SO}(?:{_NO})(?:,? (?:{_WHO}) {_DENIES})?")

_TOLD = re.compile(
    r"(?:(?:so|therefore|thus),? )?(?P<said>yes|no)(?:[.,:;!]| -) "
    r"(?P<rest>(?!(?:in|at|on|with|under|to|by|for|depending|partly|partially|mostly|largely)\b(?![^,.;]*,))[^?]+)"
)
"""A clause in words, which does not begin with what limits the answer (``Yes, in the West.``)."""
_DENIED = r"(?:denied|disputed|debunked|refuted|contested|rejected|unproven)"
_DENY = r"(?:challeng|contest|contradict|debunk|den(?:y|ie)|disput|doubt|question|refut|reject)\w*"
_UNTRUE = r"(?:fabrication|hoax|joke|lie|misconception|myth)"
_REPORTS = re.compile(
    spelling.phrases(rf"""
    (?:^|[.;:,] )(?:or )?(?:so )?(?:says?|said|claims?|claimed|goes)\b
    \b(?:legend|rumou?r|myth|story|joke|saying|lore) (?:has it|goes|says|claims|tells)\b
    \baccording to (?:an? |the )?(?:\w+ )?(?:myth|legend|rumou?rs?|lore|joke)\b
    (?:\bis|\bwas|'s|\bjust) (?:just |only )?(?:an? |the )(?:\w+ )?{_UNTRUE}\b
    \b{_DENY} (?:that|this|it|the (?:claim|answer|idea|notion|statement|premise))\b
    \b(?:it|this|that) (?:is|was|has been) (?:\w+ )?{_DENIED}\b
    \b(?:allegedly|purportedly|reportedly|supposedly|kidding)\b; \b(?:disagree|differ)s?\b
    (?:^|, )(?:or |as |so )?(?:they|some|many|people) (?:say|claim)$; \bit (?:is|was) said\b
""")
)
"""What says that somebody else says so, or that somebody denies it."""
_DOES_SO = re.compile(
    r"\b(?:did|does|do) indeed\b|"
    rf"(?:^|[.;:,] |of course )(?:{_WHO}) (?:\w+ly |most |indeed |of course )*(?:"
    rf"(?:{_DOES})(?: (?:that|so|it|this|indeed))?(?:[\W_]*$|[.,;])"
    r"|(?:did|does|do) (?!not\b|never\b|no|a\b|an\b|the\b|his\b|her\b|its\b|their\b|some|many\b"
    r"|most\b|all\b|both\b|little\b|so\b|that\b|it\b|this\b)[a-z])"
)
"""What behind a no says that it is so: ``No, it surely did that.``"""
_ENGLISH = spelling.word_set("""
    a about above after against all also an and any are as at be because been before between both
    but by can could did do does during each every for from had has have he her his if in into is
    it its many more most much no not of on one only or other over she since some such than that
    the their them then there these they this those through to too two under until used was were
    when where which while who will with within would
""")
_FOREIGN = spelling.word_set("""
    c'est das det dat falsa falsch falso fausse faux feil fel fout het incorrecto jamais jamás
    mentira não nao ne nee nei nein nej nicht nie niet non nunca onwaar pas sbagliato
""")
"""Words of other languages that may deny."""
_ENDINGS = ("ed", "'s", "ng")
_LATIN = re.compile(r"[\W\d_a-z\u00df-\u024f\u1e00-\u1eff]*")
_MAX_TOLD = 600
_FEW = 4
"""Words of a text, of which one is of grammar."""
_FEWEST = 3
"""Words behind a yes that say anything."""
_NOT = ("not", "never", "cannot")
_KNOWING = spelling.word_set("sure certain say tell know decide determine conclude agree think be")
"""Words of a denial that is about its author."""
_EITHER = spelling.word_set("""
    yes no true false correct incorrect untrue inaccurate answer question depends depending only
    strictly technically arguably partly partially
""")
"""What behind a yes or a no may turn it round."""
_RELATIVE = re.compile(
    r"(?P<lead>[,-] (?:(?:\w+ ){0,2}(?:in|of|at|from|to|with|during|after) )?"
    r"|\b(?:in|during|after) )which\b"
)
"""A ``which`` that goes on with a thing, and offers no choice."""
_OPPOSED = re.compile(
    rf"(?P<front>[^.:;]{{12,}}?),? but (?!(?:{_WHO}) (?:\w+ )?(?:{_DOES})(?! not|n't)|"
    r"(?:in|to|at) (?:a|some)\b|yes\b|perhaps\b|maybe\b|still\b|then\b|(?:some|many|most|others)\b)"
)
"""Behind a no, what is said of one thing and not of another: ``A is a fern, but B is none.``"""
_NEITHER = re.compile(
    r"\bneither (?=(?!of\b)[^.;]{2,80}\bnor\b)|\bnor (?=(?!am\b|do\b|can i\b)\w)"
    r"|\b(?:none|neither) of (?=(?:whom|which|them|these|those|the two)\b)"
)
_IMPOSSIBLE = re.compile(
    r"\b(?:that|it|this)(?:'s| is| was| would be| would have been) impossible\b"
    r"(?![^.]*(?:n't|\bnot\b))"
)
_ONLY = re.compile(
    r"(?<=[a-z] )only (?!(?:if|when|in|at|on|under|with|for|by|as|because|some|sometimes"
    r"|partly|once)\b)"
)
_MAX_WORDS = 30
_DOUBTING = spelling.word_set("""
    actually albeit although believe but cannot correction doubt doubtful doubtless either else
    except guess guessed hmm however idk if impossible instead insufficient likely maybe neither
    never nobody none nor not nothing or otherwise perhaps possible possibly presumably probable
    probably rather scratch sorry suppose sure think though uncertain unclear undecidable
    undetermined unknown unless unlike unlikely unsure wait whether which wrong
""")
"""Words of doubt, choice and denial: part of no name but of titles, where they have capitals."""
_SPEAKING = spelling.word_set("answer answers opposite says said say result")
"""Words of a sentence about an answer, or about who gives it."""
_OPENING_DOUBTS = _DOUBTING & {"either", "maybe", "neither", "not", "perhaps", "probably"}
"""Those that even in capitals are taken for what they say at the beginning."""
_PLACEHOLDER = re.compile(r"(?:your |final |short |correct )*(?:answer|response)(?: here)?")
_TO_OR_NOT_TO = re.compile(r"to (.{1,40}) or not to \1", re.I)
_SIGNS = frozenset(" .,:'\"!&/()-+#%°$€£¥₹¢‰*`@·_«»")
"""Signs that may stand in a name, besides letters and digits; others may deny it (``~``)."""
_STRUCK = re.compile("[\u0334-\u0338\u20d0-\u20ff]")
"""Marks that strike a letter out or enclose it."""
_NO_ADVERBS = spelling.word_set("""
    ally anomaly assembly belly bully butterfly curly daily dragonfly early elderly family fly
    friendly holly holy jelly lily lovely monopoly monthly reply silly supply ugly weekly yearly
    billy dolly emily italy july kelly kimberly molly nelly polly reilly sally sicily thessaly
""")
"""What ends like an adverb and is none: things and names. One in small letters may deny (``hardly
Shakespeare``)."""
_ENDS = re.compile(r"(\w{4,}|\.)[.!]+(?=\s+\S)")
"""The word before the end of a sentence that goes on; most shortened words are shorter."""
_SHORTENED = frozenset(("sept", "prof", "capt", "corp", "assn", "dept", "univ", "bros"))
_SLASHED = re.compile(r"(?<!\w)\w{1,4}(?:/\w{1,4})+(?!\w)")
_SENTENCE = re.compile(
    rf"(?:i|we|you|they|he|she|it|this|that|there|these|those|(?:the|my|our)(?: \w+)? answer"
    rf")(?: \w+)? (?:{_DOES}|think|believe|suppose|guess|know)\b.*"
)
_QUOTED = re.compile('"[^"]+"[.]?')


def yes_no(text: str) -> str | None:
    """``yes`` or ``no``, if that is all the text says (``Yes, it did.``), or what it says behind it
    neither doubts nor denies it (``Yes, it fell in 476.``)."""
    bare = spelling.plain(text).casefold().replace("**", "")
    bare = " ".join(bare.split()).strip(" *\"'`_").rstrip(".!").strip(" *\"'`_")
    if _SAID_YES.fullmatch(bare):
        return "yes"
    if _SAID_NO.fullmatch(bare):
        return "no"
    told = _TOLD.fullmatch(bare)
    if told is None or len(bare) > _MAX_TOLD:
        return None
    if any(takes_back(one) for one in re.split(r"[.!?] ", told["rest"])):
        return None
    if not _is_english(told["rest"]) or _REPORTS.search(told["rest"]):
        return None
    if told["said"] == "no" and _DOES_SO.search(told["rest"]):
        return None
    rest = _RELATIVE.sub(r"\g<lead>that", told["rest"])
    if told["said"] == "no":
        rest = _opposing(rest)
    words = set(re.findall(r"[^\W_]+(?:'[^\W_]+)?", rest))
    few = len(words)
    if told["said"] == "no":
        words = {one for one in words if one not in _NOT and one[-3:] != "n't"}
        few -= not (len(words) > 1 and words.isdisjoint(_KNOWING))
    if any(word[-3:] == "n't" for word in words) or not words.isdisjoint(_DOUBTING | _EITHER):
        return None
    return told["said"] if max(few, len(words)) >= _FEWEST else None


def _opposing(rest: str) -> str:
    """What is said behind a no, without the words by which that opposes what is asked."""
    for pattern in (_NEITHER, _IMPOSSIBLE, _ONLY):
        rest = pattern.sub("not ", rest)
    sentences = re.split(r"(?<=[.;]) ", rest)
    return " ".join(_OPPOSED.sub(r"\g<front>, and ", one, count=1) for one in sentences)


def _is_english(text: str) -> bool:
    """Whether a text in small letters may be English: a few words may where none of them is known
    to be of another language, more of them have one of grammar among them."""
    words = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", text)
    if not _LATIN.fullmatch(text) or not _FOREIGN.isdisjoint(words):
        return False
    return len(words) < _FEW or any(word in _ENGLISH or word[-2:] in _ENDINGS for word in words)


def short(text: str) -> str | None:
    """The :func:`normal_form` of a text that names one thing; None if it may say something else.

    A name can be of any words, so what is left out is told by its form: several sentences or
    things, signs that deny or doubt, a sentence about the answer, words of doubt, choice and denial
    (``Paris or Rome``, ``not Paris``). Inside of quotes, and written large as in a title, those
    are words like others, but at the beginning.
    """
    plain = " ".join(spelling.plain(text).replace("**", "").split()).strip()
    form = normal_form(plain)
    if not form or _PLACEHOLDER.fullmatch(form) or spelling.odd(text) or plain.startswith("!"):
        return None
    if telling := _telling(plain):
        form = f"{form} {telling}"
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)?", plain)
    lower = [word.lower() for word in words]
    if lower[:1] in (["yes"], ["no"]) and (said := yes_no(plain)):
        return said
    if _QUOTED.fullmatch(plain) or _TO_OR_NOT_TO.fullmatch(plain):
        return form
    if len(words) > _MAX_WORDS or not _known(plain) or _doubts(plain, words):
        return None
    if any(word.lower() not in _SHORTENED for word in _ENDS.findall(plain)):
        return None
    if "/" in _SLASHED.sub("", plain) or _SENTENCE.fullmatch(" ".join(lower)):
        return None
    return form


def _telling(plain: str) -> str:
    """The signs of a text that tell it apart from the same without them."""
    inside = _AROUND.fullmatch(plain)
    plain = inside["said"] if inside else plain
    feet = _FEET.fullmatch(plain)
    return "".join(_TELLING.findall(plain)).lower() + (feet["sign"] if feet else "")


def may_be_one(one: str, other: str) -> bool:
    """Whether two short answers that are spelled differently may mean the same.

    They share a word (``in 1918``, ``Paris, France``), come to one number or may do so (``half``),
    differ only in signs, spaces and accents, or one shortens the other (``NYC``).
    """
    forms = _bare(normal_form(one)), _bare(normal_form(other))
    numbers = [read_number(form) for form in forms]
    if numbers[0] and numbers[1]:
        units = {numbers[0].unit, numbers[1].unit}
        if numbers[0].value == numbers[1].value or (len(units) > 1 and "" not in units):
            return True
    if all(map(_ISO.fullmatch, forms)):
        return False
    words = [re.findall(r"\d+|[^\W\d_]+", _american(form)) for form in forms]
    shared = set(words[0]) & set(words[1]) - _LINKS
    if shared or len({_UMLAUT.sub("", "".join(one)) for one in words}) == 1:
        return True
    return _counted(*words) or _shortens(one, other) or _shortens(other, one)


def _american(form: str) -> str:
    """A text in small letters as Americans spell it, in short."""
    for pattern, instead in _BRITISH:
        form = pattern.sub(instead, form)
    return form


def _bare(form: str) -> str:
    """Without accents."""
    apart = unicodedata.normalize("NFKD", form.translate(_LETTERS))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _counted(one: list[str], other: list[str]) -> bool:
    """Whether two answers are numbers, of which one is in words that are not read."""
    spelled = [any(map(_NUMERAL.fullmatch, words)) for words in (one, other)]
    digits = [any(word[0].isdecimal() for word in words) for words in (one, other)]
    return any(spelled) and all(map(any, zip(spelled, digits, strict=True)))


def _shortens(one: str, other: str) -> bool:
    """Whether an answer consists of how the words of the other begin: ``WWII``, ``U.S.``"""
    letters = "".join(re.findall(r"[^\W_]", _bare(normal_form(one))))
    words = re.findall(r"[^\W_]+", _bare(spelling.plain(other).casefold()))
    if len(letters) > _MAX_SHORTENED or not 2 <= len(words) <= len(letters) + 4:
        return False
    begins = ("(?:".join(word[:_BEGINS]) + ")?" * (len(word[:_BEGINS]) - 1) for word in words)
    wanted = zip(words, begins, strict=True)
    parts = [
        f"(?:{begin})?" if word in _SMALL else f"(?:{begin}|{_ROMAN.get(word, begin)})"
        for word, begin in wanted
    ]
    return re.fullmatch("".join(parts), letters) is not None


def _known(plain: str) -> bool:
    """Whether a text has no signs but those that may stand in a name."""
    if _STRUCK.search(plain):
        return False
    return all(sign in _SIGNS or unicodedata.category(sign)[0] in "LMN" for sign in plain)


def _doubts(plain: str, words: list[str]) -> bool:
    """Whether one of the words doubts, denies or offers a choice."""
    shouted = plain.isupper()
    title = len(words) > 1 and words[1][0].isupper() and not shouted
    small = {
        word.lower()
        for number, word in enumerate(words)
        if word == word.lower() or shouted or (number == 0 and not title)
    }
    opening = words[0].lower() if words else ""
    answered = re.match(r"(?:yes|no)\b(?! [^\W_])", plain, re.I)
    return bool(
        _DOUBTING & small
        or ({"yes", "no"} | _SPEAKING) & small
        or opening in _OPENING_DOUBTS
        or answered
        or any(word.lower().endswith("n't") for word in words)
        or any(word.endswith("ly") for word in small - _NO_ADVERBS)
    )


def normal_form(text: str) -> str:
    """A text that is the same for answers that are plainly the same; empty if nothing is left.

    Case, punctuation and articles do not count (the HotpotQA evaluation's rule), nor how a
    number below a hundred or a date is written. Unlike there, points, signs and strokes of numbers
    stay, and so does an answer that is an article.
    """
    text = spelling.plain(text).casefold()
    text = _GROUPS.sub("", " ".join(text.split()).strip(" ,;:!?*\"'`“”‘’").rstrip("."))
    if (known := _date(text) or _number(text)) is not None:
        return known
    text = _SLASH.sub("", text)
    text = _BETWEEN.sub(lambda found: found["between"] or _kept(found[0]), text)
    text = " ".join(_LOOSE.sub("", text).split())
    text = " ".join(_ARTICLES.sub(" ", text).split()) or text
    return _date(text) or _number(text) or text


def _kept(sign: str) -> str:
    """A character that counts; nothing for one that does not."""
    return sign if sign in " .-/" or unicodedata.category(sign)[0] not in "PSC" else ""


def _date(text: str) -> str | None:
    for pattern in _DATES:
        if match := pattern.fullmatch(text):
            parts = match.groupdict()
            named = parts["month"]
            month = int(named) if named.isdecimal() else _MONTH.get(named, 0)
            year = int(parts["year"] or 2000)  # a leap year
            try:
                found = date(year, month, int(parts["day"]))
            except ValueError:
                return None
            return found.isoformat() if parts["year"] else f"{found:%m-%d}"
    return None


def _number(text: str) -> str | None:
    if _DIGITS.fullmatch(text) and not _CODE.match(text):
        sign = "-" if text.startswith("-") else ""
        whole, _, rest = text.lstrip("-").partition(".")
        digits = (whole.lstrip("0") or "0") + ("." + rest.rstrip("0")).rstrip(".")
        return digits if digits == "0" else sign + digits
    words = text.split("-") if "-" in text else text.split()
    values = [NUMBER_WORDS.get(word) for word in words]
    match values:
        case [int(one)]:
            return str(one)
        case [int(tens), int(one)] if tens >= 20 and 0 < one < 10:
            return str(tens + one)
    number = read_number(text) if _SCALED.search(text) else None
    return str(number.value) if number and not number.unit and not number.percent else None
