import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../core/search-attributes';
import { setUpTemporal } from '../../infra/temporal-setup';
import { startTestTemporal, type TestTemporal } from '../support/temporal-server';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await startTestTemporal();
});
afterAll(() => temporal.stop());

describe('the set-up of a Temporal server', () => {
  it('makes a namespace with its retention and all search attributes, and changes nothing the second time', async () => {
    const setup = { address: temporal.address, namespace: 'eval', retentionDays: 30 };
    expect(await setUpTemporal(setup)).toEqual({
      namespace: 'created',
      addedSearchAttributes: Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name),
    });
    expect(await setUpTemporal(setup)).toEqual({
      namespace: 'unchanged',
      addedSearchAttributes: [],
    });
    const connection = await Connection.connect({ address: temporal.address });
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'eval' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
    await connection.close();
  });

  it('raises a shorter retention, and never lowers one', async () => {
    const setup = { address: temporal.address, namespace: 'short' };
    await setUpTemporal({ ...setup, retentionDays: 5 });
    expect((await setUpTemporal({ ...setup, retentionDays: 9 })).namespace).toBe(
      'retention raised',
    );
    expect((await setUpTemporal({ ...setup, retentionDays: 1 })).namespace).toBe('unchanged');
  });

  it('says in one sentence what to do when no server answers', async () => {
    await expect(setUpTemporal({ address: '127.0.0.1:1', namespace: 'x' })).rejects.toThrow(
      'no Temporal server answers at 127.0.0.1:1: run ./startupbench up, or set TEMPORAL_ADDRESS',
    );
  });
});
