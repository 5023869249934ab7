import { readFileSync } from 'node:fs';
import { usage } from '../fault.ts';

/** The bytes of a file in base64, null without a file; the service validates the picture. @throws CliFault */
export function pictureOf(file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file).toString('base64');
  } catch {
    throw usage(`${file} could not be read`);
  }
}
