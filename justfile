# The contributor's commands. `just` alone lists them; https://just.systems

set positional-arguments := true

export MAWE_BIN := env("MAWE_BIN", justfile_directory() / "target/debug/mawe")

[private]
default:
    @just --list --unsorted

# Install what the page's checks and the browser tests need
[group("start")]
setup:
    npm ci --no-audit --no-fund

# Start a debug server; it reads static/ from the disk, so a reload shows a change
[group("start")]
start *options:
    cargo run -- "$@"

# Start the optimised server
[group("start")]
serve *options:
    cargo run --release -- "$@"

# Every check and every test; installs on Debian what is missing (three quarters of an hour)
[group("test")]
test:
    tests/run

# The checks of everyday use: format, lint, rules, the page's types and unit tests
[group("test")]
quick:
    tests/run quick

# Tests of one crate by a part of their name: just rust mawe-server sim::
[group("test")]
rust package *filter:
    cargo nextest run -p "$@"

# One file of the page's unit tests: just page games
[group("test")]
page file *options:
    file="$1"; shift; node --test "$@" "static/tests/$file.test.js"

# One file of the browser tests, on a debug build: just browser games
[group("test")]
browser file *options: build
    file="$1"; shift; node --test "$@" "tests/browser/$file.test.js"

# Instructions, allocations and written bytes of a move against their bounds; `write` renews these
[group("test")]
counters *action:
    tests/counters "$@"

# Look for inputs that break the readers of the rules, guided by coverage: just fuzz 60 pdn
[group("test")]
fuzz *arguments:
    tests/fuzz "$@"

# Build the debug binary
[group("check")]
build:
    cargo build -p mawe-server

# Format all Rust sources, and the page's scripts and styles
[group("check")]
format:
    cargo fmt --all
    cargo fmt --manifest-path fuzz/Cargo.toml
    cargo fmt --manifest-path wasm/glue/Cargo.toml
    npm run --silent format

# Fail where a source is not formatted
[group("check")]
format-check:
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check
    cargo fmt --manifest-path wasm/glue/Cargo.toml --check
    node_modules/.bin/biome format

# Clippy on all targets, and Biome on the page, without warnings
[group("check")]
lint:
    cargo clippy --workspace --all-targets --quiet -- -D warnings
    npm run --silent lint

# The documentation of the crates, private items included
[group("check")]
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items

# Licences, sources, duplicates, uses and advisories of all dependencies
[group("check")]
dependencies:
    tests/dependencies

# Rebuild static/wasm after a change below rules/src, ai/src or wasm/
[group("write")]
wasm:
    wasm/build

# Write the page's types of the wire after a change of the server's
[group("write")]
wire-types:
    tests/wire-types

# Write the JSON Schemas of the messages of the WebSocket
[group("write")]
schema: build
    "$MAWE_BIN" messages client >docs/client-messages.schema.json
    "$MAWE_BIN" messages server >docs/server-messages.schema.json

# Write the notices of third parties after a change of Cargo.lock
[group("write")]
notices:
    tests/notices

# Take the pictures of docs/screenshots anew, all or those named
[group("write")]
screenshots *names: build
    node tests/browser/screenshots.js "$@"

# Benchmarks of one crate: just bench mawe-server --bench room
[group("measure")]
bench package *options:
    cargo bench -p "$@"

# Teach and measure the engine: just lab ladder --game oware
[group("measure")]
lab *arguments:
    cargo run --release -p mawe-lab -- "$@"

# The binary to hand out and its bill of materials, in target/dist
[group("release")]
release:
    cargo build --profile dist --locked -p mawe-server
    deploy/sbom >target/dist/mawe.cdx.json
