import { Group } from '@mantine/core';
import type { Payment } from '@pay/contract/operator/payments.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { grouped, words } from '../format.ts';
import { ExportLink } from '../parts/export-link.tsx';
import { daysFromToday, FilterForm, TIME_FIELDS, useFilters } from '../parts/filters.tsx';
import { Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import { t } from '../text.ts';

const STATUSES = ['CREATED', 'SUBMITTED', 'PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED'];
const FIELDS = [
  { name: 'id', label: t('Any id'), placeholder: t('payment, order, buyer, bank, refund') },
  { name: 'partnerID', label: t('Partner') },
  { name: 'paymentPointID', label: t('Point') },
  { name: 'status', label: t('State'), options: STATUSES },
  { name: 'method', label: t('Method'), options: ['CARD', 'CARD_BINDING', 'SBP_DYNAMIC_QR'] },
  ...TIME_FIELDS,
] as const;
const NAMES = FIELDS.map(({ name }) => name);

const COLUMNS: readonly Column<Payment>[] = [
  {
    title: t('Payment'),
    cell: ({ paymentId }) => (
      <Link href={`/payments/${paymentId}`}>
        <Id>{paymentId}</Id>
      </Link>
    ),
  },
  { title: t('State'), cell: ({ status, failureCode }) => <State value={status} more={failureCode} /> },
  { title: t('Amount, RUB'), align: 'right', cell: ({ amount }) => <span className="numbers">{grouped(amount)}</span> },
  { title: t('Method'), cell: ({ method }) => words(method) },
  { title: t('Partner'), cell: ({ partnerID }) => partnerID },
  {
    title: t('Order'),
    cell: ({ merchantOrderId }) => (merchantOrderId === '' ? '–' : <Id>{maskedDigits(merchantOrderId)}</Id>),
  },
  { title: t('Created'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const FILE = { list: 'payments', action: 'payments.export' } as const;

/** One box for any id, and filters beside it. */
export function PaymentsPage(): ReactNode {
  const [filter, change] = useFilters(NAMES);
  const list = useList<Payment>('/api/payments/payments', filter);
  return (
    <Page
      title={t('Payments')}
      aside={
        <Group gap="xs">
          <ExportLink {...FILE} label={t('CSV of yesterday')} filter={daysFromToday(-1, 0)} />
          <ExportLink {...FILE} filter={filter} />
        </Group>
      }
    >
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label={t('Payments')}
        filters={FIELDS}
        list={list}
        columns={COLUMNS}
        keyOf={({ paymentId }) => paymentId}
        empty={t('No payments match these filters. Clear the other filters to search everywhere.')}
      />
    </Page>
  );
}
