/** A bitmap and an icon of 2 x 2 pixels of 24 bits. */
export function smallPictures(): { readonly bitmap: Buffer; readonly icon: Buffer } {
  const header = (height: number): Buffer => {
    const bytes = Buffer.alloc(40);
    bytes.writeUInt32LE(40, 0);
    bytes.writeInt32LE(2, 4);
    bytes.writeInt32LE(height, 8);
    bytes.writeUInt16LE(1, 12);
    bytes.writeUInt16LE(24, 14);
    return bytes;
  };
  // Two lines of two pixels, each filled up to four bytes.
  const pixels = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0]);
  const file = Buffer.alloc(14);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(14 + 40 + pixels.length, 2);
  file.writeUInt32LE(54, 10);
  // An icon's height counts its mask, whose lines follow.
  const picture = Buffer.concat([header(4), pixels, Buffer.alloc(8)]);
  const folder = Buffer.alloc(22);
  folder.writeUInt16LE(1, 2);
  folder.writeUInt16LE(1, 4);
  folder[6] = 2;
  folder[7] = 2;
  folder.writeUInt16LE(24, 12);
  folder.writeUInt32LE(picture.length, 14);
  folder.writeUInt32LE(22, 18);
  return {
    bitmap: Buffer.concat([file, header(2), pixels]),
    icon: Buffer.concat([folder, picture]),
  };
}
