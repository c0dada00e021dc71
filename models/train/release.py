"""Makes the next version of a model from a finished run: exports it, measures it on all
sets, writes its card.

    python models/train/release.py --network lstm
"""

import argparse
import json
import os
import re
import shutil

import card
import evaluate
import export
import prepare
import settings as conf
import weights


def next_version(out, kind):
    """-> folder and number of the version after the last one in out."""
    numbers = [0]
    if os.path.isdir(out):
        for name in os.listdir(out):
            found = re.fullmatch(re.escape(kind) + r"-v(\d+)", name)
            if found:
                numbers.append(int(found.group(1)))
    version = max(numbers) + 1
    return os.path.join(out, f"{kind}-v{version}"), version


def base_of(path):
    """out/models/lstm-v1/weights.pt, lstm-v1.pt and the model folder of that version -> lstm-v1"""
    if os.path.isdir(path or ""):
        with open(os.path.join(path, "card.json"), encoding="utf-8") as file:
            card = json.load(file)
        return f"{card['name'].removeprefix('pgdeid-')}-v{card['version']}"
    folder, name = os.path.split(path or "")
    return os.path.basename(folder) if name == "weights.pt" else os.path.splitext(name)[0]


def examples_of(settings):
    """The first held-out file that is there, for parity.json; None without one."""
    for files in settings["files"]["evaluate"].values():
        files = files if isinstance(files, list) else [files]
        if all(os.path.exists(conf.data_file(settings, f)) for f in files):
            return files
    return None


def written(settings, name, folder, quantised):
    """Writes the folder but its card. -> what was measured, the files that are read to run it."""
    files = examples_of(settings)
    kind = settings["networks"][name]["kind"]
    if kind != "bert":
        _, letters, words, _, _ = export.load_run(settings, name)
        examples = export.corpus_for(settings, files, letters, words) if files else None
        measured = export.write(settings, name, folder, examples, quantised)
        return measured, ["model.onnx", "config.json", "words.txt", "parity.json"] + ["tokenizer.json"] * (kind == "pieces")
    import bert

    measured = bert.write(settings, name, folder, quantised)
    model = evaluate.Exported(folder)
    examples = bert.parity(model.session, model.tokenizer, model.corpus(settings, files)) if files else []
    if examples:
        export.save_json(os.path.join(folder, "parity.json"), examples, indent=None)
    return measured, ["model.onnx", "config.json", "tokenizer.json"] + ["parity.json"] * bool(examples)


def release(settings, name, quantised=False, misses=None):
    """quantised: the int8 network becomes model.onnx. -> the folder."""
    net = settings["networks"][name]
    folder, version = next_version(settings["folders"]["out"], name)
    stores = prepare.stores(settings, prepare.names_of(settings))
    work = folder + ".new"
    os.makedirs(work, exist_ok=True)
    runs = os.path.join(settings["folders"]["runs"], name)
    run = weights.load(os.path.join(runs, "model.pt"))
    measured, files = written(settings, name, work, quantised)
    variants = [("model.onnx", quantised)]
    if os.path.exists(os.path.join(work, export.OTHER)):
        variants.append((export.OTHER, not quantised))
    figures, speeds, curves = [], {}, {}
    for onnx, small in variants:
        rows, by_set = evaluate.evaluate(work, settings, None, onnx, misses if onnx == "model.onnx" else None)
        figures += [r | {"quantised": small} for r in rows]
        if not small and "NAME" in evaluate.Exported(work, onnx).labels.classes:
            rows, _ = evaluate.evaluate(work, settings, None, onnx, show=lambda text: None, normalise=True)
            figures += [r | {"quantised": small, "normalised": True} for r in rows if r["class"] == "NAME"]
        kind = "int8" if small else "fp32"
        speeds[f"1 core, {kind}"] = round(evaluate.speed(work, onnx, settings["evaluation"]["speed_seconds"]))
        curves[kind] = by_set
    made = card.make(
        name=f"{settings['name']}-{name}",
        kind=net["kind"],
        version=version,
        base=base_of(run["state"]["base"]),
        stores=stores,
        seeds={"training": settings["seed"]},
        config={
            "network": run["state"].get("network", net),
            "vocabulary": settings["vocabulary"],
            "sources": settings["sources"],
            "steps": run["state"]["steps"],
            "differences": measured,
        }
        | {key: run["state"][key] for key in ("layers", "vectors") if run["state"].get(key)},
        figures=figures,
        speed=speeds,
        parameters=measured["parameters"],
        folder=work,
        files=files,
    )
    made["quantised"] = quantised
    card.write(made, work)
    export.save_json(os.path.join(runs, "curves.json"), curves, indent=None)
    shutil.copy(os.path.join(runs, "model.pt"), os.path.join(work, "weights.pt"))
    other = os.path.join(work, export.OTHER)
    if os.path.exists(other):
        os.replace(other, os.path.join(runs, export.OTHER))
    os.rename(work, folder)
    print(f"{folder}: {os.path.getsize(os.path.join(folder, 'model.onnx')) / 1e6:.1f} MB, {json.dumps(speeds)}")
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="models/train/train.yaml")
    parser.add_argument("--network", required=True)
    parser.add_argument("--int8", action="store_true", help="ship the int8 network; it is measured in any case")
    parser.add_argument("--misses", metavar="FOLDER", help="outside of the tree: it gets sentences with errors")
    args = parser.parse_args()
    release(conf.load(args.config), args.network, args.int8, args.misses)


if __name__ == "__main__":
    main()
