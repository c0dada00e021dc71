"""int8 weights for the matrix products of an exported network.

Weights are symmetric with 7 bits, one scale for each output column: full range saturates
on processors with AVX2 and without VNNI. Activations get one scale for each row, that is
for each word: the usual one scale for a whole tensor makes the labels of a sentence
depend on what it is batched with.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WEIGHT_MAX = 63
LEAST = 128  # inputs and outputs; in smaller products rounding costs more than it saves


def quantise(source, target, least=LEAST):
    """Rewrites every MatMul with constant weights [in, out], both at least least. -> their
    number; 0 leaves target unwritten."""
    model = onnx.load(source)
    graph = model.graph
    constants = {t.name: t for t in graph.initializer}
    constants.update({n.output[0]: n.attribute[0].t for n in graph.node if n.op_type == "Constant"})
    nodes, shared, number = [], set(), 0
    for node in graph.node:
        weight = constants.get(node.input[1]) if node.op_type == "MatMul" else None
        if weight is None or len(weight.dims) != 2 or min(weight.dims) < least:
            nodes.append(node)
            continue
        nodes.extend(_replace(graph, node, numpy_helper.to_array(weight), shared))
        number += 1
    if not number:
        return 0
    del graph.node[:]
    graph.node.extend(nodes)
    _drop_unused(graph)
    onnx.checker.check_model(model)
    onnx.save(model, target)
    return number


def rounded(weight):
    """-> int8 of at most 7 bits, and the scale of each column."""
    scale = np.maximum(np.abs(weight).max(axis=0), 1e-8).astype(np.float32) / WEIGHT_MAX
    return np.clip(np.round(weight / scale), -WEIGHT_MAX, WEIGHT_MAX).astype(np.int8), scale


def _replace(graph, node, weight, shared):
    """x @ w as (round(x / s) @ round(w / t)) * s * t, where s is |x|'s maximum in each row
    over 127. The integer product takes round(x / s) + 128 as unsigned; adding 128.5 and
    dropping the fraction is the same with a step less."""
    small, scale = rounded(weight)
    name = node.output[0]
    graph.initializer.append(numpy_helper.from_array(small, name + "_w"))
    graph.initializer.append(numpy_helper.from_array(scale, name + "_t"))
    for key, value in (
        ("int8_zero", np.array(128, np.uint8)),
        ("int8_127", np.array(127, np.float32)),
        ("int8_128.5", np.array(128.5, np.float32)),
        ("int8_tiny", np.array(1e-6, np.float32)),
    ):
        if key not in shared:
            shared.add(key)
            graph.initializer.append(numpy_helper.from_array(value, key))
    x, made = node.input[0], []

    def add(op, inputs, suffix, **options):
        out = f"{name}_{suffix}"
        made.append(helper.make_node(op, inputs, [out], name=out, **options))
        return out

    if (x, "rows") not in shared:
        shared.add((x, "rows"))
        top = _named(made, "Abs", [x], x + "_abs")
        top = _named(made, "ReduceMax", [top], x + "_top", axes=[-1], keepdims=1)
        top = _named(made, "Max", [top, "int8_tiny"], x + "_most")
        _named(made, "Div", [top, "int8_127"], x + "_s")
        step = _named(made, "Div", ["int8_127", top], x + "_steps")
        part = _named(made, "Mul", [x, step], x + "_part")
        part = _named(made, "Add", [part, "int8_128.5"], x + "_shift")
        _named(made, "Cast", [part], x + "_u8", to=TensorProto.UINT8)
    product = add("MatMulInteger", [x + "_u8", name + "_w", "int8_zero"], "int")
    product = add("Cast", [product], "float", to=TensorProto.FLOAT)
    product = add("Mul", [product, x + "_s"], "rows")
    made.append(helper.make_node("Mul", [product, name + "_t"], [name], name=name + "_columns"))
    return made


def _named(made, op, inputs, out, **options):
    made.append(helper.make_node(op, inputs, [out], name=out, **options))
    return out


def _drop_unused(graph):
    used = {name for node in graph.node for name in node.input} | {o.name for o in graph.output}
    kept = [t for t in graph.initializer if t.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    nodes = [n for n in graph.node if n.op_type != "Constant" or n.output[0] in used]
    del graph.node[:]
    graph.node.extend(nodes)
