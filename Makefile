# For newcomers: `make run`, then `make test`. `make help` lists the rest.

.DEFAULT_GOAL := help
.PHONY: help fuzz-faults phrases run terminal-picture test test-all check test-faults test-sanitize lint functions release bench examples clean deps deps-test deps-faults \
  release-pictures install uninstall deb dist deps-deb test-citizen deps-citizen \
  pictures page contact-sheets test-pictures test-page bench-pictures deps-pictures deps-test-pictures deps-test-page \
  fuzz bench-feeds bridge test-bridge release-bridge check-bridge check-bridge-faults bench-bridge deps-bridge deps-test-bridge

# Debian packages, installed only when they are missing. scripts/install.sh prints what each is for.
PACKAGES := libinotifytools0-dev tzdata git g++ binutils
TEST_PACKAGES := python3 jq
FAULT_PACKAGES := python3 strace faketime libfaketime bindfs mergerfs fuse3 util-linux mount e2fsprogs btrfs-progs xfsprogs vim-tiny
PICTURE_PACKAGES := libpango1.0-dev libpng-dev fonts-inter fonts-dejavu-core fonts-noto-color-emoji
PICTURE_TEST_PACKAGES := python3 python3-pil chromium fonts-noto-cjk fonts-lohit-deva
DEB_PACKAGES := debhelper dpkg-dev fakeroot
CITIZEN_PACKAGES := python3 binutils systemd-container debhelper lintian dpkg-dev fakeroot mandoc fish zsh bash-completion \
  jq curl sway waybar xvfb x11-apps fonts-dejavu-core polybar i3blocks tmux mosquitto mosquitto-clients python3-jinja2 prometheus \
  prometheus-node-exporter python3-pip python3-jsonschema libical3 openssh-server openssh-client rsync cron util-linux procps faketime \
  strace nats-server
BRIDGE_PACKAGES := libnats-dev libssl-dev
BRIDGE_TEST_PACKAGES := nats-server python3 python3-pip strace faketime libfaketime iproute2 openssl
PAGE_TEST_PACKAGES := python3-pil python3-jsonschema chromium chromium-driver firefox-esr python3-selenium python3-pip node-acorn \
  nginx-light apache2-bin openssl

# The Swift code that the formatter checks.
LINTED := Sources Tests Benchmarks Package.swift Examples/Package.swift Examples/Sources \
  Pictures/Package.swift Pictures/Sources Pictures/Tests Bridge/Package.swift Bridge/Sources Bridge/Tests \
  Fuzz/Package.swift Fuzz/Sources/Fuzz

# Additional arguments for `make test`, such as TEST_ARGUMENTS='--filter MealPlanTests'.
TEST_ARGUMENTS ?=
# A filter for the faults, such as FAULTS=randomOperations.
FAULTS ?= FaultTests
# Additional arguments for the benchmarks, such as BENCH_ARGUMENTS='--filter decode'.
BENCH_ARGUMENTS ?=

# The packages share one directory, so that their common code is built once. Only Fuzz has its own, because it builds the
# same code with other flags.
SHARED := --scratch-path .build --disable-build-manifest-caching
# A section for each function, so that the linker can put them in another order. All release builds share this, because they
# share their directory.
OPTIMIZED := -c release -Xswiftc -Xfrontend -Xswiftc -function-sections
# What a start and a drop run lies together, which makes a lone drop faster. Made by scripts/functions.py; a function that is
# gone is passed over.
ORDERED := -Xlinker --no-warn-symbol-ordering -Xlinker --symbol-ordering-file=$(CURDIR)/scripts/functions.txt

SCRATCH := scratch-cache
RELEASE := .build/dist/cachesyncd

# Where install puts the files: in PREFIX below DESTDIR.
PREFIX ?= /usr/local
export PREFIX DESTDIR ZSH_FUNCTIONS

help: ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps:
	@scripts/install.sh $(PACKAGES)

deps-test: deps
	@scripts/install.sh $(TEST_PACKAGES)

deps-faults: deps
	@scripts/install.sh $(FAULT_PACKAGES)

deps-pictures: deps
	@scripts/install.sh $(PICTURE_PACKAGES)

deps-test-pictures: deps-pictures
	@scripts/install.sh $(PICTURE_TEST_PACKAGES)

deps-bridge: deps
	@scripts/install.sh $(BRIDGE_PACKAGES)

deps-test-bridge: deps-bridge
	@scripts/install.sh $(BRIDGE_TEST_PACKAGES)

deps-test-page: deps-pictures
	@scripts/install.sh $(PAGE_TEST_PACKAGES)

run: deps ## build, and run the agent on a scratch copy of sample-cache
	swift build --product cachesyncd
	@scripts/run.sh "$$(swift build --show-bin-path)/cachesyncd" sample-cache $(SCRATCH)

terminal-picture: deps-faults ## draw the README's picture of a terminal anew
	swift build --product cachesyncd
	@scripts/terminal-picture.py "$$(swift build --show-bin-path)/cachesyncd" sample-cache docs/pictures/terminal.svg

test: deps-test ## build, and run the tests of the parts and of the commands
	scripts/test.sh --skip FaultTests $(TEST_ARGUMENTS)

check: ## everything that a change must pass: about three quarters of an hour
	@scripts/check.sh

test-all: deps-test deps-faults ## the same tests, and those that break things for real
	scripts/test-all.sh

# First the tests that disturb no others, in parallel; then those that set the clock or the kernel's limits, one by one.
test-faults: deps-faults ## only the tests that break things for real (root runs more of them)
	scripts/test.sh --filter '$(FAULTS)' --skip 'MachineFaults|TimeFaultTests|WallAlarmFaultTests'
	scripts/test.sh --no-parallel --filter '$(FAULTS)' --skip 'FaultTests\.Faults/'

# The sanitizers to run.
SANITIZERS ?= address thread

test-sanitize: deps-faults ## some of both with sanitizers for addresses, undefined behaviour and threads
	for kind in $(SANITIZERS); do scripts/sanitize.sh "$$kind" || exit; done

pictures: deps-pictures ## build what render and serve need, beside cachesyncd
	swift build --product cachesyncd
	swift build --package-path Pictures $(SHARED) --product cachesync-pictures

page: pictures ## build, and run the agent and the live page on a scratch copy of sample-cache
	@scripts/page.sh "$$(swift build --show-bin-path)/cachesyncd" sample-cache $(SCRATCH)

# The languages to draw or to list, such as LANGUAGES='de ja'.
LANGUAGES ?=

phrases: ## list the texts that languages lack, for translators
	@scripts/phrases.py $(LANGUAGES)

contact-sheets: deps-test-pictures pictures ## draw every kind and family in every language, a sheet for each
	@FONTCONFIG_FILE="$(CURDIR)/Pictures/Tests/fonts.conf" scripts/contact-sheets.py \
	  "$$(swift build --show-bin-path)" sample-cache contact-sheets $(LANGUAGES)

test-pictures: deps-test-pictures pictures ## build, and run the tests of pictures and page
	swift build --package-path Pictures $(SHARED) --build-tests
	FONTCONFIG_FILE="$(CURDIR)/Pictures/Tests/fonts.conf" swift test --package-path Pictures $(SHARED) --skip-build

test-page: deps-test-page pictures ## build, and test the page in a real browser and over the wire
	@scripts/test-page.sh "$$(swift build --show-bin-path)"

bench-pictures: deps-test-page ## time pictures and page, and compare with the goals
	swift build $(OPTIMIZED) $(SHARED) --product cachesyncd
	swift build $(OPTIMIZED) --package-path Pictures $(SHARED) --product cachesync-pictures
	swift build $(OPTIMIZED) --package-path Pictures $(SHARED) --product pictures-bench
	@ln -f "$$(swift build -c release --package-path Pictures $(SHARED) --show-bin-path)/cachesync-pictures" \
	  "$$(swift build -c release $(SHARED) --show-bin-path)/"
	@"$$(swift build -c release --package-path Pictures $(SHARED) --show-bin-path)/pictures-bench" \
	  "$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" sample-cache
	@CACHESYNC_PROGRAMS="$$(swift build -c release $(SHARED) --show-bin-path)" /usr/bin/python3 -B Pictures/Benchmarks/page.py

bridge: deps-bridge ## build what carries caches between machines, beside cachesyncd
	swift build --product cachesyncd
	swift build --package-path Bridge $(SHARED) --product cachesync-bridge

# Additional arguments for the checker, such as CHECK_ARGUMENTS='--seed 7'.
CHECK_ARGUMENTS ?=

# Uses the release build, because the tests with an engine depend on its speed; `make deb` builds it too.
test-bridge: deps-test-bridge ## build, and run the bridge's tests, also with a real engine
	swift build --product cachesyncd
	swift build $(OPTIMIZED) --package-path Bridge $(SHARED) --product cachesync-bridge
	swift build --package-path Bridge $(SHARED) --build-tests
	swift test --package-path Bridge $(SHARED) --skip-build
	@CACHESYNC_BRIDGE="$$(swift build --package-path Bridge $(SHARED) -c release --show-bin-path)/cachesync-bridge" \
	  CACHESYNCD="$$(swift build --show-bin-path)/cachesyncd" \
	  /usr/bin/python3 -B -m unittest discover -s Bridge/Tests/Engine
	@/usr/bin/python3 -B -m unittest discover -s Bridge/Tests/Checker
	@CACHESYNC_BRIDGE="$$(swift build --package-path Bridge $(SHARED) -c release --show-bin-path)/cachesync-bridge" \
	  CACHESYNCD="$$(swift build --show-bin-path)/cachesyncd" \
	  /usr/bin/python3 -B Bridge/Tests/Checker/check.py --caches 200 $(CHECK_ARGUMENTS)

check-bridge: deps-test-bridge ## ten minutes of faults at random, with a cluster of engines, a home and then a pool, and what became of every file
	swift build $(OPTIMIZED) $(SHARED) --product cachesyncd
	swift build $(OPTIMIZED) --package-path Bridge $(SHARED) --product cachesync-bridge
	@CACHESYNC_BRIDGE="$$(swift build --package-path Bridge $(SHARED) -c release --show-bin-path)/cachesync-bridge" \
	  CACHESYNCD="$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" \
	  sh -c 'for members in home pool=3; do \
	    /usr/bin/python3 -B Bridge/Tests/Checker/check.py --seconds 300 --servers 3 --members $$members $(CHECK_ARGUMENTS) \
	      || exit 1; done'

check-bridge-faults: deps-test-bridge ## build the bridge with faults on purpose, each of which the checker must find
	swift build $(OPTIMIZED) $(SHARED) --product cachesyncd
	@CACHESYNCD="$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" \
	  /usr/bin/python3 -B Bridge/Tests/Checker/seeded.py

bench-bridge: deps-test-bridge ## time drops, midnights and takeovers with a real engine, and compare with the goals
	swift build $(OPTIMIZED) $(SHARED) --product cachesyncd
	swift build $(OPTIMIZED) --package-path Bridge $(SHARED) --product cachesync-bridge
	@CACHESYNC_BRIDGE="$$(swift build --package-path Bridge $(SHARED) -c release --show-bin-path)/cachesync-bridge" \
	  CACHESYNCD="$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" \
	  /usr/bin/python3 -B Bridge/Benchmarks/bench.py

# How many seconds each target runs, and which targets, such as FUZZ=json; by default all.
SECONDS ?= 10
FUZZ ?=

fuzz: deps ## try every parser with inputs that libFuzzer makes, SECONDS for each
	swift build --package-path Fuzz
	@scripts/fuzz.sh "$$(swift build --package-path Fuzz --show-bin-path)/Fuzz" $(SECONDS) $(FUZZ)

fuzz-faults: deps ## make mistakes on purpose in what the fuzzers compare, each of which they must find
	swift build --package-path Fuzz
	@scripts/fuzz-faults.sh "$$(swift build --package-path Fuzz --show-bin-path)/Fuzz"

lint: deps-test ## what CI wants of the formatting, the words and the links
	swift format lint --strict --recursive $(LINTED)
	@scripts/words.py
	@scripts/links.py
	@scripts/changelog.py

functions: deps ## record what starts and drops run, for the order that release gives to functions
	@scripts/install.sh linux-perf procps
	swift build $(OPTIMIZED) $(SHARED) --product cachesyncd
	scripts/functions.py "$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" sample-cache >scripts/functions.new
	mv scripts/functions.new scripts/functions.txt

release: deps ## one stripped file in .build/dist, to be copied to another machine
	@scripts/changelog-entry.sh >/dev/null
	swift build $(OPTIMIZED) $(ORDERED) $(SHARED) --product cachesyncd
	@scripts/release.sh "$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" $(RELEASE)

release-pictures: deps-pictures ## the same for cachesync-pictures
	swift build $(OPTIMIZED) --package-path Pictures $(SHARED) --product cachesync-pictures
	@scripts/release.sh "$$(swift build -c release --package-path Pictures $(SHARED) --show-bin-path)/cachesync-pictures" \
	  .build/dist/cachesync-pictures

release-bridge: deps-bridge ## the same of what carries caches between machines
	swift build $(OPTIMIZED) --package-path Bridge $(SHARED) --product cachesync-bridge
	@scripts/release.sh "$$(swift build -c release --package-path Bridge $(SHARED) --show-bin-path)/cachesync-bridge" \
	  .build/dist/cachesync-bridge

install: ## put the release build below PREFIX (/usr/local), with units, completions and documents; honours DESTDIR
	@scripts/install-files.sh install

uninstall: ## remove what install put there
	@scripts/install-files.sh uninstall

deps-deb: deps-pictures deps-bridge
	@scripts/install.sh $(DEB_PACKAGES)

deb: deps-deb release release-pictures release-bridge ## Debian packages of the release build, in .build/dist
	@scripts/deb.sh

dist: deb ## what a release has, in .build/dist/VERSION: packages, an archive with the agent alone, their sums, the changes
	@scripts/dist.sh

deps-citizen: deps
	@scripts/install.sh $(CITIZEN_PACKAGES)

# Tests the results of `make deb`, and of `make dist`.
test-citizen: deps-citizen ## the packages, units, pages, completions and recipes, with the real programs
	@scripts/test-citizen.sh

bench: deps-faults ## time each stage, count the calls of a drop, and compare with Benchmarks/thresholds.json
	swift run $(OPTIMIZED) $(SHARED) cachesync-bench $(BENCH_ARGUMENTS)
	swift build $(OPTIMIZED) $(SHARED) --product cachesyncd
	@/usr/bin/python3 -B Benchmarks/calls.py "$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" $(BENCH_ARGUMENTS)

bench-feeds: deps ## time feeds with a definition and calendars, and compare with the goals of docs/reference/definitions.md
	swift build $(OPTIMIZED) $(SHARED) --product cachesyncd
	@CACHESYNCD="$$(swift build -c release $(SHARED) --show-bin-path)/cachesyncd" /usr/bin/python3 -B Benchmarks/feeds.py $(BENCH_ARGUMENTS)

# Without cached plans: after a build of the root package, Swift 6.3 may use that plan for this package, and build
# nothing.
examples: deps-test ## build the example programs, run the readers, and do what the guides to new feeds and languages say
	swift build --package-path Examples $(SHARED)
	scripts/first-programs.py
	scripts/readers.py
	scripts/adding.py

clean: ## remove what was built, and the scratch cache
	rm -rf .build .build-asan .build-tsan Fuzz/.build $(SCRATCH)
