import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { WITHDRAWAL_STATUSES } from '@pay/contract/states.ts';
import type { PaymentPoint, WithdrawalBalance, WithdrawalRequest } from '@pay/sdk/types.ts';
import { read } from '../../api.ts';
import { grouped } from '../../format.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FilterForm, useFilters } from '../../parts/filters.tsx';
import { Facts, Fault, Id, Moment, Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable, useList, type Column } from '../../parts/table.tsx';
import { useAct } from '../../parts/use-act.ts';
import { NewWithdrawal } from '../new-withdrawal.tsx';

const LIST = '/api/partner/api/withdrawal-requests';
const FIELDS = [
  { name: 'storeId', label: 'Store' },
  { name: 'status', label: 'State', options: WITHDRAWAL_STATUSES },
] as const;
const NAMES = FIELDS.map(({ name }) => name);

/** The USDT balance of each store, and the payout requests. */
export function WithdrawalsPage(): ReactNode {
  const [filter, change] = useFilters(NAMES);
  const list = useList<WithdrawalRequest>(LIST, filter);
  const stores = useStores();
  return (
    <Page title="Withdrawals" aside={stores.length === 0 ? null : <NewWithdrawal stores={stores} />}>
      <Balances stores={stores} />
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label="Withdrawals"
        filters={FIELDS}
        list={list}
        columns={COLUMNS}
        keyOf={({ withdrawalRequestId }) => withdrawalRequestId}
        empty="No withdrawals match these filters."
      />
    </Page>
  );
}

/** The partner's stores: those of its payment points. */
function useStores(): readonly string[] {
  const points = useQuery({
    queryKey: ['points'],
    queryFn: () => read<{ readonly items: readonly PaymentPoint[] }>('/api/partner/api/integration/payment-points'),
  });
  return [...new Set((points.data?.items ?? []).map(({ storeID }) => storeID))].toSorted();
}

function Balances({ stores }: { readonly stores: readonly string[] }): ReactNode {
  const balances = useQueries({
    queries: stores.map((store) => ({
      queryKey: ['balance', store],
      queryFn: () => read<WithdrawalBalance>(`/api/partner/api/withdrawal-balances/${encodeURIComponent(store)}`),
    })),
  });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {stores.map((store, index) => (
        <Paper key={store} withBorder p="md" component="section">
          <Title order={2} size="h5" mb="xs">
            {store}
          </Title>
          <Fault error={balances[index]?.error ?? null} title="Couldn’t load the balance" />
          <Facts
            facts={[
              ['Available', <Usdt key="available" amount={balances[index]?.data?.availableUsdt} />],
              ['Reserved', <Usdt key="reserved" amount={balances[index]?.data?.reservedUsdt} />],
            ]}
          />
        </Paper>
      ))}
    </SimpleGrid>
  );
}

const Usdt = ({ amount }: { readonly amount: string | undefined }): ReactNode => (
  <span className="numbers">{amount === undefined ? '–' : `${grouped(amount)} USDT`}</span>
);

const COLUMNS: readonly Column<WithdrawalRequest>[] = [
  { title: 'Request', cell: ({ withdrawalRequestId }) => <Id>{withdrawalRequestId}</Id> },
  {
    title: 'State',
    cell: ({ status, statusReason }) => (
      <>
        <State value={status} />
        {statusReason === undefined ? null : <Text size="xs">{statusReason}</Text>}
      </>
    ),
  },
  {
    title: 'Amount, USDT',
    align: 'right',
    cell: ({ amountUsdt }) => <span className="numbers">{grouped(amountUsdt)}</span>,
  },
  { title: 'Store', cell: ({ storeId }) => storeId },
  { title: 'Recipient', cell: ({ beneficiaryRef }) => beneficiaryRef },
  {
    title: 'Transfer',
    cell: ({ transferReference }) => (transferReference === undefined ? '–' : <span className="mono">{transferReference}</span>),
  },
  { title: 'Requested', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Cancel', cell: (request) => <Cancel request={request} /> },
];

function Cancel({ request }: { readonly request: WithdrawalRequest }): ReactNode {
  const { withdrawalRequestId: id, amountUsdt, status } = request;
  const [key] = useState(() => crypto.randomUUID());
  const cancel = useAct([[LIST], ['balance']]);
  if (status !== 'REQUESTED') return '–';
  return (
    <>
      <ConfirmButton
        label="Cancel"
        name={`Cancel ${id}`}
        size="compact-xs"
        explains={`The request for ${grouped(amountUsdt)} USDT ends, and the amount is available again.`}
        onConfirm={() => {
          cancel.mutate({ path: `${LIST}/${id}/cancel`, idempotencyKey: key });
        }}
      />
      <Fault error={cancel.error} title="Couldn’t cancel" />
    </>
  );
}
