"""Carries a harness's HTTP requests from 127.0.0.1 to the gateway's Unix socket, whole and at least once.

usage: forwarder.py LISTENER_FD SOCKET [KEEP_ALIVE_SECONDS]

Each request gets a delivery id. While the gateway is away the same request is sent again under the
same id, which the gateway answers from its journal if it had answered before: a restart of the
gateway is invisible to the harness. Nothing is passed on before the whole reply is there. After ten
silent seconds the client is kept alive in the form it asked for. A client that hangs up does not stop
the exchange; a new request with the same body picks up its reply. Standard library only.
"""

import hashlib
import json
import math
import os
import socket
import sys
import threading
import time

MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_REPLY_BYTES = 256 * 1024 * 1024
MAX_UNDELIVERED = 16
KEEP_ALIVE_SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 10.0
HANG_UP_CHECK_SECONDS = 0.5
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)
DELIVERY_HEADER = "x-startupbench-delivery"
WAITED_HEADER = "x-startupbench-waited-ms"
# About one connection, or ours to decide; everything else passes unchanged.
DROPPED_HEADERS = {
    "host", "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "content-length", "expect", "accept-encoding", DELIVERY_HEADER, WAITED_HEADER,
}  # fmt: skip
STREAM_KEEP_ALIVE = (
    b'data: {"id":"keep-alive","object":"chat.completion.chunk","created":0,"model":"","choices":[]}\n\n'
)
# Anthropic's Messages API has an event for it.
MESSAGES_PATH = "/v1/messages"
WEB_PATH = "/web/"
PING = b'event: ping\ndata: {"type": "ping"}\n\n'


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Connection:
    """Reads HTTP/1.1 messages off a socket, within bounds."""

    def __init__(self, sock):
        self.sock, self.buffer = sock, b""

    def fill(self):
        data = self.sock.recv(65536)
        self.buffer += data
        return bool(data)

    def head(self):
        """First line and headers (names in lower case), or None when the peer closed before sending any."""
        while b"\r\n\r\n" not in self.buffer:
            if len(self.buffer) > MAX_HEAD_BYTES:
                raise Refused(431, "the request's headers exceed 64 KiB")
            if not self.fill():
                if self.buffer:
                    raise ConnectionError("closed within the headers")
                return None
        raw, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        first, *lines = raw.decode("latin-1").split("\r\n")
        pairs = [line.split(":", 1) for line in lines if ":" in line]
        return first, [(name.strip().lower(), value.strip()) for name, value in pairs]

    def exactly(self, count):
        chunks, missing = [self.buffer[:count]], count - len(self.buffer)
        self.buffer = self.buffer[count:]
        while missing > 0:
            data = self.sock.recv(min(missing, 1 << 20))
            if not data:
                raise ConnectionError("closed within the body")
            chunks.append(data)
            missing -= len(data)
        return b"".join(chunks)

    def line(self):
        while b"\r\n" not in self.buffer:
            if len(self.buffer) > MAX_HEAD_BYTES:
                raise ConnectionError("a line without end")
            if not self.fill():
                raise ConnectionError("closed within a chunk")
        text, self.buffer = self.buffer.split(b"\r\n", 1)
        return text

    def chunked(self, limit):
        parts, total = [], 0
        while True:
            try:
                size = int(self.line().split(b";")[0], 16)
            except ValueError as error:
                raise ConnectionError("a chunk without a size") from error
            if size == 0:
                while self.line():
                    pass
                return b"".join(parts)
            total += size
            if size < 0 or total > limit:
                raise Refused(413, f"the body exceeds {limit >> 20} MiB")
            parts.append(self.exactly(size))
            self.line()

    def body(self, headers, limit, until_closed):
        fields = dict(headers)
        if "chunked" in fields.get("transfer-encoding", "").lower():
            return self.chunked(limit)
        if "content-length" in fields:
            try:
                length = int(fields["content-length"])
            except ValueError:
                length = -1
            if length < 0:
                raise Refused(400, "content-length is not a number")
            if length > limit:
                raise Refused(413, f"the body exceeds {limit >> 20} MiB")
            return self.exactly(length)
        if not until_closed:
            return b""
        while self.fill():
            if len(self.buffer) > limit:
                raise ConnectionError("the reply is too long")
        data, self.buffer = self.buffer, b""
        return data


class Exchange:
    """One request to the gateway and, in the end, its whole reply."""

    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body = method, path, headers, body
        self.delivery = os.urandom(16).hex()
        self.arrived = time.monotonic()
        self.done = threading.Event()
        self.reply = None
        self.clients = set()

    def run(self, socket_path):
        tries = 0
        while True:
            try:
                self.reply = self.send(socket_path)
                break
            except Refused as refusal:
                self.reply = error_reply(502, f"the gateway's reply was refused: {refusal}")
                break
            except (OSError, ValueError, IndexError):
                time.sleep(RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)])
                tries += 1
        self.done.set()

    def send(self, socket_path):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.connect(socket_path)
            waited_ms = round((time.monotonic() - self.arrived) * 1000)
            lines = [f"{self.method} {self.path} HTTP/1.1", "host: gateway", "connection: close"]
            lines += [f"{name}: {value}" for name, value in self.headers if name not in DROPPED_HEADERS]
            lines += [f"{DELIVERY_HEADER}: {self.delivery}", f"{WAITED_HEADER}: {waited_ms}"]
            lines += [f"content-length: {len(self.body)}", "", ""]
            sock.sendall("\r\n".join(lines).encode("latin-1") + self.body)
            connection = Connection(sock)
            head = connection.head()
            if head is None:
                raise ConnectionError("closed without a reply")
            status, headers = int(head[0].split()[1]), head[1]
            if self.method == "HEAD" or status in (204, 304):
                return status, headers, b""
            return status, headers, connection.body(headers, MAX_REPLY_BYTES, True)


class Exchanges:
    """What is not yet delivered, by the digest of its request."""

    def __init__(self, socket_path):
        self.socket_path, self.lock, self.undelivered = socket_path, threading.Lock(), {}

    def attach(self, client, method, path, headers, body):
        key = hashlib.sha256(b"\0".join((method.encode(), path.encode(), body))).digest()
        with self.lock:
            exchange = self.undelivered.get(key)
            # Two living clients with the same body are two requests; one that hung up is followed by its retry.
            if exchange is None or any(not hung_up(other) for other in exchange.clients):
                exchange = Exchange(method, path, headers, body)
                threading.Thread(target=exchange.run, args=(self.socket_path,), daemon=True).start()
                self.undelivered[key] = exchange
                self.forget_oldest()
            exchange.clients = {client}
        return key, exchange

    def delivered(self, key, exchange):
        with self.lock:
            if self.undelivered.get(key) is exchange:
                del self.undelivered[key]

    def detach(self, exchange, client):
        with self.lock:
            exchange.clients.discard(client)

    def forget_oldest(self):
        waiting = [key for key, exchange in self.undelivered.items() if exchange.done.is_set()]
        for key in waiting[: max(0, len(waiting) - MAX_UNDELIVERED)]:
            del self.undelivered[key]


def hung_up(sock):
    try:
        return sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def error_reply(status, message):
    # Readable as an error of either protocol.
    body = {"type": "error", "error": {"message": message, "type": "gateway_error", "code": None}}
    return status, [("content-type", "application/json")], json.dumps(body).encode()


def wants_stream(body):
    try:
        return json.loads(body).get("stream") is True
    except (ValueError, AttributeError):
        return False


def send_reply(client, method, reply, close):
    status, headers, body = reply
    lines = [f"HTTP/1.1 {status} {'OK' if status < 400 else 'Error'}"]
    lines += [f"{name}: {value}" for name, value in headers if name not in DROPPED_HEADERS]
    lines += [f"content-length: {len(body)}", f"connection: {'close' if close else 'keep-alive'}", "", ""]
    client.sendall("\r\n".join(lines).encode("latin-1") + (b"" if method == "HEAD" else body))


class LateReply:
    """A reply that began before its content was known: always status 200, errors in the body's own form."""

    def __init__(self, client, stream, messages_api):
        self.client, self.stream, self.messages_api = client, stream, messages_api
        kind = "text/event-stream" if stream else "application/json"
        client.sendall(
            f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n".encode()
        )
        self.keep_alive()

    def chunk(self, data):
        self.client.sendall(b"%x\r\n%s\r\n" % (len(data), data))

    def keep_alive(self):
        sign = PING if self.messages_api else STREAM_KEEP_ALIVE
        self.chunk(sign if self.stream else b" ")

    def finish(self, reply):
        status, _, body = reply
        if self.stream and (status >= 400 or not body.lstrip().startswith((b"data:", b"event:", b":"))):
            line = b"data: " + b" ".join(body.split(b"\n")) + b"\n\n"
            body = b"event: error\n" + line if self.messages_api else line + b"data: [DONE]\n\n"
        if body:
            self.chunk(body)
        self.client.sendall(b"0\r\n\r\n")


def deliver(client, exchange, method, close):
    """True when the whole reply has been handed over, False when the client hung up before."""
    # A page has no form to be kept alive in: its own status and bytes, or nothing yet.
    patience = math.inf if exchange.path.startswith(WEB_PATH) else KEEP_ALIVE_SECONDS
    late, next_sign = None, exchange.arrived + patience
    while not exchange.done.wait(min(HANG_UP_CHECK_SECONDS, max(0.0, next_sign - time.monotonic()))):
        if hung_up(client):
            return False
        if time.monotonic() >= next_sign:
            if late is None:
                late = LateReply(client, wants_stream(exchange.body), exchange.path.startswith(MESSAGES_PATH))
            else:
                late.keep_alive()
            next_sign = time.monotonic() + KEEP_ALIVE_SECONDS
    if hung_up(client):
        return False
    if late is None:
        send_reply(client, method, exchange.reply, close)
    else:
        late.finish(exchange.reply)
    return True


def serve(client, exchanges):
    connection = Connection(client)
    try:
        while serve_one(client, connection, exchanges):
            pass
    except Refused as refusal:
        try:
            send_reply(client, "GET", error_reply(refusal.status, str(refusal)), True)
        except OSError:
            pass
    except (OSError, ValueError, IndexError, RuntimeError):
        pass  # a client that went away, sent rubbish, or has used up the sandbox's processes
    finally:
        client.close()


def serve_one(client, connection, exchanges):
    head = connection.head()
    if head is None:
        return False
    parts = head[0].split(" ")
    if len(parts) != 3:
        raise Refused(400, "this is not an HTTP request")
    method, path, version = parts
    if method == "CONNECT":  # the gateway would hang up on it, and be asked again for ever
        raise Refused(405, "this is no proxy; pages that the task grants are at /web/<URL>")
    fields = dict(head[1])
    if fields.get("expect", "").lower() == "100-continue":
        client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = connection.body(head[1], MAX_BODY_BYTES, False)
    close = fields.get("connection", "").lower() == "close" or version == "HTTP/1.0"
    key, exchange = exchanges.attach(client, method, path, head[1], body)
    try:
        if not deliver(client, exchange, method, close):
            return False
        exchanges.delivered(key, exchange)
    finally:
        exchanges.detach(exchange, client)
    return not close


def main():
    listener = socket.socket(fileno=int(sys.argv[1]))
    exchanges = Exchanges(sys.argv[2])
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            threading.Thread(target=serve, args=(client, exchanges), daemon=True).start()
        except RuntimeError:  # the sandbox's process limit
            client.close()
            time.sleep(0.1)


if __name__ == "__main__":
    main()
