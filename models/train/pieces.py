"""Networks that begin with a pre-trained encoder: wordpieces of each word go through the
layers of a BERT, and of each word the first piece's state is joined by what the encoder
can't see (letters in their case, white space, columns of what is known) before an LSTM in
each direction reads the words and labels them.

Further inputs are pieces [B, P], the wordpieces of all words between [CLS] and [SEP], and
begins [B, W], where each word's first piece is, both padded with 0.
"""

import importlib.util
import json
import os

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn

import networks
from networks import BiLSTM, Front, turned

MOST = 6  # pieces of a word that are read
CLS, SEP, UNKNOWN = 101, 102, 100


def checkpoint(name):
    """"package:NAME/FOLDER" is a folder of an installed Python package, else a path."""
    if not name.startswith("package:"):
        return name
    package, _, folder = name.removeprefix("package:").partition("/")
    found = importlib.util.find_spec(package)
    if found is None:
        raise FileNotFoundError(f"the package {package} is not installed: it has the encoder's weights")
    return os.path.join(os.path.dirname(found.origin), folder)


class Pieces:
    """Makes wordpieces of a corpus's forms."""

    def __init__(self, corpus, tokenizer):
        self.ids = np.zeros((len(corpus.forms) + 1, MOST), np.int64)
        self.ids[:, 0] = UNKNOWN
        for begin in range(0, len(corpus.forms), 10_000):
            forms = corpus.forms[begin : begin + 10_000]
            for i, made in enumerate(tokenizer.encode_batch(forms, add_special_tokens=False)):
                ids = made.ids[:MOST]
                if ids:
                    self.ids[begin + i, : len(ids)] = ids
        self.counts = (self.ids != 0).sum(axis=1)

    def __call__(self, forms, inside, unseen=None):
        """forms, inside, unseen [B, W] -> pieces [B, P], begins [B, W]. Of unseen words the
        encoder is not told what they are."""
        counts = np.where(inside, self.counts[forms], 0)
        if unseen is not None:
            counts = np.where(unseen & inside, 1, counts)
        begins = np.cumsum(counts, axis=1) - counts + 1
        ends = counts.sum(axis=1) + 1
        pieces = np.zeros((len(forms), int(ends.max()) + 1), np.int64)
        for k in range(MOST):
            row, word = np.nonzero(counts > k)
            pieces[row, begins[row, word] + k] = self.ids[forms[row, word], k]
        if unseen is not None:
            row, word = np.nonzero(unseen & inside)
            pieces[row, begins[row, word]] = UNKNOWN
        pieces[:, 0] = CLS
        pieces[np.arange(len(pieces)), ends] = SEP
        return torch.from_numpy(pieces), torch.from_numpy(np.where(inside, begins, 0))


class Layer(nn.Module):
    """A layer of BERT: attention and two linear maps, each added and then normalised."""

    def __init__(self, size, heads, inner, dropout):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.norm1, self.norm2 = nn.LayerNorm(size, eps=1e-12), nn.LayerNorm(size, eps=1e-12)
        self.grow, self.shrink = nn.Linear(size, inner), nn.Linear(inner, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, blocked):
        batch, length, size = x.shape
        query, keys, values = self.qkv(x).reshape(batch, length, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        scores = (query @ keys.transpose(2, 3)) * (size // self.heads) ** -0.5 + blocked
        mixed = torch.softmax(scores, dim=3).to(values.dtype) @ values
        x = self.norm1(x + self.out(mixed.permute(0, 2, 1, 3).reshape(batch, length, size)))
        return self.norm2(x + self.dropout(self.shrink(F.gelu(self.grow(x)))))


class Encoder(nn.Module):
    """The embeddings and the first layers of a BERT."""

    def __init__(self, vocabulary, size, layers, heads, inner, positions, dropout):
        super().__init__()
        self.words, self.positions = nn.Embedding(vocabulary, size), nn.Embedding(positions, size)
        self.norm = nn.LayerNorm(size, eps=1e-12)
        self.layers = nn.ModuleList(Layer(size, heads, inner, dropout) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.out = size

    @classmethod
    def of(cls, folder, layers, dropout):
        """The encoder of a checkpoint in the Hugging Face layout, without its last layers."""
        from safetensors.torch import load_file

        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            made = json.load(file)
        encoder = cls(made["vocab_size"], made["hidden_size"], layers, made["num_attention_heads"], made["intermediate_size"],
                      made["max_position_embeddings"], dropout)
        encoder.take(load_file(os.path.join(folder, "model.safetensors")))
        return encoder

    def take(self, saved):
        """Copies the weights of a BERT. The embedding of the first segment is part of that of places."""
        saved = {name.removeprefix("bert."): value for name, value in saved.items()}
        with torch.no_grad():
            self.words.weight.copy_(saved["embeddings.word_embeddings.weight"])
            self.positions.weight.copy_(saved["embeddings.position_embeddings.weight"] + saved["embeddings.token_type_embeddings.weight"][0])
            _copy(self.norm, saved, "embeddings.LayerNorm")
            for i, layer in enumerate(self.layers):
                begin = f"encoder.layer.{i}."
                parts = [begin + "attention.self." + name for name in ("query", "key", "value")]
                layer.qkv.weight.copy_(torch.cat([saved[p + ".weight"] for p in parts]))
                layer.qkv.bias.copy_(torch.cat([saved[p + ".bias"] for p in parts]))
                _copy(layer.out, saved, begin + "attention.output.dense")
                _copy(layer.norm1, saved, begin + "attention.output.LayerNorm")
                _copy(layer.grow, saved, begin + "intermediate.dense")
                _copy(layer.shrink, saved, begin + "output.dense")
                _copy(layer.norm2, saved, begin + "output.LayerNorm")

    def forward(self, pieces):
        blocked = (pieces == 0).to(self.words.weight.dtype)[:, None, None, :] * -1e4
        places = torch.arange(pieces.shape[1], device=pieces.device)
        x = self.dropout(self.norm(self.words(pieces) + self.positions(places)))
        for layer in self.layers:
            x = layer(x, blocked)
        return x


def _copy(layer, saved, name):
    layer.weight.copy_(saved[name + ".weight"])
    layer.bias.copy_(saved[name + ".bias"])


class Tagger(nn.Module):
    """Encoder and front, an LSTM in each direction over the words, a linear map to the labels."""

    def __init__(self, alphabet, words, labels, encoder, front=None, hidden=128, project=192, dropout=0.1, slower=0.1):
        """slower: the encoder's learning rate, as a share of that of the rest."""
        super().__init__()
        self.front = Front(alphabet, words, word_size=0, **(front or {}))
        self.encoder = encoder
        self.project = nn.Linear(encoder.out, project)
        self.read = BiLSTM(self.front.out + project, hidden)
        self.dropout = nn.Dropout(dropout)
        self.labels = nn.Linear(2 * hidden, labels)
        self.sequence = None
        encoder.words.weight.requires_grad = False  # few of its rows would ever be met
        for weight in encoder.parameters():
            weight.slower = slower

    def forward(self, chars, words, gaps, features, pieces, begins, spread=None):
        states = self.encoder(pieces)
        first = states.gather(1, begins.unsqueeze(2).expand(-1, -1, states.shape[2]))
        x = torch.cat([torch.relu(self.project(first)), self.front(chars, words, gaps, features, spread)], dim=2)
        return self.labels(self.dropout(self.read(self.dropout(x), turned(words))))


def make(settings_of, letters, words, labels):
    """The tagger that a network of train.yaml asks for, with the checkpoint's weights."""
    options = dict(settings_of["encoder"])
    name, layers = options.pop("checkpoint"), options.pop("layers")
    encoder = Encoder.of(checkpoint(name), layers, options.get("dropout", 0.1))
    return Tagger(len(letters), len(words), len(labels), encoder, settings_of["front"], **options)


def tagger_of(net, letters, words, labels):
    """The tagger of any network of words in train.yaml."""
    if net["kind"] == "pieces":
        return make(net, letters, words, labels)
    return networks.Tagger(
        net["kind"], len(letters), len(words), len(labels), net["front"], net["encoder"], net["sequence"]
    )


def tokenizer(settings_of):
    made = Tokenizer.from_file(os.path.join(checkpoint(settings_of["encoder"]["checkpoint"]), "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made
