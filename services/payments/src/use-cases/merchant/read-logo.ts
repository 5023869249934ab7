import { crc32, inflateSync } from 'node:zlib';

/** The longest PNG that is a logo: what it adds to a buyer's first page, and to our database. */
export const LOGO_BYTES_MAX = 16_384;
/** The longest side in pixels: bounds what a browser unpacks it to, whatever its bytes say. */
export const LOGO_SIDE_MAX = 512;

export type LogoSize = { readonly width: number; readonly height: number };
export type ReadLogo = ({ readonly kind: 'logo' } & LogoSize) | { readonly kind: 'refused'; readonly why: string };

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length and type before a chunk's data, its checksum after it. */
const CHUNK_HEAD_BYTES = 8;
const CHUNK_BYTES = 12;

/**
 * A still picture and its colours, and how long each chunk may be: none has room for anything else. Nothing that moves (`acTL`), and no
 * text or colour profile, which may say anything: names, places and programs stay with who made it.
 */
const DATA_BYTES_MAX: ReadonlyMap<string, number> = new Map([
  ['IHDR', 13],
  ['PLTE', 768],
  ['tRNS', 256],
  ['sRGB', 1],
  ['gAMA', 4],
  ['cHRM', 32],
  ['sBIT', 4],
  ['pHYs', 9],
  ['bKGD', 6],
  ['IDAT', LOGO_BYTES_MAX],
  ['IEND', 0],
]);

/** By PNG's colour type: how many samples a pixel has, and of how many bits each may be. */
const COLOURS: ReadonlyMap<number, { readonly samples: number; readonly bits: readonly number[] }> = new Map([
  [0, { samples: 1, bits: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, bits: [8, 16] }],
  [3, { samples: 1, bits: [1, 2, 4, 8] }],
  [4, { samples: 2, bits: [8, 16] }],
  [6, { samples: 4, bits: [8, 16] }],
]);

const refused = (why: string) => ({ kind: 'refused', why }) as const;

/**
 * The size of a logo, or why these bytes are not one. PNG only: an SVG is a document that can run a script. Everything in the file is a
 * chunk of a still picture, once, with the right checksum, and its pixels unpack to exactly their number: nothing travels behind, between or
 * instead of them.
 */
export function readLogo(png: Buffer): ReadLogo {
  if (png.length > LOGO_BYTES_MAX) return refused(`must be at most ${String(LOGO_BYTES_MAX)} bytes`);
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return refused('must be a PNG');
  const chunks = chunksOf(png);
  const header = chunks?.[0];
  if (chunks === undefined || header?.type !== 'IHDR' || header.data.length !== 13)
    return refused('must be a complete PNG');
  if (!isPlain(chunks)) return refused('must be a plain PNG: a still picture without texts, colour profiles or other data in it'); // prettier-ignore
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  const isSmall = [width, height].every((side) => side >= 1 && side <= LOGO_SIDE_MAX);
  if (!isSmall) return refused(`must be at most ${String(LOGO_SIDE_MAX)} pixels each way`);
  const rowBytes = rowBytesOf(header.data, width);
  if (rowBytes === undefined) return refused('must be a PNG that is not interlaced, of an ordinary colour type');
  const pixels = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
  return isPicture(pixels, rowBytes, height) ? { kind: 'logo', width, height } : refused('must be a complete PNG');
}

/** Whether these are the chunks of a still picture: each once, but for the pixels, and none longer than what it is for. */
function isPlain(chunks: readonly Chunk[]): boolean {
  const others = chunks.filter(({ type }) => type !== 'IDAT').map(({ type }) => type);
  return (
    new Set(others).size === others.length &&
    chunks.every(({ type, data }) => data.length <= (DATA_BYTES_MAX.get(type) ?? -1))
  );
}

/** How many bytes a row of pixels has, with the one that names its filter; undefined for a kind of picture that we do not take. */
function rowBytesOf(header: Buffer, width: number): number | undefined {
  const [bits = 0, colour = 0, compression, filter, interlace] = header.subarray(8);
  const known = COLOURS.get(colour);
  if (known?.bits.includes(bits) !== true || compression !== 0 || filter !== 0 || interlace !== 0) return undefined;
  return 1 + Math.ceil((width * known.samples * bits) / 8);
}

/** Whether the packed pixels are rows of this length, and nothing more: without its last byte a stream is not complete. */
function isPicture(packed: Buffer, rowBytes: number, height: number): boolean {
  const rows = unpacked(packed, rowBytes * height);
  if (rows?.length !== rowBytes * height || unpacked(packed.subarray(0, -1), rows.length) !== undefined) return false;
  return Array.from({ length: height }, (_, row) => rows[row * rowBytes] ?? 0).every((filter) => filter <= 4);
}

/** Undefined if it is no complete stream, or unpacks to more. */
function unpacked(packed: Buffer, bytesMax: number): Buffer | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: bytesMax });
  } catch {
    return undefined;
  }
}

type Chunk = { readonly type: string; readonly data: Buffer };

/** The chunks up to `IEND`; undefined unless they are the whole file, each as long as it says and unharmed. */
function chunksOf(png: Buffer): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + CHUNK_BYTES <= png.length;) {
    const dataAt = at + CHUNK_HEAD_BYTES;
    const end = dataAt + png.readUInt32BE(at);
    if (end + 4 > png.length || crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) return undefined;
    const type = png.toString('latin1', at + 4, dataAt);
    chunks.push({ type, data: png.subarray(dataAt, end) });
    at = end + 4;
    if (type === 'IEND') return at === png.length ? chunks : undefined;
  }
  return undefined;
}
