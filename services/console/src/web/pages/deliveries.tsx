import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Delivery } from '@pay/contract/operator/deliveries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, TIME_FIELDS, useFilters } from '../parts/filters.tsx';
import { Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import { useMay } from '../session.ts';
import { BulkResend } from './bulk-resend.tsx';
import { t } from '../text.ts';

const FIELDS = [
  { name: 'partnerId', label: t('Partner') },
  { name: 'paymentId', label: t('Payment') },
  { name: 'type', label: t('Type'), placeholder: 'payment.completed' },
  { name: 'status', label: t('State'), options: ['WAITING', 'DELIVERED', 'REFUSED', 'EXHAUSTED', 'NOT_CONFIGURED'] },
  ...TIME_FIELDS,
] as const;
const NAMES = FIELDS.map(({ name }) => name);

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: t('Event'),
    cell: ({ eventId }) => (
      <Link href={`/deliveries/${eventId}`}>
        <Id>{eventId}</Id>
      </Link>
    ),
  },
  { title: t('Type'), cell: ({ type }) => type },
  { title: t('Partner'), cell: ({ partnerId }) => partnerId },
  { title: t('State'), cell: ({ status }) => <State value={status} /> },
  { title: t('Attempts'), align: 'right', cell: ({ attemptCount }) => String(attemptCount) },
  { title: t('Created'), cell: ({ recordedAt }) => <Moment at={recordedAt} /> },
  { title: t('Next attempt'), cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} /> },
];

/** Every event for every partner, with the status of its delivery. */
export function DeliveriesPage(): ReactNode {
  const [filter, change] = useFilters(NAMES);
  const list = useList<Delivery>('/api/notifier/events', filter);
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  return (
    <Page
      title={t('Deliveries')}
      aside={
        <Group gap="xs">
          <ExportLink list="events" action="deliveries.export" filter={filter} />
          {may('deliveries.replay') ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setOpen(true);
              }}
            >
              {t('Resend in bulk')}
            </Button>
          ) : null}
        </Group>
      }
    >
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label={t('Deliveries')}
        filters={FIELDS}
        list={list}
        columns={COLUMNS}
        keyOf={({ eventId }) => eventId}
        empty={t('No callbacks match these filters. Clear the filters to see all.')}
      />
      <Dialog
        title={t('Resend in bulk')}
        opened={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        {isOpen ? <BulkResend /> : null}
      </Dialog>
    </Page>
  );
}
