"""Made-up sentences that a small network learns in a second or two, and settings to
train it in a folder of the test's own."""

import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import torch  # noqa: E402

import settings as conf  # noqa: E402

torch.set_num_threads(1)  # small products: threads would wait for each other

EVERYTHING = ["NAME", "LOCATION", "AGE", "ORG", "DATE", "ID", "CONTACT", "PROFESSION"]


def name(rng):
    syllables = ("".join((rng.choice("bdfgklmnprstvw"), rng.choice("aeiou"))) for _ in range(rng.randint(2, 3)))
    return "".join(syllables).capitalize()


def sentence(rng):
    words, tags = [], []

    def add(text, kind=None):
        for i, word in enumerate(text.split()):
            words.append(word)
            tags.append("O" if kind is None else ("I-" if i else "B-") + kind)

    what = rng.randrange(4)
    if what == 0:
        add("Seen by Dr")
        add(name(rng) + " " + name(rng), "DOCTOR")
        add("for knee pain")
    elif what == 1:
        add("Mr")
        add(name(rng), "PATIENT")
        add("is")
        add(str(rng.randint(20, 99)), "AGE")
        add("years old")
    elif what == 2:
        add("no chest pain and no fever")
    else:
        add("lives in")
        add(name(rng), "CITY")
    gaps = [2] + [1] * (len(words) - 1)
    group = rng.choice(["", "hispanic", "asian"])
    return {"source": "toy", "words": words, "gaps": gaps, "tags": tags, "covers": EVERYTHING, "group": group}


def write(path, sentences):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(s, ensure_ascii=False) + "\n" for s in sentences)


def settings(folder, **network):
    """Settings with one tiny network called "toy" and its files in folder."""
    rng = random.Random(3)
    write(os.path.join(folder, "train.jsonl"), [sentence(rng) for _ in range(600)])
    write(os.path.join(folder, "held.jsonl"), [sentence(rng) for _ in range(80)])
    given = {
        "folders": {"data": folder, "cache": folder + "/cache", "runs": folder + "/runs", "out": folder + "/out"},
        "files": {"train": ["train.jsonl"], "text": ["train.jsonl"], "evaluate": {"held": "held.jsonl"}},
        "vocabulary": {"word_count": 2, "char_count": 1, "chars": 90},
        "evaluation": {"bootstrap": 20, "speed_seconds": 0.1},
        "precision": "fp32",
        "networks": {"toy": small("lstm") | network},
    }
    path = os.path.join(folder, "train.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(given, file)  # JSON is YAML
    return conf.load(path)


def checkpoint(folder, layers=2):
    """A tiny BERT with random weights and wordpieces of one letter or two, in the Hugging Face
    layout, with [UNK], [CLS] and [SEP] where the English ones have them. -> the network."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertModel

    letters = "abcdefghijklmnopqrstuvwxyz"
    listed = ["[PAD]"] + [f"[unused{i}]" for i in range(99)] + ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    listed += [*letters, *"0123456789.,", *("##" + c for c in letters + "0123456789"), "pa", "##in", "fever"]
    made = Tokenizer(models.WordPiece({w: i for i, w in enumerate(listed)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    made.enable_truncation(4)  # a reader has to undo it
    made.save(os.path.join(folder, "tokenizer.json"))
    torch.manual_seed(1)
    network = BertModel(BertConfig(vocab_size=len(listed), hidden_size=24, num_hidden_layers=layers, num_attention_heads=2, intermediate_size=40,
                                   max_position_embeddings=300, initializer_range=0.3), add_pooling_layer=False)
    for name, value in network.named_parameters():
        if "LayerNorm" in name or name.endswith("bias"):
            torch.nn.init.normal_(value, mean=float("LayerNorm.weight" in name), std=0.2)  # a default could be left out
    network.save_pretrained(folder)
    return network.eval()


def small(kind):
    encoders = {
        "lstm": {"hidden": [24, 24], "dropout": 0.1},
        "transformer": {"width": 64, "layers": 2, "heads": 4, "inner": 96},
        "bert": {},
        "ann": {"hidden": [24], "inner": 24, "dropout": 0.1},
        "pieces": {"layers": 1, "hidden": 16, "project": 12, "dropout": 0.1, "slower": 0.5},
    }
    made = {
        "kind": kind,
        "front": {"char_size": 8, "filters": 8, "word_size": 16, "gap_size": 4},
        "encoder": encoders[kind],
        "fine_tuning": {"epochs": 12, "rate": 1e-2, "warm_up": 0.2, "batch": 16},
    }
    if kind == "pieces":
        del made["front"]["word_size"]
        made["front"]["feature_size"] = 6
    if kind == "ann":
        made["front"] |= {"characters": "lstm", "char_hidden": 8}
        made["sequence"] = True
    return made
