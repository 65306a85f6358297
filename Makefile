# What one does with this repository. `make` alone explains itself.

SWIFT ?= swift
HOSTS ?= 3
FOR ?= wire
SECONDS ?= 60
ROUNDS ?= 500
CASES ?= 2000
SEED ?= 1
RUNS ?= 100
DAYS ?= 30
SIEGE ?= 600
ONLY ?=
PICTURES ?=
# Whether something else is built meanwhile: tests that measure times wait for `make test-timely` then.
BESIDE ?=
# A pattern for names of tests, such as FILTER=ReadingTests.
FILTER ?=

TESTS := debug/huddlePackageTests.xctest
# What was freed is kept for a while to catch those who use it still: little, because some tests measure memory. Swift's runtime
# keeps what it never frees, so leaks are not looked for. Where a program ends itself, the sanitizer says where: what Swift would
# read of the stack for that, the sanitizer takes for a fault.
ASAN = SWIFT_BACKTRACE=enable=no ASAN_OPTIONS="detect_leaks=0:handle_abort=2:quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
# They measure the whole process, so nothing else may run in it, a sanitizer least of all.
ALONE := HostileSuites|LettingGoTests
# It changes how the whole process takes memory.
CHANGING := FreedMemoryTests
# What knows no threads can't race.
PURE := VocabularyTests|DiagnosisTests|WireTests|SessionRulesTests|SaveRulesTests|CommandTableTests|RepositoryTests|GamesTests|SecureArchiveTests|SecureCodingTests|GameStateTests|HistoryTests|DigestsTests|DatabaseTests
# The first looks at a program's memory, the next four take some away, and a sanitizer needs its own; the sixth sees whether a daemon sleeps, and the sanitizer doesn't;
# the last compares thousands of versions on one thread, for longer there than a test may take.
STARVED := FreedMemoryTests|ShortageTests|StateMemoryTests|StateCheckTests|HostileCaseTests|DaemonTests/idle|HostileTests/crowd
# Between real hosts the same programs run that the other suites let the sanitizer see, for as long again: `make test-tsan FILTER=LabTests` is for changes there.
BETWEEN_HOSTS := LabTests
# Beside other work these take longer than their limits: what happens between hosts, fifty peers that find each other, and a search that
# may take two seconds of a processor.
TIMELY := TimelinessTests|MultipeerConnectivityTests.CrowdTests|GamesTests.SpeedTests
# The compiler of the Swift toolchain, which knows how Swift calls functions.
CLANG = $(dir $(shell command -v $(SWIFT)))clang
SOURCES := Sources Tests Package.swift
PREFIX ?= /usr/local
# A megabyte less of each program in memory: relocations in their short form, and no list of functions that nobody looks up.
SMALL := -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
# All functions of libraries are looked up at the start, so that the table of them is read-only from then on; no library is taken from beside
# the program; what the C headers copy into rooms of known size is counted. .ci/check-hardening says whether all that came out.
HARD := -Xlinker -z -Xlinker now --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath -Xcc -D_FORTIFY_SOURCE=3
# The folder of the build is no part of a program: two clones at two places build the same bytes. Debuggers look for sources below /huddle.
PATHLESS := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=/huddle -Xcc -ffile-prefix-map=$(CURDIR)=/huddle
# The compiler's optimizer goes through sets in the order of their addresses, so two builds differ in a few functions. With the
# same addresses each time, and one thread for each module, they are equal. A container may refuse that; it builds all the same.
SAME := -Xswiftc -num-threads -Xswiftc 1
AT_SAME_ADDRESSES := $(shell setarch --addr-no-randomize true 2>/dev/null && echo setarch --addr-no-randomize)
RELEASE = $(AT_SAME_ADDRESSES) $(SWIFT) build -c release --static-swift-stdlib $(SMALL) $(HARD) $(PATHLESS) $(SAME)
BENCHMARKS := daemon loop discovery transport resources session multipeer archive history save-folder saves
FUZZED := $(notdir $(patsubst %/modules,%,$(wildcard Tests/Fuzz/*/modules)))

.DEFAULT_GOAL := help
.PHONY: help setup build release install deb tarball dist test test-timely test-syncthing test-install test-system page simulate simulate-power build-tsan test-tsan test-asan attack siege lint format demo jobs household lab torture fuzz fuzz-all hostile bench docs cli-page error-codes clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  HOSTS=3 is how many hosts the lab has; FILTER=Name runs only the tests of that name."
	@echo "  FOR=wire is what is fuzzed (also $(filter-out wire,$(FUZZED))), for SECONDS=60."

setup: ## install what is missing from Debian; silent when all is there
	@.ci/install-needs

build: setup ## build for development
	$(SWIFT) build

release: setup ## build for use, with Swift's own libraries inside the programs
	$(RELEASE) --product huddle
	$(RELEASE) --product huddled

install: ## put what `make release` built below DESTDIR and PREFIX (/usr/local)
	.ci/install-release "$(DESTDIR)" "$(PREFIX)"

deb: setup ## make a package for Debian, in .build/packages
	.ci/install-needs --package
	.ci/make-deb

tarball: release ## make an archive that installs without root
	.ci/install-needs --package
	.ci/tarball/make

dist: deb tarball ## make a release in .build/dist; SIGNING_KEY=key.pem signs it
	.ci/make-dist

test-install: ## try install.sh on releases, some of them hostile; RELEASE_FOLDER=… tries a real one, too
	Tests/Lab/install $(if $(RELEASE_FOLDER),"$(RELEASE_FOLDER)")

test-system: deb tarball ## install, restart, kill, upgrade and purge on two Debians that boot with systemd; needs root
	.ci/install-needs --system
	Tests/Lab/system .build/packages/huddle_*.deb .build/packages/huddle-*.tar.gz

# Tests mostly wait, so three programs at once take little longer than the slowest of them.
test: setup ## run all tests: units, the rules of the repository, command scripts, the lab
	@.ci/install-needs --tests
	$(SWIFT) build --build-tests
ifeq ($(FILTER),)
	Tests/run .build/$(TESTS) -- --skip '$(ALONE)|$(CHANGING)|$(BETWEEN_HOSTS)|$(TIMELY)' + --filter '$(ALONE)' + --filter '$(CHANGING)' + --filter '$(BETWEEN_HOSTS)' --skip '$(TIMELY)'
	Tests/Simulator/run --program .build/debug/simulate --runs 20 --days 2 --twice
	$(if $(BESIDE),,$(MAKE) test-timely)
else
	Tests/run .build/$(TESTS) -- --filter '$(FILTER)'
endif

# They measure how soon something happens, so nothing else may use the processors.
test-timely: ## run the tests that measure times, and use the page in a browser
	Tests/run .build/$(TESTS) -- --filter '$(TIMELY)'
	Tests/Page/run --programs .build/debug

# Its own network, with no interface but the loopback one: Syncthing must reach nothing else.
test-syncthing: ## share a folder with Debian's Syncthing, after `make test`; needs root
	unshare --net sh -c 'ip link set lo up && HUDDLE_REQUIRED=syncthing exec Tests/run .build/$(TESTS) -- --filter RealSyncthingTests'

build-tsan: setup
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/tsan
	@# Why it is needed stands in the file.
	$(CLANG) -O2 -fPIC -shared Tests/ThreadSanitizer/mutex.c -o .build/tsan/mutex.so

test-tsan: build-tsan ## run what has threads under the thread sanitizer, where a race is a failure
	Tests/run env LD_PRELOAD="$(CURDIR)/.build/tsan/mutex.so" TSAN_OPTIONS="halt_on_error=1 exitcode=66 suppressions=$(CURDIR)/Tests/ThreadSanitizer/suppressions" .build/tsan/$(TESTS) -- \
		$(if $(FILTER),--filter '$(FILTER)') --skip '$(ALONE)|$(STARVED)$(if $(FILTER),,|$(PURE)|$(BETWEEN_HOSTS))'

test-asan: setup ## run the tests under the address sanitizer; takes as long as test-tsan
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build/asan
	$(ASAN) Tests/run .build/asan/$(TESTS) -- $(if $(FILTER),--filter '$(FILTER)',--skip '$(ALONE)|$(STARVED)')
	$(if $(FILTER),,$(ASAN) Tests/run .build/asan/$(TESTS) -- --filter '$(ALONE)')

lint: ## check form and documentation, changing nothing
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	.ci/make-error-codes --check
	.ci/check-types
	@! LC_ALL=C.UTF-8 grep -rnE --include='*.swift' '^.{121,}$$' Sources
	Tests/Simulator/power --check

format: ## bring all files into form
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

demo: build ## show what Huddle is for, with two daemons on this machine, in half a minute
	@PATH="$$($(SWIFT) build --show-bin-path):$$PATH" Tests/Lab/demo

jobs: build ## type what a household types on three hosts of the lab, and count commands, answers, paths and seconds
	@PATH="$$($(SWIFT) build --show-bin-path):$$PATH" Tests/Lab/jobs

household: build ## play a household of three machines on hosts of the lab, and check what they say
	@PATH="$$($(SWIFT) build --show-bin-path):$$PATH" Tests/Lab/household

page: build ## use the page in a browser as people do, and attack it; PICTURES=FOLDER keeps what it shows
	@.ci/install-needs --tests
	Tests/Page/run --programs "$$($(SWIFT) build --show-bin-path)" $(if $(PICTURES),--pictures "$(PICTURES)") $(ONLY)

lab: build ## open a lab of HOSTS hosts on this machine
	$(SWIFT) run lab up --hosts $(HOSTS)

torture: setup ## break machines that keep saves in step, ROUNDS=500 times from SEED=1; needs root
	@# Built for development: only there can a program be made to die at a chosen step.
	$(SWIFT) build
	.build/debug/torture --rounds $(ROUNDS) --seed $(SEED)

simulate: setup ## live through RUNS=100 households of DAYS=30 from SEED=1, in virtual time
	$(SWIFT) build -c release --product simulate
	Tests/Simulator/run --seed $(SEED) --runs $(RUNS) --days $(DAYS)

simulate-power: setup ## put known faults back, one after the other, and check that the simulator finds each
	Tests/Simulator/power

attack: build ## attack a real huddled from outside, as a second implementation can: ONLY="S1 S3" for some
	@.ci/install-needs --tests
	Tests/Attack/run $(ONLY)

siege: build ## let 64 hostile machines try to use up a daemon in SIEGE=600 seconds; needs root
	@.ci/install-needs --tests
	Tests/Attack/siege --seconds $(SIEGE)

fuzz: setup ## look for bytes that break the readers: FOR=wire SECONDS=60
	Tests/Fuzz/fuzz $(FOR) $(SECONDS)

fuzz-all: setup ## the same for every target, two at a time
	printf '%s\n' $(FUZZED) | xargs -P 2 -I TARGET Tests/Fuzz/fuzz TARGET $(SECONDS)

hostile: setup ## read CASES=2000 hostile files made from SEED=1, each within four seconds and 64 MiB
	$(SWIFT) build --product hostile-cases
	Tests/Fuzz/hostile $(SEED) $(CASES)

bench: setup ## measure Huddle beside the raw limit of this machine and its rivals
	@.ci/install-needs --tests
	@# With Swift's libraries beside them: within a program, Foundation's own archiver writes nothing.
	for name in $(BENCHMARKS); do $(SWIFT) build -c release $(SMALL) --product $$name-benchmark || exit 1; done
	@# Last, and as people have them, since what they take is measured.
	$(MAKE) release
	@# The second run on one core: where the scheduler puts two threads decides more than the code does.
	.build/release/loop-benchmark
	taskset -c 0 .build/release/loop-benchmark
	.build/release/daemon-benchmark
	.build/release/discovery-benchmark
	.build/release/transport-benchmark
	.build/release/resources-benchmark
	.build/release/history-benchmark
	.build/release/save-folder-benchmark
	.build/release/saves-benchmark
	.build/release/session-benchmark
	taskset -c 0 .build/release/session-benchmark file stream messages
	.build/release/multipeer-benchmark
	.build/release/archive-benchmark

docs: build ## make the pages of MultipeerConnectivity in .build/docs; a broken link is a failure
	.ci/make-docs MultipeerConnectivity

cli-page: ## write docs/reference/cli.md from the table of commands
	$(SWIFT) build --build-tests
	HUDDLE_CLI_PAGE=write Tests/run "$$($(SWIFT) build --show-bin-path)/huddlePackageTests.xctest" -- --filter CommandPageTests

error-codes: ## write docs/reference/error-codes.md from the errors in the sources
	.ci/make-error-codes

clean: ## remove everything that was built
	rm -rf .build
