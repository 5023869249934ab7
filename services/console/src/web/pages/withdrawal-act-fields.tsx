import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WithdrawalAction } from '@pay/contract/operator/states.ts';
import { t } from '../text.ts';
import { TransferFields } from './transfer-fields.tsx';

/** What an act on a withdrawal request needs beside the request. */
export function ActFields({ act }: { readonly act: WithdrawalAction }): ReactNode {
  switch (act) {
    case 'take':
    case 'approve':
      return null;
    case 'complete':
      return <TransferFields />;
    default:
      return (
        <Textarea
          label={t('Reason')}
          description={t('Visible to the partner.')}
          name="reason"
          required
          maxLength={140}
          autosize
          minRows={2}
          data-autofocus
        />
      );
  }
}
