"""Runs Claude Code once and writes down how it ended, since its exit code does not tell its ends apart.

usage: claude_runner.py CONFIG_JSON          the prompt comes on standard input
CONFIG: {command, resultFile, transcriptFile}. Claude Code's stream of events goes to standard output as it comes;
its last one says how it ended. Writes {"stopReason", "detail", "transcript"} to resultFile (transcript: Claude Code's
own session file, relative to HOME). The exit code says only whether Claude Code came to an end of its own.
"""

import json
import os
import signal
import subprocess
import sys

DETAIL_CHARACTERS = 1000


def stop_reason(result, exit_code):
    """Claude Code calls a failed request a success with an error in it, and an empty reply a plain success."""
    if result is None:
        return "error", f"Claude Code ended without a result (exit code {exit_code})"
    subtype, reason = str(result.get("subtype")), str(result.get("terminal_reason"))
    text = result.get("result")
    if subtype == "error_max_turns" or reason == "max_turns":
        return "step_cap", reason
    if result.get("stop_reason") == "refusal":
        return "refused", str(text or reason)
    if result.get("is_error"):
        return "error", str(text or result.get("errors") or reason)
    if not str(text or "").strip():
        return "empty", None
    return "completed", None


def result_event(line):
    """The event that ends the stream, or None for every other line."""
    if b'"type":"result"' not in line:
        return None
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and event.get("type") == "result" else None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        config = json.load(file)
    process = subprocess.Popen(config["command"], stdin=sys.stdin, stdout=subprocess.PIPE)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    result = None
    for line in process.stdout:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        result = result_event(line) or result
    exit_code = process.wait()
    reason, detail = stop_reason(result, exit_code)
    transcript = config["transcriptFile"]
    report = {
        "stopReason": reason,
        "detail": detail and detail[:DETAIL_CHARACTERS],
        "transcript": os.path.relpath(transcript, os.path.expanduser("~")) if os.path.exists(transcript) else None,
    }
    part = config["resultFile"] + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(report, file, ensure_ascii=False)
    os.replace(part, config["resultFile"])
    if result is not None:
        return 0
    return 1 if exit_code == 0 else exit_code if exit_code > 0 else 128 - exit_code


if __name__ == "__main__":
    sys.exit(main())
