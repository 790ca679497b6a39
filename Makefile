# What there is to do with the sources. `make evolve` shows the whole: positions in, a player out.

CARGO ?= cargo
# The profile of `make evolve`, and what else `tuner run` is to be told.
PROFILE ?= tuner/profiles/quick.toml
EVOLVE_ARGS ?=
BINARIES := $(or $(CARGO_TARGET_DIR),target)/release

.PHONY: help build evolve test test-long bench lint doc

help:
	@echo "make evolve     build, evolve parameters from the shipped positions, say how to play"
	@echo "                (PROFILE=tuner/profiles/paper-2014.toml for the size of the paper)"
	@echo "make build      the engine and the tuner, in $(BINARIES)"
	@echo "make test       all tests that are quick; make test-long adds soaks and deep counts"
	@echo "                (EYAS_SYZYGY=FOLDER with endgame tables of four pieces adds theirs)"
	@echo "make bench      speed of the engine and of the tuner"
	@echo "make lint       formatting, clippy and rustdoc, without a warning"

# Rust links with the C compiler, and zstd, which the tuner reads, is C.
.PHONY: tools
tools:
	@command -v $(CARGO) >/dev/null || \
	  { echo "make: cargo is missing; install Rust from https://rustup.rs" >&2; exit 1; }
	@command -v $(CC) >/dev/null || \
	  { echo "make: a C compiler ($(CC)) is missing; on Debian: apt install gcc" >&2; exit 1; }

build: tools
	$(CARGO) build --release --workspace --bins

# A fresh folder runs/<profile>-<n>; the tuner's last lines name the parameters, the report and
# what to paste into a GUI or a shell.
evolve: build
	$(BINARIES)/tuner run $(PROFILE) $(EVOLVE_ARGS)

test: tools
	$(CARGO) test --workspace

test-long: tools
	EYAS_LONG=1 $(CARGO) test --workspace --no-fail-fast

bench: build
	$(BINARIES)/eyas bench
	$(CARGO) bench --workspace

lint: tools
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS=-Dwarnings $(CARGO) doc --workspace --no-deps

doc: tools
	$(CARGO) doc --workspace --no-deps --open
