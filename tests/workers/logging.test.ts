import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, secretsOf, temporalLogger, withoutSecrets } from '../../workers/logging';

function lines(): { written: Record<string, unknown>[]; write(line: string): void } {
  const written: Record<string, unknown>[] = [];
  return { written, write: (line) => written.push(JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('carries the ids on every line, and errors with their message', () => {
    const destination = lines();
    const logger = createLogger({ role: 'agent', ids: { stack: 's-1', host: 'h-1' }, destination });
    logger.warn({ runId: 'a@b/t/r1', error: new Error('broken') }, 'lost');
    expect(destination.written).toEqual([
      expect.objectContaining({
        ...{ role: 'agent', stack: 's-1', host: 'h-1', runId: 'a@b/t/r1', msg: 'lost' },
        error: expect.objectContaining({ message: 'broken' }) as unknown,
      }),
    ]);
  });

  it('never has a secret, wherever it stands', () => {
    const destination = lines();
    const secret = 'super"secret\\value';
    const logger = createLogger({ role: 'x', secrets: () => [secret], destination });
    logger.error({ deep: { header: `k=${secret}` }, error: new Error(secret) }, `with ${secret}`);
    logger.info({}, 'sk-abcdefgh12345678 and Bearer abcdefghijk');
    const text = JSON.stringify(destination.written);
    expect(text).not.toContain('secret');
    expect(text).not.toContain('abcdefgh');
    expect(destination.written[0]?.['msg']).toBe('with [redacted]');
  });

  it('does not end its process where it cannot be written: /dev/full is a full disk', () => {
    const full = openSync('/dev/full', 'w');
    try {
      const script = `
        const { createLogger } = require('./workers/logging');
        const logger = createLogger({ role: 'worker' });
        for (let line = 0; line < 3000; line++) logger.info({ text: 'x'.repeat(1000) }, 'line');
        setTimeout(() => process.stdout.write('alive'), 50);`;
      const { status, stdout } = spawnSync(
        process.execPath,
        ['--import', require.resolve('tsx'), '--eval', script],
        { cwd: join(__dirname, '../..'), stdio: ['ignore', 'pipe', full], encoding: 'utf8' },
      );
      expect({ status, stdout }).toEqual({ status: 0, stdout: 'alive' });
    } finally {
      closeSync(full);
    }
  });

  it('takes variables that are named like secrets for secrets', () => {
    const env = {
      OPENAI_API_KEY: 'one',
      AWS_ACCESS_KEY_ID: 'two',
      DB_PASSWORD: 'three',
      HOME: '/x',
    };
    expect(secretsOf(env)).toEqual(['one', 'two', 'three']);
  });

  it('does not blank out what is too short to be one', () => {
    expect(withoutSecrets('a line about a', ['a'])).toBe('a line about a');
  });

  it("writes Temporal's lines too, whatever they carry", () => {
    const destination = lines();
    const logger = createLogger({ role: 'x', secrets: () => [], destination });
    temporalLogger(logger).log('WARN', 'from the core', { count: 12n, workflowId: 'sweep/a' });
    expect(destination.written[0]).toMatchObject({
      ...{ level: 40, msg: 'from the core', count: '12', workflowId: 'sweep/a' },
    });
  });

  it('does not warn of queues that are meant to have activities only', () => {
    const destination = lines();
    const logger = createLogger({ role: 'x', secrets: () => [], destination });
    temporalLogger(logger).warn('No workflows registered, not polling for workflow tasks');
    expect(destination.written).toEqual([]);
  });
});
