"""Writes a trained network as a model folder: model.onnx, config.json, words.txt,
parity.json, and checks on random padded batches that ONNX Runtime gives what PyTorch
gives, and gives a sentence alone what it gives it in a batch.
"""

import hashlib
import json
import os
import warnings

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

import features
import networks
import pieces
import prepare
import quantise
import weights
from batches import Assembler, in_order
from corpus import Corpus, Store, encode
from labels import Labels
from sequence import Transitions

WORDS, PIECES = ("chars", "words", "gaps", "features"), ("pieces", "begins")
WINDOW = 96  # words across lines and sentences that a network is given at once


def inputs_of(tagger):
    """The names of what a network reads."""
    read = {"features": tagger.front.features is not None, "chars": tagger.front.chars is not None}
    names = tuple(n for n in WORDS if read.get(n, True))
    return names + (PIECES if isinstance(tagger, pieces.Tagger) else ())


def given(tagger, batch):
    """A batch of arrays as a network is called, with None for what it does not read."""
    names = inputs_of(tagger)
    return {n: torch.from_numpy(batch[n]) if n in names else None for n in WORDS + PIECES}


def load_run(settings, name):
    """-> tagger, alphabet, words, labels of a finished run, and all that was saved."""
    saved = weights.load(os.path.join(settings["folders"]["runs"], name, "model.pt"))
    net = settings["networks"][name]
    letters, words, _ = weights.vocabulary(saved)
    labels = Labels(net["types"])
    tagger = pieces.tagger_of(net, letters, words, labels)
    tagger.load_state_dict(saved["tagger"])
    return tagger.eval(), letters, words, labels, saved


def to_onnx(tagger, word_chars, path, opset=17, half=True):
    """The network as plain operations, batch and length free."""
    sample, names = random_batch(np.random.default_rng(1), 2, 7, word_chars, 9, 9, wordpieces(tagger)), inputs_of(tagger)
    axes = {name: {0: "batch", 1: "pieces" if name == "pieces" else "words"} for name in (*names, "logits")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            tagger,
            (),
            path,
            kwargs=given(tagger, sample),
            dynamo=False,
            input_names=list(names),
            output_names=["logits"],
            opset_version=opset,
            dynamic_axes=axes,
        )
    model = onnx.load(path)
    if half:
        halve_embeddings(model)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


# From so many numbers on an embedding is stored as int8. The words of a pre-trained encoder
# (30,522 x 384) would be two thirds of the file as fp16. The encoder normalises each row
# that it looks up, and rounding to a 127th of the row's largest number moves logits less
# than the int8 products of quantise.py do. Embeddings that were trained here are smaller.
BYTES_FROM = 4_000_000


def halve_embeddings(model, least=100_000, bytes_from=BYTES_FROM):
    """Stores large embeddings as fp16, half the size, and very large ones as int8 with a
    scale for each row; what is looked up becomes fp32 again."""
    graph = model.graph
    large = {t.name: t for t in graph.initializer if t.data_type == TensorProto.FLOAT and np.prod(t.dims) >= least}
    readers = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    for name, tensor in large.items():
        nodes = readers.get(name, [])
        if not nodes or any(n.op_type != "Gather" or n.input[0] != name or _axis(n) for n in nodes):
            continue
        table = numpy_helper.to_array(tensor)
        if table.ndim == 2 and table.size >= bytes_from:
            _as_bytes(graph, tensor, table, nodes)
        else:
            tensor.CopyFrom(numpy_helper.from_array(table.astype(np.float16), name))
            for node in nodes:
                _widen(graph, node, [])


def _axis(gather):
    return next((a.i for a in gather.attribute if a.name == "axis"), 0)


def _as_bytes(graph, tensor, table, nodes):
    """table[i] as int8[i] * scale[i]."""
    small, scale = rows_as_bytes(table)
    scales = tensor.name + "_scale"
    tensor.CopyFrom(numpy_helper.from_array(small, tensor.name))
    graph.initializer.append(numpy_helper.from_array(scale, scales))
    for node in nodes:
        of_row = node.output[0] + "_scale"
        _widen(graph, node, [helper.make_node("Gather", [scales, node.input[1]], [of_row], name=of_row)])


def rows_as_bytes(table):
    """-> int8, and the scale of each row [rows, 1]."""
    scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-8).astype(np.float32) / 127
    return np.round(table / scale).astype(np.int8), scale


def _widen(graph, gather, scaling):
    """What gather looks up becomes fp32, and is multiplied by what scaling makes."""
    out = gather.output[0]
    gather.output[0] = out + "_small"
    wide = out + "_wide" if scaling else out
    nodes = scaling + [helper.make_node("Cast", [out + "_small"], [wide], to=TensorProto.FLOAT, name=out + "_cast")]
    if scaling:
        nodes.append(helper.make_node("Mul", [wide, scaling[0].output[0]], [out], name=out + "_scaled"))
    at = list(graph.node).index(gather) + 1
    for i, node in enumerate(nodes):
        graph.node.insert(at + i, node)


def session(path, threads=1):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def wordpieces(tagger):
    """How many wordpieces a network knows, 0 if it reads none."""
    return tagger.encoder.words.num_embeddings if isinstance(tagger, pieces.Tagger) else 0


def random_batch(rng, sentences, longest, word_chars, letters, words, vocabulary=0):
    """Padded sentences of random lengths, the first one of full length; with a vocabulary
    of wordpieces also these."""
    lengths = rng.integers(1, longest + 1, sentences)
    lengths[0] = longest
    inside = np.arange(longest) < lengths[:, None]
    sizes = rng.integers(1, word_chars + 1, (sentences, longest))
    chars = rng.integers(1, letters, (sentences, longest, word_chars))
    chars *= (np.arange(word_chars) < sizes[..., None]) & inside[..., None]
    known = features.OFFSETS + rng.integers(0, features.SIZES, (*inside.shape, len(features.SIZES)))
    made = {
        "chars": chars.astype(np.int64),
        "words": (rng.integers(1, words, inside.shape) * inside).astype(np.int64),
        "gaps": (rng.integers(0, 3, inside.shape) * inside).astype(np.int64),
        "features": np.where(inside[..., None], known, 0).astype(np.int64),
        "lengths": lengths,
    }
    return made | (dict(zip(PIECES, random_pieces(rng, inside, vocabulary))) if vocabulary else {})


def random_pieces(rng, inside, vocabulary):
    """One to three wordpieces for every word, framed and padded, and where they begin."""
    counts = rng.integers(1, 4, inside.shape) * inside
    begins, ends = np.cumsum(counts, axis=1) - counts + 1, counts.sum(axis=1) + 1
    place = np.arange(int(ends.max()) + 1)
    ids = rng.integers(pieces.SEP + 1, vocabulary, (len(inside), len(place))) * (place < ends[:, None])
    ids[:, 0], ids[np.arange(len(ids)), ends] = pieces.CLS, pieces.SEP
    return ids.astype(np.int64), np.where(inside, begins, 0).astype(np.int64)


def alone(batch, row, length, names):
    """A sentence of a batch without its padding."""
    out = {n: batch[n][row : row + 1, :length] for n in names if n != "pieces"}
    if "pieces" in names:
        out["pieces"] = batch["pieces"][row : row + 1, : int((batch["pieces"][row] != 0).sum())]
    return out


def run(sess, batch):
    return sess.run(["logits"], {i.name: batch[i.name] for i in sess.get_inputs()})[0]


ALIKE = 1e-4  # what logits may differ by alone and in a batch: the last digits of a sum
# And what they may differ by from PyTorch's: embeddings in fp16 change the fourth digit,
# bytes the second one.
ROUNDED, BYTES = 2e-2, 0.2


def check(tagger, path, letters, words, rounds=6, against_torch=True):
    """-> the largest difference to PyTorch, and between alone and in a batch. It is an
    error if the first is over what rounding explains, the second over ALIKE, or a label
    differs between alone and in a batch."""
    rng, sess, names = np.random.default_rng(2), session(path), inputs_of(tagger)
    to_torch = apart = 0.0
    for _ in range(rounds):
        batch = random_batch(rng, 8, int(rng.integers(2, 40)), letters.word_chars, len(letters), len(words), wordpieces(tagger))
        got = run(sess, batch)
        with torch.no_grad():
            want = tagger(**given(tagger, batch)).numpy()
        for i, length in enumerate(batch["lengths"]):
            one = run(sess, alone(batch, i, length, names))[0]
            here = got[i, :length]
            apart = max(apart, float(np.abs(one - here).max()))
            to_torch = max(to_torch, float(np.abs(want[i, :length] - here).max()))
            if (one.argmax(1) != here.argmax(1)).any():
                raise AssertionError(f"{path}: a label depends on the batch")
    if apart > ALIKE:
        raise AssertionError(f"{path}: logits alone and in a batch differ by {apart:.1e}")
    if against_torch and to_torch > (BYTES if _has_bytes(path) else ROUNDED):
        raise AssertionError(f"{path}: logits differ from PyTorch by {to_torch:.1e}")
    return {"to PyTorch": to_torch, "alone and in a batch": apart}


def _has_bytes(path):
    return any(t.data_type == TensorProto.INT8 for t in onnx.load(path).graph.initializer)


def config(settings, letters, labels, tagger):
    made = {
        "model_type": "pgdeid-words",
        "architectures": [type(tagger.encoder).__name__],
        "id2label": labels.id2label(),
        "label2id": labels.index,
        "pgdeid": {
            "chars": letters.chars,
            "word_chars": letters.word_chars,
            "max_words": settings["vocabulary"]["max_words"],
            "digits": "0",
        },
    }
    if tagger.front.features is not None:
        made["pgdeid"] |= {"features": len(features.SIZES), "window": WINDOW}
    if isinstance(tagger, pieces.Tagger):
        made["pgdeid"]["pieces"] = {"most": pieces.MOST, "cls": pieces.CLS, "sep": pieces.SEP, "unknown": pieces.UNKNOWN}
    if tagger.sequence is not None:
        made["pgdeid"]["crf"] = tagger.sequence.config()
    return made


# Made up, and chosen to hold what a reader in another language could get wrong: letters
# beyond ASCII, words longer than word_chars, digits, characters that no alphabet knows.
PARITY = [
    ["Seen", "by", "Dr", ".", "Ann", "Moss", "on", "04/27/2004", "."],
    ["MR", ".", "MÜLLER-LÜDENSCHEIDT", "IS", "A", "93", "YEAR", "OLD", "FARMER"],
    ["İpek", "Ørsted", "ÇELİK", "Σίσυφος", "ΟΔΥΣΣΕΥΣ", "李小龙", "😀", "٣٤", "ǅ"],
    ["pneumonoultramicroscopicsilicovolcanoconiosis", "Otorhinolaryngologist", "twenty-charactersxyz"],
    ["lot", "number", "78-32-DK", "MRN", "00123456", "call", "555-0142"],
    ["x"],
]
CLEAR = 0.02  # least difference of the best two labels' logits, or sequences', in parity.json


def parity(sess, corpora, number=24, sequence=None, tokenizer=None):
    """Sentences of corpora with the labels that the network in sess gives them, and the
    columns of what is known of their words."""
    out = []
    for corpus in corpora:
        assemble = assembler(corpus, tokenizer)
        for row in list(range(0, len(corpus), max(1, len(corpus) // max(1, number))))[:number]:
            words, gaps, _ = corpus.sentence(row)
            batch = dense(assemble(np.array([row])), corpus)
            labels, margin = decided(run(sess, batch), sequence)
            if margin < CLEAR:
                continue  # another processor's rounding could decide otherwise
            known = (batch["features"][0] - features.OFFSETS).tolist()
            out.append({"words": words, "gaps": gaps, "features": known, "labels": labels})
    return out


def made_up(letters, words):
    """The corpus of the sentences of PARITY."""
    sentences = [{"words": w, "gaps": [2] + [1] * (len(w) - 1)} for w in PARITY]
    return Corpus([Store(*encode(sentences, 256))], letters, words)


def assembler(corpus, tokenizer):
    return Assembler(corpus, pieces=pieces.Pieces(corpus, tokenizer) if tokenizer else None)


def decided(logits, sequence):
    """[1, W, labels] -> the labels of a sentence, and by how much they are the best."""
    if sequence is not None:
        logits = torch.from_numpy(logits)
        with torch.no_grad():
            path = sequence.best(logits, torch.ones(logits.shape[:2], dtype=torch.bool))[0]
            return path.tolist(), sequence.margin(logits[0])
    top = np.sort(logits[0], axis=1)
    return logits[0].argmax(1).tolist(), float((top[:, -1] - top[:, -2]).min())


def logits_of(sess, corpus, size=32, tokenizer=None):
    """The network's logits over a corpus: [words, labels], in the corpus's order."""
    assemble, out = assembler(corpus, tokenizer), None
    for rows in in_order(corpus, size):
        batch = assemble(rows)
        got = run(sess, dense(batch, corpus))
        if out is None:
            out = np.zeros((len(corpus.tokens), got.shape[2]), np.float32)
        for i, row in enumerate(rows):
            begin, end = corpus.starts[row], corpus.starts[row + 1]
            out[begin:end] = got[i, : end - begin]
    return out


def dense(batch, corpus):
    """A batch as the exported network reads it: every word's characters where it stands."""
    blocks = [np.pad(c.numpy(), ((0, 0), (0, corpus.chars.shape[1] - c.shape[1]))) for c in batch.chars]
    found = {name: getattr(batch, name) for name in ("words", "gaps", "features", *PIECES)}
    return {"chars": np.concatenate(blocks)[batch.spread.numpy()]} | {n: v.numpy() for n, v in found.items() if v is not None}


OTHER = "model-other.onnx"  # the variant that is only measured


def write(settings, name, folder, parity_corpus=None, quantised=False):
    """The model folder without its card. quantised says which of the two variants is
    model.onnx. -> what was measured on the way."""
    options = settings["export"] | settings["networks"][name]["export"]
    tagger, letters, words, labels, _ = load_run(settings, name)
    os.makedirs(folder, exist_ok=True)
    path, other = os.path.join(folder, "model.onnx"), os.path.join(folder, OTHER)
    to_onnx(tagger, letters.word_chars, path, options["opset"], options["half_embeddings"])
    measured = {"parameters": networks.parameters(tagger)}
    measured["fp32"] = check(tagger, path, letters, words)
    if (options["quantise"] or quantised) and quantise.quantise(path, other):
        measured["int8"] = check(tagger, other, letters, words, against_torch=False)
        if quantised:
            os.replace(other, other + ".new")
            os.replace(path, other)
            os.replace(other + ".new", path)
    described = config(settings, letters, labels, tagger)
    save_json(os.path.join(folder, "config.json"), described)
    block = described["pgdeid"].get("crf")
    sequence = Transitions.of(block) if block else None  # as others read it, rounded
    with open(os.path.join(folder, "words.txt"), "w", encoding="utf-8") as file:
        file.writelines(w + "\n" for w in words.words)
    tokenizer = None
    if isinstance(tagger, pieces.Tagger):
        tokenizer = pieces.tokenizer(settings["networks"][name])
        tokenizer.save(os.path.join(folder, "tokenizer.json"))
    corpora = [made_up(letters, words)] + ([parity_corpus] if parity_corpus is not None else [])
    examples = parity(session(path), corpora, options["parity"], sequence, tokenizer)
    save_json(os.path.join(folder, "parity.json"), examples, indent=None)
    return measured


def save_json(path, value, indent=1):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=indent)
        file.write("\n")


def sums(folder, names):
    out = {}
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            out[name] = hashlib.sha256(file.read()).hexdigest()
    return out


def corpus_for(settings, files, letters, words):
    return prepare.corpus(settings, files, letters, words)
