import { createHmac, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { decrypt, encrypt } from '@pay/shared/encryption/encryption.ts';
import type { CardDetails } from '../../acquirers/acquirer.ts';
import type { Deps } from '../../deps.ts';
import type { ThreeDsPreparation } from '../../domain/acquiring/three-ds.ts';

/** What the page carries from the preparation of a card to its submission. It does not contain the card. */
export type CardTicket = {
  /** The attempt that the velocity rules counted. */
  readonly attemptId: string;
  /** What the bank said about the card; null: it did not answer. */
  readonly prepared: ThreeDsPreparation | null;
};

const Ticket = z.object({
  attemptId: z.uuid(),
  cardMac: z.string(),
  untilMs: z.number(),
  prepared: z
    .object({
      threeDsVersion: z.string().nullable(),
      threeDsServerTransId: z.string().nullable(),
      methodUrl: z.string().nullable(),
    })
    .nullable(),
});

/** The preparation takes at most ten seconds, the 3DS Method ten more. */
const GOOD_FOR_MS = 120_000;
/** A ticket is some 600 characters. */
const CHARACTERS_MAX = 4_096;

/** `operationId`: of the order that the card is for. */
type For = { readonly operationId: string; readonly card: CardDetails; readonly now: Date };

/** Seals a ticket for one order and one card: the browser that carries it can neither read nor change it. */
export function writeTicket(deps: Deps, { operationId, card, now }: For, ticket: CardTicket): string {
  const sealed = { ...ticket, cardMac: macOf(deps, card), untilMs: now.getTime() + GOOD_FOR_MS };
  return encrypt(deps.encryptionKeys, Buffer.from(JSON.stringify(sealed)), contextOf(operationId));
}

/** Opens a ticket; undefined if it is not for this order (or this card, if one is given), or has expired. */
export function openTicket(
  deps: Deps,
  { operationId, card, now }: Omit<For, 'card'> & { readonly card?: CardDetails },
  text: string,
): CardTicket | undefined {
  const opened = text.length > CHARACTERS_MAX ? undefined : open(deps, operationId, text);
  if (opened === undefined || now.getTime() > opened.untilMs) return undefined;
  if (card !== undefined && opened.cardMac !== macOf(deps, card)) return undefined;
  return { attemptId: opened.attemptId, prepared: opened.prepared };
}

function open(deps: Deps, operationId: string, text: string): z.output<typeof Ticket> | undefined {
  try {
    const plain: unknown = JSON.parse(decrypt(deps.encryptionKeys, text, contextOf(operationId)).toString());
    return Ticket.parse(plain);
  } catch {
    // Whatever is wrong with the ticket, the card is sent as it would be without one.
    return undefined;
  }
}

const contextOf = (operationId: string): string => `card-ticket:${operationId}`;

/** Identifies a card inside the sealed ticket, and nowhere else. */
function macOf({ encryptionKeys }: Deps, { number, expiryMonth, expiryYear }: CardDetails): string {
  const key = Buffer.from(hkdfSync('sha256', encryptionKeys.current.key, Buffer.alloc(0), 'card ticket', 32));
  const text = `${number} ${String(expiryMonth)} ${String(expiryYear)}`;
  return createHmac('sha256', key).update(text).digest('base64url');
}
