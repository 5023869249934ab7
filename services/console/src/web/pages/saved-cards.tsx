import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AnyBinding } from '@pay/contract/operator/consents.ts';
import { BINDING_STATUSES } from '@pay/contract/states.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { Empty } from '../parts/empty.tsx';
import { Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import { periodText } from './saved-card-texts.ts';
import { t } from '../text.ts';

const FIELDS = [
  { name: 'partnerID', label: t('Partner') },
  { name: 'customerId', label: t('Buyer'), placeholder: t('as the partner calls them') },
  { name: 'cardLastFour', label: t('Last four digits'), placeholder: '1111' },
  { name: 'status', label: t('State'), options: BINDING_STATUSES },
] as const;

const COLUMNS: readonly Column<AnyBinding>[] = [
  {
    title: t('Saved card'),
    cell: ({ bindingId }) => (
      <Link href={`/saved-cards/${bindingId}`}>
        <Id>{bindingId}</Id>
      </Link>
    ),
  },
  { title: t('State'), cell: ({ status }) => <State value={status} /> },
  { title: t('Card'), cell: ({ cardMask }) => <span className="mono">{cardMask ?? '–'}</span> },
  { title: t('Buyer'), cell: ({ customerId }) => maskedDigits(customerId) },
  { title: t('Charged at most'), cell: ({ period }) => periodText(period) },
  { title: t('Last charged'), cell: ({ lastChargedAt }) => <Moment at={lastChargedAt} /> },
  { title: t('Saved'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** The saved cards of a partner's buyers, for support: found by what a caller knows. */
export function SavedCardsPage(): ReactNode {
  const [filter, change] = useFilters(['partnerID', 'customerId', 'cardLastFour', 'status']);
  return (
    <Page title={t('Saved cards')}>
      <FilterForm fields={FIELDS} filter={filter} onChange={change} button={t('Find')} />
      {filter.partnerID === undefined ? (
        <Empty>
          {t(
            'Enter the partner, and what the caller knows: the last four digits of the card, or their customer number with the partner. Payments by a saved card link to it, too.',
          )}
        </Empty>
      ) : (
        <Found filter={filter} />
      )}
    </Page>
  );
}

function Found({ filter }: { readonly filter: Readonly<Record<string, string | undefined>> }): ReactNode {
  const list = useList<AnyBinding>('/api/bindings/bindings', filter);
  return (
    <ListTable
      label={t('Saved cards')}
      filters={FIELDS}
      list={list}
      columns={COLUMNS}
      keyOf={({ bindingId }) => bindingId}
      empty={t('No saved cards match these filters. Check the partner and the digits.')}
    />
  );
}
