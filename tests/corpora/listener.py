"""What does the other side of a connection see? A real listener on loopback: TCP, TLS with real certificates, HTTP."""

import datetime
import socket
import socketserver
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from ipaddress import ip_address
from types import TracebackType
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

TLS_HELLO = b"\x16"


@dataclass(frozen=True)
class Seen:
    """A request as it came over the wire."""

    head: str
    secure: bool

    def header(self, name: str) -> str | None:
        lines = self.head.split("\r\n")[1:]
        return next((v.strip() for n, _, v in (line.partition(":") for line in lines) if n.lower() == name), None)


Reply = Callable[[Seen], Iterable[bytes]]


def answer(body: bytes = b"hello", status: str = "200 OK", *headers: bytes) -> list[bytes]:
    lines = [
        f"HTTP/1.1 {status}".encode(),
        f"Content-Length: {len(body)}".encode(),
        b"Connection: close",
        *headers,
        b"",
        body,
    ]
    return [b"\r\n".join(lines)]


class _Handler(socketserver.BaseRequestHandler):
    server: "_Server"

    def handle(self) -> None:
        listener = self.server.listener
        listener.connections += 1
        try:
            self._speak(self.request, listener)
        except OSError:
            return  # the client left; what it did until then is counted

    def _speak(self, plain: socket.socket, listener: "Listener") -> None:
        plain.settimeout(10)
        secure = plain.recv(1, socket.MSG_PEEK) == TLS_HELLO
        speaking = listener.tls.wrap_socket(plain, server_side=True) if secure and listener.tls else plain
        head = b""
        while b"\r\n\r\n" not in head:
            piece = speaking.recv(65536)
            if not piece:
                return
            head += piece
        seen = Seen(head.split(b"\r\n\r\n")[0].decode("latin-1"), secure)
        listener.seen.append(seen)
        for piece in listener.reply(seen):
            speaking.sendall(piece)
            listener.bytes_sent += len(piece)
        speaking.close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64
    listener: "Listener"


@dataclass
class Listener:
    """Counts each connection that is made to it; speaks TLS to whoever begins with it."""

    reply: Reply = lambda _: answer()
    tls: ssl.SSLContext | None = None
    connections: int = 0
    bytes_sent: int = 0
    seen: list[Seen] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.listener = self
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def certified(names: Iterable[str]) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's context with a real certificate for these names, and a client's that trusts its maker only."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "listener of the tests")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([_name(text) for text in sorted(set(names))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as file:  # ssl takes a server's key from a file only
        file.write(pem + private)
        file.flush()
        server.load_cert_chain(file.name)
    return server, ssl.create_default_context(cadata=pem.decode())
