"""A stand-in for Lean and its REPL: it says what they would of a few lines, and knows no Lean.

It is a script of a shell's builtins, since a program in the sandbox may start no other. A line
with ``= rfl`` and two numbers is right if they are the same; ``#guard`` of ``double`` computes.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

_JUDGE = r"""#!{shell}
code=good
judge() {{
  case "$1" in
    *'by sorry'|*'  sorry') say warning $2 'declaration uses `sorry`' ;;
    *'1 = 2 := rfl'*) say error $2 'type mismatch' ;;
    *'#guard 1 + 1 == 3'*) say error $2 'Expression 1 + 1 == 3 did not evaluate to `true`' ;;
    *'#eval Lean.versionString'*) say {info} $2 4.99.0 ;;
    *'import Nowhere'*) say error $2 'unknown module prefix Nowhere' ;;
    *'#loop'*) while :; do :; done ;;
    *'#crash'*) echo 'out of memory' >&2; exit 1 ;;
    *'  n - n'*) code=bad ;;
    *'  n * 3'*) code=thrice ;;
    *'  n +'*' 3'*) say error $2 'it does not compile' ;;
    '#guard decide (double_postcond'*) say error $2 'failed to synthesize Decidable' ;;
    '#guard decide '*) ;;
    '#guard double ('*') (by sorry) == ('*' : Nat)'*)
      given=${{1#*double (}}; given=${{given%%)*}}
      right=${{1#*== (}}; right=${{right%% *}}
      case $code in good) came=$((given + given)) ;; bad) came=0 ;; *) came=$((given * 3)) ;; esac
      [ "$came" = "$right" ] || say error $2 'Expression did not evaluate to `true`' ;;
  esac
}}
"""

_LEAN = r"""
say() {{ printf '{{"fileName":"Main.lean","pos":{{"line":%s,"column":0}},"endPos":null,' "$2"
printf '"keepFullRange":false,"severity":"%s","caption":"","data":"%s"}}\n' "$1" "$3"; }}
number=0
while IFS= read -r line; do
  number=$((number + 1))
  case "$line" in
    '#print "'*) mark=${{line#*\"}}; say information $number "${{mark%\"*}}" ;;
    *) judge "$line" $number ;;
  esac
done < Main.lean
"""

_REPL = r"""
[ -n "$LEAN_SYSROOT" ] || exit 9
said=
say() {{ said="$said${{said:+,
  }}{{\"severity\": \"$1\",
   \"pos\": {{\"line\": $2, \"column\": 0}},
   \"endPos\": {{\"line\": $2, \"column\": 4}},
   \"data\": \"$3\"}}"; }}
env=0
while IFS= read -r line; do
  [ -n "$line" ] || continue
  said= code=good number=0
  case "$line" in
    *'"env": 7}}') printf '{{"message": "Unknown environment."}}\n\n'; continue ;;
    *'#raw'*) echo 'no JSON'; continue ;;
  esac
  rest=${{line#*'"cmd": "'}} rest=${{rest%'"'*}}
  while :; do
    one=${{rest%%\\n*}} number=$((number + 1))
    case "$one" in
      *'#print \"'*) mark=${{one#*'#print \"'}}; say info $number "${{mark%%\\\"*}}" ;;
      *) judge "$one" $number ;;
    esac
    [ "$one" = "$rest" ] && break
    rest=${{rest#*\\n}}
  done
  printf '{{%s"env": %s}}\n\n' "${{said:+\"messages\":
 [$said],
 }}" $env
  env=$((env + 1))
done
"""


def toolchain(folder: Path) -> Path:
    """A toolchain's folder with ``bin/lean``, and a checkout of the REPL in ``repl``, built."""
    (folder / "bin").mkdir(parents=True)
    (folder / "lib" / "lean").mkdir(parents=True)
    built = folder / "repl" / ".lake" / "build" / "bin"
    built.mkdir(parents=True)
    shell = folder / "lib" / "lean" / "sh"
    shutil.copy("/bin/sh", shell)
    for program, text, info in (
        (folder / "bin" / "lean", _JUDGE + _LEAN, "information"),
        (built / "repl", _JUDGE + _REPL, "info"),
    ):
        program.write_text(text.format(shell=shell, info=info), encoding="utf-8")
        program.chmod(0o755)
    for each in (folder, *folder.parents):
        if each.owner() == folder.owner() and each.name.startswith(("pytest-", folder.name)):
            each.chmod(0o755)
    return folder


def hide_lean(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """There is no Lean on this machine, as far as the environment says."""
    for name in ("AGENTFLOW_LEAN", "AGENTFLOW_LEAN_REPL", "LEAN_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ELAN_HOME", str(folder / "elan"))
    monkeypatch.setenv("PATH", str(folder / "path"))
