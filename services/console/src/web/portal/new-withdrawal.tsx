import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { WithdrawalRequest } from '@pay/sdk/types.ts';
import { grouped } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/page.tsx';
import { useAct } from '../parts/use-act.ts';

const LIST = '/api/partner/api/withdrawal-requests';

/** Requests a payout, in two steps: what is typed, and what follows from it. */
export function NewWithdrawal({ stores }: { readonly stores: readonly string[] }): ReactNode {
  // Kept while the dialog is open: pressing twice, or again after a lost response, requests once.
  const [key, setKey] = useState<string>();
  const close = () => {
    setKey(undefined);
  };
  return (
    <>
      <Button
        size="xs"
        onClick={() => {
          setKey(crypto.randomUUID());
        }}
      >
        Request a withdrawal
      </Button>
      <Dialog title="Request a withdrawal" opened={key !== undefined} onClose={close}>
        {key === undefined ? null : <Fields stores={stores} requestKey={key} onDone={close} />}
      </Dialog>
    </>
  );
}

const AMOUNT = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/;

function Fields({
  stores,
  requestKey,
  onDone,
}: {
  readonly stores: readonly string[];
  readonly requestKey: string;
  readonly onDone: () => void;
}): ReactNode {
  const [storeId, setStore] = useState(stores[0] ?? '');
  const [amountUsdt, setAmount] = useState('');
  const [beneficiaryRef, setBeneficiary] = useState('');
  const request = useAct<WithdrawalRequest>([[LIST], ['balance']], onDone);
  const isComplete = AMOUNT.test(amountUsdt) && beneficiaryRef !== '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const body = { storeId, amountUsdt, beneficiaryRef };
        if (isComplete) request.mutate({ path: LIST, body, idempotencyKey: requestKey });
      }}
    >
      <Stack gap="sm">
        <NativeSelect
          label="Store"
          value={storeId}
          data={[...stores]}
          onChange={({ currentTarget: { value } }) => {
            setStore(value);
          }}
        />
        <TextInput
          label="Amount, USDT"
          placeholder="100.000000"
          inputMode="decimal"
          autoComplete="off"
          required
          value={amountUsdt}
          error={amountUsdt === '' || AMOUNT.test(amountUsdt) ? null : 'Enter an amount, for example 100.50'}
          onChange={({ currentTarget: { value } }) => {
            setAmount(value.trim());
          }}
        />
        <TextInput
          label="Recipient"
          description="The reference that we agreed on, never a wallet address."
          autoComplete="off"
          required
          value={beneficiaryRef}
          onChange={({ currentTarget: { value } }) => {
            setBeneficiary(value.trim());
          }}
        />
        {isComplete ? (
          <Text size="sm" role="status">
            <strong className="numbers">{grouped(amountUsdt)} USDT</strong> of {storeId} will be reserved for {beneficiaryRef}. People
            review the request and make the transfer.
          </Text>
        ) : null}
        <Fault error={request.error} title="Couldn’t request the withdrawal" />
        <Group justify="end">
          <Button type="submit" loading={request.isPending} disabled={!isComplete}>
            {isComplete ? `Request ${grouped(amountUsdt)} USDT` : 'Request'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
