"""What does a request of the Messages API look like? Its shape only; `validate.py` holds the rules between the parts.

Errors read like the real API's, which are made the same way: the path of the field, then what is wrong with it.
"""

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError

from app.model.practice.refusal import Refusal

# Current models refuse them by name, not as unknown fields.
GONE = ("temperature", "top_p", "top_k")
JsonObject = dict[str, JsonValue]


class Part(BaseModel):
    """Anything in a request: what is not known is refused, as the real API does."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CacheControl(Part):
    type: Literal["ephemeral"]
    ttl: Literal["5m", "1h"] | None = None


class Cacheable(Part):
    cache_control: CacheControl | None = None


class Text(Cacheable):
    type: Literal["text"]
    text: str
    citations: JsonValue = None


class Media(Cacheable):
    """An image or a document. The practice model only counts that it is there."""

    type: Literal["image", "document"]
    source: JsonObject
    title: str | None = None
    context: str | None = None
    citations: JsonValue = None


class Thinking(Part):
    type: Literal["thinking"]
    thinking: str
    signature: str


class RedactedThinking(Part):
    type: Literal["redacted_thinking"]
    data: str


class ToolUse(Cacheable):
    type: Literal["tool_use"]
    id: str = Field(pattern=r"^[a-zA-Z0-9_-]+$")
    name: str = Field(min_length=1, max_length=200)
    input: JsonObject
    caller: JsonValue = None
    toolset_name: str | None = None


def _as_blocks(value: object) -> object:
    """A string is shorthand for one text block; an empty string is empty content."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}] if value else []
    return value


ResultBlock = Annotated[Text | Media, Field(discriminator="type")]


class ToolResult(Cacheable):
    type: Literal["tool_result"]
    tool_use_id: str = Field(pattern=r"^[a-zA-Z0-9_-]+$")
    content: Annotated[list[ResultBlock], BeforeValidator(_as_blocks)] = []
    is_error: bool | None = None

    @property
    def text(self) -> str:
        """What the model reads of it."""
        return "\n".join(block.text for block in self.content if isinstance(block, Text))


Block = Annotated[Text | Media | Thinking | RedactedThinking | ToolUse | ToolResult, Field(discriminator="type")]


class Message(Part):
    role: Literal["user", "assistant"]
    content: Annotated[list[Block], BeforeValidator(_as_blocks)]


class Tool(Cacheable):
    type: Literal["custom"] | None = None
    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,128}$")
    description: str = ""
    input_schema: JsonObject
    strict: bool | None = None
    eager_input_streaming: bool | None = None
    input_examples: list[JsonObject] | None = None


class ToolChoice(Part):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: bool = False


class ThinkingConfig(Part):
    type: Literal["enabled", "adaptive", "between_tools", "disabled"]
    budget_tokens: int | None = Field(None, ge=1024)
    display: Literal["summarized", "omitted"] | None = None


class Prompt(Part):
    """What a model reads: all that is counted before an answer."""

    model: str = Field(min_length=1)
    messages: list[Message]
    system: Annotated[list[Text], BeforeValidator(_as_blocks)] = []
    tools: list[Tool] = []
    tool_choice: ToolChoice | None = None
    thinking: ThinkingConfig | None = None
    output_config: JsonObject | None = None
    cache_control: CacheControl | None = None
    speed: Literal["standard", "fast"] | None = None


class MessagesRequest(Prompt):
    """The body of `POST /v1/messages`."""

    max_tokens: int = Field(ge=1)
    stream: bool = False
    stop_sequences: list[str] = []
    metadata: JsonObject | None = None
    service_tier: Literal["auto", "standard_only"] | None = None
    inference_geo: str | None = None
    container: JsonValue = None
    diagnostics: JsonValue = None
    user_profile_id: str | None = None


AnyPrompt = TypeVar("AnyPrompt", bound=Prompt)


def parse(body: bytes, shape: type[AnyPrompt]) -> AnyPrompt:
    """The request in this body; `Refusal` names the first thing wrong with it."""
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        raise Refusal(_first_complaint(error)) from None


def _first_complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return "The request body is not valid JSON"
    path = ".".join(str(step) for step in first["loc"])
    if path in GONE:
        return f"`{path}` is deprecated for this model."
    return f"{path}: {first['msg'].replace('valid dictionary', 'valid object')}"
