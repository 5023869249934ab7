import { Alert, Button, Code, List, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toString as renderQr } from 'qrcode';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import { post } from '../api.ts';
import { Facts, Fault, Page } from '../parts/page.tsx';
import { useSession } from '../session.ts';
import { Passkeys } from './account-passkeys.tsx';

/** The operator's own account: password and second factor. */
export function AccountPage(): ReactNode {
  const { login, name, role, hasSecondFactor, mustChangePassword, mustSetUpSecondFactor } = useSession();
  return (
    <Page title="Your account">
      {mustChangePassword ? (
        <Alert color="yellow" title="Choose your own password first" mb="md">
          The one you signed in with was set by an administrator and can’t be used for anything else.
        </Alert>
      ) : null}
      {mustSetUpSecondFactor && !mustChangePassword ? (
        <Alert color="yellow" title="Set up a second factor first" mb="md">
          Set up two-factor sign-in to use the rest of the console.
        </Alert>
      ) : null}
      <Stack gap="lg" maw={640}>
        <Facts
          facts={[
            ['Login', login],
            ['Name', name],
            ['Role', role],
            ['Second factor', hasSecondFactor ? 'in use' : 'none'],
          ]}
        />
        {mustChangePassword ? null : <SecondFactor />}
        {mustChangePassword ? null : <Passkeys />}
        <ChangePassword />
      </Stack>
    </Page>
  );
}

type Enabled = { readonly totpURI: string; readonly backupCodes: readonly string[] };
type Setup = Enabled & { readonly image: string };

function SecondFactor(): ReactNode {
  const { hasSecondFactor } = useSession();
  const [setup, setSetup] = useState<Setup>();
  const client = useQueryClient();
  const begin = useMutation({
    mutationFn: async (password: string) => {
      const enabled = await post<Enabled>('/api/auth/two-factor/enable', { password });
      const svg = await renderQr(enabled.totpURI, { type: 'svg', errorCorrectionLevel: 'M' });
      return { ...enabled, image: `data:image/svg+xml;utf8,${encodeURIComponent(svg)}` };
    },
    onSuccess: setSetup,
  });
  const confirm = useMutation({
    mutationFn: (code: string) => post('/api/auth/two-factor/verify-totp', { code }),
    onSuccess: async () => {
      setSetup(undefined);
      await client.invalidateQueries({ queryKey: ['session'] });
    },
  });
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        Second factor
      </Title>
      {setup === undefined ? (
        <form onSubmit={submit('password', begin.mutate)}>
          <Stack gap="sm" align="start">
            <Text size="sm">
              {hasSecondFactor
                ? 'Setting it up again replaces your app and backup codes.'
                : 'Use an authenticator app that shows six-digit codes.'}
            </Text>
            <PasswordInput label="Your password" name="password" autoComplete="current-password" required w={280} />
            <Fault error={begin.error} />
            <Button type="submit" loading={begin.isPending}>
              {hasSecondFactor ? 'Set up again' : 'Set up'}
            </Button>
          </Stack>
        </form>
      ) : (
        <form onSubmit={submit('code', confirm.mutate)}>
          <Stack gap="sm" align="start">
            <Text size="sm">Scan the QR code with the app, or enter the key.</Text>
            <img src={setup.image} alt="The key as a QR code" width={200} height={200} />
            <Code>{new URL(setup.totpURI).searchParams.get('secret')}</Code>
            <Text size="sm">Backup codes, one use each. Save them now in case you lose your phone:</Text>
            <List size="sm" className="mono">
              {setup.backupCodes.map((code) => (
                <List.Item key={code}>{code}</List.Item>
              ))}
            </List>
            <TextInput label="Code from the app" name="code" autoComplete="one-time-code" required />
            <Fault error={confirm.error} />
            <Button type="submit" loading={confirm.isPending}>
              Turn on
            </Button>
          </Stack>
        </form>
      )}
    </Paper>
  );
}

function ChangePassword(): ReactNode {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (given: { currentPassword: string; newPassword: string }) => post('/api/auth/change-password', given),
    onSuccess: () => client.invalidateQueries({ queryKey: ['session'] }),
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change.mutate({ currentPassword: textOf(form, 'current'), newPassword: textOf(form, 'new') });
    event.currentTarget.reset();
  };
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        Password
      </Title>
      <form onSubmit={onSubmit}>
        <Stack gap="sm" align="start">
          <PasswordInput label="Current password" name="current" autoComplete="current-password" required w={280} />
          <PasswordInput
            label="New password"
            description="At least 12 characters. Your other sessions end."
            name="new"
            autoComplete="new-password"
            minLength={12}
            required
            w={280}
          />
          <Fault error={change.error} />
          {change.isSuccess ? <Text role="status">Password changed.</Text> : null}
          <Button type="submit" loading={change.isPending}>
            Change
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

/** Submits one field of the form. */
function submit(name: string, then: (value: string) => void) {
  return (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    then(textOf(new FormData(event.currentTarget), name));
  };
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
