import type { Payment } from '@pay/contract/operator/payments.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { grouped, words } from '../format.ts';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, TIME_FIELDS, useFilters } from '../parts/filters.tsx';
import { Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';

const STATUSES = ['CREATED', 'SUBMITTED', 'PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED']; // prettier-ignore
const FIELDS = [
  { name: 'id', label: 'Any id', placeholder: 'payment, order, buyer, bank, refund' },
  { name: 'partnerID', label: 'Partner' },
  { name: 'paymentPointID', label: 'Point' },
  { name: 'status', label: 'State', options: STATUSES },
  { name: 'method', label: 'Method', options: ['CARD', 'CARD_BINDING', 'SBP_DYNAMIC_QR'] },
  ...TIME_FIELDS,
] as const;
const NAMES = FIELDS.map(({ name }) => name);

const COLUMNS: readonly Column<Payment>[] = [
  {
    title: 'Payment',
    cell: ({ paymentId }) => (
      <Link href={`/payments/${paymentId}`}>
        <Id>{paymentId}</Id>
      </Link>
    ),
  },
  { title: 'State', cell: ({ status, failureCode }) => <State value={status} more={failureCode} /> },
  { title: 'Amount, RUB', align: 'right', cell: ({ amount }) => <span className="numbers">{grouped(amount)}</span> },
  { title: 'Method', cell: ({ method }) => words(method) },
  { title: 'Partner', cell: ({ partnerID }) => partnerID },
  {
    title: 'Order',
    cell: ({ merchantOrderId }) => (merchantOrderId === '' ? '–' : <Id>{maskedDigits(merchantOrderId)}</Id>),
  },
  { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** One box for any id, and filters beside it. */
export function PaymentsPage(): ReactNode {
  const [filter, change] = useFilters(NAMES);
  const list = useList<Payment>('/api/payments/payments', filter);
  return (
    <Page title="Payments" aside={<ExportLink file="payments.csv" action="payments.export" filter={filter} />}>
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label="Payments"
        list={list}
        columns={COLUMNS}
        keyOf={({ paymentId }) => paymentId}
        empty="No payments match these filters. Clear the other filters to search everywhere."
      />
    </Page>
  );
}
