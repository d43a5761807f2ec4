"""Searches over reasoning steps, written once on who expands a path and who scores it."""

from agentflow.search.beam import beam
from agentflow.search.best_of_n import best_of_n
from agentflow.search.dvts import dvts
from agentflow.search.expander import BOUNDARIES, Boundary, TraceExpander
from agentflow.search.interfaces import Aggregate, Expander, Found, Scorer, Stepper, reward
from agentflow.search.lookahead import lookahead
from agentflow.search.majority import summed, vote
from agentflow.search.mcts import mcts
from agentflow.search.momentum import momentum, unsureness
from agentflow.search.particles import particles
from agentflow.search.path import Path
from agentflow.search.power import power, sharpened
from agentflow.search.proposals import ThoughtExpander
from agentflow.search.ranking import Ranking, unscored
from agentflow.search.rebase import rebase
from agentflow.search.rejection import rejection
from agentflow.search.tree import Tree

__all__ = [
    "BOUNDARIES",
    "Aggregate",
    "Boundary",
    "Expander",
    "Found",
    "Path",
    "Ranking",
    "Scorer",
    "Stepper",
    "ThoughtExpander",
    "TraceExpander",
    "Tree",
    "beam",
    "best_of_n",
    "dvts",
    "lookahead",
    "mcts",
    "momentum",
    "particles",
    "power",
    "rebase",
    "rejection",
    "reward",
    "sharpened",
    "summed",
    "unscored",
    "unsureness",
    "vote",
]
