import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PAYMENT_STATUSES } from '@pay/contract/states.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import type { CardPayment, PaymentPoint, QrPayment } from '@pay/sdk/types.ts';
import { queryOf, read } from '../../api.ts';
import { words } from '../../format.ts';
import { Empty } from '../../parts/empty.tsx';
import { FilterForm, TIME_FIELDS, useFilters } from '../../parts/filters.tsx';
import { Fault, Id, Moment, Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { ListTable, useList, Waiting, type Column } from '../../parts/table.tsx';
import { rubles } from '../format.ts';
import { useFileLink } from '../session.ts';

const CARD_FIELDS = [
  { name: 'orderID', label: 'Order' },
  { name: 'customerID', label: 'Buyer' },
  { name: 'status', label: 'State', options: PAYMENT_STATUSES },
  ...TIME_FIELDS,
] as const;
const QR_FIELDS = [{ name: 'status', label: 'State', options: PAYMENT_STATUSES }, ...TIME_FIELDS] as const;
const CARD_NAMES = CARD_FIELDS.map(({ name }) => name);
const QR_NAMES = QR_FIELDS.map(({ name }) => name);

const amount = (payment: { readonly amount: string }): ReactNode => <span className="numbers">{rubles(payment.amount)}</span>;

const CARD_COLUMNS: readonly Column<CardPayment>[] = [
  {
    title: 'Payment',
    cell: ({ id }) => (
      <Link href={`/payments/card/${id}`}>
        <Id>{id}</Id>
      </Link>
    ),
  },
  { title: 'State', cell: ({ status, failureCode }) => <State value={status} more={failureCode ?? null} /> },
  { title: 'Amount, RUB', align: 'right', cell: amount },
  { title: 'Order', cell: ({ orderID }) => <Id>{maskedDigits(orderID)}</Id> },
  { title: 'Method', cell: ({ paymentMethod }) => words(paymentMethod) },
  { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const QR_COLUMNS: readonly Column<QrPayment>[] = [
  {
    title: 'Payment',
    cell: ({ id }) => (
      <Link href={`/payments/qr/${id}`}>
        <Id>{id}</Id>
      </Link>
    ),
  },
  { title: 'State', cell: ({ status, failureCode }) => <State value={status} more={failureCode ?? null} /> },
  { title: 'Amount, RUB', align: 'right', cell: amount },
  { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** The payment points that accept QR codes, with the one that is asked for, or the first. */
function useQrPoints(asked: string) {
  const points = useQuery({
    queryKey: ['points'],
    queryFn: () => read<{ readonly items: readonly PaymentPoint[] }>('/api/partner/api/integration/payment-points'),
  });
  const withQr = (points.data?.items ?? []).filter(({ paymentMethods }) => paymentMethods.includes('SBP_DYNAMIC_QR'));
  const point = withQr.find(({ paymentPointID }) => paymentPointID === asked) ?? withQr[0];
  return { points, withQr, point };
}

/** The partner's payments: those by card, or those of one payment point by QR code. */
export function PaymentsPage(): ReactNode {
  const [{ show = 'card' }, change] = useFilters(['show']);
  const { points, withQr, point } = useQrPoints(show);
  const isCard = show === 'card';
  return (
    <Page title="Payments">
      <NativeSelect
        label="Show"
        size="xs"
        maw={320}
        value={isCard ? 'card' : (point?.paymentPointID ?? 'qr')}
        data={[
          { value: 'card', label: 'Cards' },
          ...withQr.map(({ paymentPointID, name }) => ({ value: paymentPointID, label: `QR: ${name}` })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          change({ show: value });
        }}
      />
      <Fault error={points.error} title="Couldn’t load the payment points" />
      {isCard ? <CardPayments /> : null}
      {!isCard && points.isPending ? <Waiting /> : null}
      {!isCard && points.isSuccess ? <QrOf point={point} /> : null}
    </Page>
  );
}

function QrOf({ point }: { readonly point: PaymentPoint | undefined }): ReactNode {
  if (point === undefined) return <Empty>No payment point accepts QR codes.</Empty>;
  return <QrPayments key={point.paymentPointID} point={point.paymentPointID} />;
}

function CardPayments(): ReactNode {
  const [filter, change] = useFilters(CARD_NAMES);
  const list = useList<CardPayment>('/api/partner/api/card', filter);
  return (
    <>
      <FilterForm fields={CARD_FIELDS} filter={filter} onChange={change} />
      <Files hrefOf={(format) => `/api/card.${format}${queryOf(filter)}`} />
      <ListTable
        label="Payments"
        filters={CARD_FIELDS}
        list={list}
        columns={CARD_COLUMNS}
        keyOf={({ id }) => id}
        empty="No payments match these filters."
      />
    </>
  );
}

function QrPayments({ point }: { readonly point: string }): ReactNode {
  const [filter, change] = useFilters(QR_NAMES);
  const list = useList<QrPayment>(`/api/partner/api/payments/${encodeURIComponent(point)}`, filter);
  return (
    <>
      <FilterForm fields={QR_FIELDS} filter={filter} onChange={change} />
      <Files hrefOf={(format) => `/api/qr.${format}${queryOf({ ...filter, point })}`} />
      <ListTable
        label="Payments"
        filters={QR_FIELDS}
        list={list}
        columns={QR_COLUMNS}
        keyOf={({ id }) => id}
        empty="No payments match these filters."
      />
    </>
  );
}

/** The server writes the file, with exactly what these filters select. */
function Files({ hrefOf }: { readonly hrefOf: (format: 'csv' | 'xlsx') => string }): ReactNode {
  const fileLink = useFileLink();
  return (
    <Button.Group mb="sm">
      <Button component="a" href={fileLink(hrefOf('csv'))} download variant="default" size="xs">
        CSV of this list
      </Button>
      <Button component="a" href={fileLink(hrefOf('xlsx'))} aria-label="Excel of this list" download variant="default" size="xs">
        Excel
      </Button>
    </Button.Group>
  );
}
