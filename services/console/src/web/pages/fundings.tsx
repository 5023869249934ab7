import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Funding, UsdtStore } from '@pay/contract/operator/usdt-stores.ts';
import { queryOf, read } from '../api.ts';
import { grouped } from '../format.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, waitingFirst, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay, useSession } from '../session.ts';
import type { List } from '../types.ts';
import { t } from '../text.ts';

const STORES = '/api/withdrawals/stores';
const FUNDINGS = '/api/withdrawals/fundings';

const amount = (text: string) => <span className="numbers">{grouped(text)}</span>;

const FIELDS = [
  { name: 'storeId', label: t('Store') },
  { name: 'status', label: t('State'), options: ['PROPOSED', 'CONFIRMED', 'REJECTED'] },
] as const;

const useStores = () => useQuery({ queryKey: [STORES], queryFn: () => read<List<UsdtStore>>(`${STORES}?limit=100`) });

/** The stores' balances and how they are credited: one person proposes, another confirms. */
export function FundingsPage(): ReactNode {
  const [filter, change] = useFilters(['storeId', 'status']);
  const stores = useStores();
  const fundings = useQuery({
    queryKey: [FUNDINGS, filter],
    queryFn: () => read<List<Funding>>(`${FUNDINGS}${queryOf({ ...filter, limit: '100' })}`),
  });
  const decide = useAct([[FUNDINGS], [STORES]]);
  const [store, setStore] = useState<UsdtStore>();
  return (
    <Page title={t('Balances and funding')} aside={<ExportLink list="fundings" action="fundings.export" filter={filter} />}>
      <Title order={2} size="h4">
        {t('Balances')}
      </Title>
      {stores.isPending ? <Waiting /> : null}
      <Fault error={stores.error} title={t('Couldn’t load the balances')} />
      {stores.data === undefined ? null : (
        <DataTable
          label={t('Balances')}
          rows={stores.data.items}
          columns={storeColumns(setStore)}
          keyOf={({ storeId }) => storeId}
          empty={t('No stores.')}
        />
      )}
      <Title order={2} size="h4" mt="lg">
        {t('Fundings')}
      </Title>
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <Fault error={decide.error} />
      <Fault error={fundings.error} title={t('Couldn’t load the fundings')} fields={FIELDS} />
      {fundings.data === undefined ? null : (
        <DataTable
          label={t('Fundings')}
          rows={waitingFirst(fundings.data.items, 'PROPOSED')}
          columns={fundingColumns((funding, verb) => {
            decide.mutate({ path: `${FUNDINGS}/${funding.fundingId}/${verb}` });
          }, stores.data?.items ?? [])}
          keyOf={({ fundingId }) => fundingId}
          empty={t('No fundings match these filters.')}
        />
      )}
      <Dialog
        title={t('Propose a funding of {store}', { store: store?.name ?? '' })}
        opened={store !== undefined}
        onClose={() => {
          setStore(undefined);
        }}
      >
        {store === undefined ? null : (
          <Propose
            store={store}
            onDone={() => {
              setStore(undefined);
            }}
          />
        )}
      </Dialog>
    </Page>
  );
}

function Propose({ store, onDone }: { readonly store: UsdtStore; readonly onDone: () => void }): ReactNode {
  const propose = useAct([[FUNDINGS]], onDone);
  return (
    <TextForm
      button={t('Propose funding')}
      act={propose}
      fields={[
        { name: 'amountUsdt', label: t('Amount, USDT'), placeholder: '100.000000', isAmount: true },
        { name: 'rate', label: t('Rate, RUB per USDT'), placeholder: '81.500000', isAmount: true },
        {
          name: 'amountRub',
          label: t('Equivalent, RUB'),
          description: t('The amount at this rate, to the kopeck.'),
          placeholder: '8150.00',
          isAmount: true,
        },
        {
          name: 'reference',
          label: t('Settlement reference'),
          description: t('Each settlement can be credited only once.'),
        },
      ]}
      onSubmit={(body) => {
        propose.mutate({ path: `${STORES}/${encodeURIComponent(store.storeId)}/fundings`, body });
      }}
    >
      <Text size="sm">
        {t('Credits {store} of {partner}. A colleague has to confirm before it is credited.', {
          store: `${store.name} (${store.storeId})`,
          partner: store.partnerID,
        })}
      </Text>
    </TextForm>
  );
}

function storeColumns(onPropose: (store: UsdtStore) => void): readonly Column<UsdtStore>[] {
  return [
    { title: t('Store'), cell: ({ storeId, name }) => `${name} (${storeId})` },
    { title: t('Partner'), cell: ({ partnerID }) => partnerID },
    { title: t('Available, USDT'), align: 'right', cell: ({ availableUsdt }) => amount(availableUsdt) },
    { title: t('Reserved'), align: 'right', cell: ({ reservedUsdt }) => amount(reservedUsdt) },
    { title: t('Paid out'), align: 'right', cell: ({ paidUsdt }) => amount(paidUsdt) },
    { title: t('Total credited'), align: 'right', cell: ({ creditedUsdt }) => amount(creditedUsdt) },
    { title: t('Actions'), cell: (store) => <ProposeButton store={store} onPropose={onPropose} /> },
  ];
}

function ProposeButton({ store, onPropose }: { readonly store: UsdtStore; readonly onPropose: (store: UsdtStore) => void }): ReactNode {
  const may = useMay();
  if (!may('fundings.propose')) return null;
  return (
    <Button
      size="compact-xs"
      aria-label={t('Propose a funding of {store}', { store: store.name })}
      onClick={() => {
        onPropose(store);
      }}
    >
      {t('Propose')}
    </Button>
  );
}

type Decide = (funding: Funding, verb: 'confirm' | 'reject') => void;

function fundingColumns(onDecide: Decide, stores: readonly UsdtStore[]): readonly Column<Funding>[] {
  return [
    { title: t('Proposed'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: t('Store'), cell: ({ storeId }) => storeId },
    { title: t('USDT'), align: 'right', cell: ({ amountUsdt }) => amount(amountUsdt) },
    {
      title: t('RUB, at the rate'),
      align: 'right',
      cell: ({ amountRub, rate }) => (
        <>
          {amount(amountRub)} <br />
          {amount(rate)}
        </>
      ),
    },
    { title: t('Reference'), cell: ({ reference }) => reference },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    {
      title: t('Proposed and decided by'),
      cell: ({ proposedBy, decidedBy }) => (
        <>
          {proposedBy} <br />
          {decidedBy ?? '–'}
        </>
      ),
    },
    {
      title: t('Actions'),
      cell: (funding) => (
        <FundingActions
          funding={funding}
          partner={stores.find(({ storeId }) => storeId === funding.storeId)?.partnerID}
          onDecide={onDecide}
        />
      ),
    },
  ];
}

function FundingActions({
  funding,
  partner,
  onDecide,
}: {
  readonly funding: Funding;
  readonly partner: string | undefined;
  readonly onDecide: Decide;
}): ReactNode {
  const { login } = useSession();
  const may = useMay();
  if (funding.status !== 'PROPOSED' || !may('fundings.confirm')) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {funding.proposedBy === login ? (
        <Text size="xs">{t('needs another person')}</Text>
      ) : (
        <ConfirmButton
          size="compact-xs"
          color="indigo"
          label={t('Confirm')}
          name={`${t('Confirm')} ${funding.reference}`}
          explains={t(
            '{usdt} USDT will be credited to store {store} of {partner} for {rub} RUB (rate {rate}, reference {reference}). The partner can pay it out at once. This can’t be undone.',
            {
              usdt: grouped(funding.amountUsdt),
              store: funding.storeId,
              partner: partner ?? t('its partner'),
              rub: grouped(funding.amountRub),
              rate: grouped(funding.rate),
              reference: funding.reference,
            },
          )}
          onConfirm={() => {
            onDecide(funding, 'confirm');
          }}
        />
      )}
      <ConfirmButton
        size="compact-xs"
        label={t('Reject')}
        name={`${t('Reject')} ${funding.reference}`}
        explains={t('{usdt} USDT proposed by {operator} will not be credited to store {store} of {partner}. This can’t be undone.', {
          usdt: grouped(funding.amountUsdt),
          operator: funding.proposedBy,
          store: funding.storeId,
          partner: partner ?? t('its partner'),
        })}
        onConfirm={() => {
          onDecide(funding, 'reject');
        }}
      />
    </Group>
  );
}
