import { toDataURL } from 'qrcode';

/** Cached QR codes, because partners poll and buyers reload. About two kilobytes each. */
const KEPT_MAX = 1_000;
const kept = new Map<string, Promise<string>>();

/**
 * The QR code of a link as a PNG data URI: 4 pixels per module, with the quiet zone of four modules that scanners need, and
 * error correction level M, as in the SBP's own codes.
 */
export function qrImage(link: string): Promise<string> {
  const known = kept.get(link);
  if (known !== undefined) return known;
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  const image = toDataURL(link, { errorCorrectionLevel: 'M', margin: 4, scale: 4 });
  kept.set(link, image);
  return image;
}
