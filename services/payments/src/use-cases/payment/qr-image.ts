import { toDataURL } from 'qrcode';

/** Codes of links that are asked for again and again: a partner polls, a buyer reloads. Some two kilobytes each. */
const KEPT_MAX = 1_000;
const kept = new Map<string, Promise<string>>();

/**
 * The code of a link as a PNG data URI, 4 pixels a module with the quiet zone of four modules that readers need. Level M
 * is what the SBP's own codes have.
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
