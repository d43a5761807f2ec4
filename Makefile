PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check figures clean

# Runs the main job on the bundled model: installs, then compares methods.
demo: $(VENV)/.installed
	$(BIN)/agentflow demo

# Installs, then runs what CI runs: lint, types, all tests, the wheel in an empty environment.
test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict -p agentflow
	$(BIN)/python -m pytest -q
	$(BIN)/python tests/check_wheel.py

# Only the unit tests, without the pocket model.
check: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -q -m "not slow"

# Measures every figure the README quotes (half an hour on 2 cores); a goal missed is printed.
figures: $(VENV)/.installed-dev
	-$(BIN)/python benchmarks/first_light.py
	$(BIN)/python benchmarks/stream.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist *.egg-info
