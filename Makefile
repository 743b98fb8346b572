# Everything a newcomer needs: `make demo` and `make test`. Each makes its own virtual environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TRAIN_VENV := .venv-train
PIP_INSTALL := pip install --quiet --disable-pip-version-check

.PHONY: demo test lint verify bench-vision bench-observer decks rtsp-server postgres browser test-train clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("FourSight needs Python 3.11 or newer: make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP_INSTALL) --editable '.[dev]'
	touch $@

PORT ?= 8000
demo: $(VENV)/installed  ## the whole product on the bundled recording: a table in play in the browser; Ctrl-C ends it
	@echo "FourSight's demonstration: a filmed table plays as if it were live, read by the real networks, with pages"
	@echo "for the dealer and the supervisor. Nothing leaves this machine, and nothing is kept."
	@$(BIN)/foursight demo --port $(PORT)

test: $(VENV)/installed test-packages lint  ## a small sample of everything, at most 12 minutes
	$(BIN)/pytest -m 'not train'

lint: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

verify: $(VENV)/installed decks bench-vision bench-observer  ## every figure at full size, into figures.json and the README's tables
	$(BIN)/python -m tests.figures

REAL ?= $(wildcard ../shared/real)  # real photographs with labels.jsonl and score.py, where there are any
bench-vision: $(TRAIN_VENV)/installed decks  ## how well and how fast cards are read, into models/metrics.json; about an hour
	$(TRAIN_VENV)/bin/foursight bench vision --keep $(if $(strip $(REAL)),--real $(strip $(REAL))); \
	accuracy=$$?; $(TRAIN_VENV)/bin/foursight bench speed --keep && exit $$accuracy

bench-observer: $(VENV)/installed decks  ## 200 filmed rounds watched, four live tables, a day's frames, into models/metrics.json; two hours
	$(BIN)/foursight bench observer --keep; \
	accuracy=$$?; $(BIN)/foursight bench live --keep && $(BIN)/foursight bench endurance --keep && exit $$accuracy

DECKS ?=  # all of them, with fonts and wallpapers: 3 GB and about ten minutes; or names
decks: $(VENV)/installed  ## fetch what simulated pictures use besides drawn decks; none of it is committed
	$(BIN)/$(PIP_INSTALL) --editable '.[decks]'
	$(BIN)/python -m datasets.decks.fetch $(DECKS)

RTSP_PACKAGES := gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-base gstreamer1.0-plugins-good \
	gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly
rtsp-server:  ## what the tests of network cameras need, from Debian's packages; needs root
	dpkg -s $(RTSP_PACKAGES) >/dev/null 2>&1 || \
	(apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(RTSP_PACKAGES))

.PHONY: test-packages
test-packages:  ## the three below where they may be installed; without them their tests are skipped by name
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	$(MAKE) --no-print-directory --silent rtsp-server postgres browser >/dev/null || echo "Not all could be installed; pytest names what it skips."; \
	else echo "Not root: tests that need an RTSP server, PostgreSQL or Chromium are skipped unless these are here."; fi

postgres:  ## what the tests of the store on PostgreSQL need, from Debian's packages; needs root
	dpkg -s postgresql >/dev/null 2>&1 || \
	(apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends postgresql)

browser:  ## what the tests of the pages need, Debian's Chromium; needs root
	dpkg -s chromium >/dev/null 2>&1 || \
	(apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core)

# Training needs torch and Ultralytics; a CPU build of torch and Ultralytics without what it needs for other work keep
# the environment near 1 GB. `pip install 'foursight[train]'` is the way on a machine with a GPU.
$(TRAIN_VENV)/installed: pyproject.toml Makefile
	$(PYTHON) -m venv $(TRAIN_VENV)
	$(TRAIN_VENV)/bin/$(PIP_INSTALL) 'torch==2.13.0'
	$(TRAIN_VENV)/bin/$(PIP_INSTALL) --no-deps 'torchvision==0.28.0' 'ultralytics>=8.4,<9' 'ultralytics-thop>=2.2,<3'
	$(TRAIN_VENV)/bin/$(PIP_INSTALL) --editable . 'pytest>=9,<10' 'onnx>=1.20,<2' 'pyyaml>=6,<7' 'requests>=2,<3' 'psutil>=6,<8'
	touch $@

test-train: $(TRAIN_VENV)/installed  ## train a model for a minute on tiny data; it must learn it
	$(TRAIN_VENV)/bin/pytest -m train tests/models

clean:
	rm -rf $(VENV) $(TRAIN_VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
