import { MIMEType } from 'node:util';

/**
 * A media type without its parameters, in lowercase; undefined for what is none. RFC 9110, 8.3.1: case, blanks, quotes and empty parameters
 * are the sender's.
 */
export function mediaTypeOf(header: string | null | undefined): string | undefined {
  return parsed(header)?.essence;
}

/** Labels of UTF-8; the second is no name of it (RFC 3629), yet cannot mean anything else. See spec/decisions#media-types. */
const UTF_8 = new Set(['utf-8', 'utf8']);

/** Whether a body of this Content-Type is a `mediaType` in UTF-8, which it is where it does not say. */
export function isUtf8Of(mediaType: string, header: string | undefined): boolean {
  const type = parsed(header);
  return type?.essence === mediaType && UTF_8.has(type.params.get('charset')?.toLowerCase() ?? 'utf-8');
}

function parsed(header: string | null | undefined): MIMEType | undefined {
  try {
    return new MIMEType(header ?? '');
  } catch {
    return undefined;
  }
}
