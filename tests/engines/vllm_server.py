"""What the tests of a real vLLM share about its servers."""

BLOCK = 32
"""Tokens that the prefix cache keeps together."""
SMALL = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "OMP_NUM_THREADS": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_PLUGINS": "agentflow",
}
"""The environment of a server beside other work."""
