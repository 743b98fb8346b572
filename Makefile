# Everything a newcomer needs: `make demo` and `make test`. Each makes its own virtual environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TRAIN_VENV := .venv-train

.PHONY: demo test verify lint test-train clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("FourSight needs Python 3.11 or newer: make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: $(VENV)/installed  ## the best there is to see
	$(BIN)/foursight odds

test: $(VENV)/installed lint  ## a small sample of everything, at most 12 minutes
	$(BIN)/pytest

lint: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

verify: $(VENV)/installed  ## every figure at full size, into figures.json and the README's tables
	$(BIN)/python -m tests.figures

clean:
	rm -rf $(VENV) $(TRAIN_VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
