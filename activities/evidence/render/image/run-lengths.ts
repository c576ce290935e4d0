export interface UnpackedRuns {
  /** One index a pixel, the lowest line first. */
  readonly indices: Uint8Array;
  readonly isCut: boolean;
}

/**
 * Unpacks a bitmap's runs: pairs of a length and an index (or two indices of four bits), and escapes: end of line, end
 * of picture, a step to the right and up, and a stretch of plain indices. What falls outside is left out.
 */
export function unpackRuns(
  data: Uint8Array,
  width: number,
  height: number,
  packing: 'rle8' | 'rle4',
): UnpackedRuns {
  const indices = new Uint8Array(width * height);
  let [column, line, at] = [0, 0, 0];
  const put = (index: number): void => {
    if (column < width) indices[line * width + column] = index;
    column++;
  };
  const indexAt = (byte: number, step: number): number =>
    packing === 'rle8' ? byte : step % 2 === 0 ? byte >> 4 : byte & 15;
  while (line < height && at + 1 < data.length) {
    const [length = 0, value = 0] = [data[at], data[at + 1]];
    at += 2;
    if (length > 0) for (let step = 0; step < length; step++) put(indexAt(value, step));
    else if (value === 0) [column, line] = [0, line + 1];
    else if (value === 1) return { indices, isCut: false };
    else if (value === 2) {
      column += data[at] ?? 0;
      line += data[at + 1] ?? 0;
      at += 2;
    } else {
      const bytes = packing === 'rle8' ? value : Math.ceil(value / 2);
      for (let step = 0; step < value; step++)
        put(indexAt(data[at + (packing === 'rle8' ? step : step >> 1)] ?? 0, step));
      // Stretches are filled up to two bytes.
      at += bytes + (bytes % 2);
    }
  }
  return { indices, isCut: line < height - 1 };
}
