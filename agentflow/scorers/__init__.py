"""Scorers: how valid each step of a path is."""

from agentflow.scorers.prm import PRMScorer
from agentflow.scorers.prompted import PromptedScorer
from agentflow.scorers.rules import RuleScorer
from agentflow.scorers.value import ValueScorer

__all__ = ["PRMScorer", "PromptedScorer", "RuleScorer", "ValueScorer"]
