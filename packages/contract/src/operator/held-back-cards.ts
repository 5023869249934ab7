import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment } from '@pay/shared/http/fields.ts';
import { body, issuedId, oneOf } from '../fields.ts';
import type { RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { VELOCITY_RULES } from './states.ts';

const item = z.object({
  paymentPointId: z.string(),
  rule: z.enum(VELOCITY_RULES),
  cards: z.int(),
  addresses: z.int(),
  bins: z.int(),
  lastAt: moment,
  counting: z.int().describe("Once this reaches the rule's cardsMax, the next card is held back"),
});
export type HeldBackCard = RecordOf<typeof item>;

export const HeldBackCards = namedForOperators(
  'HeldBackCards',
  'The velocity rules, and the points where they held cards back in the last 24 hours, worst first.',
  z.object({
    since: moment,
    rules: z.array(z.object({ rule: z.enum(VELOCITY_RULES), cardsMax: z.int(), windowSeconds: z.int() })),
    items: z.array(item),
  }),
);
export type HeldBackCards = RecordOf<typeof HeldBackCards>;

export const LetCardsThrough = namedForOperators(
  'LetCardsThrough',
  "Clears what a rule has counted against a point's buyers.",
  body({ paymentPointId: issuedId, rule: oneOf(VELOCITY_RULES), reason: typedText('operator', 140) }),
);
export const ForgottenCards = namedForOperators('ForgottenCards', 'How much was cleared.', z.object({ forgotten: z.int() }));
