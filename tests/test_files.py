"""Files that are written whole, and read to the last byte."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any

import pytest

from agentflow.errors import BadInput
from agentflow.files import bounded, bounded_lines, bytes_in, text_in, text_of, write_whole


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


class Endless(io.RawIOBase):
    """A device that has no end; says how much of it was read."""

    given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = len(buffer)
        buffer[:] = bytes(size)
        self.given += size
        return size


def test_what_has_no_end_is_read_no_further_than_its_limit() -> None:
    device = Endless()
    with pytest.raises(BadInput, match=r"^the device has more than 3,000,000 bytes$"):
        bounded(io.BufferedReader(device), "the device", 3_000_000)
    assert device.given < 6_000_000


def test_a_line_without_an_end_is_read_no_further_than_its_limit() -> None:
    device = Endless()
    with pytest.raises(BadInput, match=r"^the device, line 1: has more than 3,000,000 bytes$"):
        list(bounded_lines(io.BufferedReader(device), "the device", 3_000_000))
    assert device.given < 6_000_000
    assert list(bounded_lines(io.BytesIO(b"a\nbc\n\nd"), "it", 3)) == [b"a\n", b"bc\n", b"\n", b"d"]
    with pytest.raises(BadInput, match="it, line 2: has more than 2 bytes"):
        list(bounded_lines(io.BytesIO(b"a\nbc\n"), "it", 2))


def test_a_file_may_have_as_many_bytes_as_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"a\r\nb")
    assert (bytes_in(file, 4), text_in(file, 4)) == (b"a\r\nb", "a\nb")
    with pytest.raises(BadInput, match=r"text has more than 3 bytes$"):
        text_in(file, 3)
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        bytes_in(tmp_path / "none", 4)
