"""Runs a judge's Python in the inspector container. Started as `python3 -I inspector.py MODE`.

hold IDLE_SECONDS   process 1: buries orphans, and ends the container once nothing has run for that long
load                puts the files that come on standard input below /evidence, read-only
run                 runs Python that comes on standard input
deliver             copies the files to /workspace and runs a delivered program there

Modes other than hold read one line of JSON from standard input, then the bytes it announces, and answer with
one line of JSON. Nothing here trusts the files, nor the programs it runs.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

EVIDENCE = "/evidence"
WORKSPACE = "/workspace"
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


def main():
    mode = sys.argv[1]
    if mode == "hold":
        return hold(float(sys.argv[2]))
    source = sys.stdin.buffer
    header = json.loads(source.readline())
    answer = {"load": load, "run": run, "deliver": deliver}[mode](header, source)
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def hold(idle_seconds):
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    # Orphans come here when they end; ignoring the signal lets the kernel bury them at once.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    active = time.monotonic()
    while time.monotonic() - active < idle_seconds:
        if any(name.isdigit() and name != "1" for name in os.listdir("/proc")):
            active = time.monotonic()
        time.sleep(2)


def load(header, source):
    for file in header["files"]:
        path = below(EVIDENCE, file["path"])
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        with open(path, "xb") as target:
            left = file["bytes"]
            while left > 0:
                piece = source.read(min(left, 1 << 20))
                if not piece:
                    raise EOFError(f"{file['path']} is {left} bytes short")
                target.write(piece)
                left -= len(piece)
        os.chmod(path, 0o444)
    return {"loaded": len(header["files"])}


def below(folder, path):
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{path!r} is no path below {folder}")
    return os.path.join(folder, *parts)


def run(header, source):
    code = source.read(header["codeBytes"])
    return execute([sys.executable, "-I", "-"], "/tmp", code, header)


def deliver(header, _source):
    copy_tree(os.path.join(EVIDENCE, "inputs"), WORKSPACE)
    copy_tree(os.path.join(EVIDENCE, "results"), os.path.join(WORKSPACE, "results"))
    program = below(WORKSPACE, header["path"])
    interpreter = "bash" if program.endswith(".sh") else sys.executable
    return execute([interpreter, program, *header["arguments"]], WORKSPACE, b"", header)


def copy_tree(source, target):
    if os.path.isdir(source):
        shutil.copytree(source, target, dirs_exist_ok=True, copy_function=copy_writable)
        for folder, _, _ in os.walk(target):
            os.chmod(folder, 0o755)


def copy_writable(source, target):
    shutil.copyfile(source, target)
    os.chmod(target, 0o644)


def execute(command, folder, standard_input, header):
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    output = BoundedOutput(process.stdout, header["maxBytes"])
    timed_out = False
    try:
        feed(process, standard_input)
        process.wait(timeout=header["timeoutMs"] / 1000)
    except subprocess.TimeoutExpired:
        timed_out = True
    # Whatever the program has left behind goes with it; only this process and process 1 stay.
    kill_others()
    exit_code = process.wait()
    return {
        "output": output.text(),
        "timedOut": timed_out,
        "exitCode": exit_code,
        "durationMs": round((time.monotonic() - started) * 1000),
    }


def feed(process, standard_input):
    def write():
        try:
            process.stdin.write(standard_input)
            process.stdin.close()
        except OSError:
            pass

    threading.Thread(target=write, daemon=True).start()


def kill_others():
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass


class BoundedOutput:
    """Reads a pipe to its end in the background; keeps the first and the last half of what is allowed."""

    def __init__(self, pipe, max_bytes):
        self.half = max_bytes // 2
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0
        self.thread = threading.Thread(target=self.read, args=(pipe,), daemon=True)
        self.thread.start()

    def read(self, pipe):
        while piece := pipe.read1(1 << 16):
            room = self.half - len(self.head)
            self.head += piece[:room]
            self.tail += piece[room:]
            if len(self.tail) > self.half:
                self.dropped += len(self.tail) - self.half
                del self.tail[: len(self.tail) - self.half]

    def text(self):
        self.thread.join(timeout=5)
        gap = f"\n[{self.dropped} bytes left out]\n".encode() if self.dropped else b""
        return (bytes(self.head) + gap + bytes(self.tail)).decode("utf-8", "replace")


main()
