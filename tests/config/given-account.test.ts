import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOfGiven, type GivenAccount } from '../../config/given-account';
import { newFolder, type TestFolder } from '../support/task-folder';

const LAB: GivenAccount = { protocol: 'openai', baseUrl: 'https://lab.invalid/v1' };

describe('an account that is to be added', () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => folder.remove());

  const faults = (name: string, changes: Partial<GivenAccount> = {}) =>
    faultsOfGiven(join(folder.path, 'providers.yaml'), name, { ...LAB, ...changes }).map(
      ({ field, message }) => `${field}: ${message}`,
    );

  it('has no fault where the file could hold it, its variable set or not', () => {
    writeFileSync(join(folder.path, 'lab.key'), 'secret', { mode: 0o600 });
    expect(faults('lab', { keyEnv: 'ABSENT' })).toEqual([]);
    expect(faults('lab', { keyFile: 'lab.key' })).toEqual([]);
    const prices = { m: { inputUsdPerMillion: 0, outputUsdPerMillion: 0 } };
    expect(faults('lab', { prices, models: ['m'] })).toEqual([]);
    const baseUrl = 'http://127.0.0.1:9471/v1';
    expect(faults('lab', { baseUrl, allowPrivateAddresses: true })).toEqual([]);
  });

  it.each<[string, Partial<GivenAccount>, string]>([
    ['la b', {}, 'name: account names have a-z'],
    ['replay', {}, 'name: is a provider of our own'],
    ['__proto__', {}, 'name: cannot be the name of an account'],
    ['lab', { baseUrl: '127.0.0.1:9471/v1' }, 'baseUrl: must be an http or https address'],
    ['lab', { baseUrl: 'https://a.invalid/?key=k' }, 'baseUrl: must hold no user name'],
    [
      'lab',
      { baseUrl: 'http://[::1]/v1' },
      'allowPrivateAddresses: is needed for the private address ::1',
    ],
    ['lab', { keyEnv: 'A', keyFile: 'lab.key' }, 'keyFile: give keyEnv or keyFile, not both'],
    ['lab', { keyFile: 'absent.key' }, 'keyFile: '],
    ['lab', { maxConcurrency: 5_000 }, 'maxConcurrency: must be at most 1000'],
    [
      'lab',
      { models: ['mine'], prices: { mime: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } } },
      'prices: mime is none of the models of the account: mine; did you mean mine?',
    ],
  ])('%s %j is told by the field that is at fault', (name, changes, fault) => {
    expect(faults(name, changes)).toContainEqual(expect.stringContaining(fault));
  });
});
