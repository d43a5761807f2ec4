"""Who judges a sample: the names of the verifiers, and the settings of all of them."""

from __future__ import annotations

from typing import Literal

from agentflow.nodes.aspects import AspectSettings
from agentflow.nodes.backward import BackwardSettings
from agentflow.nodes.chain_of_verification import QuestionSettings
from agentflow.nodes.critic import PRMSettings
from agentflow.nodes.cross_check import CrossCheckSettings
from agentflow.nodes.fact_check import FactSettings
from agentflow.nodes.mutual_consistency import CompletionSettings
from agentflow.nodes.panel import PanelSettings, Seat
from agentflow.nodes.verifiagent import VerifiAgentSettings

Judge = Literal[Seat, "panel", "flexive"]


class JudgeSettings(
    VerifiAgentSettings,
    PRMSettings,
    AspectSettings,
    BackwardSettings,
    QuestionSettings,
    FactSettings,
    CrossCheckSettings,
    CompletionSettings,
    PanelSettings,
):
    """Settings of all of them, but for FlexiVe's."""
