# What one does with this repository. `make` alone explains itself.

SWIFT ?= swift
HOSTS ?= 3
FOR ?= wire
SECONDS ?= 60
# Passed on to `swift test`, such as FILTER=ReadingTests.
FILTER ?=

# Some tests say how long something may take; a hundred at once on two processors would make them wait for each other.
SIDE_BY_SIDE := --experimental-maximum-parallelization-width 4
TSAN_TEST = LD_PRELOAD="$(CURDIR)/.build/tsan/mutex.so" TSAN_OPTIONS="halt_on_error=1 exitcode=66" \
	$(SWIFT) test --skip-build --sanitize=thread --scratch-path .build/tsan \
	$(SIDE_BY_SIDE)
# They measure the whole process, so nothing else may run in it, a sanitizer least of all.
ALONE := HostileSuites|LettingGoTests
# What knows no threads can't race.
PURE := VocabularyTests|WireTests|SessionRulesTests|CommandTableTests|HouseTests
TEST_FLAGS := $(if $(FILTER),--filter '$(FILTER)')
# The compiler of the Swift toolchain, which knows how Swift calls functions.
CLANG = $(dir $(shell command -v $(SWIFT)))clang
SOURCES := Sources Tests Package.swift

.DEFAULT_GOAL := help
.PHONY: help setup build release test test-tsan lint format demo lab fuzz bench clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  HOSTS=3 is how many hosts the lab has; FILTER=Name runs only the tests of that name."
	@echo "  FOR=wire is what is fuzzed, for SECONDS=60."

setup: ## install what is missing from Debian; silent when all is there
	@.ci/install-needs

build: setup ## build for development
	$(SWIFT) build

release: setup ## build for use, with Swift's own libraries inside the program
	$(SWIFT) build -c release --static-swift-stdlib --product huddle

test: setup ## run all tests: units, the house's rules, command scripts, the lab
	$(SWIFT) test $(SIDE_BY_SIDE) $(if $(FILTER),$(TEST_FLAGS),--skip '$(ALONE)')
	$(if $(FILTER),,$(SWIFT) test --skip-build --filter '$(ALONE)')

test-tsan: setup ## run all tests under the thread sanitizer, where a race is a failure
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/tsan
	@# Why it is needed stands in the file.
	$(CLANG) -O2 -fPIC -shared Tests/ThreadSanitizer/mutex.c -o .build/tsan/mutex.so
	$(TSAN_TEST) $(if $(FILTER),$(TEST_FLAGS),--skip '$(ALONE)|$(PURE)')

lint: ## check form and documentation, changing nothing
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format: ## bring all files into form
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

demo: build ## let two peers on this machine find each other, meet, and send something
	@PATH="$$($(SWIFT) build --show-bin-path):$$PATH" Tests/Lab/demo

lab: build ## open a lab of HOSTS hosts on this machine
	$(SWIFT) run lab up --hosts $(HOSTS)

fuzz: setup ## look for bytes that break the readers: FOR=wire SECONDS=60
	Tests/Fuzz/fuzz $(FOR) $(SECONDS)

bench: setup ## measure Huddle beside the raw limit of this machine and its rivals
	$(SWIFT) build -c release --product loop-benchmark
	$(SWIFT) build -c release --product discovery-benchmark
	$(SWIFT) build -c release --product transport-benchmark
	$(SWIFT) build -c release --product resources-benchmark
	$(SWIFT) build -c release --product session-benchmark
	@# The second run on one core: where the scheduler puts two threads decides more than the code does.
	.build/release/loop-benchmark
	taskset -c 0 .build/release/loop-benchmark
	.build/release/discovery-benchmark
	.build/release/transport-benchmark
	.build/release/resources-benchmark
	.build/release/session-benchmark
	taskset -c 0 .build/release/session-benchmark file stream messages

clean: ## remove everything that was built
	rm -rf .build
