import { Alert } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { EVENT_STATUSES } from '@pay/contract/states.ts';
import type { CallbackEvent, TestCallback } from '@pay/sdk/types.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FilterForm, TIME_FIELDS, useFilters } from '../../parts/filters.tsx';
import { Fault, Id, Moment, Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable, useList, type Column } from '../../parts/table.tsx';
import { useAct } from '../../parts/use-act.ts';

const LIST = '/api/partner/api/events';
const FIELDS = [
  { name: 'objectId', label: 'Payment, binding or payout' },
  { name: 'type', label: 'Type', placeholder: 'payment.completed' },
  { name: 'status', label: 'State', options: EVENT_STATUSES },
  ...TIME_FIELDS,
] as const;
const NAMES = FIELDS.map(({ name }) => name);

const COLUMNS: readonly Column<CallbackEvent>[] = [
  {
    title: 'Event',
    cell: ({ eventId }) => (
      <Link href={`/callbacks/${eventId}`}>
        <Id>{eventId}</Id>
      </Link>
    ),
  },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  { title: 'Attempts', align: 'right', cell: ({ attemptCount }) => String(attemptCount) },
  { title: 'Created', cell: ({ recordedAt }) => <Moment at={recordedAt} /> },
  { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} /> },
];

/** The partner's events of the last 30 days, with the state of their delivery. */
export function CallbacksPage(): ReactNode {
  const [filter, change] = useFilters(NAMES);
  const list = useList<CallbackEvent>(LIST, filter);
  const [sent, setSent] = useState<TestCallback>();
  const test = useAct<TestCallback>([[LIST]], setSent);
  return (
    <Page
      title="Callbacks"
      aside={
        <ConfirmButton
          label="Send a test callback"
          color="indigo"
          explains="The event of your latest completed payment is sent to your callback address again. Your server has seen it before, and must answer 200."
          onConfirm={() => {
            test.mutate({ path: '/api/partner/api/integration/test-callback', idempotencyKey: crypto.randomUUID() });
          }}
        />
      }
    >
      <Fault error={test.error} title="Couldn’t send a test callback" />
      {sent === undefined ? null : (
        <Alert role="status" color="green" variant="light" title="On its way" mb="sm">
          See what your server answers: <Link href={`/callbacks/${sent.eventId}`}>{sent.type}</Link>
        </Alert>
      )}
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label="Callbacks"
        filters={FIELDS}
        list={list}
        columns={COLUMNS}
        keyOf={({ eventId }) => eventId}
        empty="No callbacks match these filters. Events are kept for 30 days."
      />
    </Page>
  );
}
