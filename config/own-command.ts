/** How people call us, for the commands that messages name: what the launcher was called by, else the plain name. */
export function ownCommand(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return env['STARTUPBENCH_COMMAND'] ?? 'startupbench';
}
