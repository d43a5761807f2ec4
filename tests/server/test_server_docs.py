"""The settings file in docs/server.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentflow.server import offers
from agentflow.server.access import Access
from agentflow.server.settings import NEVER, ServeSettings

TEXT = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")


def test_the_file_can_be_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOBS_KEY", "b" * 32)
    (block,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "serve.toml"
    path.write_text(block)
    settings, served = offers.load(str(path))
    assert list(served) == ["interwhen/qwen3-8b", "solve_detect_verify/qwen3-8b"]
    assert served["solve_detect_verify/qwen3-8b"].settings["samples"] == 4
    access = Access(settings)
    assert access.account("Bearer " + "b" * 32).limits.concurrency == 2
    assert access.account("Bearer an-example-is-no-key").metrics


def test_every_setting_is_described() -> None:
    for name in set(ServeSettings.model_fields) - {"keys", "models"}:
        assert f"`{name}`" in TEXT


def test_what_clients_never_choose_is_listed() -> None:
    (told,) = re.findall(r"\*\*What a client can reach\..*?\n\n", TEXT, re.DOTALL)
    assert set(re.findall(r"`([a-z_]+)`", told)) == NEVER | {"client_settings"}
