"""Write a GGUF file's weights with 8 bits: ``python -m training.quantize IN.gguf OUT.gguf``.

The shipped file is made so. ``training.export`` with ``--type q8_0`` does the same from a training
run; this does it where only the file with 16-bit floats is left.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import gguf

_TO = gguf.GGMLQuantizationType.Q8_0
_HEADER = ("GGUF.", "general.architecture")
"""Fields that the writer writes itself."""


def quantize(source: Path, out: Path) -> None:
    """Write ``source`` to ``out``, its matrices rounded to 8 bits, all else as it is."""
    reader = gguf.GGUFReader(source)
    architecture = reader.fields["general.architecture"].contents()
    unfinished = out.with_suffix(".tmp")  # a served file must never be written into
    writer = gguf.GGUFWriter(unfinished, architecture)
    for field in reader.fields.values():
        if field.name.startswith(_HEADER):
            continue
        value = field.contents()
        if field.name == "general.file_type":
            value = int(gguf.LlamaFileType.MOSTLY_Q8_0)
        inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, value, field.types[0], sub_type=inner)
    if "general.quantization_version" not in reader.fields:
        writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    for tensor in reader.tensors:
        data = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        # Norms are tiny, and llama.cpp multiplies by them in f32.
        to = gguf.GGMLQuantizationType.F32 if data.ndim == 1 else _TO
        writer.add_tensor(tensor.name, gguf.quants.quantize(data, to), raw_dtype=to)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    unfinished.replace(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, metavar="IN.gguf")
    parser.add_argument("out", type=Path, metavar="OUT.gguf")
    given = parser.parse_args()
    quantize(given.source, given.out)
    print(f"{given.out}: {given.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
