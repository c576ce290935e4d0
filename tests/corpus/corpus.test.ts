import { committedCorpus } from '../../scripts/corpus/listing';
import { faultsOf } from '../../scripts/corpus/markers';
import { readInProcess } from './support/read-in-process';

const FILES = committedCorpus().filter(({ onlyContainer }) => onlyContainer !== true);
const NO_PAGES = 'page images need the renderer container';

describe('every marker of the corpus is in the view exactly once, at its place', () => {
  test.each(FILES.map((file) => [`${file.generator}/${file.file}`, file] as const))(
    '%s',
    async (_name, file) => {
      const { read, result } = await readInProcess(file);
      const reason = result.reason?.replace(NO_PAGES, '') ?? '';
      const status = result.status === 'truncated' && reason === '' ? 'rendered' : result.status;
      expect({ status, reason: status === file.status ? '' : reason }).toEqual({
        status: file.status,
        reason: '',
      });
      expect(await faultsOf(file, read)).toEqual([]);
    },
  );
});
