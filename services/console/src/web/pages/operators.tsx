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
import { said, t } from '../text.ts';

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
      title={t('Operators')}
      aside={
        <Group gap="xs">
          <ExportLink list="operators" action="operators.export" filter={{}} isOnlyCsv />
          <Button
            size="xs"
            onClick={() => {
              setOpen(true);
            }}
          >
            {t('New operator')}
          </Button>
        </Group>
      }
    >
      {operators.isPending || changes.isPending ? <Waiting /> : null}
      <Fault error={operators.error} title={t('Couldn’t load the operators')} />
      <Fault error={changes.error} title={t('Couldn’t load the proposed changes')} />
      <Fault error={change.error} />
      {operators.data === undefined ? null : (
        <DataTable
          label={t('Operators')}
          rows={operators.data.items}
          columns={columns(onChange)}
          keyOf={({ login }) => login}
          empty={t('Nobody.')}
        />
      )}
      {changes.data === undefined ? null : <AccountChanges changes={changes.data.items} operatorsPath={PATH} />}
      <Dialog
        title={t('New operator')}
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
    { title: t('Login'), cell: ({ login }) => login },
    { title: t('Full name'), cell: ({ name }) => name },
    { title: t('Role'), cell: (operator) => <RoleSelect operator={operator} onChange={onChange} /> },
    { title: t('Second factor'), cell: factorsOf },
    { title: t('State'), cell: ({ disabledAt }) => <State value={disabledAt === null ? 'ACTIVE' : 'DISABLED'} /> },
    { title: t('Actions'), cell: (operator) => <Actions operator={operator} onChange={onChange} /> },
  ];
}

function factorsOf({ hasSecondFactor, hasPasskey }: OperatorAccount): string {
  const factors = [...(hasSecondFactor ? [t('app')] : []), ...(hasPasskey ? [t('passkey')] : [])];
  return factors.length === 0 ? t('none') : factors.join(t(' and '));
}

/** Choosing another role asks, then proposes it; the current one stays until another administrator confirms. */
function RoleSelect({ operator, onChange }: { readonly operator: OperatorAccount; readonly onChange: OnChange }): ReactNode {
  const { login } = useSession();
  const [chosen, setChosen] = useState<string>();
  const close = () => {
    setChosen(undefined);
  };
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={t('Role of {name}', { name: operator.name })}
        data={ROLES.map((role) => ({ value: role, label: said(role) }))}
        value={chosen ?? operator.role}
        disabled={operator.login === login}
        onChange={({ currentTarget: { value } }) => {
          setChosen(value === operator.role ? undefined : value);
        }}
      />
      <Dialog title={t('Change the role of {name}?', { name: operator.name })} opened={chosen !== undefined} onClose={close}>
        <Text size="sm">
          {t('{name} ({login}): {role} now, {chosen} once another administrator confirms it. Their sessions end then.', {
            name: operator.name,
            login: operator.login,
            role: said(operator.role),
            chosen: said(chosen ?? ''),
          })}
        </Text>
        <Group justify="end" mt="md">
          <Button variant="default" onClick={close}>
            {t('Back')}
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              onChange(operator.login, 'role', { role: chosen });
              close();
            }}
          >
            {t('Propose role {role}', { role: said(chosen ?? '') })}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}

const ENABLE = t('They can sign in again once another administrator confirms it.');
const RESET = t(
  'The app, backup codes and passkeys stop working once another administrator confirms it. The operator sets up a new second factor at the next sign-in.',
);
const NEW_PASSWORD = t(
  'Another administrator confirms it and sees the new first password. The current password stops working then, and all sessions end.',
);
const UNLOCK = t('They can try their password again at once.');

function Actions({ operator, onChange }: { readonly operator: OperatorAccount; readonly onChange: OnChange }): ReactNode {
  const { login } = useSession();
  if (operator.login === login) return null;
  const propose = (label: string, what: string, explains: string) => (
    <ConfirmButton
      label={label}
      name={t('{act} of {name}', { act: label, name: operator.name })}
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
          label={t('Disable')}
          name={`${t('Disable')} ${operator.name}`}
          size="compact-xs"
          explains={t('All sessions end immediately. Nobody can sign in with this account until two administrators enable it.')}
          onConfirm={() => {
            onChange(operator.login, 'disable');
          }}
        />
      ) : (
        propose(t('Enable account'), 'enable', ENABLE)
      )}
      {operator.hasSecondFactor || operator.hasPasskey ? propose(t('Reset second factor'), 'reset-second-factor', RESET) : null}
      {operator.hasPassword ? propose(t('New password'), 'new-password', NEW_PASSWORD) : null}
      {operator.lockedUntil === null ? null : propose(t('Unlock account'), 'unlock', UNLOCK)}
    </Group>
  );
}

function NewOperator(): ReactNode {
  const propose = useAct<AccountChange>([[CHANGES_PATH]]);
  if (propose.data !== undefined)
    return (
      <Stack role="status">
        <Text>
          {t('{login} is proposed. Another administrator must confirm it, and will see the first password.', {
            login: propose.data.login,
          })}
        </Text>
      </Stack>
    );
  return (
    <TextForm
      button={t('Propose')}
      act={propose}
      fields={[
        {
          name: 'login',
          label: t('Login'),
          description: t('The e-mail address, the same as for company SSO.'),
        },
        { name: 'name', label: t('Full name') },
      ]}
      onSubmit={(body) => {
        propose.mutate({ path: PATH, body });
      }}
    >
      <NativeSelect label={t('Role')} name="role" data={ROLES.map((role) => ({ value: role, label: said(role) }))} />
      <NativeSelect
        label={t('Signs in with')}
        name="signIn"
        data={[
          { value: 'password', label: t('a password') },
          { value: 'company', label: t('company SSO') },
        ]}
      />
    </TextForm>
  );
}
