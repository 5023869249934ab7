import { Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ROLES } from '../../domain/roles.ts';
import { read } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useSession } from '../session.ts';
import type { List, OperatorAccount } from '../types.ts';

const PATH = '/api/operators';

/** Who works here, as what. A change ends the sessions of whom it is about. */
export function OperatorsPage(): ReactNode {
  const operators = useQuery({ queryKey: [PATH], queryFn: () => read<List<OperatorAccount>>(PATH) });
  const change = useAct([[PATH]]);
  const [isOpen, setOpen] = useState(false);
  const onChange: OnChange = (login, what, body) => {
    change.mutate({ path: `${PATH}/${encodeURIComponent(login)}/${what}`, body });
  };
  return (
    <Page
      title="Operators"
      aside={
        <Button
          size="xs"
          onClick={() => {
            setOpen(true);
          }}
        >
          New operator
        </Button>
      }
    >
      {operators.isPending ? <Waiting /> : null}
      <Fault error={operators.error} title="The operators could not be read" />
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
    { title: 'Second factor', cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'in use' : 'none') },
    { title: 'State', cell: ({ disabledAt }) => <State value={disabledAt === null ? 'ACTIVE' : 'DISABLED'} /> },
    { title: 'Actions', cell: (operator) => <Actions operator={operator} onChange={onChange} /> },
  ];
}

function RoleSelect({
  operator,
  onChange,
}: {
  readonly operator: OperatorAccount;
  readonly onChange: OnChange;
}): ReactNode {
  const { login } = useSession();
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${operator.name}`}
      data={[...ROLES]}
      value={operator.role}
      disabled={operator.login === login}
      onChange={({ currentTarget: { value } }) => {
        onChange(operator.login, 'role', { role: value });
      }}
    />
  );
}

function Actions({
  operator,
  onChange,
}: {
  readonly operator: OperatorAccount;
  readonly onChange: OnChange;
}): ReactNode {
  const { login } = useSession();
  if (operator.login === login) return null;
  const verb = operator.disabledAt === null ? 'disable' : 'enable';
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="outline"
        color={verb === 'disable' ? 'red' : 'indigo'}
        aria-label={`${verb} ${operator.name}`}
        onClick={() => {
          onChange(operator.login, verb);
        }}
      >
        {verb === 'disable' ? 'Disable' : 'Enable'}
      </Button>
      {operator.hasSecondFactor ? (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Reset second factor of ${operator.name}`}
          onClick={() => {
            onChange(operator.login, 'reset-second-factor');
          }}
        >
          Reset second factor
        </Button>
      ) : null}
    </Group>
  );
}

function NewOperator(): ReactNode {
  const create = useAct<OperatorAccount & { password: string | null }>([[PATH]]);
  if (create.data !== undefined)
    return (
      <Stack role="status">
        <Text>
          {create.data.login} is {create.data.role}.
        </Text>
        {create.data.password === null ? null : (
          <>
            <Text size="sm">The first password. It is not shown again:</Text>
            <Code>{create.data.password}</Code>
          </>
        )}
      </Stack>
    );
  return (
    <TextForm
      button="Create"
      act={create}
      fields={[
        { name: 'login', label: 'Login', description: 'The e-mail address, also that of the company’s own sign-in.' },
        { name: 'name', label: 'Name' },
      ]}
      onSubmit={(body) => {
        create.mutate({ path: PATH, body });
      }}
    >
      <NativeSelect label="Role" name="role" data={[...ROLES]} />
      <NativeSelect
        label="Signs in with"
        name="signIn"
        data={[
          { value: 'password', label: 'a password' },
          { value: 'company', label: 'the company’s own sign-in' },
        ]}
      />
    </TextForm>
  );
}
