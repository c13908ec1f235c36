# `make` is what to run before a pull request; `make help` lists the rest.

GO ?= go
# An older Go fetches the one that go.mod names through the module proxy.
export GOTOOLCHAIN := auto
# How long `make fuzz` spends on each target.
FUZZTIME ?= 20s
# How many random clusters `make differential` gives each controller, and more of its flags.
WORLDS ?= 300
DIFFERENTIAL ?= -top 20
# The modules of tests that need more than this one. go vet would look at all that they are built from.
MODULES := internal/parity internal/conformance internal/differential
# Built from source by its pinned version: about 90 s once, then cached.
GOLANGCI_LINT ?= $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
# Without the linters of scripts that a machine may or may not have.
ACTIONLINT ?= $(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 -shellcheck= -pyflakes=
# lint vets all modules; without debug information the programs of tests are linked in half the time.
TESTFLAGS := -vet=off -ldflags=-w
# The packages that start goroutines, and loader/render, through which the rest of loader runs in them; a test holds the list to
# the code.
CONCURRENT := ./cmd/... ./loader ./loader/account ./loader/cache ./loader/render ./loader/schema ./loader/source ./loader/tree
# The race detector needs a C compiler; without one the tests run all the same.
RACE := $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)

.DEFAULT_GOAL := check
.PHONY: check test conformance differential quick race lint format demo golden gallery fuzz bench bench-peers install help

check: lint test ## everything a pull request must pass (the default)

test: ## all tests, and with the race detector those of -short where the code starts goroutines
	$(GO) test $(TESTFLAGS) -timeout 15m ./...
ifneq ($(RACE),)
	$(GO) test $(TESTFLAGS) $(RACE) -short -timeout 15m $(CONCURRENT)
endif
	cd internal/parity && $(GO) test $(TESTFLAGS) -timeout 5m ./...
	cd internal/differential && $(GO) test $(TESTFLAGS) -timeout 5m ./...
	@$(GO) test $(TESTFLAGS) ./analyze -short -run Cases -v 2>&1 | grep "NOT RUN" || true # GWPLAN_CASES=required makes it a failure

conformance: ## the conformance suite of Gateway API, answered by status and trace; needs Linux and ports below 1024
	@cd internal/conformance && $(GO) test $(TESTFLAGS) -count=1 -timeout 10m
	@cat internal/conformance/report.yaml

differential: ## random clusters, judged by the controllers' own code; builds them, which takes minutes
	@cd internal/differential && $(GO) run . -worlds $(WORLDS) $(DIFFERENTIAL)

quick: ## the tests without what takes long, and without the race detector
	$(GO) test -short -timeout 5m ./...

race: ## all tests with the race detector
	$(GO) test $(RACE) -timeout 30m ./...

lint: ## formatting, the linters of .golangci.yml, of which go vet is one, and actionlint
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then \
		echo "not gofmt-ed; run make format:"; gofmt -d .; exit 1; fi
	$(GOLANGCI_LINT) run
	@set -e; for module in $(MODULES); do (cd $$module && $(GOLANGCI_LINT) run --enable-only govet); done
	$(ACTIONLINT)
	$(ACTIONLINT) examples/github/*.yml

format: ## rewrite the Go files as gofumpt would
	$(GOLANGCI_LINT) fmt

demo: ## the main job, in a repository made for the occasion
	$(GO) run ./cmd/gwplan demo

golden: ## rewrite the expected outputs; read the diff before you commit it
	$(GO) test . -run TestMap -update
	$(GO) test ./analyze/catalogue ./analyze/rule -update
	$(GO) test ./cmd/gwplan ./report -update

gallery: ## the pictures of docs/gallery.md; needs chromium
	$(GO) test ./cmd/gwplan -run TestGallery -gallery $(CURDIR)/docs/gallery

fuzz: ## each fuzz target for FUZZTIME, and ten thousand mutations of the exposure harness
	$(GO) test -v -timeout 30m ./internal/exposure -mutations 10000
	@set -e; for package in $$($(GO) list ./...); do \
		targets=$$($(GO) test -list '^Fuzz' $$package); \
		for target in $$(printf '%s\n' "$$targets" | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$package; \
		done; \
	done

bench: ## all benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

bench-peers: ## a diff beside git archive, kubeconform and dyff, as a table; needs Linux
	@peers=$$(mktemp -d) && trap 'rm -r "$$peers"' EXIT && \
	GOBIN=$$peers $(GO) install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0 && \
	GOBIN=$$peers $(GO) install github.com/homeport/dyff/cmd/dyff@v1.12.0 && \
	$(GO) test -run '^$$' -bench '^BenchmarkPeers$$' -benchtime 1x -timeout 1h ./cmd/gwplan -peers $$peers $(PEERS)

install: ## gwplan into GOBIN
	$(GO) install -trimpath ./cmd/gwplan

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
