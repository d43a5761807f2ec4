"""Nodes: the steps that methods are composed of."""

from agentflow.nodes.answer_out import answer_out
from agentflow.nodes.backward import BackwardSettings, backward
from agentflow.nodes.conclude import conclude
from agentflow.nodes.context import (
    BUDGET_KEY,
    MODEL_KEY,
    TOOLS_KEY,
    domain_of,
    model_of,
    problem_of,
    settings_of,
)
from agentflow.nodes.critic import CriticSettings, PRMSettings, critic, prm
from agentflow.nodes.deductive import DeductiveSettings, deduce, premises
from agentflow.nodes.evaluate import conclude_verdict, conflict_of, evaluate, reflect
from agentflow.nodes.extract_answer import extract_answer, read_answer
from agentflow.nodes.finish import finish
from agentflow.nodes.flexive import FlexSettings, flexive
from agentflow.nodes.frame import sampled, stream_ends
from agentflow.nodes.iteration import Iteration
from agentflow.nodes.last_word import Outcome, last_word
from agentflow.nodes.meta_verify import meta_verify
from agentflow.nodes.pick import PickSettings, pick
from agentflow.nodes.plan import plan
from agentflow.nodes.prepare import declined, prepare
from agentflow.nodes.reason import (
    ReasonSettings,
    critique,
    direct_json,
    follow,
    reason,
    refine_attempt,
    reframe,
)
from agentflow.nodes.redraw import redraw
from agentflow.nodes.refine import RefineSettings, refine
from agentflow.nodes.restart import attempt_of, restart
from agentflow.nodes.score import score, scorer_of, select_iteration, settle_iteration
from agentflow.nodes.select import select_compute, select_tools
from agentflow.nodes.solution import (
    ask_person,
    domain_verify,
    read_solution,
    retry,
    roll_back,
)
from agentflow.nodes.solve import RETRY, Task, no_monitors, solver
from agentflow.nodes.state_answer import state_answer
from agentflow.nodes.surviving import surviving, undecided
from agentflow.nodes.tool_verify import act, by_domain, calls_of, make_call
from agentflow.nodes.tree import TreeSettings, grow_tree
from agentflow.nodes.use_tool import use_tool
from agentflow.nodes.vanilla import vanilla
from agentflow.nodes.verifiagent import VerifiAgentSettings, VerifiAgentState
from agentflow.nodes.verified_sampling import SamplingSettings, acting, choose, guide
from agentflow.nodes.verify import verify
from agentflow.nodes.vote import settle, start_of, vote

__all__ = [
    "BUDGET_KEY",
    "MODEL_KEY",
    "RETRY",
    "TOOLS_KEY",
    "BackwardSettings",
    "CriticSettings",
    "DeductiveSettings",
    "FlexSettings",
    "Iteration",
    "Outcome",
    "PRMSettings",
    "PickSettings",
    "ReasonSettings",
    "RefineSettings",
    "SamplingSettings",
    "Task",
    "TreeSettings",
    "VerifiAgentSettings",
    "VerifiAgentState",
    "act",
    "acting",
    "answer_out",
    "ask_person",
    "attempt_of",
    "backward",
    "by_domain",
    "calls_of",
    "choose",
    "conclude",
    "conclude_verdict",
    "conflict_of",
    "critic",
    "critique",
    "declined",
    "deduce",
    "direct_json",
    "domain_of",
    "domain_verify",
    "evaluate",
    "extract_answer",
    "finish",
    "flexive",
    "follow",
    "grow_tree",
    "guide",
    "last_word",
    "make_call",
    "meta_verify",
    "model_of",
    "no_monitors",
    "pick",
    "plan",
    "premises",
    "prepare",
    "prm",
    "problem_of",
    "read_answer",
    "read_solution",
    "reason",
    "redraw",
    "refine",
    "refine_attempt",
    "reflect",
    "reframe",
    "restart",
    "retry",
    "roll_back",
    "sampled",
    "score",
    "scorer_of",
    "select_compute",
    "select_iteration",
    "select_tools",
    "settings_of",
    "settle",
    "settle_iteration",
    "solver",
    "start_of",
    "state_answer",
    "stream_ends",
    "surviving",
    "undecided",
    "use_tool",
    "vanilla",
    "verify",
    "vote",
]
