import { NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { transferReferenceFault, TRANSFER_NETWORKS, type TransferNetwork } from '@pay/contract/operator/transfer-networks.ts';
import { said, t } from '../text.ts';

const LABELS = {
  TRON: 'TRON (TRC-20)',
  ETHEREUM: 'Ethereum (ERC-20)',
  OTHER: t('Other: the provider’s own number'),
} as const satisfies Record<TransferNetwork, string>;

const EXAMPLES = {
  TRON: t('The transaction hash: 64 hexadecimal digits.'),
  ETHEREUM: t('The transaction hash: 0x and 64 hexadecimal digits.'),
  OTHER: t('As the wallet provider shows it: 6 to 128 letters, digits, dots, hyphens, underscores or colons.'),
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
        label={t('Network')}
        name="network"
        value={network}
        data={TRANSFER_NETWORKS.map((value) => ({ value, label: LABELS[value] }))}
        onChange={({ currentTarget: { value } }) => {
          setNetwork(TRANSFER_NETWORKS.find((one) => one === value) ?? 'TRON');
        }}
      />
      <TextInput
        label={t('Transfer reference')}
        description={EXAMPLES[network]}
        name="transferReference"
        required
        minLength={6}
        maxLength={128}
        autoComplete="off"
        data-autofocus
        value={reference}
        error={hasLeft && reference !== '' && fault !== undefined ? said(`It ${fault}`) : null}
        ref={(input) => {
          // Keeps the form from being sent; the browser says why.
          input?.setCustomValidity(fault === undefined || reference === '' ? '' : said(`It ${fault}`));
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
