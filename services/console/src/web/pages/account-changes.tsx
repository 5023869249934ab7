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
    { title: 'Account', cell: (change) => change.login },
    { title: 'Change', cell: wordsOf },
    { title: 'State', cell: ({ status }) => <State value={status} /> },
    { title: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
    { title: 'When', cell: ({ proposedAt }) => <Moment at={proposedAt} /> },
    { title: 'Decided by', cell: ({ decidedBy }) => decidedBy ?? '–' },
    {
      title: 'Decision',
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
        Changes that take two administrators
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        New accounts, roles, enabling, and new passwords or second factors take effect when another administrator
        confirms them. For 24 hours, people whose account you created or reset can’t decide together with you.
      </Text>
      <Fault error={decide.error} />
      <DataTable
        label="Changes of accounts"
        rows={changes}
        columns={columns}
        keyOf={({ id }) => id}
        empty="No proposals."
      />
      <Dialog
        title="First password"
        opened={told !== null}
        onClose={() => {
          decide.reset();
        }}
      >
        <Stack role="status">
          <Text size="sm">
            For {decide.data?.login}. It is not shown again, expires after 72 hours, and can only be used to choose
            another one:
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
  const what = `${wordsOf(change)} for ${change.login}`;
  return (
    <Group gap="xs" wrap="nowrap">
      {isOwn ? (
        <Text size="sm">needs another administrator</Text>
      ) : (
        <ConfirmButton
          label="Confirm"
          name={`Confirm ${what}`}
          size="compact-xs"
          color="indigo"
          explains={`${what}, as proposed by ${change.proposedBy}. All sessions of the account end.`}
          onConfirm={() => {
            onDecide('confirm');
          }}
        />
      )}
      <ConfirmButton
        label="Reject"
        name={`Reject ${what}`}
        size="compact-xs"
        explains={`${what} will not happen. It can be proposed again.`}
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
      return `New account as ${role ?? ''}${signIn === 'company' ? ', company sign-in' : ''}`;
    case 'role':
      return `Role ${role ?? ''}`;
    case 'enable':
      return 'Enable';
    case 'reset-second-factor':
      return 'Reset second factor';
    case 'new-password':
      return 'New first password';
  }
}
