"""What the sandbox raises."""


class SandboxUnavailable(RuntimeError):
    """This machine offers too little to run a stranger's program: what is missing, what to do."""
