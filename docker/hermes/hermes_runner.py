"""Runs Hermes 0.19.0 once through its library, since its command line exits with 0 for most ends.

usage: hermes_runner.py CONFIG_JSON          the prompt comes on standard input
CONFIG: {url, tokenFile, model, toolsets, maxSteps, maxOutputTokens, resultFile, transcriptFile}; Hermes' own
configuration is read from HERMES_HOME. Writes {"stopReason", "detail", "steps", "tools", "transcript"} to resultFile
(transcript: Hermes' messages, a line each, relative to HOME); the answer's text goes to standard output.
The exit code says only whether Hermes itself ran.
"""

import contextlib
import gc
import json
import os
import sys
import traceback


def stop_reason(result):
    """Hermes' own words are `turn_exit_reason` where the loop ended, and flags where a call gave up before that."""
    reason = str(result.get("turn_exit_reason") or "")
    error = result.get("error")
    # `completed` is true for an empty reply as well.
    if reason.startswith("empty_response"):
        return "empty", reason
    if reason.startswith("max_iterations_reached") or reason == "budget_exhausted":
        return "step_cap", reason
    if str(error or "").startswith("content_policy_blocked"):
        return "refused", error
    if result.get("interrupted"):
        return "cancelled", reason
    if result.get("failed") or result.get("partial") or error:
        return "error", str(error or reason or "failed")
    return "completed", None


def run(config, prompt):
    # Importing makes objects, and no garbage: looking for it would take an eighth of the time to the first request.
    gc.disable()
    from run_agent import AIAgent

    gc.enable()

    with open(config["tokenFile"], encoding="ascii") as file:
        token = file.read().strip()
    agent = AIAgent(
        base_url=config["url"],
        api_key=token,
        provider="custom",
        api_mode="chat_completions",
        model=config["model"],
        max_iterations=config["maxSteps"],
        max_tokens=config["maxOutputTokens"],
        enabled_toolsets=config["toolsets"],
        skip_context_files=True,
        skip_memory=True,
        quiet_mode=True,
        session_db=None,
    )
    result = agent.run_conversation(prompt)
    return result, sorted(agent.valid_tool_names)


def write(path, text):
    part = path + ".part"
    with open(part, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(part, path)


def write_transcript(path, messages):
    write(path, "".join(json.dumps(message, ensure_ascii=False, default=str) + "\n" for message in messages))
    return os.path.relpath(path, os.path.expanduser("~"))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        config = json.load(file)
    prompt = sys.stdin.read()
    try:
        # It prints its progress even when it is told to be quiet.
        with contextlib.redirect_stdout(sys.stderr):
            result, tools = run(config, prompt)
        reason, detail = stop_reason(result)
        messages = result.get("messages") or []
        report = {
            "stopReason": reason,
            "detail": detail,
            "steps": result.get("api_calls"),
            "tools": tools,
            "transcript": write_transcript(config["transcriptFile"], messages),
        }
    except Exception as error:
        traceback.print_exc()
        report = {"stopReason": "error", "detail": f"{type(error).__name__}: {error}"}
        write(config["resultFile"], json.dumps(report, ensure_ascii=False))
        return 1
    print(result.get("final_response") or "", flush=True)
    write(config["resultFile"], json.dumps(report, ensure_ascii=False, default=str))
    return 0


if __name__ == "__main__":
    code = main()
    # Hermes leaves threads behind that would keep the program alive.
    sys.stdout.flush()
    os._exit(code)
