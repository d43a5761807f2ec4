#!/usr/bin/env bash
# Prints every table that the README and docs/ quote, from measurements made now, into a folder:
#
#   benchmarks/suite.sh [FOLDER]          # runs/suite where none is named; four hours on two cores
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

evaluate() {
    local resume=()
    [ ! -f "$folder/methods.jsonl" ] || resume=(--resume)
    "$python" -m agentflow eval "$@" "${resume[@]}"
}

# The methods and baselines side by side, and the report with a page for every run. Where a method
# asks a critic, the domain stands in: the bundled model has not learnt to judge.
table methods evaluate direct 'k-stable=interwhen;step_verifier=false;k_stable=2' interwhen \
    'first candidate=early_exit;rules=["k_stable"];k=1;check_at=candidate' \
    'SDV=solve_detect_verify;ladder=["domain"];iterations=4;refine_by=note' \
    'best of 4=sampling;critic=domain' 'majority of 4=sampling;critic=domain;choose=majority' \
    verified_sampling 'generate_test=generate_test;verifier=domain' \
    --out "$folder/methods.jsonl" --set cache=true
table methods_report "$python" -m agentflow report "$folder/methods.jsonl" --out "$folder/report"

benchmark first_light --out "$folder/first_light"
table replay "$python" -m agentflow replay benchmarks/data/game24_chains.parquet --epsilon 0.05
benchmark early_exit
benchmark solve_detect_verify --out "$folder/solve_detect_verify.jsonl"
benchmark search_methods --out "$folder/search_methods.jsonl"
benchmark verified_sampling --out "$folder/verified_sampling.jsonl"
for name in stream checkpoint runner report domains sandbox server; do benchmark "$name"; done

printf '\ntables: %s/*.txt, report: %s/report/index.html\n' "$folder" "$folder"
if [ ${#missed[@]} -gt 0 ]; then
    printf 'goals missed in: %s\n' "${missed[*]}"
    exit 1
fi
