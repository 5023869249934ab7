import { decrypt, type EncryptionKeys } from '../../../packages/shared/src/encryption/encryption.ts';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';
import { numberOf, rowsOf, type Connections } from './cells.ts';
import type { Settings } from './settings.ts';
import { MOVED_SERVICES, MOVED_TABLES, whereOf, type MovedService } from './tables.ts';

const POINTS = 'select p.payment_point_id from payments.payment_points p where p.partner_id = $1';
const PAYMENTS = 'select p.payment_id from payments.payments p where p.partner_id = $1';

/** What people have to finish first: a query that counts, and what it counts. */
const UNDECIDED: readonly (readonly [MovedService, string, string])[] = [
  [
    'withdrawals',
    `select count(*) from withdrawals where partner_id = $1 and status in ('REQUESTED', 'IN_REVIEW', 'APPROVED')`,
    'withdrawal requests are not decided and paid out',
  ],
  [
    'withdrawals',
    `select count(*) from fundings join stores using (store_id) where partner_id = $1 and status = 'PROPOSED'`,
    'fundings are proposed',
  ],
  ['withdrawals', `select count(*) from beneficiaries where partner_id = $1 and status = 'PROPOSED'`, 'recipients are proposed'],
  ['payments', `select count(*) from exceptions where status = 'OPEN' and payment_id in (${PAYMENTS})`, 'exceptions are not resolved'],
  [
    'payments',
    `select count(*) from proposals where status = 'PROPOSED' and expires_at > clock_now() and (asked->>'partnerID' = $1
      or subject_id in (select payment_id::text from (${PAYMENTS}) p union all ${POINTS}
        union all select exception_id::text from exceptions where payment_id in (${PAYMENTS})))`,
    'proposals wait for a second person',
  ],
  ['notifier', `select count(*) from replays where partner_id = $1 and state = 'RUNNING'`, 'replays of callbacks are running'],
  ...(['bindings', 'withdrawals', 'notifier'] as const).map(
    (service) =>
      [
        service,
        `select count(*) from dead_letters where status = 'WAITING' and not refused and $1 <> ''`,
        `messages for ${service} wait to be redriven`,
      ] as const,
  ),
];

/** What people chose or a bank gave, so that two cells may both have it: it is unique in a cell. */
const UNIQUE: readonly (readonly [MovedService, string, string, string])[] = [
  ['gateway', 'partner_keys', 'public_key', 'key'],
  ['payments', 'stores', 'store_id', 'store'],
  ['payments', 'payment_points', 'payment_point_id', 'payment point'],
  ['withdrawals', 'beneficiaries', 'beneficiary_ref', 'recipient'],
  ['withdrawals', 'fundings', 'reference', 'funding'],
  ['withdrawals', 'withdrawals', 'transfer_reference', 'transfer'],
];

type Cells = { readonly from: Connections; readonly to: Connections };

/** Why a partner cannot be moved, a sentence each; read before anything is held, and changes nothing. */
export async function obstaclesOf(cells: Cells, settings: Settings, partnerId: PartnerId): Promise<string[]> {
  const { from, to } = cells;
  const versions = await otherVersions(cells);
  if (versions.length > 0) return versions;
  const [partner] = await rowsOf<{ status: string }>(from.gateway, 'select status from partners where partner_id = $1', [partnerId]);
  if (partner === undefined) return [`${from.name} has no partner ${partnerId}`];
  if (partner.status !== 'ACTIVE') return [`${partnerId} is suspended in ${from.name}: resume it first`];
  const found: string[] = [];
  for (const service of MOVED_SERVICES) {
    const there = await rowsThere(to, service, partnerId);
    if (there !== undefined) found.push(`${to.name} has rows of ${partnerId} in ${service}.${there}`);
  }
  found.push(...(await undecided(from, partnerId)), ...(await sameThere(cells, partnerId)));
  found.push(...(await routesMissing(cells, partnerId)), ...(await unreadable(cells, settings, partnerId)));
  return found;
}

/** The first table of a service in which a partner has rows. */
export async function rowsThere(cell: Connections, service: MovedService, partnerId: PartnerId): Promise<string | undefined> {
  for (const table of MOVED_TABLES[service]) {
    const { rowCount } = await cell[service].query(`select from ${table.name} t where ${whereOf(table)} limit 1`, [partnerId]);
    if (rowCount !== 0) return table.name;
  }
  return undefined;
}

async function otherVersions({ from, to }: Cells): Promise<string[]> {
  const found: string[] = [];
  for (const service of MOVED_SERVICES) {
    const newest = `select coalesce(max(created_at), 0) from migrations`;
    const [here, there] = [await numberOf(from[service], newest), await numberOf(to[service], newest)];
    if (here !== there) found.push(`${service} has another version of its schema in ${from.name} than in ${to.name}`);
  }
  return found;
}

async function undecided(from: Connections, partnerId: PartnerId): Promise<string[]> {
  const found: string[] = [];
  for (const [service, sql, what] of UNDECIDED) {
    const count = await numberOf(from[service], sql, [partnerId]);
    if (count > 0) found.push(`${String(count)} ${what}`);
  }
  return found;
}

async function sameThere({ from, to }: Cells, partnerId: PartnerId): Promise<string[]> {
  const found: string[] = [];
  for (const [service, name, column, what] of UNIQUE) {
    const table = MOVED_TABLES[service].find((one) => one.name === name);
    if (table === undefined) throw new Error(`${service}.${name} does not move`);
    const own = await rowsOf<{ value: string }>(
      from[service],
      `select distinct t.${column} as value from ${name} t where ${whereOf(table)} and t.${column} is not null`,
      [partnerId],
    );
    const same = await rowsOf<{ value: string }>(to[service], `select ${column} as value from ${name} where ${column} = any($1) limit 3`, [
      own.map(({ value }) => value),
    ]);
    found.push(...same.map(({ value }) => `${to.name} has the ${what} ${value} already, of another partner`));
  }
  return found;
}

/** Old payments are refunded, saved cards are charged, and days are compared by the routes that took them. */
async function routesMissing({ from, to }: Cells, partnerId: PartnerId): Promise<string[]> {
  const used = await rowsOf<{ route_id: string; connector: string }>(
    from.payments,
    `select route_id, connector from routes where route_id in (select route_id from payment_points where partner_id = $1
       union select route_id from point_routes where payment_point_id in (${POINTS})
       union select route_id from payments where partner_id = $1
       union select route_id from money_returns where payment_id in (${PAYMENTS})
       union select route_id from exceptions where payment_id in (${PAYMENTS}))`,
    [partnerId],
  );
  const there = await rowsOf<{ route_id: string; connector: string }>(to.payments, 'select route_id, connector from routes');
  return used.flatMap(({ route_id: routeId, connector }) => {
    const same = there.find((route) => route.route_id === routeId);
    if (same?.connector === connector) return [];
    return [`${to.name} has no route ${routeId} with the connector ${connector}: its payments could not be refunded there`];
  });
}

/** Tries the keys of both cells before anything depends on them. */
async function unreadable({ from, to }: Cells, settings: Settings, partnerId: PartnerId): Promise<string[]> {
  const found: string[] = [];
  for (const service of ['payments', 'notifier'] as const) {
    for (const { name, secret, ...table } of MOVED_TABLES[service]) {
      if (secret === undefined) continue;
      const read = `select t.partner_id, t.${secret.beside}::text as beside, t.${secret.column} as value from ${name} t`;
      const own = await rowsOf<Stored>(from[service], `${read} where ${whereOf({ name, ...table })}`, [partnerId]);
      const there = await rowsOf<Stored>(to[service], `${read} limit 100`);
      const isRead = (keys: EncryptionKeys) => (row: Stored) => {
        try {
          decrypt(keys, row.value, secret.contextOf(row.partner_id, row.beside));
          return true;
        } catch {
          return false;
        }
      };
      if (!own.every(isRead(settings.from.encryption[service])))
        found.push(`the keys given for ${service} of ${from.name} do not decrypt its ${name}`);
      if (!there.every(isRead(settings.to.encryption[service])))
        found.push(`the keys given for ${service} of ${to.name} do not decrypt its ${name}`);
    }
  }
  return found;
}

type Stored = { readonly partner_id: PartnerId; readonly beside: string; readonly value: string };
