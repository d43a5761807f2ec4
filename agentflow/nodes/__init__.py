"""Nodes: the steps that methods are composed of.

A file a node, its settings beside it. :mod:`~agentflow.nodes.run` says what a node and an edge are
written against, :mod:`~agentflow.nodes.frame` has the frames and edges that methods share.
"""

from agentflow.configurable import BUDGET_KEY, MODEL_KEY, TOOLS_KEY
from agentflow.nodes.adaptive import CONFIGURATIONS, GRID, AdaptiveSettings, begin, iterations
from agentflow.nodes.announced import announced
from agentflow.nodes.answer_out import answer_out
from agentflow.nodes.aspects import AspectSettings, aspect_critic
from agentflow.nodes.backward import BackwardSettings, backward
from agentflow.nodes.chain_of_verification import (
    QuestionSettings,
    answer_questions,
    compare_answers,
    plan_questions,
)
from agentflow.nodes.conclude import conclude
from agentflow.nodes.confidence import confidence_critic
from agentflow.nodes.critic import (
    CriticSettings,
    FlexCriticSettings,
    PRMSettings,
    critic,
    flexive_critic,
    prm,
    uncriticised,
)
from agentflow.nodes.deductive import deduce
from agentflow.nodes.detect import SDVSettings, detector
from agentflow.nodes.elicit import ElicitSettings, elicited
from agentflow.nodes.evaluate import conclude_verdict, conflict_of, evaluate, reflect
from agentflow.nodes.extract_answer import extract_answer, read_answer
from agentflow.nodes.fact_check import (
    FactSettings,
    ask_queries,
    list_facts,
    rate_facts,
    search_facts,
)
from agentflow.nodes.finish import finish
from agentflow.nodes.flexive import FlexiVeSettings, FlexSettings, flexive
from agentflow.nodes.frame import (
    declined,
    ladder,
    one_sample,
    refined,
    sampled,
    side_by_side,
    single,
    steered,
    stream_ends,
    uncriticised_sample,
    verifiers_left,
)
from agentflow.nodes.iteration import Iteration, IterationView
from agentflow.nodes.last_word import Outcome, last_word
from agentflow.nodes.meta_verify import meta_verify
from agentflow.nodes.pick import PickSettings, pick
from agentflow.nodes.plan import plan
from agentflow.nodes.premises import StatementSettings, premises_for
from agentflow.nodes.prepare import prepare
from agentflow.nodes.program import (
    ProgramSettings,
    ask_program,
    judge_words,
    put_in_words,
    run_program,
    settle_program,
)
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
from agentflow.nodes.restart import restart
from agentflow.nodes.rewrite import after_rewrite, is_rewritten, rewrite_refuted, rewrite_step
from agentflow.nodes.run import Node, Run, Update, View, node, route
from agentflow.nodes.score import score, scorer_of, select_iteration, settle_iteration
from agentflow.nodes.select import select_compute, select_tools
from agentflow.nodes.self_check import compare_steps, do_anew, extract_targets
from agentflow.nodes.solution import (
    ask_person,
    domain_verify,
    read_solution,
    redraw_solution,
    retry,
    roll_back,
)
from agentflow.nodes.solve import RETRY, Task, no_monitors, solver
from agentflow.nodes.state_answer import state_answer
from agentflow.nodes.steer import UnifiedSettings, steering
from agentflow.nodes.step_verifier import InterwhenSettings, step_monitors
from agentflow.nodes.surviving import surviving, undecided
from agentflow.nodes.team import TeamSettings
from agentflow.nodes.tool_verify import act, by_domain, calls_of, make_call
from agentflow.nodes.tree import TreeSettings, grow_tree
from agentflow.nodes.use_tool import use_tool
from agentflow.nodes.vanilla import vanilla
from agentflow.nodes.verifiagent import VerifiAgentSettings, VerifiAgentState, VerifiAgentView
from agentflow.nodes.verified_sampling import (
    VerifiedSamplingSettings,
    acting,
    choose,
    give_last,
    guide,
    majority_of,
    result_of,
)
from agentflow.nodes.verify import verify
from agentflow.nodes.vote import settle, vote

__all__ = [
    "BUDGET_KEY",
    "CONFIGURATIONS",
    "GRID",
    "MODEL_KEY",
    "RETRY",
    "TOOLS_KEY",
    "AdaptiveSettings",
    "AspectSettings",
    "BackwardSettings",
    "CriticSettings",
    "ElicitSettings",
    "FactSettings",
    "FlexCriticSettings",
    "FlexSettings",
    "FlexiVeSettings",
    "InterwhenSettings",
    "Iteration",
    "IterationView",
    "Node",
    "Outcome",
    "PRMSettings",
    "PickSettings",
    "ProgramSettings",
    "QuestionSettings",
    "ReasonSettings",
    "RefineSettings",
    "Run",
    "SDVSettings",
    "StatementSettings",
    "Task",
    "TeamSettings",
    "TreeSettings",
    "UnifiedSettings",
    "Update",
    "VerifiAgentSettings",
    "VerifiAgentState",
    "VerifiAgentView",
    "VerifiedSamplingSettings",
    "View",
    "act",
    "acting",
    "after_rewrite",
    "announced",
    "answer_out",
    "answer_questions",
    "ask_person",
    "ask_program",
    "ask_queries",
    "aspect_critic",
    "backward",
    "begin",
    "by_domain",
    "calls_of",
    "choose",
    "compare_answers",
    "compare_steps",
    "conclude",
    "conclude_verdict",
    "confidence_critic",
    "conflict_of",
    "critic",
    "critique",
    "declined",
    "deduce",
    "detector",
    "direct_json",
    "do_anew",
    "domain_verify",
    "elicited",
    "evaluate",
    "extract_answer",
    "extract_targets",
    "finish",
    "flexive",
    "flexive_critic",
    "follow",
    "give_last",
    "grow_tree",
    "guide",
    "is_rewritten",
    "iterations",
    "judge_words",
    "ladder",
    "last_word",
    "list_facts",
    "majority_of",
    "make_call",
    "meta_verify",
    "no_monitors",
    "node",
    "one_sample",
    "pick",
    "plan",
    "plan_questions",
    "premises_for",
    "prepare",
    "prm",
    "put_in_words",
    "rate_facts",
    "read_answer",
    "read_solution",
    "reason",
    "redraw",
    "redraw_solution",
    "refine",
    "refine_attempt",
    "refined",
    "reflect",
    "reframe",
    "restart",
    "result_of",
    "retry",
    "rewrite_refuted",
    "rewrite_step",
    "roll_back",
    "route",
    "run_program",
    "sampled",
    "score",
    "scorer_of",
    "search_facts",
    "select_compute",
    "select_iteration",
    "select_tools",
    "settle",
    "settle_iteration",
    "settle_program",
    "side_by_side",
    "single",
    "solver",
    "state_answer",
    "steered",
    "steering",
    "step_monitors",
    "stream_ends",
    "surviving",
    "uncriticised",
    "uncriticised_sample",
    "undecided",
    "use_tool",
    "vanilla",
    "verifiers_left",
    "verify",
    "vote",
]
