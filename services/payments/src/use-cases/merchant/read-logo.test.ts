import { deflateSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { png, pngChunk } from '../../../test/png.ts';
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, readLogo } from './read-logo.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const LONG = pngChunk('sRGB', Buffer.alloc(LOGO_BYTES_MAX));
const HTML = Buffer.from('<script>alert(1)</script>');
const altered = (at: number) => {
  const bytes = png(12, 8);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
};

type Parts = { readonly kind?: readonly number[]; readonly packed?: Buffer; readonly chunks?: readonly Buffer[] };
/** 136 x 119 grey pixels: with `sRGB`, and the pixels stored instead of packed, exactly as many bytes as a logo may have. */
function grey({ kind = [8, 0, 0, 0, 0], packed, chunks = [] }: Parts): Buffer {
  const header = Buffer.alloc(13);
  header.set([0, 0, 0, 136, 0, 0, 0, 119, ...kind]);
  const pixels = packed ?? deflateSync(Buffer.alloc(137 * 119), { level: 0 });
  return Buffer.concat([
    png(12, 8).subarray(0, 8),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
const FULL = grey({ chunks: [pngChunk('sRGB', Buffer.alloc(1))] });
const WRONG_FILTER = Buffer.alloc(137 * 119).fill(5, 0, 1);

it.each([
  ['a small picture', png(12, 8), { width: 12, height: 8 }],
  ['the largest sides', png(LOGO_SIDE_MAX, LOGO_SIDE_MAX), { width: 512, height: 512 }],
  ['the most bytes', FULL, { width: 136, height: 119 }],
  ['pixels in two chunks', grey({ chunks: [pngChunk('IDAT', Buffer.alloc(0))] }), { width: 136, height: 119 }],
])('%s is a logo', (_name, bytes, size) => {
  expect(readLogo(bytes)).toEqual({ kind: 'logo', ...size });
});

it.each([
  ['a byte too many', Buffer.concat([FULL, Buffer.alloc(1)]), 'must be at most 16384 bytes'],
  ['a long one', png(12, 8, { between: [LONG] }), 'must be at most 16384 bytes'],
  ['an SVG', SVG, 'must be a PNG'],
  ['nothing', Buffer.alloc(0), 'must be a PNG'],
  ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'must be a PNG'],
  ['one pixel too wide', png(LOGO_SIDE_MAX + 1, 8), 'must be at most 512 pixels each way'],
  ['one pixel too high', png(12, LOGO_SIDE_MAX + 1), 'must be at most 512 pixels each way'],
  ['a bomb of pixels', png(2 ** 31, 2 ** 31), 'must be at most 512 pixels each way'],
  ['no pixels', png(0, 8), 'must be at most 512 pixels each way'],
  ['a half of it', png(12, 8).subarray(0, 40), 'must be a complete PNG'],
  ['a changed pixel', altered(45), 'must be a complete PNG'],
  ['a page behind it', png(12, 8, { after: SVG }), 'must be a complete PNG'],
  ['a text in it', png(12, 8, { between: [pngChunk('tEXt', Buffer.from('Author\0Anna'))] }), 'must be a plain PNG'],
  ['a page for a colour profile', png(12, 8, { between: [pngChunk('iCCP', HTML)] }), 'must be a plain PNG'],
  ['a page for a palette', png(12, 8, { between: [pngChunk('PLTE', Buffer.alloc(771))] }), 'must be a plain PNG'],
  ['a page for a gamma', png(12, 8, { between: [pngChunk('gAMA', HTML)] }), 'must be a plain PNG'],
  ['two gammas', png(12, 8, { between: [pngChunk('gAMA', Buffer.alloc(4)), pngChunk('gAMA', Buffer.alloc(4))] }), 'must be a plain PNG'], // prettier-ignore
  ['a page for its pixels', grey({ packed: HTML }), 'must be a complete PNG'],
  ['a page behind its pixels', grey({ packed: Buffer.concat([deflateSync(Buffer.alloc(137 * 119)), HTML]) }), 'must be a complete PNG'], // prettier-ignore
  ['a row too few', grey({ packed: deflateSync(Buffer.alloc(137 * 118)) }), 'must be a complete PNG'],
  ['a bomb for its pixels', grey({ packed: deflateSync(Buffer.alloc(8_000_000)) }), 'must be a complete PNG'],
  ['rows of no known filter', grey({ packed: deflateSync(WRONG_FILTER) }), 'must be a complete PNG'],
  ['an interlaced picture', grey({ kind: [8, 0, 0, 0, 1] }), 'must be a PNG that is not interlaced'],
  ['a colour type that there is not', grey({ kind: [8, 1, 0, 0, 0] }), 'must be a PNG that is not interlaced'],
  ['colours of one bit', grey({ kind: [1, 2, 0, 0, 0] }), 'must be a PNG that is not interlaced'],
  ['an animation', png(12, 8, { between: [pngChunk('acTL', Buffer.alloc(8))] }), 'must be a plain PNG'],
  ['a picture without pixels', Buffer.concat([png(12, 8).subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))]), 'must be a complete PNG'], // prettier-ignore
])('%s is no logo', (_name, bytes, why) => {
  expect(readLogo(bytes)).toEqual({ kind: 'refused', why: expect.stringContaining(why) });
});
