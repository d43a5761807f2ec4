"""Calls of functions that a request asks for (the Berkeley Function Calling Leaderboard)."""

from __future__ import annotations

import json
import re
from typing import Any

from agentflow.domains.answers import conclusions
from agentflow.domains.calls import reading, remarks, surroundings, wanted
from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput
from agentflow.models.structured.calls import spelled
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict


class Calls(Domain):
    """The domain.

    A problem is a JSON object with ``question`` and ``function``, as the leaderboard has it; an
    answer is ``[name(parameter=value), …]``, or calls in JSON as models' APIs write them. The gold
    answer lists for each call and parameter the values that are right, with ``""`` for a parameter
    that may be left out. An answer is compared with it by its syntax tree, as the leaderboard does
    (:func:`~agentflow.domains.calls.wanted.match`), but signs in texts count other than between
    words; without it an answer is refuted where it calls
    what is not there (error kind ``no_such_function``; ``tools.math_add`` may be ``math.add``),
    leaves a required parameter out, or has one that is unknown (``parameters``); it is never
    proved.
    """

    name = "calls"
    verbatim = True
    description = "A request that functions can serve; the answer is the calls."
    example = (
        '{"question": "What is 3 times 4?", "function": [{"name": "multiply", "parameters": '
        '{"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, '
        '"required": ["a", "b"]}}]}'
    )
    form = "calls in a list: [name(parameter=value), ...]"
    opening = "["

    def parse(self, text: str, id: str = "") -> Problem:
        """The request and the functions in ``text``.

        Raises:
            BadInput: If it is no such object.
        """
        try:
            given = json.loads(text)
            asked = reading.question(given["question"])
            several = isinstance(given["function"], list)
            offered = given["function"] if several else [given["function"]]
            offered = [one.get("function", one) for one in offered]  # OpenAI's tools are wrapped
            functions = {one["name"]: one["parameters"] for one in offered}
            known = {
                name: {
                    "properties": list(one.get("properties", {})),
                    "required": list(one.get("required", [])),
                    "types": wanted.types(one.get("properties", {})),
                    "floats": wanted.floats(one.get("properties", {})),
                    "open": bool(one.get("additionalProperties", False)),
                }
                for name, one in functions.items()
            }
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise BadInput(
                f"calls: needs JSON with question and function ({error}); example: {self.example}"
            ) from error
        if not asked.strip() or not known:
            raise BadInput(f"calls: no question, or no function; example: {self.example}")
        shown = json.dumps(offered, ensure_ascii=False)
        data = {"question": asked, "functions": shown, "known": known}
        return Problem(text, self.name, id or asked[:60], data=data)

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The calls that a line states, as a candidate."""
        said = reading.answer(line)
        if said is None:
            return memory, []
        return memory, [State("candidate", {"answer": said}, offset, offset + len(line))]

    def answer(self, text: str) -> str | None:
        """The last list of calls, with what is said around them."""
        return reading.answer(text)

    def disclaims(self, text: str) -> bool:
        """Whether what is said around the calls leaves them open."""
        return super().disclaims(reading.around(text))

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Refute calls that cannot be made; whether they are those that were asked for is open."""
        found = reading.read(conclusions.parted(answer)[0], problem.data["known"])
        if found is None:
            return self.unread(answer)
        for name, values in found:
            called = spelled(name, problem.data["known"])
            if called is None:
                return self.wrong("no_such_function", f"there is no function {name}")
            one = problem.data["known"][called]
            unknown = [key for key in values if key not in one["properties"]]
            if unknown and not one["open"]:
                return self.wrong("parameters", f"{name} has no parameter {unknown[0]}")
            if missing := [key for key in one["required"] if key not in values]:
                return self.wrong("parameters", f"{name} needs the parameter {missing[0]}")
        if not self._goes_with(problem, answer, found):
            return self.unread(answer, lambda one: self._goes_with(problem, one, found))
        return Verdict(None, "whether these are the calls that are wanted", source=self.name)

    @staticmethod
    def _goes_with(problem: Problem, answer: str, found: wanted.Calls) -> bool:
        """Whether what an answer says beside its calls goes with them."""
        said, grounds = conclusions.parted(answer)
        beside = [one for one in reading.beside(said) if not _asked(one, problem.data["question"])]
        if not all(surroundings.tells(text, repr(found)) for text in beside):
            return False
        return remarks.go_with([*grounds, *beside], found, problem.data)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The calls as JSON, each value in a list of those that are right; a gold answer, which is
        such JSON, in the same spelling."""
        if (gold := wanted.gold(answer)) is not None:
            return wanted.spelled(gold)
        found = reading.read(conclusions.parted(answer)[0], problem.data["known"])
        if found is None or not self._goes_with(problem, answer, found):
            return None
        return wanted.spelled([(n, {k: [v] for k, v in p.items()}) for n, p in found])

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether calls are those of the gold answer; None, too, where only signs in their texts
        differ, which may mean nothing (``555-1234``) or something else (``x-2``)."""
        found = await super().equal(problem, one, other)
        if found is not False:
            return found
        form, gold = self.normalise(problem, one), self.normalise(problem, other)
        ours, right = wanted.gold(form or ""), wanted.gold(gold or "")
        if ours is None or right is None:
            return False
        alike = wanted.match(wanted.loosely(ours), wanted.loosely(right), problem.data["known"])
        return None if alike else False

    def matches(self, problem: Problem, form: str, gold: str) -> bool:
        """Whether calls are among those that the gold answer allows."""
        ours, right = wanted.gold(form), wanted.gold(gold)
        if ours is None or right is None:
            return False
        return wanted.match(ours, right, problem.data["known"])


def _asked(text: str, question: str) -> bool:
    """Whether a text beside calls is a line of the request, or a text quoted in it, said again: a
    step of the plan that it gives."""
    said = text.strip()
    whole = rf"(?m)(?:^[ \t]*|[\"'])(?-m:{re.escape(said)})(?:[\"']|[ \t]*$)"
    return bool(said) and re.search(whole, question) is not None
