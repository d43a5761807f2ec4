"""Answers stated in other languages than English: ``La réponse est 42``, ``答案是42。``.

Only the plain statement is read, and put into English for domains that read every sentence: a
question, a supposition and a denial have other words there.
"""

from __future__ import annotations

import re

from agentflow.domains.answers.doubt import quoted
from agentflow.domains.spelling import LETTERS, lowered, word_set

HINTS = (
    *("réponse", "respuesta", "respost", "rispost", "antwor", "antwoord", "odpowied", "ответ"),
    *("olution", "soluci", "ergebnis", "lösung", "resultado", "résultat", "risultato"),
    *("đáp án", "jawaban", "cevap", "svar", "απάντησ", "відповід", "válasz", "odpověď", "răspuns"),
    *("उत्तर", "پاسخ", "جواب", "תשובה", "คำตอบ", "jibu", "vastaus", "yanıt", "câu trả lời"),
    *("đáp số", "సమాధానం", "উত্তর"),
    *(
        "答",
        "选",
        "選",
        "所以",
        "因此",
        "故",
        "解は",
        "정답",
        "답은",
        "답:",
        "答え",
        "الجواب",
        "الإجابة",
    ),
)
"""One of them stands in a line (in small letters) that states an answer so."""
_PLAIN = tuple(hint for hint in HINTS if hint.isascii())

_SO = (
    r"(?:donc|ainsi|bien|also|daher|somit|folglich|entonces|por (?:lo )?tanto|portanto|pois|quindi"
    r"|dunque|dus)"
)
_COLON = r"[*_]{0,3}\s*:"
_NOUNS = {
    r"réponse(?: (?:finale|correcte|exacte|juste|à la question))?": r"\s*:|\s+est",
    r"respuesta(?: (?:final|correcta))?": r"\s+es",
    r"resposta(?: (?:final|correc?ta|certa))?": r"\s+és?",
    r"risposta(?: (?:finale|corretta|giusta|esatta))?": r"\s+è",
    r"(?:antwort|(?:end|gesamt)ergebnis)": r"\s+(?:ist|lautet|beträgt)",
    r"résultat final": r"\s*:|\s+est",
    r"(?:resultado|risultato) finale?": r"\s+(?:es|é|è)",
    r"(?:ergebnis|lösung)": r"\s+lautet",
    r"soluci[oó]n(?: final)?": r"\s+es",
    r"solution": r"\s+est",
    r"antwoord": r"\s+is",
    r"odpowied(?:[źz]|zią)": r"\s+(?:to|jest)",
    r"ответ": r"\s*[—–-]|\s+равен",
    r"(?:đáp án|đáp số|câu trả lời)(?: (?:cuối cùng|đúng))?": r"\s+là",
    r"jawaban(?:nya)?(?: akhir(?:nya)?)?": r"\s+adalah",
    r"(?:doğru |nihai )?(?:cevap|yanıt)": r"\s*[—–-]",
    r"jibu(?: (?:la mwisho|sahihi))?": r"\s+ni",
    r"vastaus": r"\s+on",
    r"svar(?:et)?": r"\s+(?:är|er)",
    r"απάντηση": r"\s+είναι",
    r"відповідь": r"\s*[—–-]",
    r"(?:végső )?válasz": r"\s*[—–-]",
    r"odpověď": r"\s+je",
    r"răspuns(?:ul)?": r"\s+este",
    r"(?:अंतिम |सही )?उत्तर": r"\s+है|(?=\s+\S{1,20}\s+है)",
    r"উত্তর(?:টি)?": r"\s+(?:হলো|হল|হচ্ছে)|(?=\s+-?\d)",
    r"సమాధానం": r"(?=\s+-?\d)",
    r"(?:پاسخ|جواب)": r"\s*[—–-]",
    r"ה?תשובה": r"\s+היא",
    r"(?:ดังนั้น\s*)?คำตอบ": r"\s*คือ",
}
"""What an answer is called -> what joins it and the answer, besides a colon."""
_LETTER = r"(?=[\s*_:：(（]{0,6}[a-j][)）*_]{0,4}\s*(?:[。！，,.；、\n]|$))"
"""The letter of an option, and nothing more."""
_CUE = re.compile(
    rf"(?:(?<!\w)(?:{'|'.join(f'{noun}(?:{_COLON}|{joined})' for noun, joined in _NOUNS.items())})"
    rf"(?!\w)(?:,? {_SO},?(?= ))?"
    r"|(?<!\w)(?:also|daher|damit|somit|folglich|demnach) (?:ist|lautet) (?:die|das) "
    r"(?:richtige |korrekte |endgültige )?(?:antwort|ergebnis)"
    r"(?:\s*:|(?=\s))"
    r"|(?:答案选项|正确选项|答案|正解|答え|解答|答)(?:应该|應該|应)?(?:是|为|為|は|就是|选|選|[:：])"
    rf"|【(?:正确)?答案】|(?:(?:应该?|應該?)?[选選][择擇]?|所以|因此|故)[，,]?{_LETTER}"
    r"|(?:정답|답)(?:은|[:：])"
    r"|(?:الجواب|الإجابة)(?: (?:النهائي|الصحيح)ة?)?\s*(?:هو|هي|[:：])"
    r")[\s*_:：]*"
)
_OPTION = re.compile(
    r"(?i)^(?:(?:la|die|a|o|il|l['’]) ?)?(?:opción|option|opção|opzione|选项|選項)"
    r"\s*[*_]*(?=[A-J](?!\w))"
)
_HEADING = re.compile(
    rf"[\s#*_]*(?:(?:die|das|la|le|el|a|il) )?(?:endgültige |finale? )?"
    rf"(?:{'|'.join(_NOUNS)}|最终答案|最終答案|答案|答え|정답)[\s*_:：]*"
)
_DOUBT = re.compile(
    r"\b(?:si|wenn|falls|ob|se|als|если|может|vielleicht|peut-être|quizás|talvez|forse|misschien"
    r"|sagte?|schrieb|meinte?|dit|écrit|dice|dijo|diz|disse)\b"
    r"|如果|假设|假設|假如|若|可能|也许|是否|不确定|不知道|猜|说|說|认为|認為|もし|만약|لو|إذا"
)
"""What a clause before that of an answer does not say."""
_CLAUSES = re.compile(r"[，,;；：:、]|所以|因此|于是|従って|したがって|따라서")
_FOREIGN = re.compile(
    r"[\u0370-\u1fff\u3040-\ud7ff]|\b(?:est|sont|ist|sind|es|é|è|são|sono|il|la|le|les|der|das|el|los"
    r"|las|une|ein|eine|del|des|della|pour|für|para|per|donc|réponse|antwort|respuesta|risposta|het|de|een"
    r"|az|egy|válasz|svaret|cevap|jawaban|odpowied[źz]|răspunsul)\b"
)
"""What English has not: other letters, and a few words."""
_LEADS = frozenset(
    LETTERS.findall("""
    a la le les l o il el the de het die das der mi meine ma mon nuestra notre unsere nossa nostra
    donc ainsi alors enfin finalement par conséquent en conclusion résumé bonne réponse
    also daher somit damit demnach folglich schließlich richtige korrekte endgültige finale gesuchte
    por lo tanto tanto entonces así finalmente pues portanto então assim logo final correcta correta
    quindi dunque pertanto infine corretta giusta dus dan uiteindelijke juiste zatem więc ostateczna
    итак таким образом следовательно поэтому правильный верный окончательный наш 최종 정답
    إذن لذلك الصحيحة النهائية
    kwa hiyo hivyo vậy do đó jadi maka siis η άρα λοιπόν per tant doncs కాబట్టి সুতরাং অতএব इसलिए अतः
""")
)
_CHINESE = re.compile(
    r"(?:所以|因此|故|则|那么|综上所述?|总之|最终|最後|最后|最終|正确|正確|正しい|的|な|の|这道题|此题|本题"
    r"|该题|题目|這道題|由此|可知|可得|可见|我们|得到|得出|标准|よって|つまり|求める|이|문제)*"
)
_NO_VALUE = re.compile(
    r"(?:pas|nicht|no|não|non|niet|не|kein\w*|ne|noch|encore|aún|todavía|dass|que|wie|comme|als)\b"
    r"|不|否|什么|多少|错|對|对的|正确|何|아니"
)
_NO = word_set("no não non")
_DENIAL = re.compile(
    r"\b(?:pas|nicht|no|não|non|niet|не|kein\w*|jamais|nunca|nie|etwa|environ|casi|fast|presque"
    r"|moins|plus|menos|más|weniger|mehr|höchstens|mindestens|ohne|sans|sin|senza|sem|falsch\w*|faux"
    r"|fausse|incorrect\w*|falso|falsa|sbagliat\w*|errad\w*|anderen?|autre|otra|vorher|avant|antes"
    r"|ursprünglich|zuerst|könnte|würde|serait|sería|sarebbe|seria|mauvaise?s?|fau[xt]\w*|erroné\w*"
    r"|mal[ao]?|equivocad\w*|inexact\w*|verkehrt\w*|onjuist\w*|fout\w*|verkeerd\w*|geen|nooit|nem"
    r"|hibás|rossz|nepravilno|неправильн\w*|неверн\w*|ошибочн\w*|нет|ни|ikke|inte|fel\w*|ej|nej"
    r"|değil|yanlış|tidak|bukan|salah|không|sai|nu|greșit\w*|niepoprawn\w*|błędn\w*)\b|ليس|خطأ|غير|لا"
    r"|不|没|沒|非|否|错|錯|误|誤|约|約|大概|最多|最少|至少|原来|原來|之前|如果|除了|另|아니|약|ない"
)
"""What may keep a mark behind it from being an answer."""
_END = re.compile(
    r"[。！？；，、\n]|[.!?](?=\s|$)|,\s|\s(?:car|weil|porque|perché|omdat)\b|です|である|입니다|이다|\s+है|।"
)


_LONGEST = 300
"""Characters of a sentence in front of what it calls the answer, and behind that."""
_STOPS = (". ", "? ", "! ", "。", "\n")
_BEFORE_IT = " \t*_#>-"
_ENDS_IT = {
    "です": ". ",
    "である": ". ",
    "입니다": "",
    "이다": "",
    "。": ". ",
    "।": ". ",
    " है": ".",
}
"""What ends a statement -> the same in English."""
_COUNTER = re.compile(r"(?<=\d) ?[个個]\Z")
"""What stands behind a number of things."""
_NOUN = re.compile(
    rf"(?<!\w)(?:{'|'.join(one for one in _NOUNS if one != 'solution')})(?!\w)"
    r"|答案|答え|正解|정답|الجواب|الإجابة"
)
_UNSURE = re.compile(
    r"\b(?:no (?:lo sé|estoy segur[oa])|(?:weiß (?:es )?|bin (?:mir )?)nicht\b(?! nur)|rate nur"
    r"|ne (?:sais|suis) pas|non (?:lo so|sono sicur[oa])|não (?:sei|tenho certeza)"
    r"|не (?:знаю|уверен)|niet zeker|nie jestem pewien|emin değilim)\b"
    r"|不(?:太|是很)?(?:确定|確定)|不知道|我猜|瞎猜|胡[乱亂]|乱写|分かりません|わかりません|わからない|모르겠"
)
"""What an author says who does not know."""
_IS_RIGHT = re.compile(
    r"(?im)(^|(?<=[.!?。] )|(?<=。))(?:cette réponse est (?:correcte|exacte|juste)"
    r"|(?:diese|die) antwort ist (?:richtig|korrekt)|(?:esta|la) respuesta es correcta"
    r"|(?:questa|la) risposta è (?:corretta|giusta|esatta)|(?:esta|a) resposta (?:é|está) correta"
    r"|(?:(?:这个|该|此|這個)?答案|这)是?(?:正确|正確|对)的?|(?:この)?答えは正しい(?:です)?"
    r"|этот ответ верен|ответ верный)[.!。]"
)
"""A sentence that says no more than that an answer is right."""


def hints(low: str) -> bool:
    """Whether a text in small letters may state an answer so."""
    for hint in _PLAIN if low.isascii() else HINTS:  # noqa: SIM110 - it is asked of every line
        if hint in low:
            return True
    return False


def heads(low: str) -> bool:
    """Whether a line in small letters is a heading below which an answer stands."""
    marked = "#" in low or "**" in low or low.rstrip(" *_\n").endswith((":", "："))
    return marked and _HEADING.fullmatch(low) is not None


def read(text: str, low: str) -> tuple[str, int, int] | None:
    """(the answer that a line states last, where the statement begins and ends), or None.

    Args:
        text: The line.
        low: The same in small letters.
    """
    cues = list(_CUE.finditer(low))
    if not cues:
        return None
    cue = cues[-1]
    begin = max(low.rfind(stop, 0, cue.start()) for stop in (". ", "? ", "! ", "。", "\n")) + 1
    end = _END.search(low, cue.end())
    close = end.start() if end else len(low)
    if quoted(low[: cue.start()]):
        return None
    asks = low[close : close + 1] in ("?", "？") or low[:close].endswith(("吗", "嗎", "か", "까"))
    no_value = _NO_VALUE.match(low, cue.end())
    if no_value and no_value[0] in _NO and not low[no_value.end() : close].strip(" .*_!"):
        no_value = None  # the answer to a question of yes or no
    if asks or not _leads(low[begin : cue.start()]) or no_value:
        return None
    said = text[cue.end() : close]
    return _OPTION.sub("", said), begin, close


def in_english(text: str) -> str:
    """A text in which sentences that only state an answer, or say that it is right, are in English:
    every domain then reads them. All others stay as they are."""
    low = lowered(text)
    if not hints(low):
        return text
    text = _IS_RIGHT.sub(r"\1This answer is correct.", text)
    told, place, low = list[str](), 0, lowered(text)
    for cue in _CUE.finditer(low):
        start, last = max(0, cue.start() - _LONGEST), cue.end() + _LONGEST
        begin = max(start - 1, *(low.rfind(stop, start, cue.start()) for stop in _STOPS)) + 1
        end = _END.search(low, cue.end(), last)
        close = end.end() if end else len(low)
        short = (begin > start or start == 0) and close <= last
        states = short and read(text[begin:close], low[begin:close]) is not None
        english = cue[0].startswith("solution")  # or French
        if english or not states or begin < place or "boxed" in low[begin : cue.start()]:
            continue
        begin += len(text[begin:]) - len(text[begin:].lstrip(_BEFORE_IT))
        label = cue[0].rstrip(" \t*_")
        stars = "*" * label.count("*")
        states_it = f"Answer{stars}:" if label[-1:] in ":：—–-" else f"The answer is{stars}"
        before = text[place:begin]
        if before.endswith("。"):
            before = f"{before[:-1]}. "
        told += [before, states_it, cue[0][len(label) :] or " "]
        option = _OPTION.match(text[cue.end() : close])
        place = cue.end() + (option.end() if option else 0)
        if end and end[0] in _ENDS_IT:
            told += [_COUNTER.sub("", text[place : end.start()]), _ENDS_IT[end[0]]]
            place = end.end() + text.startswith(("。", "।"), end.end())
    return "".join([*told, text[place:]])


def denies(low: str) -> bool:
    """Whether a sentence in small letters calls something the answer, and has a denial or a doubt
    in it, or says that its author does not know."""
    if _UNSURE.search(low):
        return True
    noun = _NOUN.search(low)
    return noun is not None and not may_lead(low)


def is_foreign(low: str) -> bool:
    """Whether a text in small letters is in another language than English."""
    return _FOREIGN.search(low) is not None


def may_lead(low: str) -> bool:
    """Whether words in small letters in front of a mark have no doubt and no denial in them."""
    return not (_DOUBT.search(low) or _DENIAL.search(low))


def _leads(lead: str) -> bool:
    """Whether the words before a cue may lead to an answer: those of its clause are listed, and no
    other clause supposes, or tells what somebody says."""
    *before, last = _CLAUSES.split(lead)
    if any(_DOUBT.search(clause) for clause in before):
        return False
    words = LETTERS.findall(last)
    return not re.search(r"\d", last) and all(
        word in _LEADS or _CHINESE.fullmatch(word) for word in words
    )
