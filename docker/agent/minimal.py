"""The smallest agent: a loop over Chat Completions with three tools. For smoke and scale tests.

usage: minimal.py CONFIG_JSON          the prompt comes on standard input
CONFIG: {url, tokenFile, model, maxSteps, maxOutputTokens, resultFile}. Standard library only.
Writes {"stopReason", "detail", "steps"} to resultFile; exits 0 whatever the reason, since it says the reason.
"""

import base64
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

SYSTEM = (
    "You work alone in a Linux sandbox without network. Use the tools to do the task; "
    "answer without a tool call when the work is finished."
)
MAX_RESULT_CHARACTERS = 10_000
IMAGE_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif"}
MAX_IMAGE_BYTES = 8 * 1024 * 1024
DEFAULT_COMMAND_SECONDS = 120
MAX_COMMAND_SECONDS = 600
CONNECTION_TRIES = 5


def parameters(**properties):
    return {"type": "object", "properties": properties, "required": [name for name in properties if name != "timeout"]}


# Named like nanobot's, so that one recording plays under both.
TOOLS = [
    ("exec", "Runs a shell command in the workspace and returns its output and exit code.",
     parameters(command={"type": "string"}, timeout={"type": "integer", "description": "seconds, at most 600"})),
    ("write_file", "Writes a text file, replacing what was there; makes missing folders.",
     parameters(path={"type": "string"}, content={"type": "string"})),
    ("read_file", "Reads a text file, or shows an image.", parameters(path={"type": "string"})),
]  # fmt: skip


class ModelError(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def clipped(text):
    if len(text) <= MAX_RESULT_CHARACTERS:
        return text
    half = MAX_RESULT_CHARACTERS // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


class Output(threading.Thread):
    """Drains a pipe and keeps its two ends."""

    KEPT = 64 * 1024

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream, self.head, self.tail, self.total = stream, b"", b"", 0
        self.start()

    def run(self):
        while chunk := self.stream.read1(65536):
            self.total += len(chunk)
            room = self.KEPT - len(self.head)
            self.head += chunk[:room]
            self.tail = (self.tail + chunk[room:])[-self.KEPT :]

    def text(self):
        left_out = self.total - len(self.head) - len(self.tail)
        gap = f"\n[... {left_out} bytes left out ...]\n".encode() if left_out > 0 else b""
        return (self.head + gap + self.tail).decode("utf-8", "replace")


def run_command(command, timeout=DEFAULT_COMMAND_SECONDS):
    seconds = max(1, min(int(timeout), MAX_COMMAND_SECONDS))
    process = subprocess.Popen(
        ["/bin/bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    output = Output(process.stdout)
    try:
        end = f"exit code {process.wait(seconds)}"
    except subprocess.TimeoutExpired:
        # The whole group, or what the shell started lives on and uses up the process limit.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        end = f"killed after {seconds} s"
    output.join(0.2)  # a program left in the background may hold the pipe for ever
    return f"{clipped(output.text())}\n[{end}]"


def write_file(path, content):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"wrote {len(content)} characters"


class Image(str):
    """The text of a result whose image is put before the model right behind it."""


def read_file(path):
    media_type = IMAGE_TYPES.get(os.path.splitext(path)[1].lower())
    with open(path, "rb") as file:
        if media_type is not None:
            data = file.read(MAX_IMAGE_BYTES + 1)
            if len(data) > MAX_IMAGE_BYTES:
                return f"{path} is larger than {MAX_IMAGE_BYTES >> 20} MiB; make it smaller first"
            shown = Image(f"{path} is shown below")
            shown.url = f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"
            return shown
        return clipped(file.read(4 * 1024 * 1024).decode("utf-8", "replace"))


FUNCTIONS = {"exec": run_command, "write_file": write_file, "read_file": read_file}


def run_tool(call):
    function = call.get("function") or {}
    name = function.get("name")
    if name not in FUNCTIONS:
        return f"there is no tool {name!r}; there are {', '.join(FUNCTIONS)}"
    try:
        arguments = json.loads(function.get("arguments") or "{}")
        return FUNCTIONS[name](**arguments)
    except Exception as error:  # whatever a model's arguments do, it is told and goes on
        return f"{type(error).__name__}: {error}"


class Model:
    def __init__(self, config):
        self.config, self.url, self.connection = config, urlsplit(config["url"]), None
        with open(config["tokenFile"], encoding="ascii") as file:
            self.token = file.read().strip()

    def complete(self, messages):
        tools = [
            {"type": "function", "function": {"name": name, "description": text, "parameters": schema}}
            for name, text, schema in TOOLS
        ]
        request = {
            "model": self.config["model"],
            "messages": messages,
            "tools": tools,
            "tool_choice": "auto",
            "max_tokens": self.config["maxOutputTokens"],
        }
        status, body = self.post(json.dumps(request).encode())
        try:
            reply = json.loads(body)
        except ValueError:
            raise ModelError(status, f"HTTP {status} with a body that is not JSON") from None
        if status != 200 or "error" in reply:
            error = reply.get("error") or {}
            raise ModelError(status, str(error.get("message") or f"HTTP {status}"))
        return reply["choices"][0]

    def post(self, body):
        headers = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        for left in reversed(range(CONNECTION_TRIES)):
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(self.url.hostname, self.url.port)
                self.connection.request("POST", self.url.path + "/chat/completions", body, headers)
                response = self.connection.getresponse()
                return response.status, response.read()
            except (OSError, http.client.HTTPException) as error:
                # The forwarder was replaced: it takes connections again at once.
                self.connection = None
                if left == 0:
                    raise ModelError(0, f"{type(error).__name__}: {error}") from error
                time.sleep(0.2)
        raise AssertionError("unreachable")


def run(config, prompt):
    model = Model(config)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt}]
    for step in range(1, config["maxSteps"] + 1):
        try:
            choice = model.complete(messages)
        except ModelError as error:
            return {"stopReason": "error", "detail": str(error), "steps": step - 1, "status": error.status}
        message, reason = choice.get("message") or {}, choice.get("finish_reason")
        calls = message.get("tool_calls") or []
        if not calls:
            text = message.get("content") or ""
            print(text, flush=True)
            if reason == "content_filter" or message.get("refusal"):
                return {"stopReason": "refused", "detail": message.get("refusal") or "content filter", "steps": step}
            return {"stopReason": "completed" if text.strip() else "empty", "steps": step}
        messages.append({"role": "assistant", "content": message.get("content"), "tool_calls": calls})
        results = [(call.get("id"), run_tool(call)) for call in calls]
        messages += [{"role": "tool", "tool_call_id": name, "content": str(result)} for name, result in results]
        # A tool message holds text only.
        images = [{"type": "image_url", "image_url": {"url": r.url}} for _, r in results if isinstance(r, Image)]
        if images:
            messages.append({"role": "user", "content": images})
    return {"stopReason": "step_cap", "steps": config["maxSteps"]}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        config = json.load(file)
    result = run(config, sys.stdin.read())
    with open(config["resultFile"], "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main()
