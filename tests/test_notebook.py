"""What a notebook shows of a result and of a trace."""

from __future__ import annotations

from html.parser import HTMLParser

import agentflow
from agentflow.models import ScriptedModel
from agentflow.notebook import trace_html
from agentflow.trace import Segment, Trace

WRONG_THEN_RIGHT = ScriptedModel(
    {
        r"<think>\n": " 1 6 8 12 : 12 - 8 = 5 -> 1 5 6\n",
        r"not 5\n": " 1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n 1 4 6 : 6 * 4 = 24 -> 1 24\n"
        " 1 24 : 24 * 1 = 24 -> 24\n</think>\n\\boxed{(12 - 8) * 6 * 1}",
    }
)


class Shown(HTMLParser):
    """The text of a page, and every attribute in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.attributes = "", set[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_result_is_short_in_text_and_whole_in_html() -> None:
    result = agentflow.solve("1 6 8 12", method="interwhen", model=WRONG_THEN_RIGHT)
    assert repr(result) == (f"Result(verified: (12 - 8) * 6 * 1; {result.cost.generated} tokens)")
    shown = Shown(result._repr_html_())
    assert shown.attributes == {"style"}  # nothing is fetched, nothing runs
    assert shown.text.startswith("verified (12 - 8) * 6 * 1 by game24")
    assert "12 - 8 = 5" in shown.text
    assert "12 - 8 is 4 , not 5\n" in shown.text
    assert "<|im_start|>" not in shown.text  # of the prompt


def test_what_was_cut_is_struck_and_nothing_is_markup() -> None:
    trace = Trace()
    trace.append(Segment("prompt", "ask", (), ()))
    trace.append(Segment("generated", "<b>kept</b>gone", (1, 2), (11, 15)))
    trace.cut(11, "wrong")
    trace.append(Segment("feedback", "Wait", (), ()))
    html = trace_html(trace.operations)
    assert Shown(html).text == "<b>kept</b>goneWait"
    assert 'line-through;opacity:.6">gone<' in html
    assert html == trace._repr_html_()
    assert repr(trace) == "Trace(2 tokens, 1 of them wasted; '<b>kept</b>Wait')"
