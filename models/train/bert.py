"""Token classifiers of WordPieces in the Hugging Face layout, for sites that have a GPU:
from scratch, or from a checkpoint folder (bert-base-cased, say) that lies on disk.

The tokeniser reads a sentence's text, not its words, because that is what it gets when
the network runs; a piece belongs to the word in which it begins.
"""

import os
import warnings

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from torch import nn
from transformers import BertConfig, BertForTokenClassification

import export
import quantise
import weights
from corpus import title, upper
from labels import UNKNOWN, Labels, Tags

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
MAX_PIECES = 256
DEFAULTS = {"vocabulary": 16000, "hidden": 256, "layers": 4, "heads": 4, "inner": 1024, "checkpoint": ""}


def options_of(net):
    return DEFAULTS | net["encoder"]


def new_tokenizer(corpora, size):
    """A cased WordPiece vocabulary of the training sentences."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=SPECIAL, min_frequency=2, show_progress=False)
    tokenizer.train_from_iterator((text_of(c, row)[0] for c in corpora for row in range(len(c))), trainer)
    _frame(tokenizer)
    return tokenizer


def _frame(tokenizer):
    ids = [(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ids)
    tokenizer.decoder = decoders.WordPiece(prefix="##")


def text_of(corpus, row, change=None):
    """A sentence's text, and at which character each of its words begins."""
    words, gaps, _ = corpus.sentence(row)
    text, begins = [], []
    at = 0
    for i, (word, gap) in enumerate(zip(words, gaps)):
        before = "" if i == 0 or gap == 0 else ("\n" if gap == 2 else " ")
        word = change(word) if change else word
        begins.append(at + len(before))
        text.append(before + word)
        at += len(before) + len(word)
    return "".join(text), np.array(begins)


class PieceCorpus:
    """A corpus as wordpieces, framed by [CLS] and [SEP]: pieces, word and tags [pieces];
    word is the number of the word in its sentence, -1 for the frame."""

    def __init__(self, corpus, tokenizer, change=None, rng=None):
        self.corpus, self.sources, self.source_names = corpus, corpus.sources, corpus.source_names
        self.tag_ids = Tags(corpus.tag_ids.pairs)
        inside = [self._inside(tag, covers) for tag, covers in corpus.tag_ids.pairs]
        self.anything = self.tag_ids.id(UNKNOWN, ())
        pieces, words, tags, starts = [], [], [], [0]
        for first in range(0, len(corpus), 2000):
            rows = range(first, min(first + 2000, len(corpus)))
            texts = [text_of(corpus, row, _case(change, rng)) for row in rows]
            for row, (_, begins), made in zip(rows, texts, tokenizer.encode_batch([t for t, _ in texts])):
                ids, where = np.array(made.ids), np.array([b for b, _ in made.offsets])
                frame = np.array(made.special_tokens_mask) == 1
                word = np.where(frame, -1, np.searchsorted(begins, where, side="right") - 1)
                if len(ids) > MAX_PIECES:  # the end is read by another window when it runs
                    ids, word = np.append(ids[: MAX_PIECES - 1], ids[-1]), np.append(word[: MAX_PIECES - 1], -1)
                gold = corpus.tags[corpus.starts[row] : corpus.starts[row + 1]]
                again = np.append(False, word[1:] == word[:-1])
                tag = np.where(again, np.array(inside)[gold[word]], gold[word])
                pieces.append(ids)
                words.append(word)
                tags.append(np.where(word < 0, self.anything, tag))
                starts.append(starts[-1] + len(ids))
        self.pieces, self.words, self.tags = (np.concatenate(x) for x in (pieces, words, tags))
        self.starts = np.array(starts)
        self.lengths = np.diff(self.starts)

    def __len__(self):
        return len(self.lengths)

    @property
    def tokens(self):
        return self.pieces

    def _inside(self, tag, covers):
        """The tag of the further pieces of a word: B-X goes on as I-X."""
        return self.tag_ids.id("I" + tag[1:], ()) if tag.startswith("B-") else self.tag_ids.id(tag, covers)

    def batch(self, rows):
        """ids, mask and tags [B, W]."""
        lengths = self.lengths[rows]
        place = np.arange(lengths.max())
        inside = place < lengths[:, None]
        at = np.where(inside, self.starts[rows][:, None] + place, 0)
        ids = np.where(inside, self.pieces[at], 0)
        tags = np.where(inside, self.tags[at], self.anything)
        return tuple(torch.from_numpy(x.astype(np.int64)) for x in (ids, inside, tags))


def _case(change, rng):
    """Now and then another case for a whole sentence."""
    if not change:
        return None
    draw = rng.random()
    for name, to in (("upper", upper), ("lower", str.lower), ("title", title)):
        if draw < change.get(name, 0):
            return to
        draw -= change.get(name, 0)
    return None


class Tagger(nn.Module):
    """BertForTokenClassification as a function of ids and mask."""

    def __init__(self, labels, vocabulary, options):
        super().__init__()
        names = {"id2label": dict(enumerate(labels.names)), "label2id": labels.index}
        if options["checkpoint"]:
            made = BertForTokenClassification.from_pretrained(
                options["checkpoint"], attn_implementation="eager", ignore_mismatched_sizes=True, **names
            )
        else:
            made = BertForTokenClassification(
                BertConfig(
                    vocab_size=vocabulary,
                    hidden_size=options["hidden"],
                    num_hidden_layers=options["layers"],
                    num_attention_heads=options["heads"],
                    intermediate_size=options["inner"],
                    max_position_embeddings=512,
                    attn_implementation="eager",
                    **names,
                )
            )
        self.network = made

    def forward(self, input_ids, attention_mask, token_type_ids=None):
        return self.network(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).logits

    def encode(self, ids, mask):
        return self.network.bert(ids, attention_mask=mask).last_hidden_state


class LanguageHead(nn.Module):
    """The masked language model's output, tied to the embeddings."""

    def __init__(self, tagger):
        super().__init__()
        size = tagger.network.config.hidden_size
        self.project, self.norm = nn.Linear(size, size), nn.LayerNorm(size)
        self.bias = nn.Parameter(torch.zeros(tagger.network.config.vocab_size))

    def forward(self, encoded, embedding):
        return nn.functional.linear(self.norm(torch.nn.functional.gelu(self.project(encoded))), embedding, self.bias)


def masked(ids, inside, rng, share, mask_id, vocabulary):
    """-> ids with pieces hidden, and the targets: -100 where nothing is asked."""
    chosen = inside & (ids >= len(SPECIAL)) & torch.from_numpy(rng.random(ids.shape) < share)
    draw = torch.from_numpy(rng.random(ids.shape))
    targets = torch.where(chosen, ids, -100)
    hidden = torch.where(chosen & (draw < 0.8), mask_id, ids)
    other = torch.from_numpy(rng.integers(len(SPECIAL), vocabulary, ids.shape))
    return torch.where(chosen & (draw >= 0.9), other, hidden), targets


class Work:
    """A step's loss, as train.Work has it for words."""

    def __init__(self, run, name, corpus, options, rng, loss):
        self.run, self.name, self.corpus, self.options, self.rng, self.loss = run, name, corpus, options, rng, loss

    def step(self, rows):
        run = self.run
        ids, inside, tags = self.corpus.batch(rows)
        size = int(inside.sum())
        with torch.autocast(run.device, torch.bfloat16, enabled=run.low):
            if self.name == "language":
                return self.language(ids, inside), size
            logits = run.tagger(ids.to(run.device), inside.to(run.device))
        return self.loss(logits, tags.to(run.device)), size

    def language(self, ids, inside):
        run = self.run
        table = run.tagger.network.bert.embeddings.word_embeddings.weight
        mask_id = run.tokenizer.token_to_id("[MASK]")
        ids, targets = masked(ids, inside.bool(), self.rng, run.net["language"]["mask"], mask_id, len(table))
        encoded = run.tagger.encode(ids.to(run.device), inside.to(run.device))
        asked = targets >= 0
        if not bool(asked.any()):
            return encoded.sum() * 0.0
        guesses = run.language(encoded[asked.to(run.device)], table)
        return nn.functional.cross_entropy(guesses.float(), targets[asked].to(run.device))


def write(settings, name, folder, quantised=False):
    """The model folder in the Hugging Face layout, without its card. -> what was measured."""
    options = settings["export"] | settings["networks"][name]["export"]
    runs = os.path.join(settings["folders"]["runs"], name)
    labels = Labels(settings["networks"][name]["types"])
    tokenizer = Tokenizer.from_file(os.path.join(runs, "tokenizer.json"))
    tagger = Tagger(labels, tokenizer.get_vocab_size(), options_of(settings["networks"][name]))
    tagger.load_state_dict(weights.load(os.path.join(runs, "model.pt"))["tagger"])
    tagger.eval()
    os.makedirs(folder, exist_ok=True)
    path, other = os.path.join(folder, "model.onnx"), os.path.join(folder, export.OTHER)
    to_onnx(tagger, path, options["opset"])
    if (options["quantise"] or quantised) and quantise.quantise(path, other):
        if quantised:
            os.replace(other, other + ".new")
            os.replace(path, other)
            os.replace(other + ".new", path)
    tagger.network.config.save_pretrained(folder)
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
    return {"parameters": sum(p.numel() for p in tagger.parameters()), "fp32": check(tagger, path if not quantised else other)}


INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def to_onnx(tagger, path, opset):
    sample = (torch.ones(2, 5, dtype=torch.long),) * 2 + (torch.zeros(2, 5, dtype=torch.long),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            tagger,
            sample,
            path,
            dynamo=False,
            input_names=list(INPUTS),
            output_names=["logits"],
            opset_version=opset,
            dynamic_axes={n: {0: "batch", 1: "pieces"} for n in (*INPUTS, "logits")},
        )


def check(tagger, path):
    """-> the largest difference to PyTorch on padded batches of several sizes."""
    rng, sess, most = np.random.default_rng(4), export.session(path), 0.0
    for sentences, longest in ((1, 3), (4, 17), (3, 40)):
        lengths = rng.integers(1, longest + 1, sentences)
        inside = (np.arange(lengths.max()) < lengths[:, None]).astype(np.int64)
        ids = rng.integers(5, tagger.network.config.vocab_size, inside.shape) * inside
        got = sess.run(["logits"], dict(zip(INPUTS, (ids, inside, inside * 0))))[0]
        with torch.no_grad():
            want = tagger(torch.from_numpy(ids), torch.from_numpy(inside)).numpy()
        most = max(most, float(np.abs((got - want) * inside[..., None]).max()))
    if most > 1e-3:
        raise AssertionError(f"{path}: logits differ from PyTorch by {most:.1e}")
    return {"to PyTorch": most}


def logits_of(sess, tokenizer, corpus, size=32):
    """[words, labels]: logarithms of a word's probabilities, as the ensemble puts together
    those of its pieces: of each label the highest; it begins where its first piece does."""
    made = PieceCorpus(corpus, tokenizer)
    out = None
    rows = np.argsort(made.lengths, kind="stable")
    for at in range(0, len(rows), size):
        part = rows[at : at + size]
        ids, inside, _ = (x.numpy() for x in made.batch(part))
        logits = sess.run(["logits"], dict(zip(INPUTS, (ids, inside, inside * 0))))[0]
        if out is None:
            out = np.zeros((len(corpus.tokens), logits.shape[2]), np.float32)
            out[:, 0] = 1e-3  # words that no piece is left of
        odds = np.exp(logits - logits.max(axis=2, keepdims=True))
        odds /= odds.sum(axis=2, keepdims=True)
        for i, row in enumerate(part):
            words = made.words[made.starts[row] : made.starts[row + 1]]
            begin = corpus.starts[row]
            for place in np.flatnonzero(words >= 0):
                word = out[begin + words[place]]
                word[1:] = np.maximum(word[1:], odds[i, place, 1:])
    out[:, 0] = np.maximum(1 - out[:, 1:].sum(axis=1), 1e-6)
    return np.log(np.maximum(out, 1e-9))


def parity(sess, tokenizer, corpus, number=24):
    """Sentences with the label of each word's first piece."""
    out = []
    made = PieceCorpus(corpus, tokenizer)
    for row in range(0, len(corpus), max(1, len(corpus) // number)):
        ids, inside, _ = (x.numpy() for x in made.batch(np.array([row])))
        logits = sess.run(["logits"], dict(zip(INPUTS, (ids, inside, inside * 0))))[0][0]
        top = np.sort(logits, axis=1)
        words, gaps, _ = corpus.sentence(row)
        of = made.words[made.starts[row] : made.starts[row + 1]]
        first = [int(np.flatnonzero(of == i)[0]) if (of == i).any() else -1 for i in range(len(words))]
        if min(first) >= 0 and (top[:, -1] - top[:, -2]).min() >= export.CLEAR:
            out.append({"words": words, "gaps": gaps, "labels": [int(logits[p].argmax()) for p in first]})
    return out[:number]
