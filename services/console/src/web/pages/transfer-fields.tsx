import { NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import {
  transferReferenceFault,
  TRANSFER_NETWORKS,
  type TransferNetwork,
} from '@pay/contract/operator/transfer-networks.ts';

const LABELS = {
  TRON: 'TRON (TRC-20)',
  ETHEREUM: 'Ethereum (ERC-20)',
  OTHER: 'Other: the provider’s own number',
} as const satisfies Record<TransferNetwork, string>;

const EXAMPLES = {
  TRON: 'The transaction hash: 64 hexadecimal digits.',
  ETHEREUM: 'The transaction hash: 0x and 64 hexadecimal digits.',
  OTHER: 'As the wallet provider shows it: 6 to 128 letters, digits, dots, hyphens, underscores or colons.',
} as const satisfies Record<TransferNetwork, string>;

/** Which transfer paid the request. What is typed is checked for its network, here and by the service. */
export function TransferFields(): ReactNode {
  const [network, setNetwork] = useState<TransferNetwork>('TRON');
  const [reference, setReference] = useState('');
  const [hasLeft, setLeft] = useState(false);
  const fault = transferReferenceFault(reference.trim(), network);
  return (
    <>
      <NativeSelect
        label="Network"
        name="network"
        value={network}
        data={TRANSFER_NETWORKS.map((value) => ({ value, label: LABELS[value] }))}
        onChange={({ currentTarget: { value } }) => {
          setNetwork(TRANSFER_NETWORKS.find((one) => one === value) ?? 'TRON');
        }}
      />
      <TextInput
        label="Transfer reference"
        description={EXAMPLES[network]}
        name="transferReference"
        required
        minLength={6}
        maxLength={128}
        autoComplete="off"
        data-autofocus
        value={reference}
        error={hasLeft && reference !== '' && fault !== undefined ? `It ${fault}` : null}
        ref={(input) => {
          // Keeps the form from being sent; the browser says why.
          input?.setCustomValidity(fault === undefined || reference === '' ? '' : `It ${fault}`);
        }}
        onChange={({ currentTarget: { value } }) => {
          setReference(value);
        }}
        onBlur={() => {
          setLeft(true);
        }}
      />
    </>
  );
}
