import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { Id, Moment, Page } from '../../parts/page.tsx';
import { ListTable, useList, type Column } from '../../parts/table.tsx';

/** A request as `GET /api/requests` lists it. */
type LoggedRequest = {
  readonly requestId: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly code: string | null;
  readonly error: string | null;
  /** The invalid fields, or the cause of a 401. */
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

/**
 * The partner's requests of the last day, with what was wrong with them; apart from them those that name its key without its
 * signature. TEST only.
 */
export function RequestsPage(): ReactNode {
  const [verified, setVerified] = useState('true');
  const list = useList<LoggedRequest>('/api/partner/api/requests', { verified });
  return (
    <Page title="Requests">
      <Text size="sm" mb="md">
        {verified === 'true'
          ? 'Your requests of the last day. For one that was refused, the fields that were wrong.'
          : 'Requests that name a key of yours and are not signed with it: your own with a wrong signature, or a stranger’s. The response to each says what was wrong.'}
      </Text>
      <Choice
        label="Signature"
        value={verified}
        options={[
          { value: 'true', label: 'Signed by you' },
          { value: 'false', label: 'Not signed' },
        ]}
        onChange={setVerified}
      />
      <ListTable label="Requests" list={list} columns={COLUMNS} keyOf={({ requestId }) => requestId} empty="No requests in the last day." />
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
