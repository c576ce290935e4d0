"""PID 1 of a sandbox: runs the harness and the forwarder, and leaves a record of how the harness ended.

It is PID 1 itself, since the kernel lets no process inside the container kill PID 1: an agent that
kills everything it can see still leaves an end record. Its orders are in START (written by the host
before the start); its last act is END. Standard library only, few imports: it starts in milliseconds.
"""

import json
import os
import signal
import socket
import sys
import threading
import time

RUN = "/run/startupbench"
START = RUN + "/start.json"
BEGAN = RUN + "/began"
END = RUN + "/end.json"
PORT = 8080
FORWARDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "forwarder.py")
# Agents' processes are the kernel's first choice when memory runs out, before us and the forwarder.
HARNESS_OOM_SCORE = "500"
EXIT_ALREADY_RAN = 70
# A child would inherit that, and a shell's pipes and file limits would not work as everywhere else.
IGNORED_BY_PYTHON = [signal.SIGPIPE, signal.SIGXFSZ]


class BoundedLog(threading.Thread):
    """Drains a pipe to its end; keeps the beginning in a file and the end in memory until close()."""

    def __init__(self, reader, path, head_bytes, tail_bytes):
        super().__init__(daemon=True)
        self.reader, self.path, self.room, self.tail_bytes = reader, path, head_bytes, tail_bytes
        self.tail, self.total, self.file = b"", 0, None
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        except OSError:
            pass
        self.start()

    def run(self):
        while True:
            try:
                chunk = os.read(self.reader, 65536)
            except OSError:
                return
            if not chunk:
                return
            self.total += len(chunk)
            head, rest = chunk[: self.room], chunk[self.room :]
            self.room -= len(head)
            self.write(head)
            self.tail = (self.tail + rest)[-self.tail_bytes :]

    def write(self, data):
        # A full disk loses log lines, never the run: the pipe must be drained whatever happens.
        while data and self.file is not None:
            try:
                data = data[os.write(self.file, data) :]
            except OSError:
                return

    def close(self):
        self.join(1.0)
        left_out = self.total - (os.fstat(self.file).st_size if self.file is not None else 0)
        left_out -= len(self.tail)
        if left_out > 0:
            self.write(b"\n[... %d bytes left out ...]\n" % left_out)
        self.write(self.tail)
        return {"bytes": self.total, "truncated": left_out > 0}


def main():
    with open(START, encoding="utf-8") as file:
        orders = json.load(file)
    try:
        os.close(os.open(BEGAN, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    except FileExistsError:
        # A container that somebody started again must not run the agent a second time.
        print("this sandbox has already run its agent", file=sys.stderr)
        return EXIT_ALREADY_RAN
    watched = {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    return Supervisor(orders, watched).run()


class Supervisor:
    def __init__(self, orders, watched):
        self.orders, self.watched = orders, watched
        self.forwarder, self.forwarder_starts = 0, 0
        self.stop_requested, self.force_at = False, None
        self.status = None
        # Held by us, so that clients queue while a dead forwarder is replaced.
        self.listener = socket.create_server(("127.0.0.1", PORT), backlog=128)
        os.set_inheritable(self.listener.fileno(), True)
        self.end_file = self.reserve_end_file()

    def run(self):
        self.started_at = time.time()
        started = time.monotonic()
        self.start_forwarder()
        logs = self.start_harness()
        while self.status is None:
            self.wait_for_signal()
        duration_ms = round((time.monotonic() - started) * 1000)
        self.kill_all()
        output = {name: log.close() for name, log in logs.items()}
        self.write_end(duration_ms, output)
        code = os.waitstatus_to_exitcode(self.status)
        return code if code >= 0 else 128 - code

    def start_forwarder(self):
        command = [sys.executable, "-I", "-S", FORWARDER, str(self.listener.fileno()), RUN + "/gateway.sock"]
        try:
            self.forwarder = os.posix_spawn(sys.executable, command, {"LANG": "C.UTF-8"}, setsigmask=[])
            self.forwarder_starts += 1
        except OSError:
            self.forwarder = 0  # the agent has used up the processes: tried again every second

    def start_harness(self):
        command, environment = self.orders["command"], {**os.environ, **self.orders["environment"]}
        pipes = {name: os.pipe() for name in ("stdout", "stderr")}
        descriptors = {"stdout": 1, "stderr": 2}
        actions = [(os.POSIX_SPAWN_OPEN, 0, self.orders.get("standardInput") or "/dev/null", os.O_RDONLY, 0)]
        actions += [(os.POSIX_SPAWN_DUP2, pipes[name][1], descriptors[name]) for name in pipes]
        actions.append((os.POSIX_SPAWN_CLOSE, self.listener.fileno()))
        try:
            self.harness = os.posix_spawnp(
                *(command[0], command, environment),
                file_actions=actions,
                setsid=True,
                setsigmask=[],
                setsigdef=IGNORED_BY_PYTHON,
            )
        except OSError as error:
            os.write(pipes["stderr"][1], f"cannot start {command[0]}: {error}\n".encode())
            self.harness, self.status = 0, 127 << 8
        for _, writer in pipes.values():
            os.close(writer)
        self.prefer_for_oom(self.harness)
        limits = self.orders["logHeadBytes"], self.orders["logTailBytes"]
        folder = self.orders["logFolder"]
        return {
            name: BoundedLog(pipes[name][0], os.path.join(folder, name + ".log"), *limits) for name in pipes
        }

    @staticmethod
    def prefer_for_oom(pid):
        try:
            with open(f"/proc/{pid}/oom_score_adj", "w", encoding="ascii") as file:
                file.write(HARNESS_OOM_SCORE)
        except OSError:
            pass  # it has already ended

    def wait_for_signal(self):
        if self.force_at is not None:
            timeout = max(0.0, self.force_at - time.monotonic())
        else:
            timeout = 1.0 if self.forwarder == 0 else 3600.0
        info = signal.sigtimedwait(self.watched, timeout)
        if info is None and self.force_at is not None:
            self.force_at = time.monotonic() + 1.0
            self.kill_all()
        elif info is None and self.forwarder == 0:
            self.start_forwarder()
        elif info is not None and info.si_signo != signal.SIGCHLD:
            # Sender 0 is outside of this container; agents may not stop their own supervisor.
            if info.si_pid == 0:
                self.ask_to_stop()
        self.reap()

    def ask_to_stop(self):
        if self.stop_requested:
            return
        self.reap()
        if self.status is not None:
            return
        self.stop_requested = True
        self.force_at = time.monotonic() + self.orders["stopGraceMs"] / 1000
        try:
            os.killpg(self.harness, signal.SIGTERM)
        except OSError:
            pass

    @staticmethod
    def kill_all():
        try:
            os.kill(-1, signal.SIGKILL)  # from PID 1: everything but PID 1
        except OSError:
            pass

    def reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.harness and self.status is None:
                self.status = status
            elif pid == self.forwarder and self.status is None and self.force_at is None:
                if self.forwarder_starts > 1:
                    time.sleep(0.05)  # one that cannot live must not burn a processor
                self.start_forwarder()

    @staticmethod
    def reserve_end_file():
        """Blocks for the end record, taken while there is room for them."""
        descriptor = os.open(END + ".part", os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644)
        os.write(descriptor, b" " * 4096)
        os.fsync(descriptor)
        return descriptor

    def write_end(self, duration_ms, output):
        code = os.waitstatus_to_exitcode(self.status)
        record = {
            "v": 1,
            "exitCode": code if code >= 0 else None,
            "signal": None if code >= 0 else signal_name(-code),
            "stopRequested": self.stop_requested,
            "startedAt": timestamp(self.started_at),
            "endedAt": timestamp(time.time()),
            "durationMs": duration_ms,
            "forwarderRestarts": self.forwarder_starts - 1,
            "output": output,
            **cgroup_facts(),
            "diskFree": free_bytes(self.orders["diskPath"]),
        }
        data = json.dumps(record).encode()
        os.pwrite(self.end_file, data, 0)
        os.ftruncate(self.end_file, len(data))
        os.fsync(self.end_file)
        if not os.path.exists(END + ".part"):  # the agent removed it: a new one, if there is room
            with open(END + ".part", "wb") as file:
                file.write(data)
        os.rename(END + ".part", END)
        folder = os.open(RUN, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(folder)


def cgroup_facts():
    """Memory and process limits hit; control groups version 2 first, then version 1."""
    events = counters("/sys/fs/cgroup/memory.events") or counters("/sys/fs/cgroup/memory/memory.oom_control")
    pids = counters("/sys/fs/cgroup/pids.events") or counters("/sys/fs/cgroup/pids/pids.events")
    peak = number("/sys/fs/cgroup/memory.peak") or number("/sys/fs/cgroup/memory/memory.max_usage_in_bytes")
    return {
        "oomKills": events.get("oom_kill", 0),
        "pidsRefused": pids.get("max", 0),
        "memoryPeakBytes": peak,
    }


def counters(path):
    try:
        with open(path, encoding="ascii") as file:
            pairs = (line.split() for line in file)
            return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}
    except (OSError, ValueError):
        return {}


def number(path):
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


def free_bytes(path):
    try:
        facts = os.statvfs(path)
    except OSError:
        return None
    return min(facts.f_bavail * facts.f_frsize, facts.f_favail * 4096)


def signal_name(value):
    try:
        return signal.Signals(value).name
    except ValueError:
        return f"SIG{value}"


def timestamp(seconds):
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03d}Z"


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
