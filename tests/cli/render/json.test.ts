import { toJson } from '../../../cli/render/json';

it('says the same, and nothing in it moves a cursor, turns the writing or hides', () => {
  const value = {
    c1: 'a\u009b31mb\u009d0;title\u009c',
    osc: '\u001b]0;title\u0007',
    bidi: '\u202eevil\u2066\u2069\u200f',
    hidden: '\u200b\ufeff\u{e0041}\u2028\ud800',
    plain: 'Ünïcode 漢字 🙂\n\t"quoted"',
  };
  for (const indent of [0, 2]) {
    const text = toJson(value, undefined, indent);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/u);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).toContain('Ünïcode 漢字 🙂');
  }
  expect(toJson({ a: undefined, b: 1 }, (_key, each: unknown) => each ?? null)).toBe(
    '{\n  "a": null,\n  "b": 1\n}',
  );
});
