import { type Folder, compoundFile } from './compound-writer';

/** Texts by property number in four digits, as Unicode. */
export function texts(values: Readonly<Record<string, string>>): Folder {
  return Object.fromEntries(
    Object.entries(values).map(([property, text]) => [
      `__substg1.0_${property}001F`,
      Buffer.from(text, 'utf16le'),
    ]),
  );
}

/** The list of fixed properties: `[property, type, value]`. */
export function properties(
  headerBytes: number,
  values: readonly (readonly [number, number, number | bigint])[],
): Folder {
  const bytes = Buffer.alloc(headerBytes + values.length * 16);
  values.forEach(([property, type, value], index) => {
    const at = headerBytes + index * 16;
    bytes.writeUInt16LE(type, at);
    bytes.writeUInt16LE(property, at + 2);
    bytes.writeUInt32LE(6, at + 4);
    bytes.writeBigUInt64LE(BigInt(value), at + 8);
  });
  return { '__properties_version1.0': bytes };
}

export function attachment(number: number, name: string, data: Buffer | Folder): Folder {
  const isMessage = !Buffer.isBuffer(data);
  return {
    [`__attach_version1.0_#0000000${number}`]: {
      ...properties(8, [[0x3705, 3, isMessage ? 5 : 1]]),
      ...texts({ '3707': name }),
      [`__substg1.0_3701${isMessage ? '000D' : '0102'}`]: data,
    },
  };
}

export function recipient(number: number, kind: number, name: string, address: string): Folder {
  return {
    [`__recip_version1.0_#0000000${number}`]: {
      ...properties(8, [[0x0c15, 3, kind]]),
      ...texts({ '3001': name, '39FE': address }),
    },
  };
}

/** 2026-01-05T09:00:00Z in tenths of microseconds since 1601. */
export const MONDAY = BigInt(Date.UTC(2026, 0, 5, 9) + 11_644_473_600_000) * 10_000n;

export function outlookMessage(parts: Folder): Buffer {
  return compoundFile({ ...properties(32, [[0x0039, 0x40, MONDAY]]), ...parts });
}
