"""A model that thinks in markers of its own: a profile says how it is spoken to.

With a real server: ``roles={"solver": {"at": "http://localhost:8000/v1", "profile": "ponder"}}``,
in Python or in a settings file of the same process. The model here plays a script.

python examples/model_profile.py
"""

import agentflow
from agentflow.models import ScriptedModel
from agentflow.profile import PROFILES, Profile, Sampling, Template

PROFILES["ponder"] = Profile(
    "ponder",
    Template(
        start="<|system|>\n",
        middle="<|end|>\n<|user|>\n",
        alone="<|user|>\n",
        end="<|end|>\n<|model|>\n<ponder>\n",  # the model's turn begins in its thinking
        specials=("<|system|>", "<|user|>", "<|model|>", "<|end|>"),
    ),
    think_open="<ponder>",
    think_close="</ponder>",
    no_think="<ponder>\n</ponder>\n",
    stops=("<|end|>",),
    thinking_note="Hold on: {reason}\n",
    context=8192,
    max_tokens=4096,
    sampling=Sampling(temperature=0.6, top_p=0.95, top_k=0),
)

model = ScriptedModel(
    {
        r"<ponder>\n": " 1 6 8 12 : 12 - 8 = 5 -> 1 5 6\n",
        r"Hold on: .*\n": " 1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n 1 4 6 : 6 * 4 = 24 -> 1 24\n"
        " 1 24 : 24 * 1 = 24 -> 24\n</ponder>\n\\boxed{(12 - 8) * 6 * 1}",
    },
    profile=PROFILES["ponder"],
)

if __name__ == "__main__":
    result = agentflow.solve("1 6 8 12", model=model)
    print(result.trace.body)
    print(result.status, result.answer)
