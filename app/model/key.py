"""Does the provider accept our key? Asked at the start: a wrong one is one line, not an employee who stops later."""

import httpx2

from app.errors import BadConfiguration
from app.settings import Settings

PROVIDER = "https://api.anthropic.com"
VERSION = "2026-10-21"
SECONDS = 5.0
NOT_LET_IN = (401, 403)


async def refuse_wrong_key(settings: Settings) -> None:
    """Raises BadConfiguration where the key is refused. A provider out of reach says nothing about the key."""
    if not settings.anthropic_api_key:
        return
    if not (settings.anthropic_api_key.isascii() and settings.anthropic_api_key.isprintable()):
        raise BadConfiguration("ANTHROPIC_API_KEY holds a character that no key has. Copy it again.")
    url = (settings.anthropic_base_url or PROVIDER).rstrip("/") + "/v1/messages/count_tokens"  # costs nothing
    question = {"model": settings.placet_model, "messages": [{"role": "user", "content": "?"}]}
    headers = {"x-api-key": settings.anthropic_api_key, "anthropic-version": VERSION}
    try:
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            answer = await client.post(url, json=question, headers=headers)
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
        raise BadConfiguration("ANTHROPIC_BASE_URL is not an address like https://models.example.com.") from None
    except httpx2.HTTPError:
        return
    if answer.status_code in NOT_LET_IN:
        raise BadConfiguration("ANTHROPIC_API_KEY is not accepted by the model's provider. Check it, or leave it out.")
