"""`placet practice-model`: what answers where there is no key?"""

from typing import Annotated

import typer

from app.listen import listen


def practice_model(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 8090,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Serve the practice model: a script that speaks the Anthropic Messages API. Use it with ANTHROPIC_BASE_URL."""
    from app.model.practice.server import serve

    listen(host, port).close()  # a taken port is one clear line
    serve(host, port)
