import { floorOfCreates, floorOfReads } from './floor.ts';
import { saturate, type LoadResult } from './load.ts';
import { CONCURRENCY } from './partner.ts';
import { verifiesPerSecond } from './signature.ts';
import { resultTable } from './table.ts';
import { withSystem } from './world.ts';

const SECONDS = 10;
/** Until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_SECONDS = 20;

/** Status reads and card creates through the whole system, compared with the bare statements in the same run. */
export function benchPayments(): Promise<string> {
  return withSystem({}, async ({ state, partner }) => {
    const { gateway, payments } = state.databaseUrls;
    if (gateway === undefined || payments === undefined) throw new Error('the system has no databases');
    const { card } = state.partner.paymentPoints;
    const { id } = await partner.create(card);
    const template = { partnerId: state.partner.partnerID, pointId: card, routeId: 'sandbox-bank' };
    const rows: [string, LoadResult][] = [
      ['status reads, signed, through the gateway', await load(() => partner.read(id))],
      [
        'floor: the same statements on a bare pg pool',
        await floorOfReads({ gateway, payments }, id, template.partnerId),
      ],
      ['card creates, signed, through gateway, payments and bank', await load(() => partner.create(card))],
      ['floor: the same statements on a bare pg pool', await floorOfCreates({ gateway, payments }, template)],
    ];
    return [
      `Closed loop, ${String(CONCURRENCY)} requests in flight, ${String(SECONDS)} s after ${String(WARM_UP_SECONDS)} s of warm-up; floors with 10 in flight.`,
      '',
      resultTable(rows),
      '',
      `Floor of a signature: ${verifiesPerSecond().toFixed(0)} Ed25519 verifications a second on one core (node:crypto).`,
    ].join('\n');
  });
}

function load(one: () => Promise<unknown>): Promise<LoadResult> {
  return saturate({ concurrency: CONCURRENCY, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS, one });
}
