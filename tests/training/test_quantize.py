"""The shipped file's weights with 8 bits: what is rounded, and that nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

# ruff: noqa: E402  (what is imported below needs what may be missing)
gguf = pytest.importorskip("gguf", reason="needs the extra 'training': make test-training")
np = pytest.importorskip("numpy")

from training.quantize import quantize


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file of one matrix and one norm."""
    path = tmp_path / "in.gguf"
    writer = gguf.GGUFWriter(path, "qwen3")
    writer.add_name("tiny")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_token_list(["a", "b"])
    draw = np.random.default_rng(0)
    writer.add_tensor("matrix", draw.standard_normal((4, 64)).astype(np.float16))
    writer.add_tensor("norm", draw.standard_normal(64).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_matrices_are_rounded_and_norms_are_not(source: Path, tmp_path: Path) -> None:
    quantize(source, tmp_path / "out.gguf")
    before = {one.name: one for one in gguf.GGUFReader(source).tensors}
    after = {one.name: one for one in gguf.GGUFReader(tmp_path / "out.gguf").tensors}
    assert after["matrix"].tensor_type == gguf.GGMLQuantizationType.Q8_0
    assert (after["norm"].data == before["norm"].data).all()
    rounded = gguf.quants.dequantize(after["matrix"].data, after["matrix"].tensor_type)
    most = np.abs(before["matrix"].data).max() / 127
    assert 0 < np.abs(rounded - before["matrix"].data).max() <= most


def test_what_the_file_says_stays_but_for_the_type(source: Path, tmp_path: Path) -> None:
    quantize(source, tmp_path / "out.gguf")

    def said(path: Path) -> dict[str, object]:
        fields = gguf.GGUFReader(path).fields.values()
        return {f.name: f.contents() for f in fields if not f.name.startswith("GGUF.")}

    new = {"general.file_type": int(gguf.LlamaFileType.MOSTLY_Q8_0)}
    new["general.quantization_version"] = gguf.GGML_QUANT_VERSION
    assert said(tmp_path / "out.gguf") == said(source) | new
