import { randomBytes } from 'node:crypto';
import type { DrillSystem } from './system.ts';

/** A transfer as the treasury's own list has it: it was made, whatever the database says. */
export type Transfer = { readonly requestId: string; readonly amountUsdt: string; readonly reference: string };

/** A request of the demo partner. */
async function request({ world }: DrillSystem, amountUsdt: string): Promise<string> {
  const { storeID: storeId, beneficiaryRef } = world.partner;
  const wanted = { storeId, beneficiaryRef, amountUsdt };
  return (await world.client.createWithdrawalRequest(wanted)).withdrawalRequestId;
}

const act = async (system: DrillSystem, person: string, verb: string, id: string, ...more: readonly string[]) => {
  const { revision } = await system.operator(person, 'withdrawals', 'get', id);
  return system.operator(person, 'withdrawals', verb, id, '--revision', String(revision), ...more);
};

async function approve(system: DrillSystem, id: string): Promise<void> {
  await act(system, 'olga', 'take', id);
  await act(system, 'olga', 'approve', id);
}

const complete = (system: DrillSystem, id: string, reference: string) => act(system, 'ivan', 'complete', id, '--reference', reference);

/** A transaction's hash, as on TRON. */
const newReference = () => randomBytes(32).toString('hex');

/** What is under way when the database is backed up: one request is approved, one waits. */
export async function beginPayouts(system: DrillSystem): Promise<{ approved: string; waiting: string }> {
  const [approved, waiting] = [await request(system, '11.000000'), await request(system, '12.000000')];
  await approve(system, approved);
  return { approved, waiting };
}

/** What the restore will not know: all three are transferred, and the third was not even requested before. */
export async function transferAll(
  system: DrillSystem,
  { approved, waiting }: { readonly approved: string; readonly waiting: string },
): Promise<Transfer[]> {
  const unknown = await request(system, '13.000000');
  await approve(system, waiting);
  await approve(system, unknown);
  const transfers: Transfer[] = [
    { requestId: approved, amountUsdt: '11.000000', reference: newReference() },
    { requestId: waiting, amountUsdt: '12.000000', reference: newReference() },
    { requestId: unknown, amountUsdt: '13.000000', reference: newReference() },
  ];
  for (const { requestId, reference } of transfers) await complete(system, requestId, reference);
  return transfers;
}

/**
 * What the runbook says: each transfer of the treasury's list is entered for its request, before anybody pays. A request that
 * is gone is made again by its partner and completed with the transfer that it had. Returns the requests that showed as payable.
 */
export async function enterTransfers(system: DrillSystem, transfers: readonly Transfer[]): Promise<string[]> {
  const { items } = await system.operator('ivan', 'withdrawals', 'list', '--status', 'APPROVED');
  const payable = (items as { withdrawalRequestId: string }[]).map(({ withdrawalRequestId }) => withdrawalRequestId);
  for (const { requestId, amountUsdt, reference } of transfers) {
    const known = await system.operator('ivan', 'withdrawals', 'get', requestId).catch(() => undefined);
    const id = known === undefined ? await request(system, amountUsdt) : requestId;
    if (known?.['status'] !== 'APPROVED') await approve(system, id);
    await complete(system, id, reference);
  }
  return payable;
}

/** Whether the reference of a transfer that was entered can be used for another request: that would hide a second one. */
export async function isReferenceTaken(system: DrillSystem, { reference }: Transfer): Promise<boolean> {
  const id = await request(system, '1.000000');
  await approve(system, id);
  return complete(system, id, reference).then(
    () => false,
    () => true,
  );
}
