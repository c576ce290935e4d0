import { whileServerIsNew } from '../../workers/new-server';

/** As the client throws: the server's own error is the cause. */
function serverError(code: number, details: string): Error {
  const cause = Object.assign(new Error(`${code} ${details}`), { code, details });
  return new Error('Update-With-Start failed', { cause });
}

const LOST = serverError(
  3,
  'Namespace default has no mapping defined for search attribute EvalSweep',
);

async function calls(errors: readonly Error[]): Promise<{ result: unknown; pauses: number }> {
  const left = [...errors];
  let pauses = 0;
  const result = await whileServerIsNew(
    () => {
      const error = left.shift();
      return error === undefined ? Promise.resolve('started') : Promise.reject(error);
    },
    async () => void (pauses += 1),
  ).catch((error: unknown) => error);
  return { result, pauses };
}

describe('whileServerIsNew', () => {
  it('waits while search attributes or namespace are missing', async () => {
    const gone = serverError(5, 'Namespace default is not found.');
    expect(await calls([LOST, gone, LOST])).toEqual({ result: 'started', pauses: 3 });
  });

  it('says what to do where they stay away', async () => {
    const { result, pauses } = await calls(Array<Error>(100).fill(LOST));
    expect(pauses).toBe(14);
    expect(result).toMatchObject({ type: 'ConfigMissing' });
    expect((result as Error).message).toMatch(/lost its search attributes.* up, then run/u);
  });

  it.each([
    serverError(3, 'WorkflowId is too long'),
    serverError(5, 'workflow execution not found'),
    new Error('search attribute'),
  ])('lets any other error through at once: %s', async (error) => {
    expect(await calls([error])).toEqual({ result: error, pauses: 0 });
  });
});
