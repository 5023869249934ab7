import { expect, it } from '@jest/globals';
import { DEADLINE_MS as GATEWAY_MS } from '../services/gateway/src/forwarding/forwarder.ts';
import { LEASE_SECONDS } from '../services/bindings/src/db/charges.ts';
import { CHARGE_MS, COMMAND_MS } from '../services/bindings/src/payments/payments.ts';
import { LEAVE_MS, TELL_MS } from '../services/bindings/src/use-cases/revoke-binding.ts';
import { READ_MS, REVOKE_MS } from '../services/payments/src/bindings/bindings.ts';
import { DEADLINE_MS as BANK_MS } from '../services/payments/src/acquirers/bank-client.ts';
import { HOLDS_MS } from '../services/payments/src/domain/acquiring/fence.ts';
import { LEASE_MS, MARGIN_MS } from '../services/payments/src/db/payment/leases.ts';

/** Slack for statements and transport. */
const SPARE_MS = 1_000;

it.each([
  ['the gateway', GATEWAY_MS, 'bindings, which waits for payments', CHARGE_MS],
  ['the gateway', GATEWAY_MS, 'payments, which waits for a bank', BANK_MS],
  ['bindings, with a charge,', CHARGE_MS, 'payments, which waits for bindings and then for a bank', READ_MS + BANK_MS],
  ['the gateway', GATEWAY_MS, 'bindings, which tells payments of a revoke', TELL_MS],
  ['the page of a buyer', REVOKE_MS, 'bindings, which tells payments of a revoke', TELL_MS],
  ['the lease of a charge in bindings', LEASE_SECONDS * 1_000, 'the call that it is for', CHARGE_MS],
  ['the lease of a payment', LEASE_MS, 'bindings, a bank, and its margin', READ_MS + BANK_MS + MARGIN_MS],
])('%s (%i ms) lasts longer than %s (%i ms) (S2)', (_caller, callerMs, _called, calledMs) => {
  expect(callerMs).toBeGreaterThanOrEqual(calledMs + SPARE_MS);
});

it('a revoke is answered later than anything leaves on a consent that was asked for before it (N1)', () => {
  expect(LEAVE_MS).toBeGreaterThan(HOLDS_MS);
});

it('payments is told of a revoke within the time that its answer waits for it (S2)', () => {
  expect(COMMAND_MS).toBeLessThanOrEqual(TELL_MS);
});
