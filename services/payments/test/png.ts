import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** A picture of one colour; `between` goes before the pixels, `after` behind the end. */
export function png(
  width: number,
  height: number,
  {
    between = [],
    after = Buffer.alloc(0),
    colour = [0x12, 0x59, 0x4c],
  }: { between?: readonly Buffer[]; after?: Buffer; colour?: readonly number[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: Math.min(width, 1_024) }, () => colour).flat()]);
  const pixels = Buffer.concat(Array.from({ length: Math.min(height, 1_024) }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...between,
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
    after,
  ]);
}
