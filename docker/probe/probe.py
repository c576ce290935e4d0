"""Runs inside a sandbox in place of an agent and tries to get out of it; says what happened, as JSON.

usage: probe.py SETTINGS_JSON OUTPUT        Standard library only; not part of any image.
Each finding: {"name", "ok", "detail"}; ok means that the attempt was stopped as it should be.
"""

import ctypes
import errno
import json
import os
import pwd
import resource
import signal
import socket
import sys
import time

CLONE_NEWUSER = 0x10000000
FINDINGS = []


def finding(name, ok, detail):
    FINDINGS.append({"name": name, "ok": bool(ok), "detail": str(detail)})


def error_of(action):
    """Name of the error that stopped an action, or None when nothing did."""
    try:
        action()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    return None


def status_field(name):
    with open("/proc/self/status", encoding="ascii") as file:
        return next(line.split(":", 1)[1].strip() for line in file if line.startswith(name + ":"))


def network():
    interfaces = [name for _, name in socket.if_nameindex()]
    finding("only the loopback interface", interfaces == ["lo"], ", ".join(interfaces))
    for host, port in (("1.1.1.1", 80), ("8.8.8.8", 53), ("169.254.169.254", 80), ("172.17.0.1", 22)):
        started = time.monotonic()
        error = error_of(lambda: socket.create_connection((host, port), 3).close())
        seconds = time.monotonic() - started
        refused = error in ("ENETUNREACH", "EHOSTUNREACH", "EPERM", "EACCES")
        finding(f"no connection to {host}:{port}", refused, f"{error} after {seconds:.1f} s")
    started = time.monotonic()
    try:
        socket.getaddrinfo("example.com", 80)
        answer = "a name was resolved"
    except OSError as error:
        answer = str(error)
    seconds = time.monotonic() - started
    finding("names are refused at once", answer != "a name was resolved" and seconds < 3, f"{answer}, {seconds:.1f} s")


def root_writes():
    for folder in ("/", "/etc", "/usr/bin", "/opt/startupbench", "/var/tmp", "/run", "/sys/fs/cgroup", "/proc/sys/kernel"):
        error = error_of(lambda: os.close(os.open(os.path.join(folder, "probe"), os.O_CREAT | os.O_WRONLY)))
        finding(f"no writing to {folder}", error is not None, error)
    for path in ("/run/startupbench/probe", "/run/supervisor/own/end.json"):
        error = error_of(lambda: os.close(os.open(path, os.O_CREAT | os.O_WRONLY)))
        finding(f"no writing to {os.path.dirname(path)}", error in ("EROFS", "EACCES"), error)
    error = error_of(lambda: os.listdir("/run/supervisor"))
    finding("the supervisor's folder is closed", error == "EACCES", error)


def privileges():
    sets = {name: status_field(name) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    finding("no capabilities", all(int(value, 16) == 0 for value in sets.values()), sets)
    finding("no new privileges", status_field("NoNewPrivs") == "1", status_field("NoNewPrivs"))
    finding("system calls are filtered", status_field("Seccomp") == "2", status_field("Seccomp"))
    finding("a user that is not root, with a name", os.getuid() != 0 and pwd.getpwuid(os.getuid()).pw_name == "agent", os.getuid())
    finding("root cannot be had", error_of(lambda: os.setuid(0)) == "EPERM", "setuid(0)")
    libc = ctypes.CDLL(None, use_errno=True)
    made = libc.unshare(CLONE_NEWUSER)
    finding("no user namespace", made != 0, errno.errorcode.get(ctypes.get_errno()))
    mounted = libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)
    finding("no mounts", mounted != 0, errno.errorcode.get(ctypes.get_errno()))
    blocks = [name for name in os.listdir("/dev") if os.path.exists("/dev/" + name) and (os.stat("/dev/" + name).st_mode & 0o170000) == 0o060000]
    finding("no block devices", not blocks, blocks)
    error = error_of(lambda: os.kill(1, signal.SIGTERM))
    finding("the supervisor cannot be asked to stop", error == "EPERM", error)
    error = error_of(lambda: resource.prlimit(1, resource.RLIMIT_CPU, (0, 0)))
    finding("the supervisor cannot be limited", error == "EPERM", error)
    error = error_of(lambda: os.listdir("/proc/1/fd"))
    finding("the supervisor cannot be looked into", error == "EACCES", error)


def neighbours(settings):
    for path in settings["foreignPaths"]:
        finding(f"no {os.path.basename(path)} of the host or of another attempt", not os.path.exists(path), path)
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
    finding("only own processes are seen", len(processes) < 10, len(processes))


def processes(limit):
    children = []
    try:
        while len(children) <= limit:
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            children.append(pid)
        error = None
    except OSError as failure:
        error = errno.errorcode.get(failure.errno)
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    finding("processes are limited", error == "EAGAIN" and len(children) < limit, f"{error} after {len(children)} of {limit}")


def memory(limit):
    pid = os.fork()
    if pid == 0:
        blocks = []
        for _ in range(2 * limit // (1 << 20)):
            blocks.append(bytearray(os.urandom(1) * (1 << 20)))
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    finding("memory is limited", os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, f"status {status}")


def processors(cpus):
    def read(path):
        try:
            with open(path, encoding="ascii") as file:
                return file.read().split()
        except OSError:
            return None

    unified = read("/sys/fs/cgroup/cpu.max")
    legacy = (read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), read("/sys/fs/cgroup/cpu/cpu.cfs_period_us"))
    quota, period = unified or (legacy[0][0], legacy[1][0])
    finding("processors are limited", quota != "max" and abs(int(quota) / int(period) - cpus) < 0.01, f"{quota} of {period} us")


def fill(path, limit, expected, name):
    written = 0
    error = None
    block = b"x" * (1 << 20)
    try:
        with open(path, "wb", buffering=0) as file:
            while written <= limit:
                written += file.write(block)
    except OSError as failure:
        error = errno.errorcode.get(failure.errno)
    finding(name, error in expected and written <= limit, f"{error} after {written >> 20} MiB")


def disks(settings):
    fill("/workspace/one-file", settings["fileBytes"], {"EFBIG"}, "the size of a file is limited")
    finding("core files are off", resource.getrlimit(resource.RLIMIT_CORE) == (0, 0), resource.getrlimit(resource.RLIMIT_CORE))
    if settings["bounded"]:
        written, error, number = 0, None, 0
        while error is None and written <= 2 * settings["workspaceBytes"]:
            number += 1
            error = error_of(lambda: write_block(f"/workspace/part-{number}"))
            written += 1 << 20
        finding("the workspace is limited", error == "ENOSPC", f"{error} after {written >> 20} MiB")
        for count in range(1, number + 1):
            os.remove(f"/workspace/part-{count}")
    os.remove("/workspace/one-file")
    facts = os.statvfs("/tmp")
    finding("/tmp is limited", 0 < facts.f_blocks * facts.f_frsize <= settings["memoryBytes"], f"{facts.f_blocks * facts.f_frsize >> 20} MiB")


def write_block(path):
    with open(path, "wb", buffering=0) as file:
        if file.write(b"x" * (1 << 20)) < 1 << 20:
            raise OSError(errno.ENOSPC, "a short write")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    network()
    root_writes()
    privileges()
    neighbours(settings)
    processes(settings["pids"])
    processors(settings["cpus"])
    disks(settings)
    memory(settings["memoryBytes"])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(FINDINGS, file)


if __name__ == "__main__":
    main()
