import { Badge, Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { OPEN_WITHDRAWAL_STATUSES } from '@pay/contract/operator/states.ts';
import type { Withdrawal, WithdrawalCount } from '@pay/contract/operator/withdrawals.ts';
import { WITHDRAWAL_STATUSES } from '@pay/contract/states.ts';
import { queryOf, read } from '../api.ts';
import { age, grouped, isLate, utc, words } from '../format.ts';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, TIME_FIELDS, useFilters } from '../parts/filters.tsx';
import { Fault, Id, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useNow } from '../parts/use-now.ts';
import { refetchEvery } from '../query-client.ts';
import { useMay, useSession } from '../session.ts';
import type { List } from '../types.ts';
import { TEXTS } from './withdrawal-acts.ts';
import { t } from '../text.ts';

const FIELDS = [{ name: 'partnerID', label: t('Partner') }, { name: 'storeId', label: t('Store') }, ...TIME_FIELDS] as const;
const ALL = 'ALL';
/** Statuses in which somebody has to act; the waiting time is shown for these. */
const OPEN: ReadonlySet<string> = new Set(OPEN_WITHDRAWAL_STATUSES);
const PATH = '/api/withdrawals/withdrawals';

/** The work queue of finance: a tab per status, with its count and the age of the oldest. */
export function WithdrawalsPage(): ReactNode {
  const [{ status, ...filter }, change] = useFilters(['status', 'partnerID', 'storeId', 'from', 'to']);
  const chosen = status ?? 'REQUESTED';
  const shown = {
    ...filter,
    status: chosen === ALL ? undefined : chosen,
    // A queue is worked off from its oldest end.
    order: OPEN.has(chosen) ? 'oldest' : undefined,
  };
  const list = useList<Withdrawal>(PATH, shown);
  const now = useNow();
  const [, navigate] = useLocation();
  const claim = useAct<Withdrawal>([[PATH]], ({ withdrawalRequestId }) => {
    navigate(`/withdrawals/${withdrawalRequestId}`);
  });
  return (
    <Page title={t('Withdrawals')} aside={<ExportLink list="withdrawals" action="withdrawals.export" filter={shown} />}>
      <Tabs
        value={chosen}
        onChange={(value) => {
          change({ status: value ?? '' });
        }}
      >
        <StatusTabs filter={filter} now={now} />
        <Tabs.Panel value={chosen}>
          <FilterForm fields={FIELDS} filter={filter} onChange={change} />
          <Fault error={claim.error} title={t('Couldn’t claim')} />
          <ListTable
            label={t('Withdrawal requests')}
            filters={FIELDS}
            list={list}
            columns={columns(now, ({ withdrawalRequestId, revision }) => {
              claim.mutate({ path: `${PATH}/${withdrawalRequestId}/take`, body: { revision } });
            })}
            keyOf={({ withdrawalRequestId }) => withdrawalRequestId}
            empty={t('No requests match these filters. New requests from partners appear here immediately.')}
          />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function StatusTabs({ filter, now }: { readonly filter: Record<string, string | undefined>; readonly now: number }): ReactNode {
  const counts = useQuery({
    queryKey: [PATH, 'counts', filter],
    queryFn: () => read<List<WithdrawalCount>>(`${PATH}/counts${queryOf(filter)}`),
    refetchInterval: refetchEvery(30_000),
  });
  return (
    <Tabs.List aria-label={t('States')}>
      {WITHDRAWAL_STATUSES.map((status) => {
        const found = counts.data?.items.find((one) => one.status === status);
        const waits = found !== undefined && OPEN.has(status) ? t(', oldest {age}', { age: age(found.oldestAt, now) }) : '';
        return (
          <Tabs.Tab key={status} value={status}>
            {words(status)} ({String(found?.count ?? 0)}
            {waits})
          </Tabs.Tab>
        );
      })}
      <Tabs.Tab value={ALL}>{t('All')}</Tabs.Tab>
    </Tabs.List>
  );
}

function columns(now: number, onClaim: (withdrawal: Withdrawal) => void): readonly Column<Withdrawal>[] {
  return [
    {
      title: t('Request'),
      cell: ({ withdrawalRequestId }) => (
        <Link href={`/withdrawals/${withdrawalRequestId}`}>
          <Id>{withdrawalRequestId}</Id>
        </Link>
      ),
    },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    {
      title: t('Amount, USDT'),
      align: 'right',
      cell: ({ amountUsdt }) => <span className="numbers">{grouped(amountUsdt)}</span>,
    },
    { title: t('Partner'), cell: ({ partnerID }) => partnerID },
    { title: t('Store'), cell: ({ storeId }) => storeId },
    { title: t('Recipient'), cell: ({ beneficiaryRef }) => beneficiaryRef },
    { title: t('Age'), cell: (one) => <Age withdrawal={one} now={now} /> },
    { title: t('Handled by'), cell: (one) => handledBy(one, now) },
    { title: t('Actions'), cell: (one) => <NextStep withdrawal={one} onClaim={onClaim} /> },
  ];
}

/**
 * What the operator would do next, so that it needs no search on the request's page. A claim moves nothing and ends by itself:
 * it asks no question. Every other step opens its dialog there.
 */
function NextStep({
  withdrawal,
  onClaim,
}: {
  readonly withdrawal: Withdrawal;
  readonly onClaim: (withdrawal: Withdrawal) => void;
}): ReactNode {
  const may = useMay();
  const { login } = useSession();
  const { status, takenBy, reviewedBy, withdrawalRequestId } = withdrawal;
  if (status === 'REQUESTED' && may('withdrawals.take'))
    return (
      <Button
        size="compact-xs"
        aria-label={`${TEXTS.take.button} ${withdrawalRequestId}`}
        onClick={() => {
          onClaim(withdrawal);
        }}
      >
        {TEXTS.take.button}
      </Button>
    );
  const isMine = status === 'IN_REVIEW' && takenBy === login && may('withdrawals.approve');
  const isPayable = status === 'APPROVED' && reviewedBy !== login && may('withdrawals.complete');
  if (!isMine && !isPayable) return null;
  const act = isMine ? 'approve' : 'complete';
  return (
    <Button
      component={Link}
      href={`/withdrawals/${withdrawalRequestId}?act=${act}`}
      size="compact-xs"
      variant="default"
      aria-label={`${TEXTS[act].button} ${withdrawalRequestId}`}
    >
      {TEXTS[act].button}
    </Button>
  );
}

/** Whoever did the last step, or has claimed it and until when. */
function handledBy({ takenBy, takenUntil, reviewedBy, completedBy }: Withdrawal, now: number): string {
  if (takenBy === null || takenUntil === null) return completedBy ?? reviewedBy ?? '–';
  return Date.parse(takenUntil) > now
    ? t('{operator} until {moment}', { operator: takenBy, moment: utc(takenUntil).slice(11) })
    : t('{operator}, claim expired', { operator: takenBy });
}

function Age({ withdrawal, now }: { readonly withdrawal: Withdrawal; readonly now: number }): ReactNode {
  const { createdAt, status } = withdrawal;
  return (
    <span className="numbers">
      {age(createdAt, now)}
      {OPEN.has(status) && isLate(createdAt, now) ? (
        <Badge color="red" variant="filled" size="xs" ml={6}>
          {t('late')}
        </Badge>
      ) : null}
    </span>
  );
}
