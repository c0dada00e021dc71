// Package models knows the neural members of the ensemble: which ones come with the
// program, how a site defines further ones, and what the versions of a model are worth.
//
// A model is a folder: model.onnx, config.json, tokenizer.json or words.txt or both, and
// card.json (see [Card]), card.md and parity.json. A member is a model with the
// types that it votes for: several members can share a model.
package models
