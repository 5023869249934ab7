import { Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Fault, Moment } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useSession } from '../session.ts';
import type { AccountChange } from '../types.ts';
import { said, t } from '../text.ts';

/** API path of proposed account changes. */
export const CHANGES_PATH = '/api/account-changes';

type Confirmed = AccountChange & { readonly password: string | null };

/** Proposed account changes: a different administrator from the proposer confirms them. */
export function AccountChanges({
  changes,
  operatorsPath,
}: {
  readonly changes: readonly AccountChange[];
  readonly operatorsPath: string;
}): ReactNode {
  const { login } = useSession();
  const decide = useAct<Confirmed>([[CHANGES_PATH], [operatorsPath]]);
  const told = decide.data?.password ?? null;
  const columns: readonly Column<AccountChange>[] = [
    { title: t('Account'), cell: (change) => change.login },
    { title: t('Change'), cell: wordsOf },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    { title: t('Proposed by'), cell: ({ proposedBy }) => proposedBy },
    { title: t('When'), cell: ({ proposedAt }) => <Moment at={proposedAt} /> },
    { title: t('Decided by'), cell: ({ decidedBy }) => decidedBy ?? '–' },
    {
      title: t('Decision'),
      cell: (change) =>
        change.status === 'PROPOSED' ? (
          <Decision
            change={change}
            isOwn={login === change.proposedBy || login === change.login}
            onDecide={(decision) => {
              decide.mutate({ path: `${CHANGES_PATH}/${change.id}/${decision}` });
            }}
          />
        ) : null,
    },
  ];
  return (
    <section aria-labelledby="account-changes">
      <Title order={2} size="h4" mt="xl" mb="xs" id="account-changes">
        {t('Changes that need two administrators')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(
          'New accounts, roles, enabling, and new passwords or second factors take effect when another administrator confirms them. For 24 hours, you and anyone whose account you created or reset can’t confirm each other’s proposals.',
        )}
      </Text>
      <Fault error={decide.error} />
      <DataTable label={t('Changes of accounts')} rows={changes} columns={columns} keyOf={({ id }) => id} empty={t('No proposals.')} />
      <Dialog
        title={t('First password')}
        opened={told !== null}
        onClose={() => {
          decide.reset();
        }}
      >
        <Stack role="status">
          <Text size="sm">
            {t('For {login}. It is not shown again, expires after 72 hours, and can only be used to choose another one:', {
              login: decide.data?.login ?? '',
            })}
          </Text>
          <Code>{told}</Code>
        </Stack>
      </Dialog>
    </section>
  );
}

function Decision({
  change,
  isOwn,
  onDecide,
}: {
  readonly change: AccountChange;
  readonly isOwn: boolean;
  readonly onDecide: (decision: 'confirm' | 'reject') => void;
}): ReactNode {
  const what = t('{change} for {login}', { change: wordsOf(change), login: change.login });
  return (
    <Group gap="xs" wrap="nowrap">
      {isOwn ? (
        <Text size="sm">{t('needs another administrator')}</Text>
      ) : (
        <ConfirmButton
          label={t('Confirm')}
          name={`${t('Confirm')} ${what}`}
          size="compact-xs"
          color="indigo"
          explains={t('{what}, as proposed by {operator}. All sessions of the account end.', {
            what,
            operator: change.proposedBy,
          })}
          onConfirm={() => {
            onDecide('confirm');
          }}
        />
      )}
      <ConfirmButton
        label={t('Reject')}
        name={`${t('Reject')} ${what}`}
        size="compact-xs"
        explains={t('{what} will not happen. It can be proposed again.', { what })}
        onConfirm={() => {
          onDecide('reject');
        }}
      />
    </Group>
  );
}

function wordsOf({ kind, role, signIn }: AccountChange): string {
  switch (kind) {
    case 'create':
      return signIn === 'company'
        ? t('New account as {role}, company sign-in', { role: said(role ?? '') })
        : t('New account as {role}', { role: said(role ?? '') });
    case 'role':
      return t('Role {role}', { role: said(role ?? '') });
    case 'enable':
      return t('Enable');
    case 'reset-second-factor':
      return t('Reset second factor');
    case 'new-password':
      return t('New first password');
  }
}
