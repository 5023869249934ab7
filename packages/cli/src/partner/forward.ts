import { post } from './post.ts';

const TIMEOUT_MS = 10_000;

/**
 * Passes a callback on byte for byte, with the headers that belong to it.
 * @returns the answer's status; undefined if there was none
 */
export async function forward(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number | undefined> {
  const own = Object.entries(headers).filter(([name]) => /^(?:x-service-|content-type$)/i.test(name));
  try {
    return await post(url, Object.fromEntries(own), body, TIMEOUT_MS);
  } catch {
    return undefined;
  }
}
