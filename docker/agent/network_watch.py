"""What a sandbox without a network was asked to reach: names are refused at once and noted, connections are counted.

The name server of the sandbox's resolv.conf is ours. Addresses outside have no route; the kernel counts each attempt
(IPv4; there is no IPv6), but does not say where it went.
"""

import socket
import struct
import threading

NAME_SERVER = ("127.0.0.1", 53)
MAX_NAMES = 100
MAX_NAME_CHARACTERS = 253
HEADER_BYTES = 12
REFUSED = 0x8005  # a reply, and its code; a resolver does not wait or ask for longer
RECURSION_DESIRED = 0x0100


class NetworkWatch(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.names, self.lock = {}, threading.Lock()
        self.before = connections_without_route()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(NAME_SERVER)
        self.start()

    def run(self):
        while True:
            try:
                query, client = self.socket.recvfrom(4096)
                name = asked_name(query)
                if name is None:
                    continue
                with self.lock:
                    if name in self.names or len(self.names) < MAX_NAMES:
                        self.names[name] = self.names.get(name, 0) + 1
                self.socket.sendto(refusal_of(query), client)
            except OSError:
                pass  # a client that is gone

    def report(self):
        with self.lock:
            names = [{"name": name, "count": count} for name, count in self.names.items()]
        return {"refusedConnections": connections_without_route() - self.before, "namesAsked": names}


def asked_name(query):
    """The name of the first question, in printable characters, or None where there is none."""
    if len(query) <= HEADER_BYTES or query[2] & 0x80:
        return None
    labels, at = [], HEADER_BYTES
    while at < len(query) and query[at] != 0:
        length = query[at]
        if length > 63 or at + 1 + length > len(query):
            return None
        labels.append(query[at + 1 : at + 1 + length].decode("ascii", "replace"))
        at += 1 + length
    name = ".".join(labels).lower()[:MAX_NAME_CHARACTERS]
    return "".join(character if "!" <= character <= "~" else "?" for character in name)


def refusal_of(query):
    number, flags = struct.unpack(">HH", query[:4])
    header = struct.pack(">HHHHHH", number, REFUSED | (flags & RECURSION_DESIRED), 1, 0, 0, 0)
    return header + query[HEADER_BYTES : end_of_question(query)]


def end_of_question(query):
    return query.index(b"\0", HEADER_BYTES) + 5 if b"\0" in query[HEADER_BYTES:] else len(query)


def connections_without_route():
    try:
        with open("/proc/net/snmp", encoding="ascii") as file:
            names, values = [line.split() for line in file if line.startswith("Ip:")]
        return int(dict(zip(names, values))["OutNoRoutes"])
    except (OSError, ValueError, KeyError):
        return 0
