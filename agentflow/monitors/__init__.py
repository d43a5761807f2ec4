"""Monitors: small rules that watch a stream, and the function that drives them.

:mod:`~agentflow.monitors.monitor` is the contract; each monitor is a file. ``watch`` drives one
stream under many of them: ``reader`` feeds them, ``received`` holds the text, ``verifications`` the
states and their verdicts. ``rules`` says when a thinking may end, ``named_rules`` finds such a rule
by its name.
"""

from agentflow.monitors.act import Act
from agentflow.monitors.budget import TokenBudget
from agentflow.monitors.call_end import CallEnd
from agentflow.monitors.confidence import GroupConfidence
from agentflow.monitors.detect import Detect
from agentflow.monitors.early_exit import EarlyExit
from agentflow.monitors.elicit import Elicit
from agentflow.monitors.kstable import KStable
from agentflow.monitors.margin import Margins
from agentflow.monitors.monitor import (
    CONTINUE,
    Context,
    Increment,
    Intervention,
    Memory,
    Monitor,
)
from agentflow.monitors.named_rules import RULES
from agentflow.monitors.race import Race
from agentflow.monitors.repetition import Repetition
from agentflow.monitors.rules import Rule, Signal, StopRule
from agentflow.monitors.slow_then_fast import SlowThenFast
from agentflow.monitors.step_verifier import StepVerifier
from agentflow.monitors.stream_result import Judged, Reading, StreamResult, standing
from agentflow.monitors.switch_penalty import SwitchPenalty
from agentflow.monitors.think_on import ThinkOn
from agentflow.monitors.watch import watch

__all__ = [
    "CONTINUE",
    "RULES",
    "Act",
    "CallEnd",
    "Context",
    "Detect",
    "EarlyExit",
    "Elicit",
    "GroupConfidence",
    "Increment",
    "Intervention",
    "Judged",
    "KStable",
    "Margins",
    "Memory",
    "Monitor",
    "Race",
    "Reading",
    "Repetition",
    "Rule",
    "Signal",
    "SlowThenFast",
    "StepVerifier",
    "StopRule",
    "StreamResult",
    "SwitchPenalty",
    "ThinkOn",
    "TokenBudget",
    "standing",
    "watch",
]
