import fc from 'fast-check';
import type { Operation } from '../../packages/contract/src/api/operation.ts';
import { OPERATIONS } from '../../packages/contract/src/api/operations.ts';
import { ANYTHING, changed, pathsOf } from '../../packages/contract/test/changes.ts';
import { DAYS_AT_THE_ENDS, DAYS_OUT_OF_RANGE, oddQueriesOf } from '../../packages/contract/test/odd-values.ts';
import { arbitrary, bodiesOf, judge, nameOf, queryOf } from '../../packages/contract/test/requests.ts';
import type { World } from '../world.ts';

/** One request to send, and what the document says of its answer. */
export type FuzzedRequest = {
  readonly operation: Operation;
  readonly kind: string;
  readonly method: string;
  /** With the names of its path parameters in braces. */
  readonly path: string;
  readonly query: string;
  /** What stands for a path parameter if no id is known, or none should be used. */
  readonly odd: string | undefined;
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The only answer that the document allows; undefined: any that it has for the operation. */
  readonly refusal: { readonly status: number; readonly code: string } | undefined;
};

const NOT_VALID = { status: 400, code: 'VALIDATION_FAILED' };
const KEY = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 16,
  maxLength: 128,
});

/** What no id is. PostgreSQL has no U+0000, and fails on a value that has one. */
const TEXT = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), weight: 4 },
  { arbitrary: fc.constant('a\0'), weight: 1 },
  { arbitrary: fc.constantFrom(...DAYS_OUT_OF_RANGE, ...DAYS_AT_THE_ENDS, 'x'.repeat(3_000)), weight: 1 },
);

/** Text that is JSON and that PostgreSQL has not. */
const UNKEEPABLE = fc.constantFrom('A-1\0', '\0', '\ud800', 'A-1\udfff', '\ude00\ud83d');

/** RFC 9110, 8.3.1: all of these are JSON in UTF-8. */
export const MEDIA_TYPE = 'another spelling of the media type';
const JSON_TYPES = fc.constantFrom(
  'application/json;',
  'Application/JSON',
  'application/json ; ; charset="UTF-8"',
  'application/json;charset=utf8',
  'application/json; v=1',
);

/** Requests of every operation: half as the document allows them, half with something that it forbids. */
export function requests(world: World, count: number, seed: number): FuzzedRequest[] {
  // A stream is a response that does not end.
  const own = OPERATIONS.filter(({ response }) => response !== undefined).map((operation) => ofOperation(world, operation));
  return fc.sample(fc.oneof(...own), { numRuns: count, seed });
}

function ofOperation(world: World, operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const { request, query, isIdempotent, method } = operation;
  const bodies: fc.Arbitrary<unknown> = request === undefined ? fc.constant(undefined) : bodiesOf(nameOf(request));
  const valid = fc
    .record({ body: bodies, query: arbitrary(queryOf(operation), ''), key: KEY })
    .map(({ body, query: asked, key }): FuzzedRequest => {
      const { pageToken: _token, ...known } = asked as Readonly<Record<string, unknown>>;
      return {
        operation,
        kind: 'valid',
        method: method.toUpperCase(),
        path: operation.path,
        query: new URLSearchParams(Object.entries(known).map(([name, value]) => [name, String(value)])).toString(),
        odd: undefined,
        body: body === undefined ? Buffer.alloc(0) : json(fitted(world, operation.operationId, body)),
        contentType: body === undefined ? undefined : 'application/json',
        idempotencyKey: isIdempotent === true ? key : undefined,
        refusal: undefined,
      };
    });
  const other = (kind: string, change: (one: FuzzedRequest, text: string) => Partial<FuzzedRequest>) =>
    fc.record({ one: valid, text: TEXT }).map(({ one, text }) => ({ ...one, kind, ...change(one, text) }));
  return fc.oneof(
    { arbitrary: valid, weight: 6 },
    {
      arbitrary: other('unknown query name', ({ query: had }) => ({
        query: `${had}${had === '' ? '' : '&'}unknownName=1`,
        refusal: NOT_VALID,
      })),
      weight: 1,
    },
    {
      arbitrary: other('another method', () => ({
        method: 'DELETE',
        body: Buffer.alloc(0),
        contentType: undefined,
        idempotencyKey: undefined,
        refusal: { status: 405, code: 'METHOD_NOT_ALLOWED' },
      })),
      weight: 1,
    },
    { arbitrary: other('an odd id', (_one, text) => ({ odd: encodeURIComponent(text) })), weight: 1 },
    ...(isIdempotent === true
      ? [{ arbitrary: other('no key', () => ({ idempotencyKey: undefined, refusal: NOT_VALID })), weight: 1 }]
      : []),
    ...(query === undefined
      ? []
      : [
          {
            arbitrary: other('a page token of nobody', ({ query: had }, text) => ({
              query: `${had}${had === '' ? '' : '&'}pageToken=${encodeURIComponent(text)}`,
            })),
            weight: 1,
          },
        ]),
    ...(query === undefined
      ? []
      : [
          {
            arbitrary: fc.record({ one: valid, odd: fc.constantFrom(...oddQueriesOf(query)) }).map(({ one, odd }) => ({
              ...one,
              kind: 'an odd query',
              query: odd.query,
              refusal: odd.expected === 400 ? NOT_VALID : undefined,
            })),
            weight: 4,
          },
          ...('from' in (queryOf(operation).properties ?? {})
            ? [
                {
                  arbitrary: other('an offset with a raw plus', () => ({
                    query: 'from=2026-01-01T00:00:00+03:00',
                    refusal: NOT_VALID,
                  })),
                  weight: 1,
                },
              ]
            : []),
        ]),
    ...(request === undefined
      ? []
      : [
          {
            arbitrary: fc
              .record({ one: valid, contentType: JSON_TYPES })
              .map(({ one, contentType }) => ({ ...one, kind: MEDIA_TYPE, contentType })),
            weight: 1,
          },
          {
            arbitrary: changedBody(world, valid, operation.operationId, nameOf(request), UNKEEPABLE, 'text that cannot be kept'),
            weight: 1,
          },
          {
            arbitrary: other('another type', () => ({
              contentType: 'text/plain',
              refusal: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
            })),
            weight: 1,
          },
          { arbitrary: other('no JSON', (_one, text) => ({ body: Buffer.from(`[{${text}`), refusal: NOT_VALID })), weight: 1 },
          {
            arbitrary: changedBody(world, valid, operation.operationId, nameOf(request), ANYTHING, 'a changed member'),
            weight: 4,
          },
        ]),
  );
}

function changedBody(
  world: World,
  valid: fc.Arbitrary<FuzzedRequest>,
  operationId: string,
  name: string,
  values: fc.Arbitrary<unknown>,
  kind: string,
) {
  const isAllowed = judge(name);
  return fc.record({ one: valid, body: bodiesOf(name), value: values, at: fc.nat() }).map(({ one, body, value, at }) => {
    const known = fitted(world, operationId, body);
    const paths = [...pathsOf(known), ['unknownMember']];
    const made = changed(known, paths[at % paths.length] ?? [], value);
    const isRefused = values === UNKEEPABLE || !isAllowed(made);
    return { ...one, kind, body: json(made), refusal: isRefused ? NOT_VALID : undefined };
  });
}

const json = (body: unknown): Buffer => Buffer.from(JSON.stringify(body));

/** The limit of the demo partner's payment points. */
const POINT_RUBLES_MAX = 1_000_000;

/**
 * The body with what exists in this system, and without what the document says in words: what is agreed with a person, and
 * receipts, which the sandbox's acquirer does not take.
 */
function fitted(world: World, operationId: string, body: unknown): unknown {
  const {
    returnUrl: _returnUrl,
    savePaymentMethod: _saves,
    recurringConsent: _consent,
    receipt: _receipt,
    ...others
  } = body as Readonly<Record<string, unknown>>;
  const { amount } = others;
  const rest = typeof amount === 'number' ? { ...others, amount: Math.min(amount, POINT_RUBLES_MAX) } : others;
  const { paymentPoints, storeID: storeId, beneficiaryRef } = world.partner;
  switch (operationId) {
    case 'createCardPayment':
      return { ...rest, paymentPointID: paymentPoints.card };
    case 'createQrPayment':
      return { ...rest, paymentPointID: paymentPoints.qr };
    case 'createWithdrawalRequest':
      return { storeId, beneficiaryRef, amountUsdt: '0.000001' };
    case 'saveEndpoints':
      return { callbackUrl: world.receiver.url, returnUrl: 'https://shop.example/return' };
    default:
      return rest;
  }
}
