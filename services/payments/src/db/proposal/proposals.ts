import { and, eq, gt, sql } from 'drizzle-orm';
import type { ProposalStatus } from '@pay/contract/operator/states.ts';
import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { following, sortedBy } from '@pay/shared/http/list-order.ts';
import type { ListOrder, ListPosition } from '@pay/shared/http/list-page.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { proposals } from './schema.ts';

/** An action that one person proposed and a second one decides on. */
export type Proposal = Readonly<typeof proposals.$inferSelect>;

export async function insertProposal(tx: Tx, proposal: typeof proposals.$inferInsert): Promise<Proposal> {
  return onlyRow(await tx.insert(proposals).values(proposal).returning());
}

export async function findProposal(reader: Reader, proposalId: string): Promise<Proposal | undefined> {
  const [row] = await reader.select().from(proposals).where(eq(proposals.proposalId, proposalId));
  return row;
}

/** A proposal of exactly this that can still be confirmed. */
export async function findOpenProposal(
  reader: Reader,
  { kind, subjectId, asked }: Pick<Proposal, 'kind' | 'subjectId' | 'asked'>,
): Promise<Proposal | undefined> {
  const isSame = and(eq(proposals.kind, kind), eq(proposals.subjectId, subjectId), eq(proposals.asked, asked));
  const isOpen = and(eq(proposals.status, 'PROPOSED'), gt(proposals.expiresAt, sql`clock_now()`));
  const [row] = await reader.select().from(proposals).where(and(isSame, isOpen));
  return row;
}

/** Locks the proposal until the transaction ends. Undefined if there is none. */
export async function lockProposal(tx: Tx, proposalId: string): Promise<Proposal | undefined> {
  const [row] = await tx.select().from(proposals).where(eq(proposals.proposalId, proposalId)).for('update');
  return row;
}

/** Decides a locked proposal. The update repeats the guard. @throws Error if it was already decided. */
export async function moveProposal(tx: Tx, proposalId: string, to: ProposalStatus, by: OperatorLogin): Promise<Proposal> {
  const rows = await tx
    .update(proposals)
    .set({ status: to, decidedBy: by, decidedAt: sql`clock_now()` })
    .where(and(eq(proposals.proposalId, proposalId), eq(proposals.status, 'PROPOSED')))
    .returning();
  return onlyRow(rows);
}

/** Which rows of the list follow: those that match, in this order, starting after `after`. */
export type ProposalList = {
  readonly filter: { readonly status: Proposal['status'] | undefined; readonly kind: Proposal['kind'] | undefined };
  readonly order: ListOrder;
  readonly after: ListPosition | undefined;
};

const SORTED = { createdAt: proposals.createdAt, id: proposals.proposalId };

export async function listProposals(
  reader: Reader,
  { filter: { status, kind }, order, after }: ProposalList,
  limit: number,
): Promise<Proposal[]> {
  return reader
    .select()
    .from(proposals)
    .where(
      and(
        status === undefined ? undefined : eq(proposals.status, status),
        kind === undefined ? undefined : eq(proposals.kind, kind),
        following(SORTED, order, after),
      ),
    )
    .orderBy(...sortedBy(SORTED, order))
    .limit(limit);
}
