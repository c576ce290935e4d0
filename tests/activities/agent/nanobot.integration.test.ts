import { type AttemptRecord, type RunResult } from '../../../core/run';
import {
  attemptKey,
  disposedWorlds,
  finish,
  reserveAndPrepare,
  resultKey,
} from './support/agent-world';
import {
  type ChatRequest,
  commandThenDone,
  exec,
  ScriptedGateway,
} from './support/scripted-gateway';

const worldOf = disposedWorlds();
const requests = (gateway: ScriptedGateway) =>
  gateway.deliveries.map(({ body }) => JSON.parse(body) as ChatRequest);

describe('nanobot in its sandbox', () => {
  it('does the work with files and commands only, and leaves its own transcript', async () => {
    const world = await worldOf({ harness: 'nanobot' });
    const gateway = new ScriptedGateway(
      commandThenDone(
        'python3 -c "import openpyxl; openpyxl.Workbook().save(\'results/book.xlsx\')"; soffice --version; cat query/task.md',
      ),
    );
    const host = await world.host(gateway);
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end).toMatchObject({ stopReason: 'completed', steps: 2 });
    const { files } = (await world.record<RunResult>(resultKey(world)))!.deliverables;
    expect(files.map(({ path }) => path)).toEqual(['book.xlsx']);

    const [first, second] = requests(gateway);
    expect(first!.tools!.map(({ function: { name } }) => name).sort()).toEqual([
      'apply_patch',
      'edit_file',
      'exec',
      'exec_session',
      'find_files',
      'grep',
      'list_dir',
      'list_exec_sessions',
      'read_file',
      'write_file',
    ]);
    expect(first!.stream).toBe(true);
    expect(JSON.stringify(first!.messages)).toContain('query/task.md is the request');
    const toolResult = JSON.stringify(second!.messages.at(-1));
    expect(toolResult).toContain('LibreOffice 25.2');
    expect(toolResult).toContain('Write hello.');

    const record = await world.record<AttemptRecord>(attemptKey(world, 1));
    const native = record!.logs.find(({ path }) => path === 'logs/nanobot.jsonl');
    const text = Buffer.from(await world.store.getBlob('open', native!.sha256)).toString();
    expect(text).toContain('results/book.xlsx');
  });

  it('ends at the step cap with one more request, which has no tools', async () => {
    const world = await worldOf({ harness: 'nanobot', limits: { maxSteps: 3 } });
    const gateway = new ScriptedGateway((request) =>
      request.tools === undefined || request.tools.length === 0
        ? { text: 'a summary' }
        : exec('echo again'),
    );
    const host = await world.host(gateway);
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end.stopReason).toBe('step_cap');
    expect(requests(gateway).map(({ tools }) => (tools ?? []).length > 0)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('stops at the first refusal of the gateway, whose reason decides', async () => {
    const world = await worldOf({ harness: 'nanobot' });
    const gateway = new ScriptedGateway(() => ({ status: 402, text: 'the budget is used up' }));
    gateway.log = { end: 'budget', lastError: { status: 402, message: 'the budget is used up' } };
    const host = await world.host(gateway);
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end).toMatchObject({ stopReason: 'budget' });
    expect(gateway.deliveries).toHaveLength(1);
  });

  it('says that its last reply was empty', async () => {
    const world = await worldOf({ harness: 'nanobot' });
    const host = await world.host(new ScriptedGateway(() => ({ text: '' })));
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end.stopReason).toBe('empty');
  });
});
