import { withClient } from '../../tools/infrastructure/provision.ts';
import type { Drill } from './drill.ts';
import { untilEnded } from './drill-system.ts';

export const MONEY_DRILLS: readonly Drill[] = [
  {
    fault: 'somebody with rights on the tables writes a running total of 1.00 into suspense, and an open exception',
    raises: ['LedgerDiffers page', 'MoneyInSuspense ticket', 'ExceptionsOpen ticket'],
    async make({ world }, fired) {
      await world.query(
        `insert into payments.ledger_balances (account, owner, shard, balance_kopecks, entry_count) values ('SUSPENSE', 'drill', 0, -100, 1)`,
      );
      await world.query(`insert into payments.exceptions (kind, operation_id, reason) values ('MISSING_HERE', 'drill', 'A drill.')`);
      // The check runs every hour, and at the start.
      await world.system.restart('payments');
      await untilEnded(fired);
      await world.query(`delete from payments.ledger_balances where owner = 'drill'`);
      await world.query(`delete from payments.exceptions where operation_id = 'drill'`);
      await world.system.restart('payments');
    },
  },
  {
    fault: 'two days pass: the bank answers 500, a session keeps the row of an open payment, nobody looks at a payout request',
    raises: ['ReadBacksLate ticket', 'ReconciliationLate ticket', 'WithdrawalsWaiting ticket'],
    async make({ world }, fired) {
      const { partner } = world;
      await world.client.createWithdrawalRequest({
        storeId: partner.storeID,
        amountUsdt: '1.000000',
        beneficiaryRef: partner.beneficiaryRef,
      });
      const payment = await world.create();
      await withClient(world.system.state().databaseAdminUrl, async (client) => {
        await client.query('begin');
        await client.query('select from payments.payments where payment_id = $1 for update', [payment.id]);
        await world.bank.fault({ route: 'all', kind: 'outage', status: 500 });
        await world.bank.advanceClock('P2D');
        await untilEnded(fired);
        await client.query('rollback');
      });
      await world.bank.clearFaults();
      await world.bank.resetClock();
    },
  },
];
