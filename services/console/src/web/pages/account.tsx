import { Alert, Button, Code, List, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toString as renderQr } from 'qrcode';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import { post } from '../api.ts';
import { Facts, Fault, Page } from '../parts/page.tsx';
import { Password } from '../parts/password.tsx';
import { useSession } from '../session.ts';
import { Passkeys } from './account-passkeys.tsx';
import { said, t } from '../text.ts';

/** The operator's own account: password and second factor. */
export function AccountPage(): ReactNode {
  const { login, name, role, hasSecondFactor, mustChangePassword, mustSetUpSecondFactor } = useSession();
  return (
    <Page title={t('Your account')}>
      {mustChangePassword ? (
        <Alert color="yellow" title={t('Choose your own password first')} mb="md">
          {t('The one you signed in with was set by an administrator and can’t be used for anything else.')}
        </Alert>
      ) : null}
      {mustSetUpSecondFactor && !mustChangePassword ? (
        <Alert color="yellow" title={t('Set up a second factor first')} mb="md">
          {t('Set up two-factor sign-in to use the rest of the console.')}
        </Alert>
      ) : null}
      <Stack gap="lg" maw={640}>
        <Facts
          facts={[
            [t('Login'), login],
            [t('Full name'), name],
            [t('Role'), said(role)],
            [t('Second factor'), hasSecondFactor ? t('in use') : t('none')],
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
        {t('Second factor')}
      </Title>
      {setup === undefined ? (
        <form onSubmit={submit('password', begin.mutate)}>
          <Stack gap="sm" align="start">
            <Text size="sm">
              {hasSecondFactor
                ? t('Setting it up again replaces your app and backup codes.')
                : t('Use an authenticator app that shows six-digit codes.')}
            </Text>
            <Password label={t('Your password')} name="password" autoComplete="current-password" required w="100%" maw={280} />
            <Fault error={begin.error} />
            <Button type="submit" loading={begin.isPending}>
              {hasSecondFactor ? t('Set up again') : t('Set up')}
            </Button>
          </Stack>
        </form>
      ) : (
        <form onSubmit={submit('code', confirm.mutate)}>
          <Stack gap="sm" align="start">
            <Text size="sm">{t('Scan the QR code with the app, or enter the key.')}</Text>
            <img src={setup.image} alt={t('The key as a QR code')} width={200} height={200} />
            <Code>{new URL(setup.totpURI).searchParams.get('secret')}</Code>
            <Text size="sm">{t('Backup codes, one use each. Save them now in case you lose your phone:')}</Text>
            <List size="sm" className="mono">
              {setup.backupCodes.map((code) => (
                <List.Item key={code}>{code}</List.Item>
              ))}
            </List>
            <TextInput label={t('Code from the app')} name="code" autoComplete="one-time-code" required />
            <Fault error={confirm.error} />
            <Button type="submit" loading={confirm.isPending}>
              {t('Turn on')}
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
        {t('Password')}
      </Title>
      <form onSubmit={onSubmit}>
        <Stack gap="sm" align="start">
          <Password label={t('Current password')} name="current" autoComplete="current-password" required w="100%" maw={280} />
          <Password
            label={t('New password')}
            description={t('At least 12 characters. Your other sessions end.')}
            name="new"
            autoComplete="new-password"
            minLength={12}
            required
            w="100%"
            maw={280}
          />
          <Fault error={change.error} />
          {change.isSuccess ? <Text role="status">{t('Password changed.')}</Text> : null}
          <Button type="submit" loading={change.isPending}>
            {t('Change')}
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
