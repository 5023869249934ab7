import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { day, moment, pageLimit } from '@pay/shared/http/fields.ts';
import { LIST_ORDERS } from '@pay/shared/http/list-page.ts';
import {
  body,
  customerID,
  LimitAndPage,
  merchantRefundId,
  oneOf,
  orderID,
  paymentPointID,
  rublesString,
  signedRublesString,
  uuid,
  uuidInput,
} from '../fields.ts';
import { POINT_METHODS } from '../states.ts';
import { routeId } from './fields.ts';
import { listOf, pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { EXCEPTION_KINDS, EXCEPTION_STATUSES, RECONCILIATION_RESULTS, RECONCILIATION_STATUSES } from './states.ts';

/** Differences between the bank's records and ours, and the reconciliations that find them. */

export const ExceptionQuery = LimitAndPage.extend({
  status: oneOf(EXCEPTION_STATUSES).describe('Only exceptions with this status').optional(),
  kind: oneOf(EXCEPTION_KINDS).describe('Only exceptions of this kind').optional(),
  date: day.describe('Only exceptions found by reconciling this day').optional(),
  order: z.enum(LIST_ORDERS).default('newest').describe('Which exceptions come first: `oldest` for a queue'),
});

export const ResolveException = namedForOperators(
  'ResolveException',
  'Records how a difference was resolved.',
  body({ note: typedText('operator', 1_000) }),
);

export const BookException = namedForOperators(
  'BookException',
  'Books what the bank knows and we do not. A payment takes its order as the partner knows it; a refund may take its number.',
  body({
    order: z
      .strictObject({
        paymentPointID,
        merchantOrderId: orderID,
        customerID,
        paymentMethod: oneOf(POINT_METHODS),
        paymentId: uuidInput.optional().describe('The id that the partner has, if a second or later card paid'),
      })
      .optional()
      .describe('The order of a payment, from the partner'),
    merchantRefundId: merchantRefundId
      .optional()
      .describe("The partner's number of a refund. A partner that repeats the refund then finds this one"),
  }),
);
export type BookException = RecordOf<typeof BookException>;

export const ReconciliationException = namedForOperators(
  'ReconciliationException',
  "A difference between the bank's records and ours that a person must resolve.",
  z.object({
    exceptionId: uuid,
    kind: z.enum(EXCEPTION_KINDS),
    status: z.enum(EXCEPTION_STATUSES),
    reason: z.string(),
    date: z.string().nullable(),
    routeId: z.string().nullable(),
    paymentId: uuid.nullable(),
    operationId: z.string().nullable(),
    bankOperationId: z.string().nullable(),
    unknownOperation: z
      .object({
        kind: z.enum(['PAYMENT', 'REFUND']),
        refunds: z.string().nullable().describe('Of a refund: the operation that it refunds, if the register names it'),
      })
      .nullable()
      .describe(
        'Of an open exception: an operation that only the bank knows and whose id is ours. It can be booked, a payment returned, too',
      ),
    bank: z.object({
      status: z.string().nullable(),
      amount: rublesString.nullable(),
      currency: z.string().nullable(),
    }),
    ours: z.object({ status: z.string().nullable(), amount: rublesString.nullable() }),
    note: z.string().nullable(),
    resolvedBy: z.string().nullable(),
    createdAt: moment,
    resolvedAt: moment.nullable(),
  }),
);
export type ReconciliationException = RecordOf<typeof ReconciliationException>;
export const ExceptionPage = namedForOperators('ExceptionPage', 'Differences.', pageOf(ReconciliationException));

export const Reconcile = namedForOperators('Reconcile', 'The route and the day (UTC) to reconcile.', body({ date: day, routeId }));
export const ReconciliationQuery = z.strictObject({ date: day.optional(), limit: pageLimit(20) });
export const ReconciliationPath = z.object({ routeId, date: day });

export const Reconciliation = namedForOperators(
  'Reconciliation',
  "The reconciliation of one day of a route with the bank's register.",
  z.object({
    routeId: z.string(),
    date: day,
    status: z.enum(RECONCILIATION_STATUSES),
    requestedBy: z.string().nullable(),
    startedAt: moment,
    completedAt: moment.nullable(),
    counts: z.record(z.enum(RECONCILIATION_RESULTS), z.int()),
    bankTotal: signedRublesString.nullable(),
    ourTotal: signedRublesString.nullable(),
    difference: signedRublesString.nullable(),
  }),
);
export type Reconciliation = RecordOf<typeof Reconciliation>;
export const ReconciliationList = namedForOperators('ReconciliationList', 'Reconciliations, newest days first.', listOf(Reconciliation));

const side = z.object({ status: z.string().nullable(), amount: signedRublesString.nullable() });
const difference = z.object({
  operationId: z.string().nullable(),
  result: z.enum(RECONCILIATION_RESULTS),
  kind: z.string(),
  paymentId: uuid.nullable(),
  bankOperationId: z.string().nullable(),
  bank: side,
  ours: side,
});
export type ReconciliationDifference = RecordOf<typeof difference>;
export const ReconciliationWithDifferences = namedForOperators(
  'ReconciliationWithDifferences',
  'A reconciliation with every item that did not match.',
  Reconciliation.extend({ items: z.array(difference) }),
);
