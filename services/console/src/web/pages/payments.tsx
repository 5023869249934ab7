import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { words } from '../format.ts';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { Moment, Page } from '../parts/page.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import type { Payment } from '../types.ts';

const FIELDS = [
  { name: 'id', label: 'Any id', placeholder: 'payment, order, bank operation, refund, binding, buyer' },
  { name: 'partnerID', label: 'Partner' },
  { name: 'status', label: 'State', placeholder: 'COMPLETED' },
  { name: 'method', label: 'Method', placeholder: 'CARD' },
  { name: 'from', label: 'From', placeholder: '2026-01-31T00:00:00Z' },
  { name: 'to', label: 'To', placeholder: '2026-02-28T00:00:00Z' },
] as const;
const NAMES = FIELDS.map(({ name }) => name);

const COLUMNS: readonly Column<Payment>[] = [
  {
    title: 'Payment',
    cell: ({ paymentId }) => (
      <Link href={`/payments/${paymentId}`} className="mono">
        {paymentId}
      </Link>
    ),
  },
  {
    title: 'State',
    cell: ({ status, failureCode }) => words(status) + (failureCode === null ? '' : `: ${failureCode}`),
  },
  { title: 'Amount, RUB', align: 'right', cell: ({ amount }) => <span className="numbers">{amount}</span> },
  { title: 'Method', cell: ({ method }) => method },
  { title: 'Partner', cell: ({ partnerID }) => partnerID },
  { title: 'Order', cell: ({ merchantOrderId }) => <span className="mono">{merchantOrderId}</span> },
  { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** One box for any id, and filters beside it. */
export function PaymentsPage(): ReactNode {
  const [filter, change] = useFilters(NAMES);
  const list = useList<Payment>('/api/payments/payments', filter);
  return (
    <Page title="Payments">
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label="Payments"
        list={list}
        columns={COLUMNS}
        keyOf={({ paymentId }) => paymentId}
        empty="No payment has this id or these filters."
      />
    </Page>
  );
}
