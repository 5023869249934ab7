import { Button, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { HeldBackCard, HeldBackCards } from '@pay/contract/operator/held-back-cards.ts';
import type { VelocityRule } from '@pay/contract/operator/states.ts';
import { read } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Moment, Page } from '../parts/page.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import { t, tx } from '../text.ts';

const PATH = '/api/payments/held-back-cards';
const KEY = [PATH] as const;
const RULES: Readonly<Record<VelocityRule, string>> = {
  address: t('from one address'),
  bin: t('with the same first eight digits'),
  point: t('at one payment point'),
};

/** Suspected card testing: the rules, where they kept cards from the bank, and the way to let them through. */
export function HeldBackPage(): ReactNode {
  const held = useQuery({ queryKey: KEY, queryFn: () => read<HeldBackCards>(PATH) });
  const [chosen, setChosen] = useState<HeldBackCard>();
  const letThrough = useAct([KEY], () => {
    setChosen(undefined);
  });
  const close = () => {
    setChosen(undefined);
  };
  return (
    <Page title={t('Cards held back')} aside={<ExportLink list="held-back-cards" action="held-back.export" filter={{}} />}>
      {held.isPending ? <Waiting /> : null}
      <Fault error={held.error} title={t('Couldn’t load the cards held back')} />
      {held.data === undefined ? null : (
        <>
          <Rules rules={held.data.rules} />
          <DataTable
            label={t('Cards held back in the last day')}
            rows={held.data.items}
            keyOf={({ paymentPointId, rule }) => `${paymentPointId} ${rule}`}
            empty={t('No cards were held back in the last day.')}
            columns={columns(held.data.rules, setChosen)}
          />
        </>
      )}
      <Dialog title={t('Let cards through')} opened={chosen !== undefined} onClose={close}>
        <Text size="sm" mb="sm">
          {t('The cards counted so far are cleared. New ones go to the bank until the limit is reached again.')}
        </Text>
        <TextForm
          button={t('Let through')}
          act={letThrough}
          fields={[{ name: 'reason', label: t('Why this is not card testing') }]}
          onSubmit={(body) => {
            const { paymentPointId, rule } = chosen ?? {};
            letThrough.mutate({ path: `${PATH}/let-through`, body: { ...body, paymentPointId, rule } });
          }}
        />
      </Dialog>
    </Page>
  );
}

function Rules({ rules }: Pick<HeldBackCards, 'rules'>): ReactNode {
  return (
    <>
      <Text size="sm">
        {t(
          'A card is sent to the bank unless too many before it were unsuccessful. Then the buyer is asked to use another card, or to try again later.',
        )}
      </Text>
      <List size="sm" mb="md" aria-label={t('Rules')}>
        {rules.map(({ rule, cardsMax, windowSeconds }) => (
          <List.Item key={rule}>
            {tx('{cards} {rule} within {minutes} minutes', {
              cards: <span className="numbers">{cardsMax}</span>,
              rule: RULES[rule],
              minutes: String(windowSeconds / 60),
            })}
          </List.Item>
        ))}
      </List>
    </>
  );
}

function columns(rules: HeldBackCards['rules'], onChoose: (item: HeldBackCard) => void): readonly Column<HeldBackCard>[] {
  const limitOf = (rule: VelocityRule) => rules.find((one) => one.rule === rule)?.cardsMax;
  return [
    {
      title: t('Point'),
      cell: ({ paymentPointId: id }) => <Link href={`/points/${encodeURIComponent(id)}`}>{id}</Link>,
    },
    { title: t('Too many'), cell: ({ rule }) => RULES[rule] },
    { title: t('Held back'), align: 'right', cell: ({ cards }) => cards },
    { title: t('Addresses'), align: 'right', cell: ({ addresses }) => addresses },
    { title: t('First digits'), align: 'right', cell: ({ bins }) => bins },
    { title: t('Last'), cell: ({ lastAt }) => <Moment at={lastAt} /> },
    {
      title: t('Counting now'),
      align: 'right',
      cell: ({ rule, counting }) => t('{count} of {limit}', { count: String(counting), limit: String(limitOf(rule) ?? '–') }),
    },
    { title: t('Actions'), cell: (item) => <LetThrough item={item} onChoose={onChoose} /> },
  ];
}

function LetThrough({ item, onChoose }: { readonly item: HeldBackCard; readonly onChoose: (item: HeldBackCard) => void }): ReactNode {
  const may = useMay();
  if (item.counting === 0 || !may('held-back.let-through')) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t('Let through at {point}: too many {rule}', { point: item.paymentPointId, rule: RULES[item.rule] })}
      onClick={() => {
        onChoose(item);
      }}
    >
      {t('Let through')}
    </Button>
  );
}
