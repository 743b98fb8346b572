# Everything a newcomer needs: `make demo` and `make test`. Each makes its own virtual environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TRAIN_VENV := .venv-train
PIP_INSTALL := pip install --quiet --disable-pip-version-check

.PHONY: demo test lint verify decks test-train clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("FourSight needs Python 3.11 or newer: make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP_INSTALL) --editable '.[dev]'
	touch $@

demo: $(VENV)/installed  ## the best there is to see: exact odds, and the rounds of the bundled recording settled
	$(BIN)/foursight odds
	@echo && grep '"event": *"round"' datasets/demo/truth.jsonl | $(BIN)/foursight settle - --words
	@echo && echo "These rounds, filmed by the simulator: open datasets/demo/video.mp4 in a browser."

test: $(VENV)/installed lint  ## a small sample of everything, at most 12 minutes
	$(BIN)/pytest -m 'not train'

lint: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

verify: $(VENV)/installed decks  ## every figure at full size, into figures.json and the README's tables
	$(BIN)/python -m tests.figures

DECKS ?=  # all of them, with fonts and wallpapers: 3 GB and about ten minutes; or names
decks: $(VENV)/installed  ## fetch what simulated pictures use besides drawn decks; none of it is committed
	$(BIN)/$(PIP_INSTALL) --editable '.[decks]'
	$(BIN)/python -m datasets.decks.fetch $(DECKS)

# Training needs torch and Ultralytics; a CPU build of torch and Ultralytics without what it needs for other work keep
# the environment near 1 GB. `pip install 'foursight[train]'` is the way on a machine with a GPU.
$(TRAIN_VENV)/installed: pyproject.toml Makefile
	$(PYTHON) -m venv $(TRAIN_VENV)
	$(TRAIN_VENV)/bin/$(PIP_INSTALL) 'torch==2.13.0'
	$(TRAIN_VENV)/bin/$(PIP_INSTALL) --no-deps 'torchvision==0.28.0' 'ultralytics>=8.4,<9' 'ultralytics-thop>=2.2,<3'
	$(TRAIN_VENV)/bin/$(PIP_INSTALL) --editable . 'pytest>=9,<10' 'pyyaml>=6,<7' 'requests>=2,<3' 'psutil>=6,<8'
	touch $@

test-train: $(TRAIN_VENV)/installed  ## train a model for a minute on tiny data; it must learn it
	$(TRAIN_VENV)/bin/pytest -m train tests/models

clean:
	rm -rf $(VENV) $(TRAIN_VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
