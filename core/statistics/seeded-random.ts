/**
 * A generator of numbers in [0, 1) that gives the same sequence for the same seed on every machine
 * (xoshiro128**, its state filled by splitmix32).
 *
 * @param seed any integer
 */
export function seededRandom(seed: number): () => number {
  let fill = seed | 0;
  const next = (): number => {
    fill = (fill + 0x9e3779b9) | 0;
    let mixed = fill ^ (fill >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
  const integers = xoshiro128([next(), next(), next(), next()]);
  return () => integers() / 0x1_0000_0000;
}

/** Blackman and Vigna's xoshiro128**: 32-bit integers from a state that is not all zero. */
export function xoshiro128([first, second, third, fourth]: readonly [
  number,
  number,
  number,
  number,
]): () => number {
  let a = first | 0;
  let b = second | 0;
  let c = third | 0;
  let d = fourth | 0;
  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result >>> 0;
  };
}
