"""The card of a model: what it is made of and how well it does, card.json for "pgdeid
models" (the Go type models.Card) and card.md for people."""

import datetime
import json
import os

import export

LICENCE = "Apache-2.0"

# Licences of the open sources that training sentences may come from.
LICENCES = {
    "templates": "Apache-2.0",
    "lists": "Apache-2.0",
    "negatives": "Apache-2.0",
    "notes": "Apache-2.0",
    "mtsamples": "CC0-1.0",
    "mts-dialog": "CC-BY-4.0",
    "aci-bench": "CC-BY-4.0",
    "ccda": "CC-BY-4.0 AND CC0-1.0",
    "ccda-samples": "CC-BY-4.0 AND CC0-1.0",
    "general-ner": "CC-BY-4.0 AND CC-BY-SA-4.0",
    "lifebench-pii": "Apache-2.0",
    "labelled": "MIT",
    "medquad": "CC-BY-4.0",
    "text": "CC0-1.0 AND CC-BY-4.0",
}

DESCRIPTIONS = {
    "lstm": "Characters and known words into LSTMs in both directions, trained from scratch on open texts filled with made-up PHI.",
    "transformer": "Characters and known words into a small transformer, trained as a language model and then on open texts filled with made-up PHI.",
    "pieces": "WordPieces into the first layers of a pre-trained encoder, beside characters and what is known of each word, then LSTMs in both "
    "directions; trained on open texts filled with made-up PHI.",
    "bert": "WordPieces into a BERT token classifier, fine-tuned on open texts filled with made-up PHI.",
}


CHARACTERS = {
    "lstm": "Characters (an LSTM in each direction) and ",
    "cnn": "Characters (convolutions) and ",
    "none": "",
}


def describe(kind, network):
    """A sentence for people."""
    if kind != "ann":
        return DESCRIPTIONS[kind]
    front = network["front"]
    parts = CHARACTERS[front.get("characters", "cnn")] + "known words" if front.get("word_size", 1) else "Characters"
    steps = ", whose labels are scored as sequences" if network["sequence"] else ""
    return f"{parts} into LSTMs in both directions{steps}, trained on open texts filled with made-up PHI."


def data_of(stores):
    """-> rows of sentences by source."""
    counts = {}
    for store in stores:
        for number, name in enumerate(store.source_names):
            counts[name] = counts.get(name, 0) + int((store.sources == number).sum())
    return [
        {"source": name or "unnamed", "licence": LICENCES.get(name, "as its owner says"), "sentences": number}
        for name, number in sorted(counts.items(), key=lambda x: -x[1])
    ]


def make(name, kind, version, base, stores, seeds, config, figures, speed, parameters, folder, files):
    return {
        "name": name,
        "version": version,
        "kind": kind,
        "created": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "base": base,
        "description": describe(kind, config["network"]),
        "licence": LICENCE,
        "data": data_of(stores),
        "seeds": seeds,
        "config": config,
        "figures": figures,
        "sentences_per_second": speed,
        "parameters": parameters,
        "sha256": export.sums(folder, files),
    }


def write(card, folder):
    export.save_json(os.path.join(folder, "card.json"), card)
    with open(os.path.join(folder, "card.md"), "w", encoding="utf-8") as file:
        file.write(markdown(card))


def markdown(card):
    out = [f"# {card['name']}, version {card['version']}", "", card["description"], ""]
    out += [
        f"* Kind: {card['kind']}, {card['parameters']:,} parameters",
        f"* Trained from {_start(card)}, finished {card['created']}",
        f"* Licence of the weights: {card['licence']}",
        "* Seeds: " + ", ".join(f"{k} {v}" for k, v in card["seeds"].items()),
        "* Sentences of 22 words a second: " + "; ".join(f"{k}: {v:,.0f}" for k, v in card["sentences_per_second"].items()),
        "",
        "## Data",
        "",
        "All PHI in it is made up. Names are drawn from public counts, texts are open.",
        "",
        "| source | licence | sentences |",
        "| --- | --- | ---: |",
    ]
    out += [f"| {d['source']} | {d['licence']} | {d['sentences']:,} |" for d in card["data"]]
    out += [
        "",
        "## Figures",
        "",
        "Of words, in percent, on sets with contexts and names that training has not seen; in brackets 95 % intervals",
        "(bootstrap over sentences). ANY counts a word as found whatever it was taken for.",
    ]
    for variant, title in ((_plain, ""), (_normalised, ", upper-case words in title case"), (_int8, ", int8")):
        rows = [f for f in card["figures"] if variant(f) and not f["group"]]
        for name in dict.fromkeys(f["set"] for f in rows):
            out += ["", f"### {name}{title}", ""]
            out += ["| class | type | precision | recall | F1 | words |", "| --- | --- | ---: | ---: | ---: | ---: |"]
            out += [_row(f) for f in rows if f["set"] == name]
    out += _groups(card)
    out += ["", "## Configuration", "", "```json", json.dumps(card["config"], indent=1, ensure_ascii=False), "```", ""]
    out += ["## Files", ""] + [f"* `{n}` {h}" for n, h in card["sha256"].items()]
    return "\n".join(out) + "\n"


def _start(card):
    if not card["base"]:
        return "random weights"
    taken = card["config"].get("layers")
    if not taken:
        return card["base"]
    parts = ", ".join(dict.fromkeys(name.split(".")[0] for name in taken))
    return f"{len(taken)} tensors of {card['base']} ({parts}), the others from random weights"


def _plain(f):
    return not f["quantised"] and not f.get("normalised")


def _normalised(f):
    return not f["quantised"] and f.get("normalised", False)


def _int8(f):
    return f["quantised"]


def _row(f):
    return (
        f"| {f['class']} | {f['type']} | {_percent(f['precision'], f.get('precision_ci'))} | "
        f"{_percent(f['recall'], f.get('recall_ci'))} | {100 * f['f1']:.1f} | {f['gold']:,} |"
    )


def _percent(value, interval):
    text = f"{100 * value:.1f}"
    return text if not interval else f"{text} [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def _groups(card):
    rows = [f for f in card["figures"] if f["group"] and _plain(f)]
    if not rows:
        return []
    out = ["", "## Names by group", "", "| set | group | precision | recall | words |", "| --- | --- | ---: | ---: | ---: |"]
    out += [
        f"| {f['set']} | {f['group']} | {_percent(f['precision'], f.get('precision_ci'))} | "
        f"{_percent(f['recall'], f.get('recall_ci'))} | {f['gold']:,} |"
        for f in rows
    ]
    return out
