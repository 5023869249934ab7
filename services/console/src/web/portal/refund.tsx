import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { CardPayment, QrPayment, Refund } from '@pay/sdk/types.ts';
import { fromKopecks, grouped, kopecks } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Facts, Fault } from '../parts/page.tsx';
import { useAct } from '../parts/use-act.ts';
import { plainRubles, rubles } from './format.ts';

type Props = {
  /** The payment's path in the partner API. */
  readonly path: string;
  readonly payment: CardPayment | QrPayment;
  readonly refunds: readonly Refund[];
};

/** Refunds a payment, in part or in full. The dialog and its button name the amount. */
export function RefundButton({ path, payment, refunds }: Props): ReactNode {
  // Kept while the dialog is open: pressing twice, or again after a lost response, refunds once.
  const [key, setKey] = useState<string>();
  const rest = restOf(payment.amount, refunds);
  if (payment.status !== 'COMPLETED' || rest === undefined) return null;
  const close = () => {
    setKey(undefined);
  };
  return (
    <>
      <Button
        size="xs"
        variant="outline"
        color="red"
        onClick={() => {
          setKey(crypto.randomUUID());
        }}
      >
        Refund
      </Button>
      <Dialog title="Refund this payment" opened={key !== undefined} onClose={close}>
        {key === undefined ? null : <Fields path={path} payment={payment} rest={rest} refundKey={key} onDone={close} />}
      </Dialog>
    </>
  );
}

function Fields({
  path,
  payment,
  rest,
  refundKey,
  onDone,
}: {
  readonly path: string;
  readonly payment: CardPayment | QrPayment;
  readonly rest: string;
  readonly refundKey: string;
  readonly onDone: () => void;
}): ReactNode {
  const [typed, setTyped] = useState('');
  const refund = useAct(
    [
      ['payment', payment.id],
      ['refunds-of', payment.id],
      ['events-of', payment.id],
    ],
    onDone,
  );
  const fault = amountFault(typed.trim(), rest);
  const amount = typed.trim() === '' ? rest : typed.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const reason = new FormData(event.currentTarget).get('reason');
        const body = {
          amount,
          ...(typeof reason === 'string' && reason.trim() !== '' ? { reason: reason.trim() } : {}),
        };
        if (fault === undefined) refund.mutate({ path: `${path}/refunds`, body, idempotencyKey: refundKey });
      }}
    >
      <Stack gap="sm">
        <Facts
          facts={[
            ['Paid', `${rubles(payment.amount)} RUB`],
            ['Refunded', `${rubles(payment.refundedAmount)} RUB`],
          ]}
        />
        <TextInput
          label="Amount, RUB"
          description="Leave empty to refund the rest."
          placeholder={rest}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          value={typed}
          error={typed === '' ? null : fault}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
          }}
        />
        <TextInput label="Reason" description="Kept with the refund. May be empty." name="reason" autoComplete="off" />
        {fault === undefined ? <Effect amount={amount} isRest={amount === rest} /> : null}
        <Fault error={refund.error} title="Couldn’t refund" />
        <Group justify="end">
          <Button type="submit" color="red" loading={refund.isPending} disabled={fault !== undefined}>
            {fault === undefined ? `Refund ${grouped(amount)} RUB` : 'Refund'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const Effect = ({ amount, isRest }: { readonly amount: string; readonly isRest: boolean }): ReactNode => (
  <Text size="sm" role="status">
    <strong className="numbers">{grouped(amount)} RUB</strong>
    {isRest ? ' (the full remaining amount)' : ''} will be refunded to the buyer. This can’t be undone.
  </Text>
);

/** What can still be refunded: refunds on their way count as made. Undefined if nothing is left. */
function restOf(paid: string, refunds: readonly Refund[]): string | undefined {
  const counted = refunds.filter(({ status }) => status !== 'FAILED');
  const rest = counted.reduce((left, { amount }) => left - (kopecks(amount) ?? 0n), kopecks(plainRubles(paid)) ?? 0n);
  return rest <= 0n ? undefined : fromKopecks(rest);
}

/** Why it cannot be refunded; undefined if it can, or if nothing is typed. */
function amountFault(typed: string, rest: string): string | undefined {
  if (typed === '') return undefined;
  const [asked, left] = [kopecks(typed), kopecks(rest)];
  if (asked === null || left === null || asked === 0n) return 'Enter an amount with two decimals, for example 10.50';
  return asked > left ? `The amount is more than what’s left to refund (${grouped(rest)} RUB)` : undefined;
}
