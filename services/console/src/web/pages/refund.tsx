import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { PaymentTimeline } from '@pay/contract/operator/payments.ts';
import { ApiFault, post } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextForm, type FormAct } from '../parts/form.tsx';
import { useMay } from '../session.ts';

type Asked = { readonly amount?: string; readonly reason: string };

/** Refunds a payment, in part or in full, after a confirmation step. */
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
        Refund
      </Button>
      <Dialog title="Refund this payment" opened={key !== undefined} onClose={close}>
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
  const [asked, setAsked] = useState<Asked>();
  // The version when the dialog was opened: a page refresh must not hide that the payment changed.
  const [seenVersion] = useState(payment.aggregateVersion);
  const refund = useMutation({
    mutationFn: (body: Asked) =>
      post<object>(`/api/payments/payments/${paymentId}/refunds`, { seenVersion, key: refundKey, ...body }),
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
      <Alert role="alert" color="yellow" title="Not saved: the payment changed in the meantime">
        Another refund was made in the meantime. Close this and check the payment again.
      </Alert>
    );
  if (refund.data !== undefined)
    return (
      <Alert role="alert" color="blue" title="Proposed: nothing has been refunded yet">
        The amount is above your limit. A second person can confirm it under Proposals.
      </Alert>
    );
  if (asked === undefined) return <RefundFields payment={payment} act={refund} onAsked={setAsked} />;
  return (
    <TextForm
      button="Confirm refund"
      act={refund}
      fields={[]}
      onSubmit={() => {
        refund.mutate(asked);
      }}
    >
      <Text>
        <strong className="numbers">
          {asked.amount === undefined ? 'The remaining amount' : `${asked.amount} RUB`}
        </strong>{' '}
        will be refunded to the buyer. The partner will be notified.
      </Text>
      <Text size="sm">Reason: {asked.reason}</Text>
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        onClick={() => {
          refund.reset();
          setAsked(undefined);
        }}
      >
        Change
      </Button>
    </TextForm>
  );
}

function RefundFields({
  payment,
  act,
  onAsked,
}: {
  readonly payment: PaymentTimeline;
  readonly act: FormAct;
  readonly onAsked: (asked: Asked) => void;
}): ReactNode {
  const { amount: whole, refundedAmount } = payment;
  return (
    <TextForm
      button="Continue"
      act={act}
      fields={[
        { name: 'reason', label: 'Reason', description: 'Visible to the partner.' },
        {
          name: 'amount',
          label: 'Amount, RUB',
          description: `Of ${whole}; ${refundedAmount} already refunded. Leave empty for the full remainder.`,
          placeholder: whole,
          optional: true,
        },
      ]}
      onSubmit={({ reason = '', amount = '' }) => {
        onAsked({ reason, ...(amount === '' ? {} : { amount }) });
      }}
    />
  );
}
