"""Reads a network back out of a model folder, so that training can go on from what is
shipped, which has no weights.pt.

The network is exported anew with weights that are all different. Where one of these turns
up in the graph, the shipped graph has the weight at the same place: as fp32 or fp16, or as
int8 with its scales, which is as exact as the network that runs (see export.py and
quantise.py).
"""

import json
import os
import tempfile

import numpy as np
import onnx
import torch
from onnx import numpy_helper

import alphabet as abc
import export
import pieces
from labels import Labels
from sequence import Transitions


def load(folder, net, counts):
    """-> what weights.load returns for a version of a network of train.yaml: its weights
    and vocabulary. counts says how often a word came in training, which folders don't have."""
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        described = json.load(file)
    with open(os.path.join(folder, "words.txt"), encoding="utf-8") as file:
        words = abc.Words(file.read().split("\n")[:-1])
    letters, labels = abc.Alphabet(described["pgdeid"]["chars"], described["pgdeid"]["word_chars"]), Labels(net["types"])
    if labels.id2label() != described["id2label"]:
        raise ValueError(f"{folder} has other labels than the network of train.yaml")
    tagger = pieces.tagger_of(net, letters, words, labels)
    state = read(tagger, letters, os.path.join(folder, "model.onnx"))
    if tagger.sequence is not None:
        steps = Transitions.of(described["pgdeid"]["crf"]).state_dict()
        state |= {f"sequence.{name}": value for name, value in steps.items()}
    return {
        "tagger": state,
        "chars": letters.chars,
        "word_chars": letters.word_chars,
        "words": words.words,
        "counts": torch.tensor([1] * abc.FIRST_WORD + [int(counts(word)) for word in words.words]),
    }


def read(tagger, letters, path):
    """-> the tagger's state with the weights of an exported network of the same kind."""
    tagger.eval()
    with torch.no_grad():
        for value in tagger.parameters():
            value.normal_()
    with tempfile.TemporaryDirectory() as scratch:
        twin = onnx.load(export.to_onnx(tagger, letters.word_chars, os.path.join(scratch, "twin.onnx"), half=False)).graph
    found = {}
    there = Constants(onnx.load(path).graph)
    own = {name: value.numpy() for name, value in tagger.state_dict().items() if not name.startswith("sequence.")}
    constants = Constants(twin)
    for node in twin.node:
        for place, name in enumerate(node.input):
            if name in constants.values:
                found |= _weights(constants.values[name], node, lambda n=node, p=place: there.at(n, p), own)
    missing = sorted(own.keys() - found.keys())
    if missing:
        raise ValueError(f"{path} is no network of this kind: it lacks {', '.join(missing)}")
    return {name: torch.from_numpy(np.ascontiguousarray(value, dtype=np.float32)) for name, value in found.items()}


class Constants:
    """The weights of a graph by the node that reads them."""

    def __init__(self, graph):
        self.values = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
        self.values |= {n.output[0]: numpy_helper.to_array(n.attribute[0].t) for n in graph.node if n.op_type == "Constant"}
        self.nodes = {n.output[0]: n for n in graph.node}

    def at(self, node, place):
        """-> what the node of this graph reads at a place that makes what node makes elsewhere."""
        out = node.output[0]
        if out + "_w" in self.values:  # a product in int8
            return self.values[out + "_w"].astype(np.float32) * self.values[out + "_t"]
        own = self.nodes.get(out + "_small", self.nodes.get(out))
        if own is None or own.op_type != node.op_type or own.input[place] not in self.values:
            raise ValueError(f"the shipped network has no {node.op_type} {out}: another version of the exporter made it")
        name = own.input[place]
        value = self.values[name].astype(np.float32)
        return value * self.values[name + "_scale"] if name + "_scale" in self.values else value


def _weights(constant, node, shipped, own):
    """-> by name the shipped weights of which the constant holds this network's own."""
    if node.op_type == "LSTM":
        return _of_lstm(constant, shipped, own)
    for name, value in own.items():
        if constant.shape == value.shape and np.array_equal(constant, value):
            return {name: shipped()}
        if constant.shape == value.T.shape and np.array_equal(constant, value.T):
            return {name: shipped().T}
    return {}


def _of_lstm(constant, shipped, own):
    """ONNX has the gates as input, output, forget, cell, PyTorch as input, forget, cell,
    output, and the two biases of a direction are one there."""
    out, parts = {}, 2 if constant.ndim == 2 else 1
    for i, part in enumerate(np.split(constant[0], parts)):
        for name, value in own.items():
            if part.shape == value.shape and np.array_equal(_gates(part), value):
                out[name] = _gates(np.split(shipped()[0], parts)[i])
    return out


def _gates(value):
    enters, leaves, forgets, cell = np.split(value, 4)
    return np.concatenate([enters, forgets, cell, leaves])
