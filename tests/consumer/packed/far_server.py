"""What a program in a root of its own reaches on this machine: a name server, and behind the name that it knows a server over
https with tools and with the keys of an issuer."""

import base64
import http.server
import json
import socket
import ssl
import struct
import subprocess
import threading
from pathlib import Path

NAME = "far.test"


def signed_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for NAME that vouches for itself, and its key."""
    certificate, key = folder / "far.crt", folder / "far.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
                    "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


class NameServer:
    """Answers on port 53 of an address of this machine, which only root may take. Knows one name, and remembers what was asked."""

    ADDRESS = "127.0.0.77"

    def __init__(self):
        self.asked: set[str] = set()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((self.ADDRESS, 53))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            question, sender = self._socket.recvfrom(512)
            self._socket.sendto(self._answer(question), sender)

    def _answer(self, question: bytes) -> bytes:
        at, labels = 12, []
        while question[at]:
            labels.append(question[at + 1:at + 1 + question[at]].decode())
            at += 1 + question[at]
        name, (kind, _) = ".".join(labels).lower(), struct.unpack("!HH", question[at + 1:at + 5])
        self.asked.add(name)
        is_known, has_address = name == NAME, name == NAME and kind == 1
        head = question[:2] + struct.pack("!HHHHH", 0x8180 if is_known else 0x8183, 1, int(has_address), 0, 0)
        record = struct.pack("!HHHIH", 0xC00C, 1, 1, 60, 4) + socket.inet_aton("127.0.0.1")
        return head + question[12:at + 5] + (record if has_address else b"")

    def close(self) -> None:
        self._socket.close()


# By method, of revision 2025-06-18.
RESULTS = {
    "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "far", "version": "1"}},
    "tools/list": {"tools": [{"name": "hail", "description": "Hails from afar", "inputSchema": {"type": "object"}}]},
    "tools/call": {"content": [{"type": "text", "text": "greetings from afar"}]},
}


def _answer(message: dict) -> dict:
    result = RESULTS.get(message["method"])
    said = {"error": {"code": -32601, "message": "Method not found"}} if result is None else {"result": result}
    return {"jsonrpc": "2.0", "id": message["id"], **said}


class FarServer:
    """MCP over https in its plainest form: an answer to each message, no streams."""

    def __init__(self, certificate: Path, key: Path):
        modulus = subprocess.run(["openssl", "rsa", "-in", key, "-noout", "-modulus"], check=True, capture_output=True, text=True)
        number = bytes.fromhex(modulus.stdout.strip().partition("=")[2])
        keys = {"keys": [{"kty": "RSA", "kid": "one", "alg": "RS256", "use": "sig", "e": "AQAB",
                          "n": base64.urlsafe_b64encode(number).rstrip(b"=").decode()}]}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status: int, content: object = None) -> None:
                body = b"" if content is None else json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):  # noqa: N802: as http.server wants it
                self.answer(200, keys) if self.path == "/keys" else self.answer(405)

            def do_POST(self):  # noqa: N802
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if "id" in message and "method" in message:
                    self.answer(200, _answer(message))
                else:
                    self.answer(202)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """Some clients are to refuse the certificate."""

        self._server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.origin = f"https://{NAME}:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
