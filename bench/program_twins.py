# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parameters of the twins of the programs (bench/cuda/programs), by the arguments of the kernels of Simple. Used by
gpu_time_launches.py, and by the test that runs the programs with the twins."""
import re

# By kernel: where each parameter of the twin comes from. It is an argument or an extent of one.
PARAMETERS = {
    "aes/expand_key": "key round_keys round_keys.len()",
    "aes/encrypt": "plain round_keys cipher cipher.len()",
    "bfs/expand": "nodes nodes.len() edges level distance reached",
    "bfs/settle": "level reached reached.len() distance more",
    "bilateral/bilateral": "src src.dim(0) src.dim(1) spatial spatial.len() sigma dst",
    "binomial/price": "options rate volatility prices",
    "btree/find": "nodes height values queries found",
    "btree/sum_ranges": "nodes height values ranges sums sums.len()",
    "canny/blur": "image blurred image.dim(0) image.dim(1)",
    "canny/gradient": "a magnitude axis a.dim(0) a.dim(1)",
    "canny/thin": "magnitude axis low high state magnitude.dim(0) magnitude.dim(1)",
    "canny/hysteresis": "src dst dst.dim(0) dst.dim(1) changed",
    "canny/edges": "state image image.dim(0) image.dim(1)",
    "convolution/convolve_rows": "src src.dim(0) src.dim(1) filter dst",
    "convolution/convolve_columns": "src src.dim(0) src.dim(1) filter dst",
    "dct8x8/forward": "image image.dim(0) image.dim(1) coefficients coefficients.dim(0) coefficients.dim(1)",
    "dct8x8/inverse": "coefficients coefficients.dim(1) image image.dim(0) image.dim(1)",
    "fft/fft[64]": "src dst direction",
    "fft/fft[1024]": "src dst direction",
    "gaussian/fan1": "a factor.len() pivot factor",
    "gaussian/fan2": "factor pivot a a.dim(0) a.dim(1) b",
    "histogram256/count_bytes": "words words.len() bytes partial",
    "histogram256/add_counts": "partial partial.dim(0) counts",
    "hotspot3d/step": "power src m dst dst.dim(0) dst.dim(1) dst.dim(2)",
    "jacobi/relax": "charge src dst src.dim(0) src.dim(1) change",
    "kmeanscluster/assign": "points points.dim(0) points.dim(1) centres centres.dim(0) labels",
    "kmeanscluster/accumulate": "points points.dim(0) points.dim(1) labels sums counts",
    "kmeanscluster/update": "sums counts centres centres.dim(0) centres.dim(1)",
    "knn/distances": "queries queries.dim(0) points points.dim(0) points.dim(1) out",
    "knn/nearest": "distances distances.dim(1) indices roots indices.dim(1)",
    "lavamd/forces": "boxes particles alpha out",
    "lbm/step": "wall wall.dim(0) wall.dim(1) src omega force dst",
    "lud/diagonal": "a a.dim(0) a.dim(1) first",
    "lud/perimeter": "a a.dim(0) a.dim(1) first",
    "lud/internal": "a a.dim(0) a.dim(1) first",
    "md5/search": "keys digest found",
    "mergepath/split": "a a.len() b b.len() splits splits.len()",
    "mergepath/merge_tiles": "a b splits out out.len()",
    "mersenne/seed": "seeds seeds.len() states",
    "mersenne/generate": "states words words.dim(1)",
    "mersenne/normal": "words numbers numbers.dim(0) numbers.dim(1)",
    "nw/fill_diagonal": "a a.len() b b.len() similarity similarity.dim(1) gap diagonal first_row score",
    "pagerank/share": "ranks ranks.len() degrees shares lost",
    "pagerank/gather": "starts sources shares lost damping ranks ranks.len() change",
    "pathfinder/descend": "wall dst.len() first rows src dst",
    "prefixsum/sum_tiles": "x x.len() totals",
    "prefixsum/scan_totals": "totals totals.len()",
    "prefixsum/scan_tiles": "x before out out.len()",
    "quicksort/divide": "segments src dst sorted long short counts",
    "quicksort/sort_short": "segments src sorted",
    "radixsort/count_digits": "pairs pairs.len() shift counts counts.dim(1)",
    "radixsort/scan_counts": "counts counts.len()",
    "radixsort/move_pairs": "pairs pairs.len() shift offsets offsets.dim(1) sorted",
    "smithwaterman/align": "pairs letters costs scores",
    "sobol/sobol": "directions points points.dim(1)",
    "srad/add_region": "image image.dim(1) region sums",
    "srad/find_coefficients": "image image.dim(0) image.dim(1) speckle gradient coefficient",
    "srad/diffuse": "gradient coefficient rate image image.dim(0) image.dim(1)",
    "tridiagonal/solve": "lower diagonal upper right x x.dim(1)",
    "xsbench/look_up": "data.materials data.materials.len() data.components data.points data.points.dim(1) data.grid "
                       "data.grid.len() data.below data.below.dim(1) seed sections sections.dim(0)",
}

SIGNATURE = re.compile(r"^// spl\.kernel .*?(\w+(?:\[[^\]]*\])?)\(([^()]*)\)(?: unchecked if .*)?$", re.MULTILINE)
ARGUMENT = re.compile(r"([\w.]+): (&(?:mut )?\[[^\]]*?(?:, (\d))?\]|[^,]+)")
ENTRY = re.compile(r"(\.entry ([\w$]+)\()([^)]*)\)")


def symbol(kernel):
    """The name of a kernel in PTX."""
    return kernel.replace("[", "__").replace(", ", "_").replace("]", "")


def flattened(arguments):
    """The parameters of a kernel of Simple: each slice is followed by its extents."""
    for name, kind, rank in ARGUMENT.findall(arguments):
        yield name
        if kind.startswith("&"):
            yield from (f"{name}.dim({axis})" for axis in range(int(rank))) if rank else [f"{name}.len()"]


def with_our_parameters(twin, ours, program):
    """The PTX of a twin with the signatures and the parameters of the kernels of Simple, so that the runtime can load
    and launch it. A body refers to its parameters by name, so that only their declarations change."""
    kernels = {symbol(kernel): (kernel, list(flattened(arguments))) for kernel, arguments in SIGNATURE.findall(ours)}
    declared = {entry: parameters.split(",") for _, entry, parameters in ENTRY.findall(ours)}

    def entry_of(found):
        head, entry, parameters = found.groups()
        kernel, names = kernels[entry]
        sources = PARAMETERS[f"{program}/{kernel}"].split()
        assert set(sources) <= set(names) and len(sources) == len(parameters.split(",")), kernel
        assert len(declared[entry]) == len(names), kernel
        lines = []
        for at, (name, line) in enumerate(zip(names, declared[entry])):
            place = f"param_{sources.index(name)}" if name in sources else f"unused_{at}"
            lines.append(re.sub(r"\w+_param_\d+", f"{entry}_{place}", line))
        return head + ",".join(lines) + ")"

    signatures = [line for line in ours.splitlines() if line.startswith("// spl.kernel")]
    return "\n".join([*signatures, ENTRY.sub(entry_of, twin)])
