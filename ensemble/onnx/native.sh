#!/usr/bin/env bash
# Puts the native libraries into a folder (default build/native):
#
#   libonnxruntime  from the official npm package onnxruntime-node: the one file that
#                   is needed of it, checked against the SHA-256 in runtime.txt
#   libtokenizers.a built from the Rust sources that the Go module
#                   github.com/daulet/tokenizers carries (go.sum verifies them), with
#                   its Cargo.lock
#
# What is there already, in the right version, is left alone. Needs go, cargo, npm, tar.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-build/native}
mkdir -p "$out"

pins=ensemble/onnx/runtime.txt
ort_version=$(awk '$1 == "version" { print $2 }' "$pins")
system=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
read -r ort_path ort_sha256 < <(awk -v host="$system" '$1 == host { print $2, $3 }' "$pins") || {
    echo "native: no ONNX Runtime for $system in onnxruntime-node $ort_version" >&2
    exit 1
}

need() {
    command -v "$1" >/dev/null || {
        echo "native: $1 is needed: $2" >&2
        exit 1
    }
}

sha256_of() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# Scratch space next to the result, so that the last step is a rename.
scratch=$(mktemp -d "$out/.scratch.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

onnxruntime() {
    local target="$out/${ort_path##*/}"
    if [ -f "$target" ] && [ "$(sha256_of "$target")" = "$ort_sha256" ]; then
        return
    fi
    need npm "install Node.js with npm"
    echo "native: ONNX Runtime $ort_version (110 MB to download)" >&2
    npm pack --silent --pack-destination "$scratch" "onnxruntime-node@$ort_version" >/dev/null
    tar -xzf "$scratch/onnxruntime-node-$ort_version.tgz" -C "$scratch" "package/bin/napi-v6/$ort_path"
    local file="$scratch/package/bin/napi-v6/$ort_path" got
    got=$(sha256_of "$file")
    if [ "$got" != "$ort_sha256" ]; then
        echo "native: SHA-256 of $ort_path is $got, want $ort_sha256: not used" >&2
        exit 1
    fi
    mv "$file" "$target"
}

tokenizers() {
    local module=github.com/daulet/tokenizers version stamp
    version=$(go list -m -f '{{.Version}}' "$module")
    stamp="$version $(uname -s)/$(uname -m)"
    if [ -f "$out/libtokenizers.a" ] && [ "$(cat "$out/libtokenizers.version" 2>/dev/null)" = "$stamp" ]; then
        return
    fi
    need cargo "install Rust"
    echo "native: tokenizers $version (builds for some minutes)" >&2
    go mod download "$module"
    # A copy: the module cache is read-only.
    cp -R "$(go list -m -f '{{.Dir}}' "$module")" "$scratch/tokenizers"
    chmod -R u+w "$scratch/tokenizers"
    (cd "$scratch/tokenizers" && cargo build --quiet --release --locked --lib)
    mv "$scratch/tokenizers/target/release/libtokenizers.a" "$out/libtokenizers.a"
    echo "$stamp" >"$out/libtokenizers.version"
}

onnxruntime
tokenizers
