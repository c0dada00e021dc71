// Package onnx runs neural members of the ensemble: token classifiers that say of each
// word of a sentence which type of PHI it is. It binds ONNX Runtime, which is loaded
// when [Open] is called, and Hugging Face tokenizers, which is linked in, and is the
// only package with cgo.
//
// # Flow
//
//	folder ─ SHA-256 checked ─ [Runtime.Load] ─ [Model] ─ [Model.Member] ─ ensemble.Detector
//
//	note ─ sentences ─ segments of at most 256 words ─ known? ─ cache
//	                     │ no
//	                     ├─ words as numbers, or wordpieces in windows of at most 256
//	                     ├─ queue ─ batches of one network and about one length ─ runners, one a core
//	                     └─ probabilities of the types, by word; the best sequence of labels
//	member: thresholds and bias ─ words that are PHI ─ spans
//
// A [Model] is shared by its members, which differ in the types they report, in their
// thresholds and in whether capitals are normalised: what one of them had looked at is
// answered to the others from the cache.
//
// # Two kinds of models
//
// Models in the layout of Hugging Face's exports read wordpieces: a folder with
// model.onnx, tokenizer.json and config.json with id2label, whatever the scheme of its
// labels (BIO, BIOES, BILOU, IOB1, plain). "optimum-cli export onnx" writes one; a label
// map says what its labels mean (ModelOptions.Labels). Networks with a character front
// (model_type "pgdeid-words") read the words of text.Tokenize, of each its
// characters, its number in words.txt and the white space before it.
//
// # Sequences of labels
//
// A network with a character front may end in a layer that scores whole sequences of
// labels: the label sequence optimisation of Dernoncourt et al. (2017), the CRF of
// BLSTM-CNNs-CRF. What it learned about steps from label to label stands in config.json:
//
//	"pgdeid": {..., "crf": {"transitions": [[L] x L], "start": [L], "end": [L]}}
//
// row i of transitions is what follows label i. Two things are then found of a segment
// and kept together: the probability of each label of each word over all sequences
// (forward-backward), which thresholds and biases are compared with as ever, and the
// best sequence (Viterbi). A word is PHI if its probability reaches the threshold, or if
// the best sequence has it, unless the threshold is above one half; where the best
// sequence has PHI it says of which type, and where an entity begins. A sentence of
// several segments is decoded by segments, each with its overlap.
//
// # What holds
//
//   - No file is parsed before its SHA-256 was compared, and a folder is loaded without
//     sums only where ModelOptions.Unverified says so.
//   - Every word of a note is in a segment, every wordpiece of a segment in the core of
//     one window, and every character that can tell something in a wordpiece. Where the
//     last can't be shown, Detect fails, and the note is not published.
//   - What a network says of a sentence does not depend on what else is in flight.
//     Graphs whose arithmetic depends on the whole batch (dynamic quantisation over a
//     tensor) get one sentence at a time.
//   - Memory is bounded whatever the length of a note: chunks of it are in flight, and
//     the buffers of the runtime belong to the runners. A caller whose context is done
//     returns at once; [Model.Close] waits for the calls that still run.
//   - No text is kept: the cache knows sentences by keyed hashes.
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
