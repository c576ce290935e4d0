import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { confirmOrCancel } from '../../cli/confirm';
import { CommandError, EXIT, exitCodeOf, messageOf } from '../../cli/exit';
import { Failure } from '../../core/failure';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('messages of errors', () => {
  it('are one sentence with the place for what the system says', () => {
    const absent = thrownBy(() => readFileSync('/absent/file'));
    expect(messageOf(absent)).toBe('/absent/file: there is no such file or folder (ENOENT)');
    expect(exitCodeOf(absent)).toBe(EXIT.failed);
    const refused = Object.assign(new Error('x'), {
      ...{ code: 'ECONNREFUSED', address: '127.0.0.1', port: 9 },
    });
    expect(messageOf(refused)).toContain('127.0.0.1:9: nothing answers there');
  });

  it('are what a validator of the workflow said', () => {
    const cause = new Error('no lane nolane; the lanes are a@b');
    const refused = Object.assign(new Error('Workflow Update failed', { cause }), {
      name: 'WorkflowUpdateFailedError',
    });
    expect(messageOf(refused)).toBe('no lane nolane; the lanes are a@b');
    expect(exitCodeOf(refused)).toBe(EXIT.usage);
  });

  it('say what to do when the server is away', () => {
    const cause = Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: 'gone' });
    const away = Object.assign(new Error('Failed', { cause }), { name: 'ServiceError' });
    expect(messageOf(away)).toContain('does not answer');
    const details = 'no poller seen for task queue recently, worker may be down';
    const noWorker = Object.assign(new Error('9'), { code: 9, details });
    expect(messageOf(noWorker)).toMatch(/^no worker serves this: .* up starts it/u);
  });

  it('keep the stack of a defect of our own, and say nothing to a reader that went away', () => {
    expect(messageOf(new TypeError('odd'))).toContain('    at ');
    const gone = Object.assign(new Error('x'), { code: 'EPIPE' });
    expect([messageOf(gone), exitCodeOf(gone)]).toEqual(['', EXIT.done]);
    expect(exitCodeOf(new Failure('InvalidInput', 'x'))).toBe(EXIT.usage);
  });
});

describe('confirmOrCancel', () => {
  const ask = (answer: string | undefined) => {
    const input = new PassThrough();
    const asked = confirmOrCancel('run 4?', input, new PassThrough());
    input.end(answer);
    return asked;
  };

  it('goes on at yes, and ends with 130 at no or when the terminal closes', async () => {
    await expect(ask('y\n')).resolves.toBeUndefined();
    for (const answer of ['n\n', '\n', undefined])
      await expect(ask(answer)).rejects.toEqual(
        new CommandError(EXIT.detached, 'cancelled: nothing was started'),
      );
  });
});
