// Package models manages the neural members of the ensemble: those that come with the program,
// those that a site defines, and versions of models with their figures.
//
// A model is a folder: model.onnx, config.json, tokenizer.json or words.txt or both, and
// card.json (see [Card]), card.md and parity.json. A member is a model with the
// types that it votes for: several members can share a model.
package models
