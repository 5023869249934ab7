import type { Command } from 'commander';
import { callOperatorApi as call } from './api.ts';

const requestPath = (id: string): string => `withdrawals/${encodeURIComponent(id)}`;

/** `pay operator withdrawals`, `fundings`, `beneficiaries`: the operator API of withdrawals. */
export function addWithdrawalsCommands(operator: Command): void {
  const withdrawals = operator.command('withdrawals').description('payout requests and their review (withdrawals)');
  addReads(withdrawals);
  addActions(withdrawals);
  addFundingCommands(operator);
  addBeneficiaryCommands(operator);
}

type Filter = { partner?: string; store?: string; status?: string; from?: string; to?: string; limit?: string };

function addReads(withdrawals: Command): void {
  withdrawals
    .command('list')
    .description('list payout requests, newest first')
    .option('--partner <partnerID>')
    .option('--store <storeID>')
    .option('--status <status>', 'such as REQUESTED')
    .option('--from <moment>', 'requested at this time or later')
    .option('--to <moment>', 'requested before this time')
    .option('--limit <count>', '1 to 100')
    .action(({ partner, store, ...rest }: Filter, command: Command) =>
      call(command, 'withdrawals', `GET withdrawals${queryOf({ partnerID: partner, storeId: store, ...rest })}`),
    );
  withdrawals
    .command('counts')
    .description('show count, amount and oldest request by state')
    .action((_options: unknown, command: Command) => call(command, 'withdrawals', 'GET withdrawals/counts'));
  withdrawals
    .command('get <requestID>')
    .description('show a request with its history')
    .action((id: string, _options: unknown, command: Command) => call(command, 'withdrawals', `GET ${requestPath(id)}`));
}

/** Every action names the revision that the operator saw: a stale one changes nothing. */
function addActions(withdrawals: Command): void {
  for (const [verb, meaning] of [
    ['take', 'claim it for 30 minutes'],
    ['approve', 'approve the payout; by the operator who claimed it'],
  ] as const) {
    withdrawals
      .command(`${verb} <requestID>`)
      .description(meaning)
      .requiredOption('--revision <number>', 'the revision you saw', Number)
      .action((id: string, { revision }: { revision: number }, command: Command) =>
        call(command, 'withdrawals', `POST ${requestPath(id)}/${verb}`, { revision }),
      );
  }
  for (const [verb, meaning] of [
    ['reject', 'reject it; the reserve is released'],
    ['cancel', "cancel it at the partner's request"],
    ['fail', 'mark it as failed: nothing was transferred; not by the person who approved it'],
  ] as const) {
    withdrawals
      .command(`${verb} <requestID>`)
      .description(meaning)
      .requiredOption('--revision <number>', 'the revision you saw', Number)
      .requiredOption('--reason <text>', 'visible to the partner')
      .action((id: string, body: { revision: number; reason: string }, command: Command) =>
        call(command, 'withdrawals', `POST ${requestPath(id)}/${verb}`, body),
      );
  }
  withdrawals
    .command('complete <requestID>')
    .description('confirm that the transfer was made; not by the person who approved it')
    .requiredOption('--revision <number>', 'the revision you saw', Number)
    .requiredOption('--reference <reference>', 'transfer reference; use one transfer per request')
    .action((id: string, { revision, reference }: { revision: number; reference: string }, command: Command) =>
      call(command, 'withdrawals', `POST ${requestPath(id)}/complete`, { revision, transferReference: reference }),
    );
}

type Proposal = { usdt: string; rub: string; rate: string; reference: string };

function addFundingCommands(operator: Command): void {
  const fundings = operator.command('fundings').description('crediting stores: one person proposes, another confirms');
  fundings
    .command('stores')
    .description('list stores with their balances')
    .option('--partner <partnerID>')
    .action(({ partner }: { partner?: string }, command: Command) =>
      call(command, 'withdrawals', `GET stores${queryOf({ partnerID: partner })}`),
    );
  fundings
    .command('list')
    .description('list fundings, newest first')
    .option('--store <storeID>')
    .option('--status <status>', 'PROPOSED, CONFIRMED or REJECTED')
    .action(({ store, status }: { store?: string; status?: string }, command: Command) =>
      call(command, 'withdrawals', `GET fundings${queryOf({ storeId: store, status })}`),
    );
  fundings
    .command('propose <storeID>')
    .description('propose a funding; nothing is credited yet')
    .requiredOption('--usdt <amount>')
    .requiredOption('--rub <amount>', 'the amount at the rate, to the kopeck')
    .requiredOption('--rate <rate>', 'rubles for one USDT')
    .requiredOption('--reference <text>', 'settlement reference')
    .action((storeID: string, { usdt, rub, rate, reference }: Proposal, command: Command) =>
      call(command, 'withdrawals', `POST stores/${encodeURIComponent(storeID)}/fundings`, {
        amountUsdt: usdt,
        amountRub: rub,
        rate,
        reference,
      }),
    );
  for (const [verb, meaning] of [
    ['confirm', 'confirm it and credit the store; not by the person who proposed it'],
    ['reject', 'reject it; nothing is credited'],
  ] as const) {
    fundings
      .command(`${verb} <fundingID>`)
      .description(meaning)
      .action((id: string, _options: unknown, command: Command) =>
        call(command, 'withdrawals', `POST fundings/${encodeURIComponent(id)}/${verb}`),
      );
  }
}

function addBeneficiaryCommands(operator: Command): void {
  const beneficiaries = operator.command('beneficiaries').description('agreed recipients of a partner (withdrawals)');
  const path = (id: string) => `partners/${encodeURIComponent(id)}/beneficiaries`;
  beneficiaries
    .command('list <partnerID>')
    .description("list the partner's references")
    .action((id: string, _options: unknown, command: Command) => call(command, 'withdrawals', `GET ${path(id)}`));
  beneficiaries
    .command('propose <partnerID> <label>')
    .description('propose a reference; the label is never shown to partners')
    .action((id: string, label: string, _options: unknown, command: Command) =>
      call(command, 'withdrawals', `POST ${path(id)}`, { label }),
    );
  for (const [verb, meaning] of [
    ['confirm', 'confirm a reference; not by the person who proposed it'],
    ['reject', 'reject a reference'],
  ] as const) {
    beneficiaries
      .command(`${verb} <beneficiaryRef>`)
      .description(meaning)
      .action((reference: string, _options: unknown, command: Command) =>
        call(command, 'withdrawals', `POST beneficiaries/${encodeURIComponent(reference)}/${verb}`),
      );
  }
  beneficiaries
    .command('revoke <beneficiaryRef> <reason>')
    .description('revoke a reference for good; payouts to it can no longer be requested or approved')
    .action((reference: string, reason: string, _options: unknown, command: Command) =>
      call(command, 'withdrawals', `POST beneficiaries/${encodeURIComponent(reference)}/revoke`, { reason }),
    );
}

function queryOf(filter: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
