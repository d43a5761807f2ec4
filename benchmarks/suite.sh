#!/usr/bin/env bash
# Prints every table that the README and docs/ quote, from measurements made now, into a folder:
#
#   benchmarks/suite.sh [FOLDER]          # runs/suite where none is named; five hours on two cores
#
# Run again with the same folder it goes on where it was cut off. A missed goal is printed, named at
# the end, and makes the exit code 1. PYTHON names the interpreter that agentflow is installed in.
set -u
cd "$(dirname "$0")/.."
folder=${1:-runs/suite}
python=${PYTHON:-.venv/bin/python}
mkdir -p "$folder"
missed=()

# table NAME COMMAND...: the command's output in FOLDER/NAME.txt, once it has come to its end.
table() {
    local name=$1 out="$folder/$1.txt" status
    shift
    if [ ! -f "$out" ]; then
        printf '\n== %s\n' "$name"
        "$@" 2>&1 | tee "$out.part"
        status=${PIPESTATUS[0]}
        if [ "$status" -gt 1 ]; then
            missed+=("$name (exit $status)")
            return
        fi
        [ "$status" -eq 0 ] || echo "a goal is missed" >> "$out.part"
        mv "$out.part" "$out"
    fi
    if tail -1 "$out" | grep -q "a goal is missed"; then missed+=("$name"); fi
}

benchmark() {
    local name=$1
    shift
    table "$name" "$python" "benchmarks/$name.py" "$@"
}

# Every method and baseline on every domain, the papers' relations, and the reports behind them.
table table "$python" benchmarks/table.py "$folder/table"

benchmark first_light --out "$folder/first_light"
table replay "$python" -m agentflow replay benchmarks/data/game24_chains.parquet --epsilon 0.05
benchmark early_exit
benchmark solve_detect_verify --out "$folder/solve_detect_verify.jsonl"
benchmark search_methods --out "$folder/search_methods.jsonl"
benchmark controller "$folder/controller"
benchmark verified_sampling --out "$folder/verified_sampling.jsonl"
for name in stream checkpoint runner report domains sandbox server; do benchmark "$name"; done

printf '\ntables: %s/*.txt, reports: %s/table/*.report/index.html\n' "$folder" "$folder"
if [ ${#missed[@]} -gt 0 ]; then
    printf 'goals missed in: %s\n' "${missed[*]}"
    exit 1
fi
