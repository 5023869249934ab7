import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Proposal } from '@pay/contract/operator/proposals.ts';
import { read } from '../api.ts';
import { grouped, words } from '../format.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, waitingFirst } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay, useSession } from '../session.ts';
import type { List } from '../types.ts';

const PATH = '/api/payments/proposals';
const KEY = ['proposals'] as const;

/**
 * What one person proposed and a second one must confirm: points with a fee, fee changes, weaker authentication, larger
 * refunds.
 */
export function ProposalsPage(): ReactNode {
  const proposals = useQuery({ queryKey: KEY, queryFn: () => read<List<Proposal>>(`${PATH}?limit=100`) });
  const decide = useAct([KEY]);
  return (
    <Page title="Proposals" aside={<ExportLink file="proposals.csv" action="proposals.export" filter={{}} />}>
      <Text size="sm">
        A new payment point with a fee, a changed fee, accepting buyers who are not authenticated, and a refund above
        the role’s limit need a second person.
      </Text>
      <Fault error={proposals.error} title="Couldn’t load the proposals" />
      <Fault error={decide.error} title="Not decided" />
      {proposals.data === undefined ? null : (
        <DataTable
          label="Proposals"
          rows={waitingFirst(proposals.data.items, 'PROPOSED')}
          keyOf={({ proposalId }) => proposalId}
          empty="No proposals."
          columns={[
            { title: 'Proposed', cell: ({ createdAt }) => <Moment at={createdAt} /> },
            { title: 'What', cell: (proposal) => <What proposal={proposal} /> },
            { title: 'State', cell: ({ status }) => <State value={status} /> },
            {
              title: 'Proposed and decided by',
              cell: ({ proposedBy, decidedBy }) => (
                <>
                  {proposedBy} <br />
                  {decidedBy ?? '–'}
                </>
              ),
            },
            {
              title: 'Actions',
              cell: (proposal) => (
                <Actions
                  proposal={proposal}
                  onDecide={(verb) => {
                    decide.mutate({ path: `${PATH}/${proposal.proposalId}/${verb}` });
                  }}
                />
              ),
            },
          ]}
        />
      )}
    </Page>
  );
}

function What({ proposal: { kind, subjectId, asked } }: { readonly proposal: Proposal }): ReactNode {
  if (kind === 'REFUND')
    return (
      <>
        Refund of {grouped(asked.amount ?? '')} RUB of{' '}
        <Link to={`/payments/${subjectId}`}>payment {subjectId.slice(-8)}</Link>: {asked.reason}
      </>
    );
  if (kind === 'RETURN')
    return (
      <>
        Return of {grouped(asked.amount ?? '')} RUB of an unknown order to the buyer, for exception{' '}
        {subjectId.slice(-8)}
      </>
    );
  const fee = `${String((asked.feeBasisPoints ?? 0) / 100)} %`;
  if (kind === 'POINT')
    return (
      <>
        New point {subjectId} of store {asked.storeId}, with a fee of {fee}
      </>
    );
  return (
    <>
      <Link to={`/points/${encodeURIComponent(subjectId)}`}>Point {subjectId}</Link>: fee of {fee}
      {asked.whenNotAuthenticated === undefined
        ? null
        : `; buyers who are not authenticated: ${words(asked.whenNotAuthenticated)}`}
    </>
  );
}

function effectOf({ kind, subjectId, asked: { amount, reason } }: Proposal): string {
  if (kind === 'RETURN')
    return `${grouped(amount ?? '')} RUB that the bank took for an order unknown to us will be returned to the buyer. This can’t be undone. It is recorded under both names.`;
  const what =
    kind === 'REFUND'
      ? `${grouped(amount ?? '')} RUB of payment ${subjectId} will be refunded to the buyer. Reason: ${reason ?? '–'}. The partner will be notified. This can’t be undone.`
      : 'It takes effect immediately.';
  return `${what} It is recorded under both names.`;
}

const NAMES = {
  POINT: 'new point',
  FEE: 'fee of',
  AUTHENTICATION: 'authentication at',
  REFUND: 'refund of',
  RETURN: 'return for exception',
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
        <Text size="xs">needs another person</Text>
      ) : (
        <ConfirmButton
          label="Confirm"
          name={`Confirm ${name}`}
          color="indigo"
          size="compact-xs"
          explains={effectOf(proposal)}
          onConfirm={() => {
            onDecide('confirm');
          }}
        />
      )}
      <ConfirmButton
        label="Reject"
        name={`Reject ${name}`}
        size="compact-xs"
        explains="Nothing changes."
        onConfirm={() => {
          onDecide('reject');
        }}
      />
    </Group>
  );
}
