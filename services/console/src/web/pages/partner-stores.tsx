import { Button, Group, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { PartnerStore, PaymentPoint } from '@pay/contract/operator/stores.ts';
import { queryOf, read } from '../api.ts';
import { grouped, words } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault } from '../parts/page.tsx';
import { Proposed } from '../parts/proposed.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import type { List } from '../types.ts';
import { PointFields, pointBody } from './point-fields.tsx';
import { t } from '../text.ts';

const STORES = '/api/payments/stores';
const keyOf = (id: string) => [STORES, id] as const;

/** A partner's shops, what each may do, and their payment points. */
export function Stores({ id }: { readonly id: string }): ReactNode {
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const stores = useQuery({
    queryKey: keyOf(id),
    queryFn: () => read<List<PartnerStore>>(`${STORES}${queryOf({ partnerID: id, limit: '100' })}`),
  });
  const create = useAct([keyOf(id)], () => {
    setNew(false);
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Stores')}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t('Stores and payment points')}
        </Title>
        {may('stores.create') ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setNew(true);
            }}
          >
            {t('New store')}
          </Button>
        ) : null}
      </Group>
      {stores.isPending ? <Waiting /> : null}
      <Fault error={stores.error} title={t('Couldn’t load the stores')} />
      {stores.data?.items.length === 0 ? (
        <Text size="sm">{t('No stores yet. Payment points belong to a store: create the store first.')}</Text>
      ) : null}
      <Stack>
        {stores.data?.items.map((store) => (
          <Store key={store.storeId} store={store} />
        ))}
      </Stack>
      <Dialog
        title={t('New store')}
        opened={isNew}
        onClose={() => {
          setNew(false);
        }}
      >
        <TextForm
          button={t('Create')}
          act={create}
          fields={[
            {
              name: 'storeId',
              label: t('Store ID'),
              description: t('Letters, digits, dot, underscore, hyphen. It can’t be changed later.'),
            },
            { name: 'name', label: t('Name'), description: t('Shown to buyers on the payment page.') },
          ]}
          onSubmit={(body) => {
            create.mutate({ path: STORES, body: { ...body, partnerID: id } });
          }}
        />
      </Dialog>
    </Paper>
  );
}

const COLUMNS: readonly Column<PaymentPoint>[] = [
  {
    title: t('Point'),
    cell: ({ paymentPointId }) => <Link href={`/points/${encodeURIComponent(paymentPointId)}`}>{paymentPointId}</Link>,
  },
  { title: t('Name'), cell: ({ name }) => name },
  { title: t('State'), cell: ({ status }) => <State value={status} /> },
  { title: t('Methods'), cell: ({ paymentMethods }) => paymentMethods.map(words).join(', ') },
  { title: t('Route'), cell: ({ routeId }) => routeId },
  {
    title: t('Amounts, RUB'),
    align: 'right',
    cell: ({ minAmount, maxAmount }) => (
      <span className="numbers">
        {grouped(minAmount)} – {grouped(maxAmount)}
      </span>
    ),
  },
];

function Store({ store }: { readonly store: PartnerStore }): ReactNode {
  const { storeId, partnerId, name, merchantConsent, paymentPoints } = store;
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const consent = useAct([keyOf(partnerId)], undefined, 'PUT');
  const create = useAct<object>([keyOf(partnerId)], () => {
    setNew(false);
  });
  const path = `${STORES}/${encodeURIComponent(storeId)}`;
  return (
    <div>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {name} ({storeId})
        </Title>
        {may('points.create') ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('New payment point of {store}', { store: name })}
            onClick={() => {
              setNew(true);
            }}
          >
            {t('New payment point')}
          </Button>
        ) : null}
      </Group>
      <Switch
        my="xs"
        size="xs"
        checked={merchantConsent}
        disabled={!may('stores.capabilities') || consent.isPending}
        label={t('{store} may collect card-saving consent on its own site', { store: name })}
        onChange={(event) => {
          consent.mutate({ path: `${path}/merchant-consent`, body: { enabled: event.currentTarget.checked } });
        }}
      />
      <Fault error={consent.error} />
      <Proposed answer={create.data} title={t('Proposed, not created yet')} what={t('A point with a fee')} />
      <DataTable
        label={t('Payment points of {store}', { store: name })}
        rows={paymentPoints}
        columns={COLUMNS}
        keyOf={({ paymentPointId }) => paymentPointId}
        empty={t('No payment points yet. A partner with several points names one in each payment.')}
      />
      <Dialog
        title={t('New payment point of {store}', { store: name })}
        opened={isNew}
        onClose={() => {
          setNew(false);
        }}
      >
        <PointFields
          button={t('Create')}
          act={create}
          onSubmit={(values) => {
            create.mutate({
              path: `${path}/payment-points`,
              body: { paymentPointID: values['paymentPointID'], ...pointBody(values) },
            });
          }}
        />
      </Dialog>
    </div>
  );
}
