import { Text, Title } from '@mantine/core';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import type { Delivery } from '@pay/contract/operator/deliveries.ts';
import type { Payment } from '@pay/contract/operator/payments.ts';
import type { Withdrawal } from '@pay/contract/operator/withdrawals.ts';
import { containsCardData } from '@pay/shared/content/card-data.ts';
import { queryOf, read } from '../api.ts';
import { grouped } from '../format.ts';
import { Empty } from '../parts/empty.tsx';
import { Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { Waiting } from '../parts/table.tsx';
import type { Page as PageOf } from '../types.ts';
import { cardSearchOf } from './search-terms.ts';
import { said, t, tx } from '../text.ts';

type Found = {
  readonly path: string;
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly about: string;
  readonly at: string;
};

const FOUND_MAX = '20';

/** Everything that an id, or its beginning, belongs to. A single result is opened at once. */
export function SearchPage(): ReactNode {
  const [params] = useSearchParams();
  const q = (params.get('q') ?? '').trim();
  const all = useSearch(q);
  const found = all.flatMap(({ data }) => data ?? []);
  const [only] = found;
  const isDone = all.every(({ isFetching, isError }) => !isFetching && !isError);
  if (isDone && found.length === 1 && only !== undefined) return <Redirect to={only.path} replace />;
  return (
    <Page title={t('Search')}>
      <Text size="sm" mb="md">
        {tx('Results for {query}', { query: <strong className="mono">{q}</strong> })}
      </Text>
      {all.map(({ error }, index) => (
        <Fault key={SOURCES[index]} error={error} title={t('Couldn’t search {source}', { source: said(SOURCES[index] ?? '') })} />
      ))}
      {found.length === 0 ? null : <Results found={found} />}
      {all.some(({ isFetching }) => isFetching) ? <Waiting /> : null}
      {isDone && found.length === 0 ? (
        <Empty>
          {t(
            'Nothing has this ID. Use a complete order, buyer or bank ID; the first six digits of a payment, refund, saved card, callback or withdrawal ID; or a card’s last four digits with an amount and a day (UTC), such as 1111 10.50 2026-11-21.',
          )}
        </Empty>
      ) : null}
    </Page>
  );
}

const SOURCES = ['payments', 'callbacks', 'withdrawals'] as const;

/** One query for each source. Callbacks and withdrawals are only asked for what may begin an id of theirs. */
function useSearch(q: string): UseQueryResult<Found[]>[] {
  const card = cardSearchOf(q);
  const isForbidden = containsCardData(q);
  const isBeginning = card === undefined && !isForbidden && /^(?:-*[0-9a-f]){6,32}-*$/i.test(q);
  const query = (filter: Readonly<Record<string, string>>) => queryOf({ ...filter, limit: FOUND_MAX });
  return useQueries({
    queries: [
      {
        queryKey: ['search', 'payments', q],
        queryFn: async () => (await read<PageOf<Payment>>(`/api/payments/payments${query(card ?? { id: q })}`)).items.map(ofPayment),
        enabled: q !== '' && !isForbidden,
      },
      {
        queryKey: ['search', 'callbacks', q],
        queryFn: async () => (await read<PageOf<Delivery>>(`/api/notifier/events${query({ id: q })}`)).items.map(ofEvent),
        enabled: isBeginning,
      },
      {
        queryKey: ['search', 'withdrawals', q],
        queryFn: async () => (await read<PageOf<Withdrawal>>(`/api/withdrawals/withdrawals${query({ id: q })}`)).items.map(ofRequest),
        enabled: isBeginning,
      },
    ],
  });
}

const ofPayment = ({ paymentId, status, amount, partnerID, createdAt }: Payment): Found => ({
  path: `/payments/${paymentId}`,
  kind: t('Payment'),
  id: paymentId,
  state: status,
  about: `${grouped(amount)} RUB, ${partnerID}`,
  at: createdAt,
});
const ofEvent = ({ eventId, status, type, partnerId, recordedAt }: Delivery): Found => ({
  path: `/deliveries/${eventId}`,
  kind: t('Callback'),
  id: eventId,
  state: status,
  about: `${type}, ${partnerId}`,
  at: recordedAt,
});
const ofRequest = ({ withdrawalRequestId, status, amountUsdt, partnerID, createdAt }: Withdrawal): Found => ({
  path: `/withdrawals/${withdrawalRequestId}`,
  kind: t('Withdrawal'),
  id: withdrawalRequestId,
  state: status,
  about: `${grouped(amountUsdt)} USDT, ${partnerID}`,
  at: createdAt,
});

function Results({ found }: { readonly found: readonly Found[] }): ReactNode {
  return (
    <section aria-label={t('Results')}>
      <Title order={2} size="h4" mb="xs">
        {t('{count} results', { count: String(found.length) })}
      </Title>
      <ul className="results">
        {found.map(({ path, kind, id, state, about, at }) => (
          <li key={path}>
            <Text span size="sm" fw={600}>
              {kind}
            </Text>{' '}
            <Link href={path} className="mono">
              {id}
            </Link>{' '}
            <State value={state} />
            <Text size="sm">
              {about}, <Moment at={at} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
