"""How does a process get its port? One that is taken is one clear line, not a traceback."""

import errno
import socket

from app.errors import BadConfiguration


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; with port 0 the system picks one. Raises BadConfiguration where that cannot be."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BadConfiguration(
                f"Port {port} is taken by another program. Choose another: PORT={port + 1}"
            ) from None
        raise BadConfiguration(f"Cannot listen on {host} port {port}: {error.strerror}. See HOST and PORT.") from None
