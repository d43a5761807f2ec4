"""Attacks through Python and its libraries."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from agentflow.tools.sandbox.probes.prelude import tells
from agentflow.tools.sandbox.probes.probe import probe, seen


@probe()
def sympify(data: dict[str, Any]) -> bool:
    """Has SymPy read a text that opens a file: sympify evaluates it."""
    import sympy

    text = f"open({data['secret_file']!r}).read()"
    return bool(str(sympy.sympify(f"Symbol({text})")) == data["secret"])


@probe(seen)
def sympify_shell(data: dict[str, Any]) -> bool:
    """Has SymPy read a text that starts a shell."""
    import sympy

    target = os.path.join(data["folder"], data["marker"])
    sympy.sympify(f"__import__('os').system('echo x > {target}')")
    return True


@probe()
def numpy_file(data: dict[str, Any]) -> bool:
    """Has NumPy's C code read a file."""
    import numpy

    return tells(bytes(numpy.fromfile(data["secret_file"], "u1")), data)


@probe()
def solver_file(data: dict[str, Any]) -> bool:
    """Has Z3's C++ code read a file."""
    import z3

    asked = z3.Solver()
    asked.from_file(data["formula_file"])
    return data["secret"] in str(asked)


@probe(seen)
def solver_log(data: dict[str, Any]) -> bool:
    """Has Z3's C++ code write its log somewhere."""
    import z3

    return bool(z3.Z3_open_log(os.path.join(data["folder"], data["marker"])))


@probe(seen)
def pickled(data: dict[str, Any]) -> Any:
    """Gives a value that runs a program in whoever unpickles it."""
    import pickle

    class Bomb:
        def __reduce__(self) -> Any:
            return (Path.write_text, (Path(data["folder"], data["marker"]), "x"))

    bomb = Bomb()
    if not data["inside"]:
        pickle.loads(pickle.dumps(bomb))
    return bomb


@probe()
def frames(data: dict[str, Any]) -> bool:
    """Looks for the parent's secrets in every object of the process that runs it."""
    import gc

    held = [one for one in gc.get_objects() if isinstance(one, dict) and one is not data]
    wanted = data["variable"]
    return any(wanted in one for one in held) or wanted in dict(os.environ)


@probe(seen)
def start_of_python(data: dict[str, Any]) -> bool:
    """Leaves a sitecustomize or a .pth file that every later Python would run."""
    import site

    places = [site.getusersitepackages(), *sys.path, os.path.expanduser("~")]
    for place in places if data["inside"] else [data["folder"]]:
        try:
            Path(place, data["marker"] + ".pth").write_text("import this")
        except OSError:
            continue
    return True
