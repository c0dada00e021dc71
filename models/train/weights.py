"""A trained network in one file: weights, vocabulary, how it was trained. Beside an
exported model it is weights.pt, from which the next version can go on."""

import os

import torch

import alphabet as abc


def save(path, network, letters, words, counts):
    saved = network | {
        "chars": letters.chars,
        "word_chars": letters.word_chars,
        "words": words.words,
        "counts": torch.as_tensor(counts),
    }
    torch.save(saved, path + ".new")
    os.replace(path + ".new", path)


def load(path, device="cpu"):
    return torch.load(path, map_location=device, weights_only=True)


def take_over(network, saved):
    """Copies every tensor whose name and shape are those of the network's own. -> their
    names."""
    own = network.state_dict()
    taken = [name for name, value in saved.items() if name in own and own[name].shape == value.shape]
    if not taken:
        raise ValueError("the networks have no layer in common")
    network.load_state_dict(own | {name: saved[name] for name in taken})
    return taken


def widened(network, saved):
    """The saved tensors as the network has them: one that has got further inputs begins
    with zeros for these, and what the saved network had not keeps its beginning."""
    own = network.state_dict()
    out = {}
    for name, value in own.items():
        had = saved.get(name)
        if had is None:
            out[name] = value
        elif had.shape == value.shape:
            out[name] = had
        elif had.dim() == 2 and had.shape[0] == value.shape[0] and had.shape[1] < value.shape[1]:
            out[name] = torch.cat([had, had.new_zeros(value.shape[0], value.shape[1] - had.shape[1])], dim=1)
        else:
            raise ValueError(f"{name} has the shape {tuple(had.shape)}, the network wants {tuple(value.shape)}")
    return out


def vocabulary(saved):
    """-> alphabet, words, how often each word id came in training."""
    letters = abc.Alphabet(saved["chars"], saved["word_chars"])
    return letters, abc.Words(saved["words"]), saved["counts"].numpy()
