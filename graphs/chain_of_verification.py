"""chain_of_verification: judge a solution by questions about it that are answered apart.

    read -> questions -> answers -> compare

Whoever answers a question sees neither the problem nor the solution, so that a mistake is not
repeated (Dhuliawala et al. 2023). As the verifier of verified_sampling with
``feedback=post_editing`` it is the paper's whole method: the solution is revised by what came out.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import QuestionSettings, answer_questions, compare_answers, plan_questions
from agentflow.nodes.chain_of_verification import QuestionState
from agentflow.nodes.judging import Given, Judged, Solution, behind_read, judged_by


def judging() -> StateGraph[QuestionState, QuestionSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    return judged_by(
        QuestionSettings,
        QuestionState,
        questions=plan_questions,
        answers=answer_questions,
        compare=compare_answers,
    )


def build() -> StateGraph[QuestionState, QuestionSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "chain_of_verification")
