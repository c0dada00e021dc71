// Package onnx binds the two native libraries that neural members of the ensemble
// run on: ONNX Runtime, which is loaded when [Open] is called, and Hugging Face
// tokenizers, which is linked in. It is the only package with cgo.
//
// # The build tag native
//
// Linking needs libtokenizers.a, which has to be built first (make native). So that
// everything else builds, vets and tests with a plain "go build ./...", the bindings
// stand behind the build tag native; without it [Open] and [NewTokenizer] return
// [ErrNotBuilt]. "make build" and "make test" set the tag and the path of the library.
//
// The ensemble's rules need neither library: a program that finds none runs without
// neural members.
package onnx
