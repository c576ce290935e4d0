"""Runs nanobot 0.3.5 once through its SDK, since its command line exits with 0 for every end.

usage: runner.py CONFIG WORKSPACE RESULT          the prompt comes on standard input
Writes {"stopReason", "error", "steps", "tools", "usage", "transcript"} to RESULT (transcript: nanobot's own
session file, relative to HOME); the answer's text goes to standard output.
The exit code says only whether nanobot itself ran.
"""

import asyncio
import gc
import glob
import json
import os
import sys
import traceback

# Importing makes objects, and no garbage: looking for it would take an eighth of the time to the first request.
gc.disable()
from nanobot import Nanobot  # noqa: E402

gc.enable()

# What the benchmark allows: files and commands. An allow list, so that nothing new slips in: no web, no
# subagents (their steps would multiply the cap), no cron, no messages, no goals, no other sessions.
ALLOWED_TOOLS = {
    "apply_patch", "edit_file", "exec", "exec_session", "find_files", "grep", "list_dir", "list_exec_sessions",
    "read_file", "write_file",
}  # fmt: skip
SESSION = "startupbench:run"


def restrict_tools(bot):
    # A private attribute: nanobot has no switch for most of these tools. The pinned version has it.
    registry = bot._loop.tools
    for name in list(registry.tool_names):
        if name not in ALLOWED_TOOLS:
            registry.unregister(name)
    return sorted(registry.tool_names)


async def run(config, workspace, prompt):
    async with Nanobot.from_config(config, workspace=workspace) as bot:
        tools = restrict_tools(bot)
        result = await bot.run(prompt, session_key=SESSION)
        return result.content, {
            "stopReason": result.stop_reason,
            "error": result.error,
            "steps": len([1 for message in result.messages if message.get("role") == "assistant"]),
            "tools": tools,
            "usage": result.usage,
        }


def transcript(config):
    """The session file; nanobot keeps it beside its configuration."""
    files = glob.glob(os.path.join(os.path.dirname(config), "sessions", "**", "*.jsonl"), recursive=True)
    newest = max(files, key=os.path.getmtime, default=None)
    return newest and os.path.relpath(newest, os.path.expanduser("~"))


def write(path, result):
    part = path + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(result, file, ensure_ascii=False, default=str)
    os.replace(part, path)


def main():
    config, workspace, result_path = sys.argv[1:4]
    prompt = sys.stdin.read()
    try:
        content, result = asyncio.run(run(config, workspace, prompt))
    except Exception as error:
        traceback.print_exc()
        write(result_path, {"stopReason": "crashed", "error": f"{type(error).__name__}: {error}"})
        return 1
    print(content, flush=True)
    write(result_path, {**result, "transcript": transcript(config)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
