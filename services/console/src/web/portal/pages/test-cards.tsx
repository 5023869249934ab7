import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { read } from '../../api.ts';
import { Fault, Page } from '../../parts/page.tsx';
import { DataTable, Waiting, type Column } from '../../parts/table.tsx';

type Card = { readonly number: string; readonly brand: string; readonly outcome: string };
type Amount = { readonly kopecks: string; readonly outcome: string };

const CARDS: readonly Column<Card>[] = [
  {
    title: 'Card',
    cell: ({ number }) => <span className="mono numbers">{number.replace(/\d{4}(?=\d)/g, '$& ')}</span>,
  },
  { title: 'Brand', cell: ({ brand }) => brand },
  { title: 'What happens', cell: ({ outcome }) => outcome },
];

const AMOUNTS: readonly Column<Amount>[] = [
  { title: 'Amount', cell: ({ kopecks }) => <span className="mono">…{kopecks}</span> },
  { title: 'What happens', cell: ({ outcome }) => outcome },
];

/** The only cards that TEST accepts, and the amounts that force an outcome without a card. */
export function TestCardsPage(): ReactNode {
  const list = useQuery({
    queryKey: ['test-cards'],
    queryFn: () => read<{ readonly cards: readonly Card[]; readonly amounts: readonly Amount[] }>('/api/test-cards'),
  });
  return (
    <Page title="Test cards">
      <Text size="sm" mb="md">
        Any expiry date in the future and any security code. Real cards are refused here.
      </Text>
      {list.isPending ? <Waiting /> : null}
      <Fault error={list.error} title="Couldn’t load the test cards" />
      {list.data === undefined ? null : (
        <>
          <DataTable label="Test cards" rows={list.data.cards} columns={CARDS} keyOf={keyOf} empty="None." />
          <Title order={2} size="h4" mt="xl" mb="xs">
            Amounts that decide
          </Title>
          <Text size="sm">The last two digits of an amount decide what the bank does, for QR codes and saved cards too.</Text>
          <DataTable label="Amounts" rows={list.data.amounts} columns={AMOUNTS} keyOf={({ kopecks }) => kopecks} empty="None." />
        </>
      )}
    </Page>
  );
}

const keyOf = ({ number }: Card) => number;
