"""Runs nanobot 0.1.5.post2 once as a library, since its command line exits with 0 for every end.

usage: paper_runner.py CONFIG WORKSPACE RESULT          the prompt comes on standard input
Writes {"stopReason", "error", "steps", "tools", "usage", "transcript"} to RESULT (transcript: nanobot's own
session file, relative to HOME); the answer's text goes to standard output.
The exit code says only whether nanobot itself ran.
"""

import asyncio
import contextlib
import gc
import json
import os
import sys
import traceback
from pathlib import Path

# Importing makes objects, and no garbage: looking for it would take an eighth of the time to the first request.
gc.disable()
from nanobot import Nanobot  # noqa: E402
from nanobot.utils.helpers import sync_workspace_templates  # noqa: E402

gc.enable()

# Files and commands, as the paper's agents used them. An allow list: no subagents (their steps would multiply
# the cap), no messages, no inspection of nanobot itself.
ALLOWED_TOOLS = {"edit_file", "exec", "glob", "grep", "list_dir", "notebook_edit", "read_file", "write_file"}
# The paper's own; it names the session file.
SESSION = "cli:direct"


class Run:
    """One run and what the library of this release does not tell: the result of the loop behind it."""

    def __init__(self, config, workspace):
        self.bot = Nanobot.from_config(config, workspace=workspace)
        # Private attributes: this release has no other way to any of it. The version is pinned.
        self.loop = self.bot._loop
        self.restrict_tools()
        self.move_sessions(Path(config).parent / "sessions", Path(workspace))
        self.ended = None
        self.run_loop, self.loop.runner.run = self.loop.runner.run, self.watch

    def restrict_tools(self):
        for name in list(self.loop.tools.tool_names):
            if name not in ALLOWED_TOOLS:
                self.loop.tools.unregister(name)

    def move_sessions(self, folder, workspace):
        """Beside the configuration, as later releases do: agents read and write whatever lies in the workspace."""
        folder.mkdir(parents=True, exist_ok=True)
        self.loop.sessions.sessions_dir = folder
        with contextlib.suppress(OSError):  # not empty: the task has a folder of this name
            (workspace / "sessions").rmdir()

    async def watch(self, spec):
        self.ended = await self.run_loop(spec)
        return self.ended

    async def answer(self, prompt):
        # With listeners, as its command line has them: only then it asks for streams.
        response = await self.loop.process_direct(prompt, SESSION, on_stream=ignore, on_stream_end=ignore)
        if self.ended is None:
            raise RuntimeError("nanobot answered without asking a model")
        return response.content if response else ""

    def report(self):
        session = self.loop.sessions._get_session_path(SESSION)
        return {
            "stopReason": self.ended.stop_reason,
            "error": self.ended.error,
            "steps": len([1 for message in self.ended.messages if message.get("role") == "assistant"]),
            "tools": sorted(self.loop.tools.tool_names),
            "usage": self.ended.usage,
            "transcript": os.path.relpath(session, os.path.expanduser("~")) if session.exists() else None,
        }


async def ignore(*_arguments, **_options):
    pass


def write(path, result):
    part = path + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(result, file, ensure_ascii=False, default=str)
    os.replace(part, path)


def main():
    config, workspace, result_path = sys.argv[1:4]
    prompt = sys.stdin.read()
    try:
        # As its command line does first: these files are part of the system prompt.
        sync_workspace_templates(Path(workspace), silent=True)
        run = Run(config, workspace)
        content = asyncio.run(run.answer(prompt))
        result = run.report()
    except Exception as error:
        traceback.print_exc()
        write(result_path, {"stopReason": "crashed", "error": f"{type(error).__name__}: {error}"})
        return 1
    print(content, flush=True)
    write(result_path, result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
