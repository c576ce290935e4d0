import { FileStore } from '../../activities/store/file-store';
import { newestHolder, takeCohort } from '../../workers/cohort-holder';
import { newFolder, type TestFolder } from '../support/task-folder';

let folder: TestFolder;
let store: FileStore;
beforeEach(() => {
  folder = newFolder();
  store = new FileStore(folder.path);
});
afterEach(() => folder.remove());

const holder = (workflowId: string, stack = 's') => ({ stack, namespace: 'default', workflowId });
const open = async (): Promise<boolean> => true;
const closed = async (): Promise<boolean> => false;

describe('takeCohort', () => {
  it('is taken by the first sweep, and again by the same sweep without a new record', async () => {
    expect(await takeCohort(store, 'c', holder('sweep/a'), open)).toMatchObject({
      taken: true,
      holder: { n: 1 },
    });
    expect(await takeCohort(store, 'c', holder('sweep/a'), open)).toMatchObject({
      taken: true,
      holder: { n: 1 },
    });
  });

  it('is refused while another sweep holds it, and taken once that one is closed', async () => {
    await takeCohort(store, 'c', holder('sweep/a'), open);
    expect(await takeCohort(store, 'c', holder('sweep/b'), open)).toMatchObject({
      taken: false,
      heldBy: { workflowId: 'sweep/a' },
    });
    expect(await takeCohort(store, 'c', holder('sweep/b'), closed)).toMatchObject({
      taken: true,
      holder: { n: 2 },
    });
    expect(await newestHolder(store, 'c')).toMatchObject({ n: 2, workflowId: 'sweep/b' });
  });

  it('tells stacks apart', async () => {
    await takeCohort(store, 'c', holder('sweep/a', 'one'), open);
    expect(await takeCohort(store, 'c', holder('sweep/a', 'two'), open)).toMatchObject({
      taken: false,
    });
  });

  it('has one holder, however many ask at once', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `sweep/${index}`);
    const taken = await Promise.all(
      names.map((name) => takeCohort(store, 'c', holder(name), open)),
    );
    expect(taken.filter((each) => each.taken)).toHaveLength(1);
    expect((await newestHolder(store, 'c'))?.n).toBe(1);
  });
});
