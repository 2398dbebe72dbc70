# Licet. `make help` lists what there is.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
SOURCES := server/src server/tests sdks/python/src sdks/python/tests benchmarks vectors
LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

.DEFAULT_GOAL := help
.PHONY: help setup run serve test check format bench openapi lock clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/run.stamp ## Make the virtual environment with the pinned dependencies and both packages.

run: setup ## Start a demonstration vendor on port $PORT (8000), on a data folder of its own.
	$(BIN)/licet-server demo --port $(PORT)

serve: setup ## Start the service itself on port $PORT (8000), on ./licet-data.
	$(BIN)/licet-server serve --port $(PORT)

test: .venv/dev.stamp ## Run every test, in parallel, against real PostgreSQL.
	$(BIN)/python -m pytest -n 4 --dist worksteal -q $(ARGS)

check: .venv/dev.stamp ## Format, lint, types, import contracts, registry addresses, openapi freshness.
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy server/src sdks/python/src
	$(BIN)/lint-imports
	.ci/no-registry-addresses
	$(BIN)/licet-server openapi --check docs/openapi.json

format: .venv/dev.stamp ## Format the code and mend what the linter can mend.
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

bench: .venv/dev.stamp ## Measure the figures in benchmarks/ and print them as ratios of one run.
	$(BIN)/python -m benchmarks $(ARGS)

openapi: setup ## Write docs/openapi.json from the code.
	$(BIN)/licet-server openapi --write docs/openapi.json

lock: .venv/dev.stamp ## Resolve the dependencies anew and pin them with hashes.
	$(LOCK) server/pyproject.toml sdks/python/pyproject.toml requirements/run.in -o requirements/run.txt
	$(LOCK) requirements/run.txt requirements/dev.in -o requirements/dev.txt

clean: ## Remove the virtual environment and caches; data folders stay.
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/pyvenv.cfg:
	@echo "Making the virtual environment in .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Licet needs Python 3.11 or newer; name one with PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/run.stamp: .venv/pyvenv.cfg requirements/run.txt server/pyproject.toml sdks/python/pyproject.toml
	@echo "Installing the pinned dependencies (about half a minute the first time)"
	@$(PIP) install -q --require-hashes -r requirements/run.txt
	@$(PIP) install -q --no-deps --no-build-isolation --no-index -e server -e sdks/python
	@touch $@

.venv/dev.stamp: .venv/run.stamp requirements/dev.txt
	@echo "Installing the tools for tests and checks"
	@$(PIP) install -q --require-hashes -r requirements/dev.txt
	@touch $@
