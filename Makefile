# Everything a user or a build server calls. `make help` lists the targets.

# Debian's names of what is needed beside a Rust toolchain; LLVM must be 19 (see .cargo/config.toml).
PACKAGES := clang-19 llvm-19-dev libz3-dev z3 pkg-config cmake g++ make
# Headers for programs of 32 bits (`asm/` is in this package alone), and what their native runs are linked with.
PACKAGES += $(if $(filter x86_64,$(shell uname -m)),gcc-multilib)

CARGO ?= cargo
# Where rustup puts cargo, for shells that have not read its profile.
export PATH := $(PATH):$(HOME)/.cargo/bin
TARGET := $(or $(CARGO_TARGET_DIR),target)
# Finds dependencies that no crate uses; `make lint` builds it if this version is not there.
MACHETE_VERSION := 0.9.2
MACHETE := $(TARGET)/tools/cargo-machete-$(MACHETE_VERSION)
VERIFY := $(TARGET)/release/verify
INSTRUMENT := $(TARGET)/release/instrument

# Seconds that each of the searches of `make fuzz` takes that look at random programs or damaged bitcode.
FUZZ_SECONDS ?= 300
# What `make deny` checks; all of it if empty. Only advisories need the network.
CHECKS ?=
# How many changed certificates `make fuzz` has checked.
FUZZ_CERTIFICATES ?= 10000

.DEFAULT_GOAL := help
.PHONY: help setup build test demo table fuzz bench bench-paper lint pages deny clean run-instrumented

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing (Debian packages; checks for cargo)
	@PACKAGES="$(PACKAGES)" CARGO="$(CARGO)" sh .ci/setup

build: setup ## release build: verify, instrument and libruntime.a in target/release
	$(CARGO) build --release --locked --bins
	$(CARGO) build --release --locked -p runtime

test: setup ## every test of every crate
	$(CARGO) test --workspace --locked --no-fail-fast

demo: build ## verify a correct and a broken lock
	.ci/demo $(VERIFY) c-examples/peterson.c c-examples/peterson_broken.c

run-instrumented: build ## run a program natively as it is instrumented: EX=c-examples/peterson.c, REDUCTION=none
	$(INSTRUMENT) $(EX) --reduction $(or $(REDUCTION),static) | $(VERIFY) run

table: setup ## write the lists of c-examples/README.md and docs/functions.md anew
	$(CARGO) test --locked -p tests --lib -- --ignored write_the

fuzz: setup ## random programs: engines, reductions and native runs must agree; damaged bitcode; forged certificates; FUZZ_SECONDS=300, FUZZ_CERTIFICATES=10000
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_CERTIFICATES=$(FUZZ_CERTIFICATES) \
	    $(CARGO) test --release --locked -p tests -p verify -- --ignored --nocapture fuzz

bench: build ## criterion benchmarks, and IC3 against BMC over c-examples, to target/bench; QUICK=1 takes minutes
	$(CARGO) bench --locked -p ic3 -p solver $(if $(QUICK),-- --quick)
	$(CARGO) run --release --locked -p bench -- $(if $(QUICK),--quick) --verify $(VERIFY) --out $(TARGET)/bench

bench-paper: build ## the paper's experiments, to target/bench/paper; goes on where it stopped; QUICK=1, SET=folder, SECONDS_EACH=600
	$(CARGO) run --release --locked -p bench --bin bench-paper -- $(if $(QUICK),--quick) $(if $(SET),--set $(SET)) \
	    $(if $(SECONDS_EACH),--timeout $(SECONDS_EACH)) --verify $(VERIFY) --out $(TARGET)/bench/paper

lint: setup pages $(MACHETE) ## formatting, clippy, documentation, pages, dependencies; warnings are errors
	$(CARGO) fmt --all --check
	$(MACHETE)/bin/cargo-machete
	CARGO=$(CARGO) .ci/oldest
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

pages: ## pages: lines of at most 120 columns, links that lead somewhere
	.ci/pages

# Without optimisation it is built in half the time, and runs as fast.
$(MACHETE):
	$(CARGO) install --locked --debug cargo-machete --version $(MACHETE_VERSION) --root $(MACHETE)

deny: ## licences, duplicates, sources and advisories of dependencies; needs cargo-deny and the network
	@$(CARGO) deny --version >/dev/null 2>&1 || { \
	    echo "deny: cargo-deny is missing; install it with:  $(CARGO) install --locked cargo-deny" >&2; exit 1; }
	$(CARGO) deny --locked check $(CHECKS)

clean: ## remove what was built
	$(CARGO) clean
