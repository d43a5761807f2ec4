"""A method under Inspect: two of the bundled puzzles, solved by `interwhen` on the bundled model.

Needs the extra `inspect`. The same from the command line, on a server of yours:

    inspect eval agentflow/game24 --limit 2 --model agentflow/interwhen -M at=http://localhost:8000/v1

python examples/inspect_eval.py
"""

from tempfile import TemporaryDirectory

from inspect_ai import eval

from agentflow.inspect_ai import dataset

with TemporaryDirectory() as folder:
    (log,) = eval(
        dataset("game24"),
        model="agentflow/interwhen",
        seed=3,
        limit=2,
        log_dir=folder,
        display="none",
    )

    for sample in log.samples:  # they are read from the log, which goes with the folder
        score = sample.scores["judged"]
        used = sum(usage.total_tokens for usage in sample.model_usage.values())
        print(sample.id, score.metadata["status"], score.answer, f"{used} tokens", sep="; ")
