"""Calls as APIs and chat templates write them: messages in JSON, and tags.

A message is JSON with calls in it, as OpenAI, Anthropic, Google, Amazon and Cohere send it. A
tagged call stands between the special tokens of a model's template. Values between XML tags are
texts, and read by the types of the function's parameters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from agentflow.domains.calls.surroundings import DENIES, is_silent
from agentflow.domains.calls.wanted import Calls
from agentflow.domains.spelling import word_set
from agentflow.models.structured.calls import CALLED, GIVEN, spelled, under

_NAME = r"(?:functions\.)?(?P<{}>[\w.-]{{1,100}})"
_OBJECT = (
    r"\s{{0,9}}(?:```json\s{{0,9}})?(?P<{}>\{{(?:(?!<[|｜]|\[TOOL|\nAc).)*\}})"
    r"\s{{0,9}}(?:```\s{{0,9}})?"
)
_JSON_TAGS = (
    rf"(?:<\|start\|>assistant)?(?:<\|channel\|>(?:commentary|analysis) to={_NAME.format('n1')}"
    rf"|(?<=<\|start\|>assistant) to={_NAME.format('n6')}<\|channel\|>(?:commentary|analysis))"
    rf"\s?(?:<\|constrain\|>)?(?:json|code)?<\|message\|>{_OBJECT.format('o1')}(?:<\|call\|>|\Z)",
    rf"<[|｜]tool▁call▁begin[|｜]>(?:function<[|｜]tool▁sep[|｜]>)?{_NAME.format('n2')}"
    rf"(?:<[|｜]tool▁sep[|｜]>|\n){_OBJECT.format('o2')}<[|｜]tool▁call▁end[|｜]>",
    rf"<\|tool_call_begin\|>{_NAME.format('n3')}(?::\d{{1,3}})?<\|tool_call_argument_begin\|>"
    rf"{_OBJECT.format('o3')}<\|tool_call_end\|>",
    rf"\[TOOL_CALLS\]{_NAME.format('n4')}(?:\[CALL_ID\]\w{{1,40}})?(?:\[ARGS\])?"
    rf"{_OBJECT.format('o4')}(?=</s>|\s*\Z|\[TOOL_CALLS\])",
    rf"(?m:^)Action: {_NAME.format('n5')}\nAction Input:{_OBJECT.format('o5')}(?=\n|\Z)",
    rf"<(?:\|tool_call|start_function_call)>call:{_NAME.format('n7')}"
    r"(?P<g1>\{(?:(?!<\|?tool_call|<(?:start|end)_function).)*\})"
    r"<(?:tool_call\||end_function_call)>",
)
"""OpenAI's harmony, DeepSeek, Kimi, Mistral, ReAct, Gemma."""
_PREFIX = r"(?:steptml:|antml:|[|｜]DSML[|｜])?"
_XML_TAGS = (
    rf"<{_PREFIX}invoke name=\"(?P<m1>[\w.-]{{1,100}})\">(?P<b1>(?:(?!</?{_PREFIX}invoke).)*)"
    rf"</{_PREFIX}invoke>",
    r"<function(?:=| name=\")(?P<m2>[\w.-]{1,100})\"?>"
    r"(?P<b2>\s*<parameter(?:=| name=)(?:(?!</?function).)*|\s*)</function>",
    r"<(?:longcat_)?tool_call>\s*(?P<m3>[\w.-]{1,100})\s*"
    r"(?P<b3><(?:longcat_)?arg_key>(?:(?!</?(?:longcat_)?tool_call>).)*|)</(?:longcat_)?tool_call>",
)
"""Anthropic, MiniMax, Step and newer DeepSeek; Qwen's coders and Seed; GLM and LongCat."""
_TAGGED = re.compile("|".join(_JSON_TAGS + _XML_TAGS), re.DOTALL)
_VALUES = re.compile(
    rf"\s*(?:<{_PREFIX}parameter(?: name=\"|=)(?P<name>[\w.-]{{1,100}})\"?"
    rf"(?: string=\"(?P<text>true|false)\")?>(?P<value>(?:(?!</?{_PREFIX}parameter).)*)"
    rf"</{_PREFIX}parameter>"
    r"|<(?:longcat_)?arg_key>(?P<key>[\w.-]{1,100})</(?:longcat_)?arg_key>\s*"
    r"<(?:longcat_)?arg_value>(?P<said>(?:(?!</?(?:longcat_)?arg_).)*)</(?:longcat_)?arg_value>)\s*",
    re.DOTALL,
)
_AROUND = re.compile(
    r"(?:\s|</?(?:antml:|longcat_|minimax:|seed:|[|｜]DSML[|｜])?(?:function_calls|tool_calls?)>|</s>|Thought:[^\n]*\n"
    r"|<[|｜]tool[▁_](?:call|output)s?[▁_](?:begin|end)[|｜]>|function<[|｜]tool[▁_]sep[|｜]>|<[|｜]end▁of▁sentence[|｜]>"
    r"|<\|tool_calls_section_(?:begin|end)\|>|<\|im_end\|>|<\|start\|>assistant)*"
)
"""What may stand between tagged calls, and at their ends."""
_MARKED = re.compile(r"<\|\"\|>|<escape>")
"""What Gemma writes around a text."""
_KEY = re.compile(r"([{,]\s{0,9})(\w[\w.-]{0,99}):")
_MESSAGE = re.compile(r"(?m)(?:^|>|(?<=\});)[ \t]*(?=[\[{]\s*[\[{\"])")
_TRIED = 20
"""Places where a message may begin that are tried."""
_WITHIN = (
    *("tool_calls", "function_call", "functionCall", "toolUse", "tool_use", "choices", "message"),
    *("candidates", "content", "parts", "output", "params"),
)
"""Keys of a message that may have calls in them."""
_CALLED, _GIVEN = re.compile(CALLED), re.compile(GIVEN)
_WORDS = frozenset({"text", "output_text"})
"""Types of what in a message is a text."""
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
"""Types of what a model thought before it."""
_TOLD = word_set(
    "comment content description explanation message reason reasoning step text thought"
)
"""Fields that tell something of a call, or stand beside it as a text."""
_ONE_OF = {
    "type": word_set(
        "function function_call functioncall message response tool tool-call tool_call tool_use"
    ),
    "role": word_set("ai assistant model"),
    "status": word_set("completed"),
    **dict.fromkeys(
        ("finish_reason", "finishReason", "stop_reason", "stopReason", "native_finish_reason"),
        word_set("end_turn function_call stop tool-calls tool_call tool_calls tool_use"),
    ),
}
"""Fields of a message, or of a call, and what they say of one that is made, in small letters."""
_OF_A_MESSAGE = word_set("""
    id index call_id tool_call_id toolUseId caller object created created_at completed_at model
    modelVersion usage usageMetadata system_fingerprint service_tier logprobs provider annotations
    signature thoughtSignature thought_signature encrypted_content container metrics responseId
    avgLogprobs safetyRatings citationMetadata ResponseMetadata response_metadata usage_metadata
    parallel_tool_calls tool_choice temperature top_p top_logprobs truncation max_output_tokens
    previous_response_id store background prompt_cache_key billing token_ids prompt_logprobs
    reasoning reasoning_content reasoning_details thinking summary method jsonrpc metadata
""")
"""Fields that may stand in a message, whatever they say: what a model thought is not judged."""


class _NoMessage(ValueError):
    """JSON that is no message with calls."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON.

    Raises:
        ValueError: If it has a key twice.
    """
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=once)


def place(text: str) -> tuple[int, int] | None:
    """Where the calls begin and end that a text makes in one of these notations, with what belongs
    to them."""
    tagged = list(_TAGGED.finditer(text))
    if tagged:
        return tagged[0].start(), tagged[-1].end()
    found = _messages(text)
    return found[0][:2] if len(found) == 1 else None  # several are calls, one after the other


def tagged(text: str) -> bool:
    """Whether a text has calls between tags."""
    return _TAGGED.search(text) is not None


def several(text: str) -> bool:
    """Whether a text has several messages with calls."""
    return len(_messages(text)) > 1


def _messages(text: str) -> list[tuple[int, int, Calls]]:
    """The messages in a text: where they begin and end, and their calls."""
    messages, end = list[tuple[int, int, Calls]](), 0
    for found in islice(_MESSAGE.finditer(text), _TRIED):
        try:
            if found.end() >= end:
                said, end = _DECODER.raw_decode(text, found.end())
                if calls := list(_calls(said)):
                    messages.append((found.end(), end, calls))
        except (ValueError, RecursionError):
            continue
    return messages


def read(text: str, known: Mapping[str, Any]) -> Calls | None:
    """The calls that a text is; None if it is anything else.

    Args:
        known: What is known of each function; ``types`` are those of its parameters.
    """
    tagged = list(_TAGGED.finditer(text))
    if tagged:
        if not _AROUND.fullmatch(_TAGGED.sub("", text)):
            return None
        found = [_tagged(one, known) for one in tagged]
        return None if None in found else [one for one in found if one is not None]
    messages = _messages(text)
    ends = [0, *(end for _, end, _ in messages)]
    begins = [*(begin for begin, _, _ in messages), len(text)]
    around = [text[end:begin] for end, begin in zip(ends, begins, strict=True)]
    if not messages or not all(map(is_silent, around)):
        return None
    if all("```" in one for one in around[1:-1]) and all(m[2] == messages[0][2] for m in messages):
        return messages[0][2]  # written once more, in a block
    return [call for _, _, calls in messages for call in calls]


def _calls(said: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The calls in a message, in order.

    Raises:
        ValueError: If it is no message of a model's with calls.
    """
    if isinstance(said, list):
        for one in said:
            yield from _calls(one)
        return
    if not isinstance(said, dict):
        raise _NoMessage
    if said.get("type") in _THOUGHTS:
        return
    if said.get("type") in _WORDS or isinstance(said.get("text"), str):
        if any(not leaves(*field) for field in said.items() if field[0] != "type"):
            raise _NoMessage
        return
    if len([*(said.get("choices") or ())]) > 1:
        raise _NoMessage
    within = [said[key] for key in _WITHIN if isinstance(said.get(key), dict | list)]
    if isinstance(said.get("function"), dict):
        within = [said["function"]]
    names, given = called(said), under(_GIVEN, said)
    if len(names) == len(given) == 1:
        if not all(leaves(*field) for field in said.items()):
            raise _NoMessage
        yield names[0], _arguments(given[0])
    elif within and all(one in within for one in given):
        plain = {key: one for key, one in said.items() if key not in (*_WITHIN, "function")}
        texts = {key: one for key, one in said.items() if key == "content" and one not in within}
        if not all(leaves(*field) for field in (plain | texts).items()):
            raise _NoMessage
        for one in within:
            yield from _calls(one)
    else:
        raise _NoMessage


def leaves(key: str, value: Any) -> bool:
    """Whether a field of a call, or of a message, leaves it: it is a part of it, says that all is
    well, or is a text that does not deny it."""
    if value is None or value in ("", [], {}):
        return True
    if key in _ONE_OF:
        return str(value).lower() in _ONE_OF[key]
    if key in _TOLD and isinstance(value, str):
        return not DENIES.search(value)
    if key == "step" and type(value) is int:
        return True
    return bool(_CALLED.fullmatch(key) or _GIVEN.fullmatch(key)) or key in _OF_A_MESSAGE


def called(said: Mapping[str, Any]) -> list[str]:
    """The functions that an object calls, if it is a call."""
    return under(_CALLED, said, str)


def has_arguments(said: Mapping[str, Any]) -> bool:
    """Whether an object has a key under which the arguments of a call stand."""
    return bool(under(_GIVEN, said))


def told(said: Any) -> Iterator[str]:
    """The texts that stand beside the calls of a message."""
    if isinstance(said, list):
        for one in said:
            yield from told(one)
    elif isinstance(said, dict) and said.get("type") in _WORDS:
        yield str(said.get("text", ""))
    elif isinstance(said, dict):
        within = [one for key, one in said.items() if key in (*_WITHIN, "function")]
        within = [one for one in within if isinstance(one, dict | list)]
        if within or has_arguments(said):
            yield from (one for key, one in said.items() if key in _TOLD and isinstance(one, str))
            for one in within:
                yield from told(one)


def _arguments(said: Any) -> dict[str, Any]:
    if isinstance(said, str):
        said = json.loads(said, object_pairs_hook=once) if said.strip() else {}
    if not isinstance(said, dict) or "properties" in said:  # a function that is offered
        raise _NoMessage
    return said


def _tagged(found: re.Match[str], known: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """A call between tags; None if its values cannot be read."""
    said = {key: value for key, value in found.groupdict().items() if value is not None}
    (name,) = [value for key, value in said.items() if key[0] in "nm"]
    (body,) = [value for key, value in said.items() if key[0] in "obg"]
    try:
        if any(key[0] == "g" for key in said):
            return name, _arguments(json.loads(_in_json(body), object_pairs_hook=once))
        if any(key[0] == "o" for key in said):
            return name, _arguments(json.loads(body, object_pairs_hook=once))
        function = known.get(spelled(name, known) or "")
        types = (function or {}).get("types", {})
        values = [*_VALUES.finditer(body)]
        if _VALUES.sub("", body).strip() or "&" in body:
            return None
        told = dict[str, Any]()
        for one in values:
            key, value = one["name"] or one["key"], one["value"] or one["said"] or ""
            kind = types.get(key, "" if function else "string")
            told[key] = _typed(value.strip("\n"), "string" if one["text"] == "true" else kind)
        return (name, told) if len(told) == len(values) else None
    except (ValueError, RecursionError):
        return None


def _in_json(body: str) -> str:
    """The object that Gemma writes (``{city:<|"|>Rome<|"|>,days:2}``) as JSON, which is none where
    a text has no end."""
    parts = [
        json.dumps(part) if place % 2 else _KEY.sub(r'\1"\2":', part)
        for place, part in enumerate(_MARKED.split(body))
    ]
    return "".join(parts) if len(parts) % 2 else ""


def _typed(value: str, kind: str) -> Any:
    """The value of a parameter that stands as a text."""
    if kind == "string":
        return value
    if kind in ("boolean", "bool") and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return json.loads(value)
