"""train.yaml: read, checked for keys that nobody knows, completed by defaults."""

import copy
import glob
import os
import re

import yaml

DEFAULTS = {
    "name": "pgdeid",
    "seed": 20,
    "precision": "auto",  # bf16 where there is a GPU
    "threads": 1,
    "folders": {"data": "build/train/data", "cache": "build/train/cache", "runs": "build/train/runs", "out": "out/models"},
    "files": {"train": [], "extra": [], "text": [], "dev": [], "evaluate": {}},
    "sources": {},
    "vocabulary": {
        "words": 25000,
        "word_count": 3,
        "phi_weight": 0.2,
        "chars": 200,
        "char_count": 20,
        "word_chars": 20,
        "max_words": 256,
    },
    "networks": {},
    "evaluation": {"threshold": 0.5, "bootstrap": 500, "bias": 0.0, "speed_seconds": 3.0},
    "export": {"opset": 17, "half_embeddings": True, "quantise": True, "parity": 24},
    "shares": {},
}
NETWORK = {
    "kind": None,
    "types": [],
    "front": {},
    "encoder": {},
    "sequence": False,  # score sequences of labels: the CRF layer of the papers
    "vectors": "",  # a file of word vectors to begin with
    "language": {"share": 0.0, "epochs": 1, "steps": 0, "batch": 32, "rate": 2e-3, "warm_up": 0.1, "mask": 0.15, "frequent": 12000},
    "fine_tuning": {
        "epochs": 4,
        "steps": 0,  # the stage ends after so many, if it is not 0
        "batch": 32,
        "rate": 2e-3,
        "warm_up": 0.4,
        "weight_decay": 0.01,
        "clip": 1.0,
        "phi_weight": 1.0,
        "smoothing": 0.0,
        "keep_language": 0.0,
    },
    "change": {
        "word_dropout": 0.3,
        "rare": 20,
        "blank": 0.02,
        "upper": 0.05,
        "lower": 0.06,
        "title": 0.01,
        "phi_upper": 0.03,
        "phi_lower": 0.03,
        "phi_title": 0.0,
        "noise": 0.03,
        "unseen": 0.0,
        "no_record": 0.55,
        "no_rules": 0.3,
        "no_lexicon": 0.1,
    },
    "minutes": 0,
    "export": {},
}
OPEN = {"sources", "networks", "front", "encoder", "evaluate", "bert"}  # keys are free there


def load(path):
    with open(path, encoding="utf-8") as file:
        given = yaml.safe_load(file) or {}
    given.pop("data", None)  # the generator's own settings
    networks = given.pop("networks", None) or {}
    settings = merge(DEFAULTS, given, path)
    shared = given_defaults(networks, path)
    settings["networks"] = {
        name: merge(shared, own or {}, f"{path}, networks.{name}")
        for name, own in networks.items()
        if name != "defaults"
    }
    for name, network in settings["networks"].items():
        check(network, f"{path}, networks.{name}")
    return _expanded(settings)


def check(network, where):
    """Settings that exclude each other."""
    if network["kind"] not in ("lstm", "transformer", "bert", "ann", "pieces"):
        raise ValueError(f"{where}.kind: want lstm, transformer, ann, pieces or bert")
    tags, words = network["fine_tuning"], network["front"].get("word_size", 1)
    if network["kind"] == "bert" and (network["sequence"] or network["vectors"]):
        raise ValueError(f"{where}: sequence and vectors are of words, a bert has wordpieces")
    if network["sequence"] and (tags["phi_weight"] != 1.0 or tags["smoothing"]):
        raise ValueError(f"{where}.sequence: phi_weight and smoothing are of words, not of sequences")
    if not words and (network["vectors"] or network["language"]["share"] or tags["keep_language"]):
        raise ValueError(f"{where}: vectors and a language model need words (word_size)")


def _expanded(settings):
    """train-*.jsonl -> the files that are there, in the order of their numbers."""
    files, out = settings["files"], []
    for entry in files["train"]:
        if isinstance(entry, str) and "*" in entry:
            found = glob.glob(data_file(settings, entry))
            out += sorted(found, key=lambda p: ([int(n) for n in re.findall(r"\d+", os.path.basename(p))], p))
        else:
            out.append(entry)
    files["train"] = out
    return settings


def given_defaults(networks, path):
    return merge(NETWORK, networks.get("defaults") or {}, f"{path}, networks.defaults")


def merge(defaults, given, where):
    """defaults with what is given put over them, blocks within blocks."""
    out = copy.deepcopy(defaults)
    for key, value in given.items():
        if key not in out:
            raise ValueError(f"{where}: no setting is called {key!r}; there are {', '.join(sorted(out))}")
        if isinstance(out[key], dict) and key not in OPEN:
            out[key] = merge(out[key], value or {}, f"{where}, {key}")
        elif isinstance(out[key], dict):
            out[key] = {**out[key], **(value or {})}
        else:
            out[key] = value
    return out


def data_file(settings, name):
    return name if os.path.isabs(name) or os.path.exists(name) else os.path.join(settings["folders"]["data"], name)
