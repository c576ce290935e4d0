import { listRar } from '../../../../../activities/evidence/render/archive/rar-list';
import { unicodeName } from '../../../../../activities/evidence/render/archive/rar-names';
import { oldRarFile, rarFile } from './rar-file';

const csv = Buffer.from('x,y\n1,2\n');

describe('the list of a RAR archive', () => {
  test('files, folders, links and encrypted members of version 5', () => {
    const { entries, problem } = listRar(
      rarFile([
        { name: '数据/a.csv', content: csv },
        { name: 'dir', isFolder: true },
        { name: 'link', linkTo: '/etc/passwd' },
        { name: 'locked', content: csv, isEncrypted: true },
        { name: '../up', content: csv },
      ]),
    );
    expect(problem).toBeUndefined();
    expect(
      entries.map(({ name, bytes, kind, encrypted }) => [name, bytes, kind, encrypted]),
    ).toEqual([
      ['数据/a.csv', 8, 'file', false],
      ['dir', 0, 'folder', false],
      ['link', 0, 'link', false],
      ['locked', 8, 'file', true],
      ['../up', 8, 'file', false],
    ]);
  });

  test('members of version 4', () => {
    const { entries } = listRar(
      oldRarFile([
        { name: 'dir\\a.csv', content: csv },
        { name: 'locked', content: csv, isEncrypted: true },
      ]),
    );
    expect(entries).toMatchObject([
      { name: 'dir/a.csv', bytes: 8, storedBytes: 8, kind: 'file', encrypted: false },
      { name: 'locked', encrypted: true },
    ]);
  });

  test('one whose list is encrypted', () => {
    expect(() => listRar(rarFile([{ name: 'a' }], true))).toThrow('the archive needs a password');
  });

  test.each([
    ['5', rarFile],
    ['4', oldRarFile],
  ])('one of version %s that ends early is listed as far as it goes, or corrupt', (_, make) => {
    const whole = make([
      { name: 'a', content: csv },
      { name: 'b', content: csv },
    ]);
    for (let length = 8; length < whole.length - 7; length++) {
      const cut = whole.subarray(0, length);
      try {
        expect(listRar(cut).problem).toMatch(/broken behind its entry [12]/u);
      } catch (error) {
        expect(error).toMatchObject({ reason: 'not a readable RAR archive' });
      }
    }
  });

  test('any byte may be another one: it ends, and as a list or a status', () => {
    for (const whole of [
      rarFile([{ name: 'a', content: csv }]),
      oldRarFile([{ name: 'a', content: csv }]),
    ])
      for (let at = 7; at < whole.length; at++)
        for (const value of [0, 0x7f, 0xff]) {
          const other = Buffer.from(whole);
          other[at] = value;
          try {
            listRar(other);
          } catch (error) {
            expect((error as Error).name).toBe('Unreadable');
          }
        }
  });

  test('Unicode names of version 4: bytes, common halves, runs of the old name', () => {
    const packed = Buffer.from([0x4e, 0b10_01_00_11, 0x87, 0x65, 0x2d, 0x2e, 0x02]);
    expect(unicodeName(Buffer.concat([Buffer.from('??.txtx\0'), packed]))).toBe('文中.txtx');
    expect(unicodeName(Buffer.from('纯文本.txt'))).toBe('纯文本.txt');
  });
});
