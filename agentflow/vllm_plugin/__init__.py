"""Inside vLLM: probes and stop rules where the tokens are made.

vLLM finds :class:`~agentflow.vllm_plugin.processor.InEngine` by the entry point
``vllm.logits_processors``; ``agentflow model serve`` switches it on. A request asks for it with
:class:`~agentflow.vllm_plugin.ask.Ask` as ``vllm_xargs``; every other one is left alone.

``signals`` and ``rules`` read and decide for a whole batch of tensors, ``core`` is one step of it,
``processor`` is what vLLM's two interfaces see of it.
"""
