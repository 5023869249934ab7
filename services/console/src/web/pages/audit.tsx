import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryOf, read } from '../api.ts';
import { FilterForm, TIME_FIELDS, useFilters } from '../parts/filters.tsx';
import { Moment, Page } from '../parts/page.tsx';
import { ListTable, type Column } from '../parts/table.tsx';
import type { Page as PageOf, AuditRow } from '../types.ts';

const FIELDS = [
  { name: 'operator', label: 'Operator' },
  { name: 'action', label: 'Action', placeholder: 'withdrawals.approve' },
  { name: 'subjectId', label: 'Subject' },
  ...TIME_FIELDS,
] as const;

const COLUMNS: readonly Column<AuditRow>[] = [
  { title: 'When', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Who', cell: ({ operator, role }) => `${operator} (${role})` },
  { title: 'Action', cell: ({ action }) => action },
  { title: 'Subject', cell: ({ subjectId }) => <span className="mono">{subjectId}</span> },
  { title: 'Result', cell: ({ kind, status }) => (status === null ? kind : `${kind} ${String(status)}`) },
  {
    title: 'Before and after',
    cell: ({ before, after }) => (
      <details>
        <summary>Show</summary>
        <Text size="xs">before</Text>
        <pre className="bytes">{JSON.stringify(before, null, 1)}</pre>
        <Text size="xs">after (or requested)</Text>
        <pre className="bytes">{JSON.stringify(after, null, 1)}</pre>
      </details>
    ),
  },
];

/** The console's own audit log. What a service did is in that service's log, under the same request id. */
export function AuditPage(): ReactNode {
  const [filter, change] = useFilters(['operator', 'action', 'subjectId', 'from', 'to']);
  const list = useInfiniteQuery({
    queryKey: ['/api/audit', filter],
    queryFn: async ({ pageParam }): Promise<PageOf<AuditRow>> => {
      const query = queryOf({ ...filter, before: pageParam ?? undefined });
      const { items, next } = await read<{ items: AuditRow[]; next: string | null }>(`/api/audit${query}`);
      return { items, nextPageToken: next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
  });
  return (
    <Page title="Audit log">
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label="Audit log"
        list={list}
        columns={COLUMNS}
        keyOf={({ position }) => position}
        empty="No entries match these filters."
      />
    </Page>
  );
}
