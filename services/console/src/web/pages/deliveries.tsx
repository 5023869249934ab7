import { Button, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Delivery } from '@pay/contract/operator/deliveries.ts';
import { moment } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FilterForm, TIME_FIELDS, useFilters } from '../parts/filters.tsx';
import { TextForm } from '../parts/form.tsx';
import { Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';

const FIELDS = [
  { name: 'partnerId', label: 'Partner' },
  { name: 'paymentId', label: 'Payment' },
  { name: 'type', label: 'Type', placeholder: 'payment.completed' },
  { name: 'status', label: 'State', options: ['WAITING', 'DELIVERED', 'REFUSED', 'EXHAUSTED', 'NOT_CONFIGURED'] },
  ...TIME_FIELDS,
] as const;
const NAMES = FIELDS.map(({ name }) => name);

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    cell: ({ eventId }) => (
      <Link href={`/deliveries/${eventId}`}>
        <Id>{eventId}</Id>
      </Link>
    ),
  },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'Partner', cell: ({ partnerId }) => partnerId },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  { title: 'Attempts', align: 'right', cell: ({ attemptCount }) => String(attemptCount) },
  { title: 'Recorded', cell: ({ recordedAt }) => <Moment at={recordedAt} /> },
  { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} /> },
];

/** Every event for every partner, with the status of its delivery. */
export function DeliveriesPage(): ReactNode {
  const [filter, change] = useFilters(NAMES);
  const list = useList<Delivery>('/api/notifier/events', filter);
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  return (
    <Page
      title="Deliveries"
      aside={
        may('deliveries.replay') ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setOpen(true);
            }}
          >
            Resend many
          </Button>
        ) : null
      }
    >
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label="Deliveries"
        list={list}
        columns={COLUMNS}
        keyOf={({ eventId }) => eventId}
        empty="No callbacks match these filters. Clear the filters to see all."
      />
      <Dialog
        title="Resend many"
        opened={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        <Replay
          partnerId={filter.partnerId ?? ''}
          onDone={() => {
            setOpen(false);
          }}
        />
      </Dialog>
    </Page>
  );
}

type Asked = {
  readonly partnerId: string;
  readonly from: string;
  readonly to: string;
  readonly statuses: readonly string[];
};

/** The count comes first: only what was counted can be sent. */
function Replay({ partnerId, onDone }: { readonly partnerId: string; readonly onDone: () => void }): ReactNode {
  const [asked, setAsked] = useState<Asked>();
  const count = useAct<{ total: number }>([]);
  const send = useAct([['/api/notifier/events']], onDone);
  if (asked !== undefined && count.data !== undefined)
    return (
      <>
        <Text role="status">
          <strong>{String(count.data.total)}</strong> events of {asked.partnerId}, recorded from {asked.from} to{' '}
          {asked.to}, will be sent again.
        </Text>
        <Group justify="end" mt="md">
          <Button
            variant="default"
            onClick={() => {
              setAsked(undefined);
            }}
          >
            Back
          </Button>
          <Button
            loading={send.isPending}
            disabled={count.data.total === 0}
            onClick={() => {
              send.mutate({ path: '/api/notifier/replays', body: asked });
            }}
          >
            Resend
          </Button>
        </Group>
      </>
    );
  return (
    <TextForm
      button="Count"
      act={count}
      fields={[
        { name: 'partnerId', label: 'Partner', placeholder: partnerId },
        { name: 'from', label: 'From, UTC', placeholder: '2026-01-31 00:00' },
        { name: 'to', label: 'To, UTC', placeholder: '2026-02-28 00:00' },
        {
          name: 'statuses',
          label: 'States',
          description: 'DELIVERED, REFUSED, EXHAUSTED, NOT_CONFIGURED. Leave empty for all.',
          optional: true,
        },
      ]}
      onSubmit={({ partnerId: partner = '', from = '', to = '', statuses = '' }) => {
        const body = {
          partnerId: partner,
          from: moment(from),
          to: moment(to),
          statuses: statuses.split(/[\s,]+/).filter((one) => one !== ''),
        };
        setAsked(body);
        count.mutate({ path: '/api/notifier/replays', body: { ...body, dryRun: true } });
      }}
    />
  );
}
