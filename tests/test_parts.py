"""The page that lists the parts of a graph: each is there, and none is left out."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

from agentflow import nodes
from agentflow.channels import Sample
from agentflow.nodes import frame

PAGE = (Path(__file__).parent.parent / "docs" / "parts.md").read_text(encoding="utf-8")
FIRST = re.findall(r"^\| (`.+?) \|", PAGE, re.M)
NAMES = {name for cell in FIRST for name in re.findall(r"`(?:await )?(?:run\.)?(\w+)", cell)}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_it_is_there(name: str) -> None:
    there = hasattr(nodes, name) or hasattr(nodes.Run, name)
    assert there or name in {one.name for one in fields(Sample)} | {"said"}


def test_no_frame_is_left_out() -> None:
    made = {
        name
        for name, one in inspect.getmembers(frame, inspect.isfunction)
        if one.__module__ == frame.__name__ and "graph" in str(inspect.signature(one)).lower()
    }
    assert made - NAMES == set()


def test_no_field_of_a_sample_is_left_out() -> None:
    assert {one.name for one in fields(Sample)} - {"more"} <= NAMES
