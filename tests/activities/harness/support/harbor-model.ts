import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { projectRoot } from '../../../../activities/sandbox/image-recipe';

const SCRIPT = `
import json, sys
from harbor.models.trajectories import Trajectory
faults = []
for number, line in enumerate(sys.stdin):
    try:
        Trajectory.model_validate_json(line)
    except ValueError as error:
        faults.append(f"transcript {number}: {error}")
print(json.dumps(faults))
`;

/** What Harbor, where the transcript's format comes from, finds wrong with transcripts; scripts/setup --harbor installs it. */
export async function judgedByHarbor(transcripts: readonly string[]): Promise<string[]> {
  const data = process.env['STARTUPBENCH_DATA'] ?? join(projectRoot(), '.startupbench');
  const python = spawn(join(data, 'venv', 'bin', 'python'), ['-c', SCRIPT], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = text(python.stdout);
  const ended = once(python, 'close');
  for (const transcript of transcripts) python.stdin.write(`${transcript.trim()}\n`);
  python.stdin.end();
  const [code] = (await ended) as [number];
  if (code !== 0)
    throw new Error(
      `Harbor's model could not be asked (exit code ${code}); run: scripts/setup --harbor`,
    );
  return JSON.parse(await said) as string[];
}
