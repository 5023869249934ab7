import { expect, it } from '@jest/globals';
import { png, pngChunk } from '../../../test/png.ts';
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, readLogo } from './read-logo.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const LONG = pngChunk('sRGB', Buffer.alloc(LOGO_BYTES_MAX));
const altered = (at: number) => {
  const bytes = png(12, 8);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
};
const exactly = (bytes: number) => {
  const [head] = [png(12, 8)];
  return png(12, 8, { between: [pngChunk('iCCP', Buffer.alloc(bytes - head.length - 12))] });
};

it.each([
  ['a small picture', png(12, 8), { width: 12, height: 8 }],
  ['the largest sides', png(LOGO_SIDE_MAX, LOGO_SIDE_MAX), { width: 512, height: 512 }],
  ['the most bytes', exactly(LOGO_BYTES_MAX), { width: 12, height: 8 }],
])('%s is a logo', (_name, bytes, size) => {
  expect(readLogo(bytes)).toEqual({ kind: 'logo', ...size });
});

it.each([
  ['a byte too many', exactly(LOGO_BYTES_MAX + 1), 'must be at most 16384 bytes'],
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
  ['an animation', png(12, 8, { between: [pngChunk('acTL', Buffer.alloc(8))] }), 'must be a plain PNG'],
  ['a picture without pixels', Buffer.concat([png(12, 8).subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))]), 'must be a complete PNG'], // prettier-ignore
])('%s is no logo', (_name, bytes, why) => {
  expect(readLogo(bytes)).toEqual({ kind: 'refused', why: expect.stringContaining(why) });
});
