import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ROLES } from '@pay/shared/operators/roles.ts';
import { read } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useSession } from '../session.ts';
import type { AccountChange, List, OperatorAccount } from '../types.ts';
import { AccountChanges, CHANGES_PATH } from './account-changes.tsx';

const PATH = '/api/operators';

/** The operators, their roles, and the changes proposed for them. */
export function OperatorsPage(): ReactNode {
  const operators = useQuery({ queryKey: [PATH], queryFn: () => read<List<OperatorAccount>>(PATH) });
  const changes = useQuery({ queryKey: [CHANGES_PATH], queryFn: () => read<List<AccountChange>>(CHANGES_PATH) });
  const change = useAct([[PATH], [CHANGES_PATH]]);
  const [isOpen, setOpen] = useState(false);
  const onChange: OnChange = (login, what, body) => {
    change.mutate({ path: `${PATH}/${encodeURIComponent(login)}/${what}`, body });
  };
  return (
    <Page
      title="Operators"
      aside={
        <Group gap="xs">
          <ExportLink file="operators.csv" action="operators.export" filter={{}} />
          <Button
            size="xs"
            onClick={() => {
              setOpen(true);
            }}
          >
            New operator
          </Button>
        </Group>
      }
    >
      {operators.isPending || changes.isPending ? <Waiting /> : null}
      <Fault error={operators.error} title="Couldn’t load the operators" />
      <Fault error={changes.error} title="Couldn’t load the proposed changes" />
      <Fault error={change.error} />
      {operators.data === undefined ? null : (
        <DataTable
          label="Operators"
          rows={operators.data.items}
          columns={columns(onChange)}
          keyOf={({ login }) => login}
          empty="Nobody."
        />
      )}
      {changes.data === undefined ? null : <AccountChanges changes={changes.data.items} operatorsPath={PATH} />}
      <Dialog
        title="New operator"
        opened={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        <NewOperator />
      </Dialog>
    </Page>
  );
}

type OnChange = (login: string, what: string, body?: unknown) => void;

function columns(onChange: OnChange): readonly Column<OperatorAccount>[] {
  return [
    { title: 'Login', cell: ({ login }) => login },
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Role', cell: (operator) => <RoleSelect operator={operator} onChange={onChange} /> },
    { title: 'Second factor', cell: factorsOf },
    { title: 'State', cell: ({ disabledAt }) => <State value={disabledAt === null ? 'ACTIVE' : 'DISABLED'} /> },
    { title: 'Actions', cell: (operator) => <Actions operator={operator} onChange={onChange} /> },
  ];
}

function factorsOf({ hasSecondFactor, hasPasskey }: OperatorAccount): string {
  const factors = [...(hasSecondFactor ? ['app'] : []), ...(hasPasskey ? ['passkey'] : [])];
  return factors.length === 0 ? 'none' : factors.join(' and ');
}

/** Choosing another role asks, then proposes it; the current one stays until another administrator confirms. */
function RoleSelect({
  operator,
  onChange,
}: {
  readonly operator: OperatorAccount;
  readonly onChange: OnChange;
}): ReactNode {
  const { login } = useSession();
  const [chosen, setChosen] = useState<string>();
  const close = () => {
    setChosen(undefined);
  };
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`Role of ${operator.name}`}
        data={[...ROLES]}
        value={chosen ?? operator.role}
        disabled={operator.login === login}
        onChange={({ currentTarget: { value } }) => {
          setChosen(value === operator.role ? undefined : value);
        }}
      />
      <Dialog title={`Change the role of ${operator.name}?`} opened={chosen !== undefined} onClose={close}>
        <Text size="sm">
          {`${operator.name} (${operator.login}): ${operator.role} now, ${chosen ?? ''} once another administrator confirms it. Their sessions end then.`}
        </Text>
        <Group justify="end" mt="md">
          <Button variant="default" onClick={close}>
            Back
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              onChange(operator.login, 'role', { role: chosen });
              close();
            }}
          >
            {`Propose role ${chosen ?? ''}`}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}

const ENABLE = 'They can sign in again once another administrator confirms it.';
const RESET =
  'The app, backup codes and passkeys stop working once another administrator confirms it. They set up a new second factor at the next sign-in.';
const NEW_PASSWORD =
  'Another administrator confirms it and sees the new first password. The current password stops working then, and all sessions end.';
const UNLOCK = 'They can try their password again at once.';

function Actions({
  operator,
  onChange,
}: {
  readonly operator: OperatorAccount;
  readonly onChange: OnChange;
}): ReactNode {
  const { login } = useSession();
  if (operator.login === login) return null;
  const propose = (label: string, what: string, explains: string) => (
    <ConfirmButton
      label={label}
      name={`${label} of ${operator.name}`}
      size="compact-xs"
      color="indigo"
      explains={explains}
      onConfirm={() => {
        onChange(operator.login, what);
      }}
    />
  );
  return (
    <Group gap="xs" wrap="nowrap">
      {operator.disabledAt === null ? (
        <ConfirmButton
          label="Disable"
          name={`Disable ${operator.name}`}
          size="compact-xs"
          explains="All sessions end immediately. Nobody can sign in with this account until two administrators enable it."
          onConfirm={() => {
            onChange(operator.login, 'disable');
          }}
        />
      ) : (
        propose('Enable account', 'enable', ENABLE)
      )}
      {operator.hasSecondFactor || operator.hasPasskey
        ? propose('Reset second factor', 'reset-second-factor', RESET)
        : null}
      {operator.hasPassword ? propose('New password', 'new-password', NEW_PASSWORD) : null}
      {operator.lockedUntil === null ? null : propose('Unlock account', 'unlock', UNLOCK)}
    </Group>
  );
}

function NewOperator(): ReactNode {
  const propose = useAct<AccountChange>([[CHANGES_PATH]]);
  if (propose.data !== undefined)
    return (
      <Stack role="status">
        <Text>
          {propose.data.login} is proposed. Another administrator must confirm it, and will see the first password.
        </Text>
      </Stack>
    );
  return (
    <TextForm
      button="Propose"
      act={propose}
      fields={[
        {
          name: 'login',
          label: 'Login',
          description: 'The e-mail address, the same as for company SSO.',
        },
        { name: 'name', label: 'Name' },
      ]}
      onSubmit={(body) => {
        propose.mutate({ path: PATH, body });
      }}
    >
      <NativeSelect label="Role" name="role" data={[...ROLES]} />
      <NativeSelect
        label="Signs in with"
        name="signIn"
        data={[
          { value: 'password', label: 'a password' },
          { value: 'company', label: 'company SSO' },
        ]}
      />
    </TextForm>
  );
}
