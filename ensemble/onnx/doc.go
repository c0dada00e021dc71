// Package onnx runs neural members of the ensemble: token classifiers that say of each
// word of a sentence which type of PHI it is. It binds ONNX Runtime, which is loaded
// when [Open] is called, and Hugging Face tokenizers, which is linked in, and is the
// only package with cgo.
//
// # Flow
//
//	folder ─ SHA-256 checked ─ [Runtime.Load] ─ [Model] ─ [Model.Member] ─ ensemble.Detector, ensemble.Scorer
//
//	note ─ sentences, or what is asked with the words around it ─ segments ─ known? ─ cache
//	         │ no
//	         ├─ words as numbers, wordpieces, or both
//	         ├─ queue ─ batches of one network and about one length ─ runners, one a core
//	         │    `── windows of any kind ─ another machine, whose queue they join ([Runtime.SendAway], [Runtime.Answer])
//	         └─ probabilities of the types, by word; the best sequence of labels
//	Score:  probabilities of the words that are asked
//	Detect: thresholds and bias ─ words that are PHI ─ spans
//
// A [Model] is shared by its members, which differ in the types they report, in their
// thresholds and in whether capitals are normalised: what one of them had looked at is
// answered to the others from the cache.
//
// # Three kinds of models
//
// Models in the layout of Hugging Face's exports read wordpieces: a folder with
// model.onnx, tokenizer.json and config.json with id2label, whatever the scheme of its
// labels (BIO, BIOES, BILOU, IOB1, plain). "optimum-cli export onnx" writes one; a label
// map defines what its labels mean (ModelOptions.Labels).
//
// Networks with a character front (model_type "pgdeid-words") read the words of a note.
// A third kind of network reads words and the wordpieces of each. Both are described by
// the block "pgdeid" of config.json:
//
//	"pgdeid": {"chars": "abc…", "word_chars": 20, "max_words": 256, "digits": "0",
//	  "features": 10, "window": 96, "pieces": {"most": 6, "cls": 101, "sep": 102, "unknown": 100}}
//
// Their inputs are int64, B windows of at most W words each, padded with 0:
//
//	chars    [B, W, word_chars]  characters of the word; 1 to 4 for unknown capitals, letters, digits, others
//	words    [B, W]              number of the word in words.txt from 2 on; 1 for an unknown one
//	gaps     [B, W]              before the word: 0 nothing, 1 a blank, 2 a line break
//	features [B, W, 10]          what is known of the word: values of features.Columns, each with
//	                             the offset of its column
//	pieces   [B, P]              [CLS], the wordpieces of all words, [SEP]
//	begins   [B, W]              where in pieces the word begins
//
// The output is [B, W, labels]. A network has the input features where the block names
// their number, and pieces and begins where it has "pieces"; its folder then has
// tokenizer.json as well. Each word is cut into wordpieces for itself. Of a word "most"
// pieces are read, fewer if those of a window were too many for the network's positions
// (max_position_embeddings, or 512), and a word without any is "unknown".
//
// # Sentences and windows
//
// Without "window" a network reads sentences, long ones in overlapping segments of
// max_words. With it, it reads a note across its lines and sentences: what is asked, with
// 12 words before and 8 after it, or all of the note, in windows of so many words that
// overlap by 16. Of each word counts what the window says in which it has most context.
// Windows depend on nothing but the note and what is asked.
//
// # Sequences of labels
//
// A network with a character front may end in a layer that scores whole sequences of
// labels: the label sequence optimisation of Dernoncourt et al. (2017), the CRF of
// BLSTM-CNNs-CRF. What it learned about steps from label to label is in config.json:
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
//   - Every word that is asked counts in one segment, and every wordpiece of a model that
//     reads nothing else in one window. Every character that can mean something is in a
//     wordpiece of such a model; where that can't be shown, Detect fails, and the note is
//     not published. Networks that read words as well see the characters at both ends of a
//     long one.
//   - What a network says of a segment does not depend on what else is in flight.
//     Graphs whose arithmetic depends on the whole batch (dynamic quantisation over a
//     tensor) get one sentence at a time.
//   - Memory is bounded whatever the length of a note: chunks of it are in flight, and
//     the buffers of the runtime belong to the runners. A caller whose context is done
//     returns at once; [Model.Close] waits for the calls that still run.
//   - A window that another machine does not answer, or answers with what can't be of that window, is run here: see
//     package models/remote.
//   - No sentence is kept: the cache knows them by keyed hashes. The wordpieces of single
//     short words are kept, as many as fit into a few megabytes.
//
// # The build tag native
//
// Linking needs libtokenizers.a, which has to be built first (make native). So that
// everything else builds, vets and tests with a plain "go build ./...", the bindings
// need the build tag native; without it [Open] and [NewTokenizer] return
// [ErrNotBuilt]. "make build" and "make test" set the tag and the path of the library.
//
// The ensemble's rules need neither library: a program that finds none runs without
// neural members.
package onnx
