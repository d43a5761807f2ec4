"""A domain is loaded when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agentflow import domains


def test_one_domain_does_not_load_the_others() -> None:
    program = (
        "import sys\n"
        "from agentflow import domains\n"
        "assert domains.Game24 is domains.kind('game24')\n"
        "print([name for name in domains.names() if f'agentflow.domains.{name}' in sys.modules])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("['game24']\n", "")


@pytest.mark.parametrize("name", sorted(domains.__all__))
def test_what_the_package_offers_is_there(name: str) -> None:
    assert getattr(domains, name) is not None


def test_a_class_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'agentflow\.domains' has no attribute 'Sudoku'"):
        _ = domains.Sudoku
