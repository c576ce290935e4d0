import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { imageTag } from '../../../activities/sandbox/image-recipe';

const run = promisify(execFile);

interface RecordedTool {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/**
 * Makes a recording's deliverables without a harness: its files are written and its commands executed in the
 * agents' Python image, without network, in a copy of the task's workspace. A looping turn is played once.
 * Returns what the commands printed.
 */
export async function playRecording(options: {
  readonly recording: string;
  readonly taskWorkspace: string;
  /** Becomes the workspace; must not exist. */
  readonly workspace: string;
}): Promise<string> {
  await mkdir(options.workspace, { recursive: true });
  await cp(options.taskWorkspace, options.workspace, { recursive: true });
  const { turns } = parse(await readFile(options.recording, 'utf8')) as {
    readonly turns: readonly { readonly tools?: readonly RecordedTool[] }[];
  };
  const container = await startContainer(options.workspace);
  const printed: string[] = [];
  try {
    for (const tool of turns.flatMap((turn) => turn.tools ?? []))
      printed.push(await playTool(tool, container, options));
  } finally {
    await run('docker', ['rm', '-f', container]);
  }
  return printed.join('');
}

async function startContainer(workspace: string): Promise<string> {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const options = [
    '--network',
    'none',
    '--user',
    user,
    '--env',
    'HOME=/tmp',
    '--workdir',
    '/workspace',
  ];
  const mount = ['--volume', `${workspace}:/workspace`];
  const image = imageTag('python');
  const { stdout } = await run('docker', [
    'run',
    '--detach',
    '--init',
    ...options,
    ...mount,
    image,
    'sleep',
    '600',
  ]);
  return stdout.trim();
}

async function playTool(
  tool: RecordedTool,
  container: string,
  options: { readonly recording: string; readonly workspace: string },
): Promise<string> {
  const { path, content, command } = tool.arguments ?? {};
  switch (tool.name) {
    case 'exec': {
      if (typeof command !== 'string')
        throw new Error(`${options.recording}: exec without a command`);
      const { stdout } = await run('docker', ['exec', container, 'bash', '-c', command], {
        maxBuffer: 16 * 1024 * 1024,
      });
      return stdout;
    }
    case 'write_file': {
      const target = join(options.workspace, String(path));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, await fileContent(content, options.recording));
      return '';
    }
    case 'read_file':
      await readFile(join(options.workspace, String(path)));
      return '';
    case 'list_dir':
      return '';
    default:
      throw new Error(`${options.recording}: ${tool.name} is not a tool that can be played`);
  }
}

async function fileContent(content: unknown, recording: string): Promise<string> {
  if (typeof content === 'string') return content;
  const { $file } = content as { readonly $file: string };
  return readFile(join(dirname(recording), $file), 'utf8');
}
