"""The Dockerfile, compose.yaml and the manifests in deploy/ say what is: ports, commands, extras,
files, versions. Whether an image builds is for a machine with Docker to tell."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from packaging.requirements import Requirement

from agentflow import __version__
from agentflow.cli import app
from agentflow.models import serve as engines

pytest.importorskip("starlette")

from agentflow.server import ServeSettings, application, offers

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
KUBERNETES = ROOT / "deploy" / "kubernetes"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PORT = ServeSettings().port
USER = 10001
SERVED = "Qwen/Qwen3-8B"


def manifests() -> dict[tuple[str, str], dict[str, Any]]:
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text(encoding="utf-8"))
    found = {}
    for name in kustomization["resources"]:
        for one in yaml.safe_load_all((KUBERNETES / name).read_text(encoding="utf-8")):
            found[one["kind"], one["metadata"]["name"]] = one
    return found


MANIFESTS = manifests()
AGENTFLOW, VLLM = (MANIFESTS["Deployment", name]["spec"] for name in ("agentflow", "vllm"))
POD = AGENTFLOW["template"]["spec"]
(CONTAINER,), (ENGINE,) = POD["containers"], VLLM["template"]["spec"]["containers"]


def instruction(name: str) -> list[str]:
    """What each of a kind of the Dockerfile's instructions says."""
    whole = re.sub(r"\\\n", " ", DOCKERFILE)
    return re.findall(rf"^\s*{name} (.+)$", whole, re.MULTILINE)


def understood(words: list[str]) -> dict[str, Any]:
    """The parameters of a command line of ours."""
    name, *arguments = words
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    with command.make_context(name, arguments) as context:
        return dict(context.params)


class TestDockerfile:
    def test_it_is_built_from_what_is_there(self) -> None:
        """And .dockerignore, which leaves everything out, names all of it."""
        allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
        copied = [one.split()[:-1] for one in instruction("COPY") if "--from" not in one]
        sources = [source for one in copied for source in one]
        assert {"pyproject.toml", "agentflow", "graphs", "prompts", "tools"} <= set(sources)
        for source in sources:
            assert (ROOT / source).exists()
            assert f"!{source}" in allowed
        linked = {path.resolve() for path in (ROOT / "agentflow").iterdir() if path.is_symlink()}
        assert linked <= {(ROOT / source).resolve() for source in sources}

    def test_the_extras_are_there(self) -> None:
        named = re.findall(r"\.whl\)\[([^]]+)\]", DOCKERFILE)
        assert named
        for extra in ",".join(named).split(","):
            assert extra in PROJECT["optional-dependencies"]

    def test_its_python_is_one_of_ours(self) -> None:
        for image in instruction("FROM"):
            found = re.match(r"python:([0-9.]+)-slim", image)
            assert found
            assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(found[1])

    def test_the_command_is_one(self) -> None:
        (entry,), (command,) = instruction("ENTRYPOINT"), instruction("CMD")[-1:]
        assert json.loads(entry) == ["agentflow"]
        assert [*PROJECT["scripts"]] == ["agentflow"]
        given = understood(json.loads(command))
        assert (given["host"], given["port"]) == ("0.0.0.0", PORT)
        assert instruction("EXPOSE") == [str(PORT)]

    def test_it_is_nobody_special(self) -> None:
        assert instruction("USER") == [str(USER)]
        assert any(f"--uid {USER}" in one for one in instruction("RUN"))

    def test_its_health_is_a_route(self) -> None:
        (check,) = instruction("HEALTHCHECK")
        path = re.findall(rf"127\.0\.0\.1:{PORT}(/\w+)", check)
        routes = {route.path for route in application(ServeSettings(), {}).routes}  # type: ignore[attr-defined]
        assert path
        assert set(path) <= routes


class TestCompose:
    def test_the_command_and_its_file(self) -> None:
        service = COMPOSE["services"]["agentflow"]
        given = understood(service["command"])
        mounts = dict(one.split(":")[:2] for one in service["volumes"])
        assert list(mounts.values()) == [given["file"]]
        assert (ROOT / next(iter(mounts))).is_file()
        assert service["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
        assert service["image"] == f"agentflow:{__version__}"
        assert offers.KEY_ENV in service["environment"]

    def test_its_other_services_are_there(self) -> None:
        for service in COMPOSE["services"].values():
            assert set(service.get("depends_on", {})) <= set(COMPOSE["services"])
            for mount in service["volumes"]:
                source = mount.split(":")[0]
                assert source.startswith("./") or source in COMPOSE["volumes"]


class TestKubernetes:
    def test_what_kustomize_gathers(self) -> None:
        kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
        here = {path.name for path in KUBERNETES.iterdir()} - {"kustomization.yaml"}
        (settings,) = kustomization["configMapGenerator"]
        assert {*kustomization["resources"], *settings["files"]} == here
        assert settings["name"] == POD["volumes"][0]["configMap"]["name"]
        assert kustomization["images"] == [{"name": CONTAINER["image"], "newTag": __version__}]

    def test_the_command_and_its_file(self) -> None:
        given = understood(CONTAINER["args"])
        mounts = {one["name"]: one["mountPath"] for one in CONTAINER["volumeMounts"]}
        assert Path(given["file"]) == Path(mounts["settings"]) / "serve.toml"
        assert [one["name"] for one in CONTAINER["env"]] == [offers.KEY_ENV]

    def test_ports_and_probes(self) -> None:
        (port,) = CONTAINER["ports"]
        assert port == {"name": "http", "containerPort": PORT}
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            assert CONTAINER[probe]["httpGet"] == {"path": "/health", "port": "http"}
        for name in ("agentflow", "vllm"):
            service = MANIFESTS["Service", name]["spec"]
            labels = MANIFESTS["Deployment", name]["spec"]["template"]["metadata"]["labels"]
            assert service["selector"] == labels
            assert [one["targetPort"] for one in service["ports"]] == ["http"]

    def test_nothing_it_does_not_need(self) -> None:
        assert POD["securityContext"]["runAsUser"] == USER
        assert CONTAINER["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }

    def test_only_agentflow_reaches_vllm(self) -> None:
        policy = MANIFESTS["NetworkPolicy", "vllm"]["spec"]
        assert policy["podSelector"]["matchLabels"] == VLLM["template"]["metadata"]["labels"]
        ((rule,),) = [one["from"] for one in policy["ingress"]]
        assert rule["podSelector"]["matchLabels"] == AGENTFLOW["template"]["metadata"]["labels"]


def test_the_settings_can_be_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(offers.KEY_ENV, raising=False)
    settings, served = offers.load(str(KUBERNETES / "serve.toml"))
    assert (settings.host, settings.port) == ("0.0.0.0", PORT)
    assert {key.env for key in settings.keys.values()} == {offers.KEY_ENV}
    assert f"interwhen/{SERVED}" in served
    stop = COMPOSE["services"]["agentflow"]["stop_grace_period"]
    assert settings.grace_seconds < POD["terminationGracePeriodSeconds"] == int(stop.rstrip("s"))


def test_vllm_is_started_as_our_own_command_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The options that methods need, the settings' model, a version that is allowed."""
    monkeypatch.setattr(engines, "find_spec", lambda name: object())
    _, _, _, *options = engines._vllm(SERVED, "", None)
    service = COMPOSE["services"]["vllm"]
    assert service["entrypoint"] == ENGINE["command"] == ["vllm", "serve"]
    assert service["image"] == ENGINE["image"]
    assert service["command"] == ENGINE["args"]
    model, host, port, *given = service["command"]
    assert (model, host, port) == (SERVED, "--host=0.0.0.0", "--port=8000")
    flat = [part for one in given for part in one.split("=", 1)]
    assert flat == options
    (needed,) = map(Requirement, PROJECT["optional-dependencies"]["vllm"])
    assert needed.specifier.contains(service["image"].rpartition(":v")[2])
