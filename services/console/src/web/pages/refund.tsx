import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { PaymentTimeline } from '@pay/contract/operator/payments.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import { ApiFault, post } from '../api.ts';
import { grouped, kopecks } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Facts, Fault } from '../parts/page.tsx';
import { useMay } from '../session.ts';
import { t, tx } from '../text.ts';

type Asked = { readonly amount: string; readonly reason: string };

/** Refunds a payment, in part or in full. */
export function RefundButton({ payment }: { readonly payment: PaymentTimeline }): ReactNode {
  const may = useMay();
  // Kept while the dialog is open: pressing twice, or again after a lost response, refunds once.
  const [key, setKey] = useState<string>();
  if (!may('payments.refund') || payment.status !== 'COMPLETED') return null;
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
        {t('Refund')}
      </Button>
      <Dialog title={t('Refund this payment')} opened={key !== undefined} onClose={close}>
        {key === undefined ? null : <RefundForm payment={payment} refundKey={key} onDone={close} />}
      </Dialog>
    </>
  );
}

function RefundForm({
  payment,
  refundKey,
  onDone,
}: {
  readonly payment: PaymentTimeline;
  readonly refundKey: string;
  readonly onDone: () => void;
}): ReactNode {
  const client = useQueryClient();
  const { paymentId } = payment;
  // The version when the dialog was opened: a page refresh must not hide that the payment changed.
  const [seenVersion] = useState(payment.aggregateVersion);
  const refund = useMutation({
    mutationFn: (body: Asked) => post<object>(`/api/payments/payments/${paymentId}/refunds`, { seenVersion, key: refundKey, ...body }),
    onSuccess: (answer) => {
      if (!('proposal' in answer)) onDone();
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['payment', paymentId] }),
        client.invalidateQueries({ queryKey: ['deliveries-of', paymentId] }),
      ]),
  });
  if (refund.error instanceof ApiFault && refund.error.code === 'STALE_REVISION')
    return (
      <Alert role="alert" color="yellow" title={t('Not saved: the payment changed in the meantime')}>
        {t('Another refund was made in the meantime. Close this and check the payment again.')}
      </Alert>
    );
  if (refund.data !== undefined)
    return (
      <Alert role="alert" color="blue" title={t('Proposed: nothing has been refunded yet')}>
        {t('The amount is above your limit. A second person can confirm it under Proposals.')}
      </Alert>
    );
  return <RefundFields payment={payment} refund={refund} />;
}

type Refund = UseMutationResult<object, Error, Asked>;

/** What will happen is on the dialog and on its button, for the amount that is typed. */
function RefundFields({ payment, refund }: { readonly payment: PaymentTimeline; readonly refund: Refund }): ReactNode {
  const { amount: whole, refundedAmount, refundableAmount: rest, partnerID, merchantOrderId, cardMask } = payment;
  const [typed, setTyped] = useState('');
  // Russians type a comma.
  const entered = typed.trim().replace(',', '.');
  const fault = amountFault(entered, rest);
  const amount = entered === '' ? rest : entered;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const reason = new FormData(event.currentTarget).get('reason');
        if (fault === undefined && typeof reason === 'string') refund.mutate({ reason: reason.trim(), amount });
      }}
    >
      <Stack gap="sm">
        <Facts
          facts={[
            [t('Partner'), partnerID],
            [t('Order'), merchantOrderId === '' ? undefined : maskedDigits(merchantOrderId)],
            [t('Card'), cardMask ?? undefined],
            [t('Paid'), <Rubles key="paid">{whole}</Rubles>],
            [t('Refunded'), <Rubles key="refunded">{refundedAmount}</Rubles>],
          ]}
        />
        <TextInput label={t('Reason')} description={t('Visible to the partner.')} name="reason" required data-autofocus />
        <TextInput
          label={t('Amount, RUB')}
          description={t('Leave empty to refund the rest.')}
          placeholder={rest}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          error={typed === '' ? null : fault}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
          }}
        />
        {fault === undefined ? (
          <Text size="sm" role="status">
            {tx('{amount}{whole} will be refunded to the buyer. The partner will be notified. This can’t be undone.', {
              amount: <strong className="numbers">{grouped(amount)} RUB</strong>,
              whole: amount === rest ? t(' (the full remaining amount)') : '',
            })}
          </Text>
        ) : null}
        <Fault
          error={refund.error}
          title={t('Couldn’t refund')}
          fields={[
            { name: 'reason', label: t('Reason') },
            { name: 'amount', label: t('Amount, RUB') },
          ]}
        />
        <Group justify="end">
          <Button type="submit" color="red" loading={refund.isPending} disabled={fault !== undefined}>
            {fault === undefined ? t('Refund {amount} RUB', { amount: grouped(amount) }) : t('Refund')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const Rubles = ({ children }: { readonly children: string }): ReactNode => <span className="numbers">{grouped(children)} RUB</span>;

/** Why it cannot be refunded; undefined if it can, or if nothing is typed. */
function amountFault(typed: string, rest: string): string | undefined {
  if (typed === '') return undefined;
  const [asked, left] = [kopecks(typed), kopecks(rest)];
  if (asked === null || left === null || asked === 0n) return t('Enter an amount with two decimals, for example 10.50');
  return asked > left ? t('The amount is more than what’s left to refund ({amount} RUB)', { amount: grouped(rest) }) : undefined;
}
