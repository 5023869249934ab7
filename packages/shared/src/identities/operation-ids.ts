import { createHmac, hkdfSync, randomUUIDv7 } from 'node:crypto';

/** Ids of the operations that an installation sends to banks. */
export type OperationIds = {
  /** A new UUIDv7, marked as this installation's. */
  issue(): string;
  /** Whether this installation issued the id: another one's passes once in 2^40. */
  isIssued(operationId: string): boolean;
};

/** The mark: the last 40 bits. With the moment, and 34 random bits, ids of one millisecond stay unique. */
const MARK_DIGITS = 10;
const TIME_DIGITS = 13;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Two installations may share a bank's terminal, after a partner was moved or on purpose; then each one's register has the other's
 * operations. An id says for itself whose it is, so that a database that was restored and has lost its newest rows still knows which
 * operations are its own (decisions/reconciliation). The mark is an HMAC of the id's moment, so an id that is derived from another
 * one and keeps moment and mark (`markedAs`) is the same installation's. `key`: one that the installation's issuers
 * share with nobody else: the key of the tokens for bindings.
 */
export function createOperationIds(key: Buffer): OperationIds {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'operation ids', 32));
  const markOf = (id: string) => createHmac('sha256', secret).update(id.slice(0, TIME_DIGITS)).digest('hex').slice(0, MARK_DIGITS);
  return {
    issue() {
      const id = randomUUIDv7();
      return withMark(id, markOf(id));
    },
    isIssued: (operationId) => UUID_V7.test(operationId) && operationId.endsWith(markOf(operationId)),
  };
}

/** The id with the mark of another one of the same moment. */
export const markedAs = (id: string, issued: string): string => withMark(id, issued.slice(-MARK_DIGITS));

const withMark = (id: string, mark: string): string => `${id.slice(0, -MARK_DIGITS)}${mark}`;

/** Whether two ids are the same but for their marks: an earlier version derived ids without one. */
export const isSameButForMark = (a: string, b: string): boolean => a.slice(0, -MARK_DIGITS) === b.slice(0, -MARK_DIGITS);
