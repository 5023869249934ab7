import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { insertBeneficiary } from '../db/beneficiaries.ts';
import { insertStore } from '../db/stores.ts';
import { decideProposal, insertProposal } from './fund-store.ts';

type SeededPartner = {
  readonly partnerID: string;
  readonly storeID: string;
  readonly storeName: string;
  readonly beneficiaryRef: string;
  readonly fundedMicroUsdt?: bigint;
};

/** Operators that the seed acts as: two, because a funding is confirmed by a different one from who proposed it. */
const person = (login: string): Operator => ({ login, role: 'finance', sessionId: 'seed', notIndependentOf: [] });
const PROPOSER = person('seed');
const CONFIRMER = person('seed-approval');
/** 100 RUB per USDT. */
const RATE_MICRO_RUB = 100_000_000n;
const MICRO_USDT_A_KOPECK = 100n;

/**
 * Gives a partner of a TEST installation a recipient and, if asked, USDT by a real funding. Does not wait for
 * `store.created`: the store is inserted here too, and the message then changes nothing. Existing rows are left as they
 * are.
 */
export async function seedPartner(db: Db, partner: SeededPartner): Promise<void> {
  const { partnerID: partnerId, storeID: storeId, storeName: name, beneficiaryRef, fundedMicroUsdt } = partner;
  await inTransaction(db, async (tx) => {
    await insertStore(tx, { storeId, partnerId, name });
    const people = { issuedBy: PROPOSER.login, decidedBy: CONFIRMER.login };
    await insertBeneficiary(tx, { beneficiaryRef, partnerId, label: 'Agreed recipient', status: 'ISSUED', ...people });
    if (fundedMicroUsdt === undefined) return;
    const proposal = await insertProposal(tx, PROPOSER, {
      storeId,
      amountMicroUsdt: fundedMicroUsdt,
      amountKopecks: fundedMicroUsdt / MICRO_USDT_A_KOPECK,
      rateMicroRub: RATE_MICRO_RUB,
      reference: `seed-${storeId}`,
    });
    if (proposal !== undefined) await decideProposal(tx, CONFIRMER, proposal.fundingId, 'CONFIRMED');
  });
}
