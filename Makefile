# `make run` starts the site, `make test` runs the checks for every change, `make test-all` all checks (Python >= 3.11).
PYTHON ?= python3
TESTS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
.PHONY: run test test-all docs fuzz browser clean
run: .venv/ready-run
	@$(BIN)/python web/build.py --fresh || $(PIP) install --quiet --no-deps -e . # builds the page, with Node meanwhile
	$(BIN)/ludus serve

test: .venv/ready-test browser
	$(BIN)/ruff format --check . && $(BIN)/ruff check .
	$(BIN)/basedpyright && $(BIN)/basedpyright -p bench
	$(BIN)/lint-imports
	$(BIN)/python web/build.py && $(BIN)/python web/build.py --check
	$(BIN)/python -m pytest -n logical --dist loadfile --no-loadscope-reorder --durations=30 $(FULL) $(TESTS)
test-all: FULL := --full
test-all: test
docs: .venv/ready-test ; $(BIN)/python tools/docs_site.py
fuzz: .venv/ready-test
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile=fuzz $(TESTS)

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Ludus needs Python 3.11 or newer; try: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv || { $(PYTHON) -m venv --without-pip .venv && $(PYTHON) -m pip --python .venv install pip; }

# The environment is updated when the dependencies change; tests need more packages than the site, which has no PyTorch.
.venv/ready-run .venv/ready-test: .venv/ready-%: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing the dependencies into .venv; this takes a few minutes the first time ..."
	$(PIP) install --quiet -c constraints.txt -e '.$(filter-out [run],[$(*:test=test,docs)])'
	@touch $@ .venv/ready-run

browser:
	@[ -n "$$CHROMIUM" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } || { echo \
	"Tests of the page need Chromium, which was not found: install it (sudo apt install chromium), set CHROMIUM to its path," \
	"or skip these tests: make test TESTS='-m \"not page\"'"; [ -n "$(findstring not page,$(TESTS))" ]; }

clean:
	rm -rf .venv build web/node_modules src/ludus/site/page
