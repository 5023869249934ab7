import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, TIME_FIELDS, useFilters } from '../parts/filters.tsx';
import { Moment, Page } from '../parts/page.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import type { AuditedAction } from '../types.ts';
import { said, t } from '../text.ts';

const FIELDS = [
  { name: 'operator', label: t('Operator') },
  { name: 'action', label: t('Action'), placeholder: 'withdrawals.approve' },
  { name: 'subjectId', label: t('Subject') },
  ...TIME_FIELDS,
] as const;

const COLUMNS: readonly Column<AuditedAction>[] = [
  { title: t('When'), cell: ({ at }) => <Moment at={at} /> },
  { title: t('Who'), cell: ({ operator, role }) => `${operator} (${said(role)})` },
  { title: t('Action'), cell: ({ action }) => action },
  { title: t('Subject'), cell: ({ subjectId }) => <span className="mono">{subjectId}</span> },
  { title: t('Result'), cell: ({ status }) => (status === null ? t('not known') : String(status)) },
  { title: t('Details'), cell: (action) => <Details action={action} /> },
];

function Details({ action: { before, requested, after, requestId } }: { readonly action: AuditedAction }): ReactNode {
  const parts = [
    [t('Before'), before],
    [t('Requested'), requested],
    [t('After'), after],
  ] as const;
  return (
    <details>
      <summary>{t('Show')}</summary>
      {parts.map(([title, value]) =>
        value === null ? null : (
          <div key={title}>
            <Text size="xs">{title}</Text>
            <pre className="bytes">{JSON.stringify(value, null, 1)}</pre>
          </div>
        ),
      )}
      <Text size="xs">{t('Request ID')}</Text>
      <Text size="xs" className="mono">
        {requestId}
      </Text>
    </details>
  );
}

/** The console's own audit log, a row for each action. What a service did is in its log, under the same request id. */
export function AuditPage(): ReactNode {
  const [filter, change] = useFilters(['operator', 'action', 'subjectId', 'from', 'to']);
  const list = useList<AuditedAction>('/api/audited-actions', filter, 'before');
  return (
    <Page title={t('Audit log')} aside={<ExportLink list="audited-actions" action="audit.export" filter={filter} isOnlyCsv />}>
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label={t('Audit log')}
        filters={FIELDS}
        list={list}
        columns={COLUMNS}
        keyOf={({ position }) => position}
        empty={t('No entries match these filters.')}
      />
    </Page>
  );
}
