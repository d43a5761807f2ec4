"""Serve models."""

from __future__ import annotations

import signal
from typing import Annotated, Any, NoReturn

import typer

from agentflow.cli.app import app, command, echo

model = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Serve models.")
app.add_typer(model, name="model")


@model.command()
@command
def serve(
    name: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="embedded (the bundled pocket model); for vllm a folder or a name on the hub; for "
            "llamacpp a GGUF file.",
        ),
    ],
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- OPTION]...", help="Behind --: options of the engine's own."),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="vllm or llamacpp; else llamacpp for a GGUF file, and vllm.")
    ] = "",
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for a free one.")] = 8000,
    served_as: Annotated[str, typer.Option("--name", help="The served model's name.")] = "",
    context: Annotated[int | None, typer.Option(min=1, help="Tokens a stream holds.")] = None,
    in_engine: Annotated[
        bool,
        typer.Option(help="vllm: probes and stop rules inside the engine, for those who ask."),
    ] = True,
    patience: Annotated[float, typer.Option(help="Seconds until it must answer.")] = 1800.0,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show the engine's log.")] = False,
) -> None:
    """Start an engine with the flags that agentflow needs, and print its base URL.

    The URL, alone on standard output, comes when the server answers. Ctrl-C or SIGTERM stops it;
    the exit code is the engine's.
    """
    from agentflow.models.serve import serve as start

    def say(line: str) -> None:
        echo(line, err=True)

    engine = engine or ("llamacpp" if name.endswith(".gguf") else "vllm")
    answers = False
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        say(f"starting {engine} with {name}; the URL follows when it answers")
        with start(
            engine,
            name,
            host=host,
            port=port,
            name=served_as,
            context=context,
            options=options or (),
            in_engine=in_engine,
            patience=patience,
            echo=say if verbose else lambda line: None,
        ) as served:
            answers = True
            echo(served.url)
            served.process.wait()
            say(f"{engine} ended by itself: {served.last_words}")
    except KeyboardInterrupt:
        if not answers:
            raise
        say(f"{engine} stopped")
    finally:
        signal.signal(signal.SIGTERM, before)
    code = served.process.returncode
    raise typer.Exit(code if code >= 0 else 128 - code)


def _interrupt(*_: Any) -> NoReturn:
    raise KeyboardInterrupt
