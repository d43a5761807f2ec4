"""A method as a model of Inspect's: ``--model agentflow/METHOD``."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from agentflow.errors import BadInput, ModelUnavailable, StreamBroken
from agentflow.inspect_ai.runs import (
    NAME,
    configured,
    output_of,
    problem_in,
    run,
    seeded,
    settings_of,
    usable,
)


class AgentflowAPI(ModelAPI):
    """The provider.

    Args:
        model_name: The method.
        base_url: Where its model is served, as ``at``.
        at: The same as any specification of a model (:class:`~agentflow.settings.Server`).
        settings: The method's. ``domain`` is ``open`` where neither they nor a task say.

    Raises:
        PrerequisiteError: If there is no such method or setting.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        at: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        with usable():
            if api_key:
                raise BadInput("a key is named by its variable: -M 'roles={solver: {key_env: …}}'")
            self.settings = settings_of(model_name, at or base_url, settings)

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> tuple[ModelOutput, ModelCall]:
        """Run the method on the problem that the messages hold.

        Raises:
            BadInput: If a message, a tool or the configuration is none that methods take.
            ModelUnavailable, StreamBroken: If the method's model does not answer; worth a retry.
        """
        if tools:
            raise BadInput(f"a method uses no tools of Inspect's ({tools[0].name})")
        problem, own = problem_in(input)
        settings = seeded(self.settings | own | configured(config))
        result = await run(problem, self.model_name, settings)
        output = output_of(result, self.model_name, settings["seed"])
        request = {"problem": problem, "method": self.model_name, "settings": settings}
        return output, ModelCall.create(request, {"status": result.status, "answer": result.answer})

    def should_retry(self, ex: Exception) -> bool:
        """Whether a server was lost that may come back."""
        return isinstance(ex, ModelUnavailable | StreamBroken)

    def connection_key(self) -> str:
        """Methods on one server share its connections."""
        return str(self.settings.get("roles") or self.settings.get("model"))


@modelapi(NAME)
def provider() -> type[ModelAPI]:
    """What Inspect finds by the provider's name."""
    return AgentflowAPI
