/** A message of PostgreSQL's protocol: its type, and what follows, byte for byte. */
export type ClientMessage = { readonly type: string; readonly text: string };

/**
 * The messages that a client sends to PostgreSQL in one write. The first of a connection has no type and is left out.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function* clientMessages(bytes: Buffer): Generator<ClientMessage> {
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 1 + Math.max(4, bytes.readInt32BE(at + 1));
    const type = bytes.toString('latin1', at, at + 1);
    if (type !== '\0') yield { type, text: bytes.toString('latin1', at + 5, end) };
    at = end;
  }
}
