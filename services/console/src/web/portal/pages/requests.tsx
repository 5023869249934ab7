import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Id, Moment, Page } from '../../parts/page.tsx';
import { ListTable, useList, type Column } from '../../parts/table.tsx';

/** A signed request as `GET /api/requests` lists it. */
type LoggedRequest = {
  readonly requestId: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly code: string | null;
  readonly error: string | null;
  /** The invalid fields, or the cause of a 401 with the text that should have been signed. */
  readonly details: readonly { readonly field: string; readonly message: string }[];
};

const COLUMNS: readonly Column<LoggedRequest>[] = [
  { title: 'Answered', cell: ({ at }) => <Moment at={at} /> },
  {
    title: 'Request',
    cell: ({ method, path }) => (
      <span className="mono">
        {method} {path}
      </span>
    ),
  },
  {
    title: 'Response',
    cell: ({ status, code }) => (
      <span className={`state state-${status < 400 ? 'good' : 'bad'}`}>
        {status} {code}
      </span>
    ),
  },
  { title: 'Why', cell: (request) => <Why request={request} /> },
  { title: 'Took, ms', align: 'right', cell: ({ durationMs }) => String(durationMs) },
  { title: 'Request id', cell: ({ requestId }) => <Id>{requestId}</Id> },
];

/** The partner's signed requests of the last day, with what was wrong with them. TEST only. */
export function RequestsPage(): ReactNode {
  const list = useList<LoggedRequest>('/api/partner/api/requests', {});
  return (
    <Page title="Requests">
      <Text size="sm" mb="md">
        Your signed requests of the last day. For one that was refused, the fields that were wrong; for a 401, its cause
        and the text that we expected to be signed.
      </Text>
      <ListTable
        label="Requests"
        list={list}
        columns={COLUMNS}
        keyOf={({ requestId }) => requestId}
        empty="No requests in the last day."
      />
    </Page>
  );
}

function Why({ request: { error, details } }: { readonly request: LoggedRequest }): ReactNode {
  if (error === null) return '–';
  return (
    <>
      <Text size="sm">{error}</Text>
      {details.map(({ field, message }) => (
        <Text key={`${field} ${message}`} size="xs" className="mono lines">
          {field}: {message}
        </Text>
      ))}
    </>
  );
}
