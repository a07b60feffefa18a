# `make demo` and `make test` set up all they need: Python 3.11 to 3.13, git and make are enough.
# PYTHON=... picks the interpreter; PYTEST_ARGS=... replaces what is given to pytest.

usable := import sys, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13; do \
	$$p -c '$(usable)' >/dev/null 2>&1 && echo $$p && break; done)
PYTEST_ARGS ?= -n 2 --dist worksteal

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help venv lint types pytest test demo format pin clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: $(READY) ## build .venv, when pyproject.toml or constraints.txt say it is out of date

# The build tools come first and from the same pins, so that no build fetches its own.
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "no Python 3.11 to 3.13 found; name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c '$(usable)' || { echo "$(PYTHON) is not a Python 3.11 to 3.13 with ensurepip" >&2; exit 1; }
	@echo "Building $(VENV) with $$("$(PYTHON)" --version); the first time this fetches about 120 MB."
	@"$(PYTHON)" -m venv --clear $(VENV)
	@$(BIN)/python $(PIP) install -c constraints.txt hatchling editables
	@$(BIN)/python $(PIP) install -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

lint: $(READY) ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY) ## mypy, strict
	$(BIN)/mypy

pytest: $(READY) ## the tests alone (PYTEST_ARGS="-x -k word" to choose)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test: lint types pytest ## lint, types and tests: what has to pass

demo: $(READY) ## a first look: a small conversation remembered, asked, corrected, forgotten
	@$(BIN)/mnemic demo

format: $(READY) ## let ruff fix and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# A new environment knows no pins, so it takes the newest versions that pyproject.toml allows.
pin: $(READY) ## renew constraints.txt, then .venv
	@rm -rf build/pin && $(BIN)/python -m venv build/pin
	@build/pin/bin/python $(PIP) install -e '.[dev]'
	@{ grep '^#' constraints.txt; build/pin/bin/python $(PIP) freeze --exclude-editable; } > build/pins.txt
	@mv build/pins.txt constraints.txt && rm -rf build/pin
	@$(MAKE) --no-print-directory venv

clean: ## remove .venv, builds and caches
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
