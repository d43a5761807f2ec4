"""chain_of_verification: judge a solution by questions about it that are answered apart.

    read -> questions -> answers -> compare

Whoever answers a question sees neither the problem nor the solution, so that a mistake is not
repeated (Dhuliawala et al. 2023). As the verifier of verified_sampling with
``feedback=post_editing`` it is the paper's whole method: the solution is revised by what came out.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    QuestionSettings,
    View,
    answer_questions,
    compare_answers,
    plan_questions,
    route,
)
from agentflow.nodes.chain_of_verification import QuestionState
from agentflow.nodes.judging import Given, Judged, Solution, behind_read


def after_questions(run: View[QuestionSettings]) -> Literal["answers", "__end__"]:
    """Without questions nothing can be judged."""
    return "__end__" if run.verdict else "answers"


def judging() -> StateGraph[QuestionState, QuestionSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(QuestionState, QuestionSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node("questions", plan_questions, retry_policy=RETRY)
    graph.add_node("answers", answer_questions, retry_policy=RETRY)
    graph.add_node("compare", compare_answers, retry_policy=RETRY)
    graph.add_edge(START, "questions")
    asked = route(QuestionSettings, after_questions)
    graph.add_conditional_edges("questions", asked, [END, "answers"])
    graph.add_edge("answers", "compare")
    graph.add_edge("compare", END)
    return graph


def build() -> StateGraph[QuestionState, QuestionSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "chain_of_verification")
