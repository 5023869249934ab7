import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Register, UsdtRegister } from '@pay/sdk/types.ts';
import { grouped } from '../../format.ts';
import { useFilters } from '../../parts/filters.tsx';
import { Page } from '../../parts/page.tsx';
import { ListTable, useList, type Column } from '../../parts/table.tsx';
import { useFileLink } from '../session.ts';

const numbers = (amount: string): ReactNode => <span className="numbers">{grouped(amount)}</span>;

/** A link to all of a day for people, and to each of its parts for programs: a part has at most 5,000 lines. */
function Parts({ currency, date, parts }: { readonly currency: string; readonly date: string; readonly parts: number }): ReactNode {
  const fileLink = useFileLink();
  const label = (part: number) => (parts === 1 ? 'CSV' : `CSV ${String(part)}`);
  return (
    <>
      <a href={fileLink(`/api/registers/${currency}/${date}.xlsx`)} download aria-label={`Excel of ${date}`}>
        Excel
      </a>{' '}
      {Array.from({ length: parts }, (_, index) => index + 1).map((part) => (
        <a
          key={part}
          href={fileLink(`/api/partner/api/registers/${currency}/${date}?format=csv&part=${String(part)}`)}
          download={`register-${currency}-${date}-${String(part)}.csv`}
          aria-label={`${label(part)} of ${date}`}
        >
          {label(part)}{' '}
        </a>
      ))}
    </>
  );
}

const RUB: readonly Column<Register>[] = [
  { title: 'Day', cell: ({ date }) => <span className="numbers">{date}</span> },
  { title: 'Opening, RUB', align: 'right', cell: ({ openingBalance }) => numbers(openingBalance) },
  { title: 'Payments', align: 'right', cell: ({ payments }) => numbers(payments) },
  { title: 'Recurring', align: 'right', cell: ({ recurringCharges }) => numbers(recurringCharges) },
  { title: 'Refunds', align: 'right', cell: ({ refunds }) => numbers(refunds) },
  { title: 'Fees', align: 'right', cell: ({ fees }) => numbers(fees) },
  { title: 'Closing, RUB', align: 'right', cell: ({ closingBalance }) => numbers(closingBalance) },
  { title: 'Lines', cell: ({ date, parts }) => <Parts currency="RUB" date={date} parts={parts} /> },
];

const USDT: readonly Column<UsdtRegister>[] = [
  { title: 'Day', cell: ({ date }) => <span className="numbers">{date}</span> },
  { title: 'Opening, USDT', align: 'right', cell: ({ openingAvailable }) => numbers(openingAvailable) },
  { title: 'Funded', align: 'right', cell: ({ funded }) => numbers(funded) },
  { title: 'Requested', align: 'right', cell: ({ requested }) => numbers(requested) },
  { title: 'Released', align: 'right', cell: ({ released }) => numbers(released) },
  { title: 'Paid out', align: 'right', cell: ({ completed }) => numbers(completed) },
  { title: 'Closing, USDT', align: 'right', cell: ({ closingAvailable }) => numbers(closingAvailable) },
  { title: 'Lines', cell: ({ date, parts }) => <Parts currency="USDT" date={date} parts={parts} /> },
];

/** The closed days of a balance, each with its lines for Excel and as CSV. */
export function RegistersPage(): ReactNode {
  const [{ currency = 'RUB' }, change] = useFilters(['currency']);
  const isRub = currency !== 'USDT';
  return (
    <Page title="Registers">
      <NativeSelect
        label="Balance"
        size="xs"
        maw={320}
        value={isRub ? 'RUB' : 'USDT'}
        data={[
          { value: 'RUB', label: 'Rubles' },
          { value: 'USDT', label: 'USDT' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          change({ currency: value });
        }}
      />
      {isRub ? <Days key="RUB" currency="RUB" columns={RUB} /> : <Days key="USDT" currency="USDT" columns={USDT} />}
    </Page>
  );
}

function Days<T extends { readonly date: string }>({
  currency,
  columns,
}: {
  readonly currency: 'RUB' | 'USDT';
  readonly columns: readonly Column<T>[];
}): ReactNode {
  const list = useList<T>(`/api/partner/api/registers/${currency}`, {});
  return <ListTable label="Registers" list={list} columns={columns} keyOf={({ date }) => date} empty="No closed days yet." />;
}
