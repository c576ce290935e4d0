export interface TarMember {
  readonly name: string;
  readonly content: Uint8Array;
  /** @default '0', a file */
  readonly type?: string;
}

/** A tar archive in the ustar form. */
export function tarball(members: readonly TarMember[]): Buffer {
  const blocks = members.flatMap(({ name, content, type = '0' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(type, 156);
    header.write('ustar\0' + '00', 257);
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
