"""What the parts of the network of Dernoncourt et al. (2017) are worth (figure 4): trains
the variants of train.yaml that leave one out, each alike, and writes a table.

    python models/train/ablate.py --steps 1500

Steps and not minutes, unless asked for: other work on the machine takes minutes away.
Weights and models go into build/train/runs/ablation; train.yaml's runs stay as they are.
"""

import argparse
import copy
import os
from functools import partial

import torch

import evaluate
import export
import prepare
import settings as conf
import train

VARIANTS = ("ann", "ann-no-sequence", "ann-no-pretraining", "ann-no-words", "ann-no-characters", "ann-no-dropout", "ann-cnn")
HEAD = "| variant | steps | set | words: precision | recall | F1 | entities: precision | recall | F1 |"


def trained(settings, name, steps, minutes):
    """Trains a variant. -> its exported folder, without a card, and how many steps on tags
    it made."""
    net = settings["networks"][name]
    net["fine_tuning"]["steps"], net["language"]["steps"] = steps, steps // 5
    run = train.Run(settings, name, minutes)
    run.train()
    folder = os.path.join(settings["folders"]["runs"], name, "model")
    export.write(settings, name, folder)
    return folder, run.state["steps"]["tags"]["steps"]


def rows(folder, settings, sets):
    """-> lines of the table: words found as any PHI (binary, as the paper's), and entities
    whose class and ends are right."""
    model, options = evaluate.Exported(folder), settings["evaluation"] | {"bootstrap": 0}
    for name, files in sets.items():
        corpus = model.corpus(settings, files if isinstance(files, list) else [files])
        result = evaluate.Result(name, corpus, *model.logits(corpus), model.labels, options)
        words = next(f for f in result.figures() if f["class"] == evaluate.ANY)
        precision, recall, f1, _ = result.entity_rates()
        figures = [words["precision"], words["recall"], words["f1"], precision[-1], recall[-1], f1[-1]]
        yield f"| {name} | " + " | ".join(f"{100 * x:.1f}" for x in figures) + " |"


def ablate(settings, variants, steps, minutes=0.0, show=partial(print, flush=True)):
    """Shows the table, a line when it is known."""
    settings = copy.deepcopy(settings)
    settings["folders"]["runs"] = os.path.join(settings["folders"]["runs"], "ablation")
    sets = {
        name: files
        for name, files in settings["files"]["evaluate"].items()
        if all(os.path.exists(conf.data_file(settings, f)) for f in (files if isinstance(files, list) else [files]))
    }
    show(f"{HEAD}\n| --- | ---: | --- |" + " ---: |" * 6)
    for name in variants:
        folder, made = trained(settings, name, steps, minutes)
        for row in rows(folder, settings, sets):
            show(f"| {name} | {made:,} {row}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="models/train/train.yaml")
    parser.add_argument("--steps", type=int, default=1500, help="on tags, for each variant; a fifth as many of the language model; 0 for no limit")
    parser.add_argument("--minutes", type=float, default=0.0, help="for each variant; 0 for no limit")
    parser.add_argument("variants", nargs="*", metavar="NETWORK", help="of train.yaml, instead of all variants")
    args = parser.parse_args()
    settings = conf.load(args.config)
    torch.set_num_threads(settings["threads"])
    if not os.path.exists(os.path.join(settings["folders"]["cache"], "words.txt")):
        prepare.prepare(settings)
    ablate(settings, args.variants or VARIANTS, args.steps, args.minutes)


if __name__ == "__main__":
    main()
