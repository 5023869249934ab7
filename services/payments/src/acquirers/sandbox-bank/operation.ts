import { z } from 'zod';
import { failureCode, refundFailureCode } from '@pay/contract/messages.ts';
import { TRANS_STATUSES } from '@pay/contract/operator/states.ts';
import type { Unanswered } from '../bank-client.ts';
import { BankFault, type BankWord } from '../bank-word.ts';
import type { Prepared } from '../acquirer.ts';
import { NO_CARD, type CardFacts, type AcquirerResult, type RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import type { ThreeDs } from '../../domain/acquiring/three-ds.ts';

const Operation = z.object({
  operationId: z.uuid(),
  bankOperationId: z.string().min(1).max(128),
  kind: z.enum(['ORDER', 'CHARGE', 'REFUND']),
  status: z.enum(['REGISTERED', 'THREE_DS_REQUIRED', 'PENDING', 'APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED']),
  reason: z.string().nullish(),
  amountKopecks: z.string().regex(/^\d{1,18}$/),
  currency: z.string(),
  cardMask: z.string().max(32).nullish(),
  cardExpiry: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .nullish(),
  cardToken: z.string().max(256).nullish(),
  // A malformed authentication field is treated as absent: it must not keep money from being booked.
  threeDsVersion: z.string().max(8).nullable().catch(null),
  transStatus: z.enum(TRANS_STATUSES).nullable().catch(null),
  eci: z
    .string()
    .regex(/^\d{2}$/)
    .nullable()
    .catch(null),
  threeDsServerTransId: z.uuid().nullable().catch(null),
  dsTransId: z.uuid().nullable().catch(null),
  acsTransId: z.uuid().nullable().catch(null),
  acsUrl: z.url({ protocol: /^https?$/ }).nullish(),
  nspkurl: z.url({ protocol: /^https?$/ }).nullish(),
});

const Preparation = z.object({
  threeDsVersion: z.string().max(8),
  threeDsServerTransId: z.uuid(),
  methodUrl: z.url({ protocol: /^https?$/ }).optional(),
});

/** What the bank says about a card before it is sent. */
export function readPreparation({ status, body }: BankWord): Prepared | Unanswered {
  const parsed = Preparation.safeParse(body);
  if (status !== 200 || !parsed.success) return { kind: 'unknown' };
  return { kind: 'prepared', preparation: { ...parsed.data, methodUrl: parsed.data.methodUrl ?? null } };
}

/** The bank's own errors. A code means what it says only with its own status. */
const OwnError = z.object({ errorCode: z.string(), errorMessage: z.string() });
/**
 * `absent`: the bank does not know the operation. `refused`: nothing was done, and repeating it will not help. Any other code says
 * nothing about the operation: OPERATION_MISMATCH even says that there is one with this id.
 */
const ERRORS: Readonly<Record<string, { readonly status: number; readonly means: 'absent' | 'refused' }>> = {
  OPERATION_NOT_FOUND: { status: 404, means: 'absent' },
  BAD_REQUEST: { status: 400, means: 'refused' },
  NOT_REFUNDABLE: { status: 409, means: 'refused' },
  AMOUNT_EXCEEDED: { status: 409, means: 'refused' },
};

/** The operation that a call was about. */
type Asked = {
  readonly operationId: string;
  /** The call created the operation, so a refusal ends it; a refusal of any other call says nothing about the operation. */
  readonly creates: boolean;
};

/** What the bank's word about an order or a charge means. @throws BankFault for a word that is not about it */
export function readOperation(word: BankWord, asked: Asked): AcquirerResult {
  return resultOf(word, asked, ['ORDER', 'CHARGE'], paymentFailure);
}

/** As `readOperation`, for a refund, which has failure codes of its own. */
export function readRefundOperation(word: BankWord, asked: Asked): RefundResult {
  return resultOf(word, asked, ['REFUND'], refundFailure);
}

type FailureOf<Code> = (reason: string | null | undefined) => Code;

function resultOf<Code>(
  { status, body }: BankWord,
  { operationId, creates }: Asked,
  kinds: readonly string[],
  failureOf: FailureOf<Code>,
): AcquirerResult<Code> {
  if (status !== 200) return errorResult(status, body, creates, failureOf);
  const parsed = Operation.safeParse(body);
  if (!parsed.success) throw new BankFault('the bank answered, but not as agreed');
  if (parsed.data.operationId !== operationId || !kinds.includes(parsed.data.kind)) {
    throw new BankFault('the bank answered about another operation');
  }
  return operationResult(parsed.data, failureOf);
}

function errorResult<Code>(status: number, body: unknown, creates: boolean, failureOf: FailureOf<Code>): AcquirerResult<Code> {
  const parsed = OwnError.safeParse(body);
  if (!parsed.success) throw new BankFault(`the error with status ${String(status)} is not the bank's`);
  const known = ERRORS[parsed.data.errorCode];
  if (known?.status !== status) return { kind: 'unknown' };
  if (known.means === 'absent') return { kind: 'absent' };
  if (!creates) return { kind: 'unknown' };
  return { kind: 'declined', bankOperationId: null, failureCode: failureOf('PROCESSING_ERROR'), card: NO_CARD };
}

function operationResult<Code>(operation: z.output<typeof Operation>, failureOf: FailureOf<Code>): AcquirerResult<Code> {
  const { bankOperationId } = operation;
  const card = cardOf(operation);
  const threeDs = threeDsOf(operation);
  switch (operation.status) {
    case 'REGISTERED':
      return { kind: 'registered', bankOperationId, nspkUrl: operation.nspkurl ?? null };
    case 'THREE_DS_REQUIRED':
      return { kind: 'pending', bankOperationId, acsUrl: operation.acsUrl ?? null, card, threeDs };
    case 'PENDING':
      return { kind: 'pending', bankOperationId, acsUrl: null, card, threeDs };
    case 'APPROVED': {
      const amountKopecks = BigInt(operation.amountKopecks);
      return { kind: 'confirmed', bankOperationId, amountKopecks, currency: operation.currency, card, threeDs };
    }
    case 'DECLINED':
      return { kind: 'declined', bankOperationId, failureCode: failureOf(operation.reason), card, threeDs };
    case 'EXPIRED':
      return { kind: 'declined', bankOperationId, failureCode: failureOf('SESSION_EXPIRED'), card, threeDs };
    case 'CANCELLED':
      return { kind: 'cancelled', bankOperationId };
  }
}

function cardOf({ cardMask, cardExpiry, cardToken }: z.output<typeof Operation>): CardFacts {
  return { mask: cardMask ?? null, expiry: cardExpiry ?? null, token: cardToken ?? null };
}

function threeDsOf(operation: z.output<typeof Operation>): ThreeDs {
  const { threeDsVersion, transStatus, eci, threeDsServerTransId, dsTransId, acsTransId } = operation;
  return { threeDsVersion, transStatus, eci, threeDsServerTransId, dsTransId, acsTransId };
}

/** Our code for the bank's reason; an unknown reason is a plain decline by the issuer. */
const paymentFailure = (reason: string | null | undefined) => failureCode.catch('DECLINED_BY_ISSUER').parse(reason);
const refundFailure = (reason: string | null | undefined) => refundFailureCode.catch('DECLINED_BY_ISSUER').parse(reason);
