import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SUBAGENT_MARKS } from '../../../activities/gateway/subagent-request';
import { type ImageName, imageTag } from '../../../activities/sandbox/image-recipe';

const run = promisify(execFile);
jest.setTimeout(60_000);

const PACKAGES = '/opt/harness/lib/python3*/site-packages';
const SAID_IN: Readonly<Record<string, string>> = {
  'claude-code': '/opt/harness/bin/claude',
  hermes: `${PACKAGES}/tools/delegate_tool.py`,
  nanobot: `${PACKAGES}/nanobot/templates/agent/subagent_system.md`,
  'nanobot-paper': `${PACKAGES}/nanobot/templates/agent/subagent_system.md`,
};

describe('what marks a request of a subagent', () => {
  // The pinned programs are asked, so that another release with other words fails here.
  it.concurrent.each(Object.entries(SUBAGENT_MARKS))('is said by %s', async (harness, marks) => {
    const said = Object.values(marks).map((mark) => `grep -caF '${mark}' ${SAID_IN[harness]}`);
    const options = ['--rm', '--network', 'none', '--entrypoint', 'sh'];
    const image = imageTag(harness as ImageName);
    const { stdout } = await run('docker', ['run', ...options, image, '-c', said.join('; ')]);
    const counts = stdout.trim().split('\n').map(Number);
    expect(counts).toHaveLength(said.length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });
});
