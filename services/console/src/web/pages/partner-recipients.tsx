import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Beneficiary } from '@pay/contract/operator/usdt-stores.ts';
import { read } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Moment } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay, useSession } from '../session.ts';
import type { List } from '../types.ts';
import { t } from '../text.ts';

/** The recipients of a partner's withdrawals: one person proposes a recipient, another confirms. */
export function Recipients({ id }: { readonly id: string }): ReactNode {
  const path = `/api/withdrawals/partners/${encodeURIComponent(id)}/beneficiaries`;
  const may = useMay();
  const recipients = useQuery({ queryKey: ['beneficiaries', id], queryFn: () => read<List<Beneficiary>>(path) });
  const propose = useAct([['beneficiaries', id]]);
  const decide = useAct([['beneficiaries', id]]);
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        {t('Withdrawal recipients')}
      </Title>
      <Fault error={recipients.error} title={t('Couldn’t load the recipients')} />
      <Fault error={decide.error} title={t('Not decided')} />
      {recipients.data === undefined ? null : (
        <DataTable
          label={t('Recipients')}
          rows={recipients.data.items}
          columns={[
            { title: t('Reference'), cell: ({ beneficiaryRef }) => <span className="mono">{beneficiaryRef}</span> },
            { title: t('Name'), cell: ({ label }) => label },
            { title: t('State'), cell: ({ status }) => <State value={status} /> },
            {
              title: t('Proposed and decided by'),
              cell: (recipient) => <People recipient={recipient} />,
            },
            { title: t('Proposed'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
            {
              title: t('Actions'),
              cell: (recipient) =>
                recipient.status === 'ISSUED' ? (
                  <RevokeRecipient recipient={recipient} />
                ) : (
                  <RecipientActions
                    recipient={recipient}
                    onDecide={(verb) => {
                      decide.mutate({ path: `${pathOf(recipient)}/${verb}` });
                    }}
                  />
                ),
            },
          ]}
          keyOf={({ beneficiaryRef }) => beneficiaryRef}
          empty={t('No recipients yet.')}
        />
      )}
      {may('beneficiaries.propose') ? (
        <TextForm
          button={t('Create reference')}
          act={propose}
          fields={[
            {
              name: 'label',
              label: t('Recipient’s name'),
              description: t('Don’t enter addresses or account numbers here.'),
            },
          ]}
          onSubmit={(body) => {
            propose.mutate({ path, body });
          }}
        />
      ) : null}
    </Paper>
  );
}

function People({ recipient }: { readonly recipient: Beneficiary }): ReactNode {
  const { issuedBy, decidedBy, revokedBy, revokeReason } = recipient;
  return (
    <>
      {issuedBy} <br />
      {decidedBy ?? '–'}
      {revokedBy === null ? null : (
        <>
          <br />
          {t('revoked by {operator}: {reason}', { operator: revokedBy, reason: revokeReason ?? '–' })}
        </>
      )}
    </>
  );
}

const pathOf = ({ beneficiaryRef }: Beneficiary) => `/api/withdrawals/beneficiaries/${encodeURIComponent(beneficiaryRef)}`;

/** One person is enough: it only stops transfers. */
function RevokeRecipient({ recipient }: { readonly recipient: Beneficiary }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  const close = () => {
    setOpen(false);
  };
  const revoke = useAct([['beneficiaries', recipient.partnerID]], close);
  if (!may('beneficiaries.revoke')) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="outline"
        color="red"
        aria-label={`${t('Revoke')} ${recipient.label}`}
        onClick={() => {
          setOpen(true);
        }}
      >
        {t('Revoke')}
      </Button>
      <Dialog title={t('Revoke {recipient}', { recipient: recipient.label })} opened={isOpen} onClose={close}>
        <Text size="sm" mb="sm">
          {t(
            'Withdrawals to {reference} can no longer be requested or approved. This can’t be undone. Mark as failed what is approved and not yet transferred.',
            { reference: recipient.beneficiaryRef },
          )}
        </Text>
        <TextForm
          button={t('Revoke')}
          act={revoke}
          fields={[{ name: 'reason', label: t('Reason for revoking'), description: t('Partners don’t see it.') }]}
          onSubmit={(body) => {
            revoke.mutate({ path: `${pathOf(recipient)}/revoke`, body });
          }}
        />
      </Dialog>
    </>
  );
}

function RecipientActions({
  recipient,
  onDecide,
}: {
  readonly recipient: Beneficiary;
  readonly onDecide: (verb: 'confirm' | 'reject') => void;
}): ReactNode {
  const may = useMay();
  const { login } = useSession();
  if (recipient.status !== 'PROPOSED' || !may('beneficiaries.confirm')) return null;
  return (
    <Group gap="xs">
      {recipient.issuedBy === login ? (
        <Text size="xs">{t('needs another person')}</Text>
      ) : (
        <ConfirmButton
          label={t('Confirm')}
          name={`${t('Confirm')} ${recipient.label}`}
          color="indigo"
          size="compact-xs"
          explains={t('Withdrawals to this recipient can be requested from then on.')}
          onConfirm={() => {
            onDecide('confirm');
          }}
        />
      )}
      <ConfirmButton
        label={t('Reject')}
        name={`${t('Reject')} ${recipient.label}`}
        size="compact-xs"
        explains={t('The reference can never be used.')}
        onConfirm={() => {
          onDecide('reject');
        }}
      />
    </Group>
  );
}
