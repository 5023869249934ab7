import { Button, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Proposal } from '@pay/contract/operator/proposals.ts';
import { grouped, words } from '../format.ts';
import { PROPOSAL_KINDS } from '@pay/contract/operator/states.ts';
import { Choice, queueOf } from '../parts/choice.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay, useSession } from '../session.ts';
import { t, tx } from '../text.ts';
import { PROPOSALS, ProposalsInBulk } from './proposals-in-bulk.tsx';

const FIELDS = [{ name: 'kind', label: t('Kind'), options: PROPOSAL_KINDS }] as const;

/**
 * What one person proposed and a second one must confirm: points with a fee, fee changes, weaker authentication, larger
 * refunds, returns and bookings.
 */
export function ProposalsPage(): ReactNode {
  const [{ status = 'PROPOSED', ...filter }, change] = useFilters(['status', 'kind']);
  const shown = { ...filter, ...queueOf(status, 'PROPOSED') };
  const list = useList<Proposal>(PROPOSALS, shown);
  const decide = useAct([[PROPOSALS]]);
  const [isBulk, setBulk] = useState(false);
  const may = useMay();
  return (
    <Page
      title={t('Proposals')}
      aside={
        <Group gap="xs">
          {may('proposals.decide') ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setBulk(true);
              }}
            >
              {t('Confirm in bulk')}
            </Button>
          ) : null}
          <ExportLink list="proposals" action="proposals.export" filter={shown} />
        </Group>
      }
    >
      <Text size="sm" mb="sm">
        {t(
          'A new payment point with a fee, a changed fee, accepting buyers who are not authenticated, and a refund, return or booking above the role’s limit need a second person.',
        )}
      </Text>
      <Fault error={decide.error} title={t('Not decided')} />
      <Choice
        label={t('State')}
        value={status}
        options={[
          { value: 'PROPOSED', label: t('Waiting, oldest first') },
          { value: 'CONFIRMED', label: words('CONFIRMED') },
          { value: 'REJECTED', label: words('REJECTED') },
          { value: 'ALL', label: t('All') },
        ]}
        onChange={(value) => {
          change({ status: value });
        }}
      />
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
      <ListTable
        label={t('Proposals')}
        filters={FIELDS}
        list={list}
        keyOf={({ proposalId }) => proposalId}
        empty={t('No proposals match these filters.')}
        columns={columns((path) => {
          decide.mutate({ path });
        })}
      />
      <Dialog
        title={t('Confirm in bulk')}
        opened={isBulk}
        onClose={() => {
          setBulk(false);
        }}
      >
        {isBulk ? <ProposalsInBulk initial={filter.kind} /> : null}
      </Dialog>
    </Page>
  );
}

const columns = (onDecide: (path: string) => void): readonly Column<Proposal>[] => [
  { title: t('Proposed'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: t('What'), cell: (proposal) => <What proposal={proposal} /> },
  { title: t('State'), cell: ({ status }) => <State value={status} /> },
  {
    title: t('Proposed and decided by'),
    cell: ({ proposedBy, decidedBy }) => (
      <>
        {proposedBy} <br />
        {decidedBy ?? '–'}
      </>
    ),
  },
  {
    title: t('Actions'),
    cell: (proposal) => (
      <Actions
        proposal={proposal}
        onDecide={(verb) => {
          onDecide(`${PROPOSALS}/${proposal.proposalId}/${verb}`);
        }}
      />
    ),
  },
];

const bookingOf = ({ amount, order }: Proposal['asked']) => ({
  amount: grouped(amount ?? ''),
  order: order?.merchantOrderId ?? '',
  point: order?.paymentPointID ?? '',
});

function What({ proposal: { kind, subjectId, asked } }: { readonly proposal: Proposal }): ReactNode {
  if (kind === 'REFUND')
    return tx('Refund of {amount} RUB of {payment}: {reason}', {
      amount: grouped(asked.amount ?? ''),
      payment: <Link to={`/payments/${subjectId}`}>{t('payment {id}', { id: subjectId.slice(-8) })}</Link>,
      reason: asked.reason,
    });
  if (kind === 'RETURN')
    return t('Return of {amount} RUB of an unknown order to the buyer, for exception {id}', {
      amount: grouped(asked.amount ?? ''),
      id: subjectId.slice(-8),
    });
  if (kind === 'BOOK')
    return t('Booking of {amount} RUB that only the bank knows as order {order} at {point}, for exception {id}', {
      ...bookingOf(asked),
      id: subjectId.slice(-8),
    });
  const fee = `${String((asked.feeBasisPoints ?? 0) / 100)} %`;
  if (kind === 'POINT')
    return t('New point {point} of store {store}, with a fee of {fee}', {
      point: subjectId,
      store: asked.storeId ?? '',
      fee,
    });
  return (
    <>
      {tx('{point}: fee of {fee}', {
        point: <Link to={`/points/${encodeURIComponent(subjectId)}`}>{t('Point {id}', { id: subjectId })}</Link>,
        fee,
      })}
      {asked.whenNotAuthenticated === undefined
        ? null
        : t('; buyers who are not authenticated: {rule}', { rule: words(asked.whenNotAuthenticated) })}
    </>
  );
}

function effectOf({ kind, subjectId, asked }: Proposal): string {
  const { amount, reason } = asked;
  if (kind === 'BOOK')
    return t(
      '{amount} RUB that the bank took will be credited to the partner of point {point}, as order {order}. The partner will be notified. It is recorded under both names.',
      bookingOf(asked),
    );
  if (kind === 'RETURN')
    return t(
      '{amount} RUB that the bank took for an order unknown to us will be returned to the buyer. This can’t be undone. It is recorded under both names.',
      { amount: grouped(amount ?? '') },
    );
  const what =
    kind === 'REFUND'
      ? t(
          '{amount} RUB of payment {payment} will be refunded to the buyer. Reason: {reason}. The partner will be notified. This can’t be undone.',
          { amount: grouped(amount ?? ''), payment: subjectId, reason: reason ?? '–' },
        )
      : t('It takes effect immediately.');
  return `${what} ${t('It is recorded under both names.')}`;
}

const NAMES = {
  POINT: t('new point'),
  FEE: t('fee of'),
  AUTHENTICATION: t('authentication at'),
  REFUND: t('refund of'),
  RETURN: t('return for exception'),
  BOOK: t('booking for exception'),
} as const satisfies Record<Proposal['kind'], string>;

function Actions({
  proposal,
  onDecide,
}: {
  readonly proposal: Proposal;
  readonly onDecide: (verb: 'confirm' | 'reject') => void;
}): ReactNode {
  const may = useMay();
  const { login } = useSession();
  if (proposal.status !== 'PROPOSED' || !may('proposals.decide')) return null;
  const name = `${NAMES[proposal.kind]} ${proposal.subjectId}`;
  return (
    <Group gap="xs">
      {proposal.proposedBy === login ? (
        <Text size="xs">{t('needs another person')}</Text>
      ) : (
        <ConfirmButton
          label={t('Confirm')}
          name={`${t('Confirm')} ${name}`}
          color="indigo"
          size="compact-xs"
          explains={effectOf(proposal)}
          onConfirm={() => {
            onDecide('confirm');
          }}
        />
      )}
      <ConfirmButton
        label={t('Reject')}
        name={`${t('Reject')} ${name}`}
        size="compact-xs"
        explains={t('Nothing changes.')}
        onConfirm={() => {
          onDecide('reject');
        }}
      />
    </Group>
  );
}
