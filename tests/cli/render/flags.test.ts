import { type CommandError } from '../../../cli/exit';
import { onlyOneOf, onlyWith } from '../../../cli/render/flags';

describe('flags that exclude each other', () => {
  it('are refused together, with code 2, and taken alone', () => {
    const refused = () => onlyOneOf({ '--json': true, '--markdown': undefined, '--csv': true });
    expect(refused).toThrow('--json and --csv: give only one of them');
    expect(refused).toThrow(expect.objectContaining({ code: 2 }) as CommandError);
    for (const one of [{ '--json': true, '--csv': undefined }, { '--json': false }, {}])
      expect(() => onlyOneOf(one)).not.toThrow();
  });
});

describe('a flag that belongs to another', () => {
  it('is refused without it, with code 2', () => {
    const refused = () => onlyWith('--transcript', undefined, { '--attempt': 1 });
    expect(refused).toThrow('--attempt says something only with --transcript');
    expect(refused).toThrow(expect.objectContaining({ code: 2 }) as CommandError);
    expect(() => onlyWith('--transcript', true, { '--attempt': 1 })).not.toThrow();
    expect(() => onlyWith('--transcript', undefined, { '--attempt': undefined })).not.toThrow();
  });
});
