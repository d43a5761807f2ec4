"""Files that are written whole, and read to the last byte."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from agentflow.errors import BadInput
from agentflow.files import text_of, write_whole


def full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_failure_leaves_what_was_there_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.html"
    write_whole(path, b"old")

    def half(self: Path, data: bytes) -> None:
        with self.open("wb") as file:
            file.write(data[:1])
        full()

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(BadInput) as refused:
        write_whole(path, b"new")
    assert str(refused.value) == (
        f"{path}: cannot be written (No space left on device); make room for it, or name another "
        "place"
    )
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_long_name_is_no_hindrance(tmp_path: Path) -> None:
    write_whole(tmp_path / ("n" * 255), b"x")
    assert os.listdir(tmp_path) == ["n" * 255]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(BadInput, match=r"/dev/full: cannot be written \(No space"):
        write_whole(Path("/dev/full"), b"x")
    assert not Path("/dev/full").is_file()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"one\ntwo\nthr\xffee", "p, line 3: not UTF-8 text: byte 4 is 0xff"),
        (b"\xc3", "p, line 1: not UTF-8 text: byte 1 is 0xc3"),
        (b"\x1f\x8b\x08\x00", "p, line 1: compressed by gzip"),
    ],
)
def test_the_line_of_a_bad_byte_is_named(data: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        text_of(data, "p")
