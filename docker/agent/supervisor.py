"""PID 1 of a sandbox: runs the harness and the forwarder, and leaves a record of how the harness ended.

It is root with the few capabilities that it takes to start others as the agent's user and to stop
them; the harness and the forwarder have none. So nothing inside can signal it, limit it or look into
it, and nothing but it can reach OWN, where its orders are (START, written by the host before the
start), the harness's output, and its last act: END. An agent that kills everything it can see still
leaves an end record, and can leave none of its own. Standard library only, few imports: it starts in
milliseconds.
"""

import ctypes
import json
import os
import signal
import socket
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)  # isolated as this interpreter is, it would not look there
from harness_output import BoundedLog  # noqa: E402
from network_watch import NetworkWatch  # noqa: E402

SOCKET = "/run/startupbench/gateway.sock"
# Below a folder that only root may enter.
OWN = "/run/supervisor/own"
START = OWN + "/start.json"
BEGAN = OWN + "/began"
END = OWN + "/end.json"
PORT = 8080
FORWARDER = os.path.join(HERE, "forwarder.py")
# Agents' processes are the kernel's first choice when memory runs out, before us and the forwarder.
HARNESS_OOM_SCORE = "500"
EXIT_ALREADY_RAN = 70
END_RECORD_BYTES = 64 * 1024
# A child would inherit that, and a shell's pipes and file limits would not work as everywhere else.
IGNORED_BY_PYTHON = [signal.SIGPIPE, signal.SIGXFSZ]
SI_USER = 0  # kill(2); a sender inside cannot forge this code, as it can forge its process number with others
PR_CAPBSET_DROP, LAST_CAPABILITY = 24, 63


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
        self.prctl = ctypes.CDLL(None).prctl
        # Held by us, so that clients queue while a dead forwarder is replaced.
        self.listener = socket.create_server(("127.0.0.1", PORT), backlog=128)
        self.network = NetworkWatch()
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
        listener = self.listener.fileno()
        command = [sys.executable, "-I", "-S", FORWARDER, str(listener), SOCKET]
        try:
            self.forwarder = self.start_as_agent(
                command, {"LANG": "C.UTF-8"}, lambda: os.set_inheritable(listener, True)
            )
            self.forwarder_starts += 1
        except OSError:
            self.forwarder = 0  # the agent has used up the processes: tried again every second

    def start_harness(self):
        command, environment = self.orders["command"], {**os.environ, **self.orders["environment"]}
        pipes = {name: os.pipe() for name in ("stdout", "stderr")}
        limits = self.orders["logHeadBytes"], self.orders["logTailBytes"]
        # Before the harness, which may leave no room for another thread.
        logs = {name: BoundedLog(pipes[name][0], f"{OWN}/{name}.log", *limits) for name in pipes}

        def prepare():
            os.setsid()
            os.dup2(pipes["stdout"][1], 1)
            os.dup2(pipes["stderr"][1], 2)
            with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
                file.write(HARNESS_OOM_SCORE)

        self.harness = self.start_as_agent(command, environment, prepare, self.orders.get("standardInput"))
        for _, writer in pipes.values():
            os.close(writer)
        return logs

    def start_as_agent(self, command, environment, prepare, standard_input=None):
        """Runs `prepare` and then the command in a new process of the agent's user, in the workspace."""
        pid = os.fork()
        if pid != 0:
            return pid
        try:
            prepare()
            self.become_agent()
            os.chdir(self.orders["workingFolder"])
            os.dup2(os.open(standard_input or "/dev/null", os.O_RDONLY), 0)
            for number in IGNORED_BY_PYTHON:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execvpe(command[0], command, environment)
        except BaseException as error:
            os.write(2, f"cannot start {command[0]}: {error}\n".encode())
        finally:
            os._exit(127)

    def become_agent(self):
        """For ever: without capabilities, and with none to be had."""
        for capability in range(LAST_CAPABILITY + 1):
            self.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails for those that this kernel does not know
        user, group = self.orders["user"]["uid"], self.orders["user"]["gid"]
        os.setgroups([])
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)

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
            # Sender 0 is outside of this container; nobody inside stops the supervisor.
            if info.si_pid == 0 and info.si_code == SI_USER:
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
        # An agent that makes orphans without end must not keep us from seeing the harness's own end.
        while self.status is None:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.harness:
                self.status = status
            elif pid == self.forwarder and self.force_at is None:
                if self.forwarder_starts > 1:
                    time.sleep(0.05)  # one that cannot live must not burn a processor
                self.start_forwarder()

    @staticmethod
    def reserve_end_file():
        """Blocks for the end record, taken while there is room for them."""
        descriptor = os.open(END + ".part", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(descriptor, b" " * END_RECORD_BYTES)
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
            "network": self.network.report(),
            **cgroup_facts(),
            "diskFree": free_bytes(self.orders["workingFolder"]),
        }
        data = json.dumps(record).encode()
        os.pwrite(self.end_file, data, 0)
        os.ftruncate(self.end_file, len(data))
        os.fsync(self.end_file)
        os.rename(END + ".part", END)
        folder = os.open(OWN, os.O_RDONLY | os.O_DIRECTORY)
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
