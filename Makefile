# One command each. The first use makes a virtual environment from the pinned requirements.
PYTHON ?= python3
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
COMPILE := .venv-lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate --no-strip-extras
PARALLEL := --quiet --numprocesses=auto --dist=worksteal
COVERING := $(addprefix tests/,games golden test_contract.py test_fair.py test_matches.py test_notation.py \
	test_prompt.py test_record.py test_vectors.py test_verification.py table/test_dealing.py)
# Pages, servers and databases share few cores, and then one can miss a time limit. A test that fails must pass alone.
ALONE := --quiet --last-failed --last-failed-no-failures=none
OTHERS := $(COVERING:%=--ignore=%) --ignore=tests/browser
IN_CHROMIUM = .venv/bin/pytest $(PARALLEL) tests/browser || .venv/bin/pytest $(ALONE) tests/browser
CORE := assembly contract encoding errors fair log matches messages notation options record verification
COMPLETE := src/gramy/games/* $(CORE:%=src/gramy/%.py)
EMPTY :=
COMMAS = $(subst $(EMPTY) $(EMPTY),$(strip ,),$(COMPLETE))
# Servers and tests start many processes; without cached bytecode each compiles all of its source again.
unexport PYTHONDONTWRITEBYTECODE
KILLS ?= 1000
FAULTS ?= 200
CLIENT := $(if $(shell command -v npm 2> /dev/null),client,no-client)
AUDITED := requirements.txt requirements-dev.txt bench/requirements.txt tests/fuzz/requirements.txt \
	tests/audit/requirements.txt

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: browser distributions docs pictures help play test wheels check torture fuzz audit client no-client bench learn train strength golden \
	lessons lock clean \
	python-is-new-enough

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile

play: .venv/ready  ## start a server and open the browser (HOST=0.0.0.0 for the local network, PORT=8484, DATA=folder)
	@.venv/bin/gramy serve --open $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT)) $(if $(DATA),--data "$(DATA)")

test: .venv/tools  ## run the checks and all tests; games, matches and records need full branch coverage
	@$(MAKE) --no-print-directory --jobs=2 check $(CLIENT)
	.venv/bin/pytest $(PARALLEL) --cov --cov-report= $(COVERING)
	.venv/bin/coverage report --include='$(COMMAS)' --fail-under=100
	.venv/bin/pytest $(PARALLEL) $(OTHERS) || .venv/bin/pytest $(ALONE) $(OTHERS)
	$(IN_CHROMIUM)

browser: export GRAMY_LANGUAGES = all
browser: .venv/tools  ## run only the tests in a real Chromium, each in all languages
	$(IN_CHROMIUM)

torture: .venv/tools  ## kill servers under load (KILLS=1000), and as root cause other faults (FAULTS=200)
	.venv/bin/python -m tests.torture --store sqlite --kills $(KILLS)
	.venv/bin/python -m tests.torture --store postgres --kills $(KILLS)
	if [ "$$(id -u)" = 0 ]; then for store in sqlite postgres; do \
	  .venv/bin/python -m tests.torture --store $$store --faults $(FAULTS) || exit 1; done; fi

fuzz: .venv-fuzz/ready  ## fuzz all inputs, guided by coverage (INPUTS=10000000 SEED=1 JOBS=2 PLAIN=1; Linux)
	.venv-fuzz/bin/python -m tests.fuzz $(if $(INPUTS),--inputs $(INPUTS)) $(if $(SEED),--seed $(SEED)) $(if $(PLAIN),--plain) \
		$(if $(JOBS),--jobs $(JOBS))

audit: .venv-audit/ready  ## check all pinned packages for known vulnerabilities; one that cannot be checked fails
	.venv-audit/bin/pip-audit --strict --disable-pip --require-hashes $(AUDITED:%=--requirement %)

check: .venv/tools  ## check formatting, lint, types and imports
	.venv/bin/ruff format --check --quiet .
	.venv/bin/ruff check --quiet .
	.venv/bin/mypy --no-error-summary
	.venv/bin/lint-imports --no-cache > .venv/imports.txt || { cat .venv/imports.txt; exit 1; }

client: client/node_modules  ## check the format, lint and types of the browser client (needs Node)
	cd client && npm run --silent check

no-client:
	@echo "NO NODE FOUND, SO THE BROWSER CLIENT WAS NOT CHECKED. Install Node 18 or newer with npm (Debian: nodejs, npm)."
	@test "$$GRAMY_CLIENT" != required

bench: .venv-bench/ready .venv/tools bench/boardgame/node_modules  ## run the benchmarks; writes docs/benchmarks.md
	.venv-bench/bin/python -m bench
	.venv/bin/python -m bench.server $(if $(STORE),--store "$(STORE)") $(if $(BUS),--bus "$(BUS)")
	.venv/bin/python -m bench.browser
	.venv/bin/python -m bench.cold_start

learn: .venv/tools  ## let the learner of docs/examples learn for 8 minutes; it must beat the bot g2 over 1,000 deals
	.venv/bin/python docs/examples/versus.py --minutes 8 --deals 1000 --opponent g2

train: .venv/tools  ## make a game's weights or tables again in build/training (GAME=gra FILE=quantity_first.zip SEED=1 AMOUNT=100)
	.venv/bin/python -m training $(GAME) $(FILE) $(if $(SEED),--seed $(SEED)) $(if $(AMOUNT),--amount $(AMOUNT))

strength: .venv/tools  ## measure the bots (hours; goes on where it stopped) and write docs/strength.md (ONLY=gra ROWS=medium DEALS=20 FAST=1)
	.venv/bin/python -m training.strength $(if $(ONLY),--only $(ONLY)) $(if $(ROWS),--rows "$(ROWS)") \
		$(if $(DEALS),--deals $(DEALS)) $(if $(FAST),--fast) $(if $(PROCESSES),--processes $(PROCESSES))
	.venv/bin/python -m training.strength --write

docs: .venv/tools  ## build the documentation site in build/docs, without a warning; open build/docs/index.html
	.venv/bin/python docs/site

golden: .venv/tools  ## rewrite the golden transcripts and screens; read the diff before you commit it
	.venv/bin/python -m tests.golden.write
	.venv/bin/python -m tests.env.playthrough
	.venv/bin/python -m tests.env.tables
	.venv/bin/python -m tests.terminal.golden_screens

lessons: .venv/ready  ## rewrite the lessons of the browser client from tests/lessons/scripts.py
	.venv/bin/python -m tests.lessons.write

pictures: .venv/tools  ## draw the app's icons and the games' cards as PNG files again, from their SVG files
	.venv/bin/python -m tests.pictures.write

lock: .venv-lock/ready  ## pin the newest dependencies with hashes; write the SBOM and the hashes of vendored files
	$(COMPILE) --extra fast --extra serve --extra terminal --extra cluster --extra build pyproject.toml --output-file requirements.txt > .venv-lock/log
	$(COMPILE) --all-extras --constraint requirements.txt pyproject.toml \
		--output-file requirements-dev.txt > .venv-lock/log
	$(COMPILE) --extra fast --extra serve --extra build pyproject.toml bench/requirements.in \
		--output-file bench/requirements.txt > .venv-lock/log
	$(COMPILE) tests/fuzz/requirements.in --output-file tests/fuzz/requirements.txt > .venv-lock/log
	$(COMPILE) tests/audit/requirements.in --output-file tests/audit/requirements.txt > .venv-lock/log
	.venv-lock/bin/cyclonedx-py requirements --output-reproducible --pyproject pyproject.toml requirements.txt \
		--output-file .venv-lock/sbom.json 2> .venv-lock/log
	.venv-lock/bin/python deploy/inventory.py .venv-lock/sbom.json

distributions: .venv/ready  ## build both distributions into dist/
	rm -rf dist
	.venv/bin/python -m hatchling build --directory dist
	cd packaging/gramy && ../../.venv/bin/python -m hatchling build --directory ../../dist

wheels: distributions  ## install the built wheels with each Python from 3.11 to 3.14 that is here, and play
	bash packaging/wheels.sh

clean:  ## remove environments, caches and build products
	rm -rf .venv .venv-bench .venv-lock .venv-fuzz .venv-audit client/node_modules build dist
	rm -rf .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/ready: requirements.txt pyproject.toml packaging/gramy/pyproject.toml | python-is-new-enough
	@echo "Preparing .venv (once; half a minute or so)"
	@$(PYTHON) -m venv --clear .venv
	@.venv/bin/python $(PIP_INSTALL) --require-hashes -r requirements.txt
	@.venv/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e . -e packaging/gramy
	@touch $@

.venv/tools: requirements-dev.txt .venv/ready
	@echo "Adding the tools of development (once; a minute or so)"
	@.venv/bin/python $(PIP_INSTALL) --require-hashes -r requirements-dev.txt
	@touch $@

.venv-bench/ready: bench/requirements.txt pyproject.toml | python-is-new-enough
	@echo "Preparing .venv-bench (once; some minutes)"
	@$(PYTHON) -m venv --clear .venv-bench
	@.venv-bench/bin/python $(PIP_INSTALL) --require-hashes -r bench/requirements.txt
	@.venv-bench/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e . -e packaging/gramy
	@touch $@

.venv-fuzz/ready: requirements-dev.txt tests/fuzz/requirements.txt pyproject.toml | python-is-new-enough
	@echo "Preparing .venv-fuzz (once; a minute or so)"
	@$(PYTHON) -m venv --clear .venv-fuzz
	@.venv-fuzz/bin/python $(PIP_INSTALL) --require-hashes -r requirements-dev.txt
	@.venv-fuzz/bin/python $(PIP_INSTALL) --require-hashes -r tests/fuzz/requirements.txt
	@.venv-fuzz/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e . -e packaging/gramy
	@touch $@

.venv-audit/ready: tests/audit/requirements.txt | python-is-new-enough
	@$(PYTHON) -m venv --clear .venv-audit
	@.venv-audit/bin/python $(PIP_INSTALL) --require-hashes -r tests/audit/requirements.txt
	@touch $@

bench/boardgame/node_modules: bench/boardgame/package-lock.json
	@if command -v npm > .venv-bench/log; then cd bench/boardgame && npm ci --silent --ignore-scripts; \
	else echo "No Node: boardgame.io is left out"; fi

client/node_modules: client/package-lock.json
	@cd client && npm ci --silent --ignore-scripts && touch node_modules

.venv-lock/ready: | python-is-new-enough
	@$(PYTHON) -m venv --clear .venv-lock
	@.venv-lock/bin/python $(PIP_INSTALL) uv==0.13.7 cyclonedx-bom==7.5.0
	@touch $@

python-is-new-enough:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Gramy needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
