import type { Examples } from '../examples/examples.ts';
import { BINDING, EVENT, PAYMENT, PAYOUT, REFUND } from '../examples/examples.ts';
import { OTHER_EXAMPLES } from '../examples/others.ts';
import { PAYMENT_EXAMPLES } from '../examples/payments.ts';
import { sdkDocument, type SdkCall } from '../sdk-document.ts';

/** A value of a request, as JSON. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };
type Members = Readonly<Record<string, Value>>;

/** One call with everything that it is given: what each language prints in its own words. */
export type Sample = {
  readonly call: SdkCall;
  /** The values of `call.places`, in their order. */
  readonly places: readonly string[];
  /** The path with its values and the query, as sent: nothing in it needs escaping. */
  readonly target: string;
  /** As sent, with its amount as a number where the document has one. */
  readonly sentBody: Members | undefined;
  /** As an SDK takes it: every amount is text. */
  readonly body: Members | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** One word for what comes back, such as `payment`. */
  readonly result: string;
  /** The member of the record that is worth showing first. */
  readonly shown: string;
};

const EXAMPLES: Examples = { ...PAYMENT_EXAMPLES, ...OTHER_EXAMPLES };

const PLACES: Readonly<Record<string, string>> = {
  id: PAYMENT,
  refundId: REFUND,
  paymentPointID: 'point-demo-qr',
  date: '2026-11-20',
  eventId: EVENT,
  bindingId: BINDING,
  storeID: 'store-demo',
  requestID: PAYOUT,
};

/** What a list is asked for. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listCardPayments: { customerID: 'c1' },
  listQrPayments: { status: 'COMPLETED' },
  listBindings: { customerId: 'c1' },
  listEvents: { status: 'REFUSED' },
  listRegisters: { from: '2026-11-01' },
  listUsdtRegisters: { from: '2026-11-01' },
  listWithdrawalRequests: { status: 'REQUESTED' },
};

/** The first of these that a record has. */
const SHOWN = ['keyId', 'status', 'callbackUrl', 'closingBalance', 'closingAvailable', 'availableUsdt', 'eventId'];

/**
 * A sample of every call of the SDKs, in the document's order.
 * @throws Error if a call needs a value that has no example
 */
export function samples(): Sample[] {
  const { calls, records } = sdkDocument();
  return calls.map((call) => {
    const places = call.places.map((place) => PLACES[place] ?? fail(`${call.name}: no example of ${place}`));
    const query = QUERIES[call.name] ?? {};
    if (call.query?.isOptional === false && Object.keys(query).length === 0) fail(`${call.name}: no example of its query`);
    const sentBody = bodyOf(call);
    const members = records.find(({ name }) => name === call.answer.type)?.schema.properties ?? {};
    return {
      call,
      places,
      target: targetOf(call.path, places, query),
      sentBody,
      body: sentBody === undefined || call.body?.amountIsNumber !== true ? sentBody : withTextAmount(sentBody),
      query,
      result: resultOf(call.answer.type),
      shown: shownOf(call, Object.keys(members)),
    };
  });
}

function shownOf({ name, answer }: SdkCall, members: readonly string[]): string {
  const first = answer.type.startsWith('Created') ? ['paymentUrl'] : answer.type === 'PaymentPoint' ? ['paymentPointID'] : [];
  const wanted = [...first, ...SHOWN];
  return wanted.find((one) => members.includes(one)) ?? fail(`${name}: nothing of its answer to show`);
}

/** An example without a member has no body: everything in it may be left out. */
function bodyOf({ name, body }: SdkCall): Members | undefined {
  if (body === undefined) return undefined;
  const example = EXAMPLES[name]?.request ?? fail(`${name}: no example of its body`);
  return Object.keys(example).length === 0 ? undefined : membersOf(example);
}

/** The members of an example, which are JSON by nature. */
function membersOf(example: object): Members {
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, valueOf(value)]));
}

function valueOf(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(valueOf);
  if (typeof value === 'object' && value !== null) return membersOf(value);
  return fail('an example has a value that no language prints');
}

function withTextAmount(body: Members): Members {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name === 'amount' && typeof value === 'number' ? value.toFixed(2) : value]),
  );
}

function targetOf(path: string, places: readonly string[], query: Readonly<Record<string, string>>): string {
  let index = 0;
  const filled = path.replace(/\{\w+\}/g, () => places[index++] ?? '');
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** `CreatedCardPayment` is a `payment`, a `CallbackEventStory` is an `event`. */
function resultOf(type: string): string {
  const word = /[A-Z][a-z]+$/.exec(type.replace(/Story$/, ''))?.[0] ?? type;
  return word.toLowerCase();
}

function fail(message: string): never {
  throw new Error(message);
}
