import { crc32 } from 'node:zlib';

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

/** A still picture and its colours. Nothing that moves (`acTL`), and no text: names, places and programs stay with who made it. */
const CHUNKS: ReadonlySet<string> = new Set('IHDR PLTE tRNS sRGB gAMA cHRM iCCP sBIT pHYs bKGD IDAT IEND'.split(' '));

const refused = (why: string) => ({ kind: 'refused', why }) as const;

/**
 * The size of a logo, or why these bytes are not one. PNG only: an SVG is a document that can run a script. Everything in the file is a
 * chunk of a still picture, in order and with the right checksum, so nothing travels behind or between. The pixels are not decoded.
 */
export function readLogo(png: Buffer): ReadLogo {
  if (png.length > LOGO_BYTES_MAX) return refused(`must be at most ${String(LOGO_BYTES_MAX)} bytes`);
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return refused('must be a PNG');
  const chunks = chunksOf(png);
  if (chunks === undefined) return refused('must be a complete PNG');
  const [header, ...rest] = chunks;
  const unknown = chunks.find(({ type }) => !CHUNKS.has(type));
  if (unknown !== undefined) return refused('must be a plain PNG: a still picture without texts or other data in it');
  if (header?.type !== 'IHDR' || header.data.length !== 13 || !rest.some(({ type }) => type === 'IDAT'))
    return refused('must be a complete PNG');
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  const isSmall = [width, height].every((side) => side >= 1 && side <= LOGO_SIDE_MAX);
  return isSmall
    ? { kind: 'logo', width, height }
    : refused(`must be at most ${String(LOGO_SIDE_MAX)} pixels each way`);
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
