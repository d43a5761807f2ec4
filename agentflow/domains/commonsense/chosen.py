"""What is said of options in words, beside the letter of one."""

from __future__ import annotations

from agentflow.domains.commonsense.concluding import stems


def is_named(options: dict[str, str], form: str, said: str) -> bool:
    """Whether an option, by its letter in brackets, is the only one that has all the words of what
    is said to be the answer."""
    words = stems(said)
    having = [f"({one})" for one, text in options.items() if words <= stems(text)]
    return bool(words) and having == [form]


def speaks_of_another(options: dict[str, str], form: str, said: str) -> bool:
    """Whether what is said has all that sets another option apart from the one with a letter, in
    brackets."""
    own, told = stems(options[form.strip("()")]), stems(said)
    apart = (stems(text) - own for one, text in options.items() if f"({one})" != form)
    return any(words and words <= told for words in apart)
