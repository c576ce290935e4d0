const PLACES: Readonly<Record<string, string>> = {
  L: 'on the left',
  C: 'in the middle',
  R: 'on the right',
};

/** What programs fill in, by its letter. */
const FIELDS: Readonly<Record<string, string>> = {
  P: '[page]',
  N: '[pages]',
  D: '[date]',
  T: '[time]',
  A: '[sheet]',
  F: '[file]',
  Z: '[folder]',
  G: '[picture]',
};

const KINDS: Readonly<Record<string, string>> = {
  odd: '',
  even: ' of even pages',
  first: ' of the first page',
};

/**
 * A printed header or footer as a reader of the paper sees it: `footer: in the middle Page [page] of [pages]`.
 *
 * @param element `oddHeader`, `firstFooter`, ...
 * @param code the file's own text, with `&C` for the middle and so on
 */
export function runningText(element: string, code: string): string {
  const [, kind = '', place = ''] = /^(odd|even|first)(Header|Footer)$/u.exec(element) ?? [];
  const text = code.replace(
    /&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d{1,3}|&|[A-Za-z])/gu,
    (token) => {
      if (token === '&&') return '&';
      const letter = token.length === 2 ? token.charAt(1).toUpperCase() : '';
      const where = PLACES[letter];
      return where === undefined ? (FIELDS[letter] ?? '') : `\n${where} `;
    },
  );
  const parts = text.split('\n').map((part) => part.trim());
  // Without a code for its place, a text stands in the middle.
  const first = parts[0] === '' ? [] : [`in the middle ${parts[0] ?? ''}`];
  const others = parts.slice(1).filter((part) => !Object.values(PLACES).includes(part));
  return `${place.toLowerCase()}${KINDS[kind] ?? ''}: ${[...first, ...others].join(', ')}`;
}
