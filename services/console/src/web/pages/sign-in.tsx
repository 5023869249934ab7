import { Alert, Button, Center, Divider, Paper, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent, type ReactNode } from 'react';
import { ApiFault, post, read } from '../api.ts';
import { LanguageSwitch } from '../parts/language-switch.tsx';
import { Fault } from '../parts/page.tsx';
import { Password } from '../parts/password.tsx';
import { hasPasskeys, signInWithPasskey } from '../passkeys.ts';
import { t } from '../text.ts';

type Answer = { readonly twoFactorRedirect?: boolean; readonly url?: string };

/** Login and password, then the second factor's code if there is one; or the company's own sign-in. */
export function SignInPage(): ReactNode {
  const [step, setStep] = useState<'password' | 'code'>('password');
  const options = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => read<{ company: string | null }>('/api/sign-in-options'),
  });
  useEffect(() => {
    document.title = `${t('Sign in')} · ${t('Payment console')}`;
  }, []);
  return (
    <Center mih="100vh" component="main">
      <Paper withBorder p="xl" w="100%" maw={380}>
        <Title order={1} size="h2" mb="md">
          {t('Payment console')}
        </Title>
        {new URLSearchParams(window.location.search).has('ended') ? (
          <Alert role="status" color="yellow" variant="light" mb="md" title={t('Your session has ended')}>
            {t('Sign in to return to where you were. Anything you hadn’t submitted was not done.')}
          </Alert>
        ) : null}
        {step === 'password' ? (
          <PasswordForm
            onCode={() => {
              setStep('code');
            }}
          />
        ) : (
          <CodeForm />
        )}
        {hasPasskeys() ? <PasskeyButton /> : null}
        {step === 'password' && typeof options.data?.company === 'string' ? <CompanyButton provider={options.data.company} /> : null}
        <Center mt="md">
          <LanguageSwitch />
        </Center>
      </Paper>
    </Center>
  );
}

function PasswordForm({ onCode }: { readonly onCode: () => void }): ReactNode {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: (given: { email: string; password: string }) => post<Answer>('/api/auth/sign-in/email', given),
    onSuccess: async ({ twoFactorRedirect }) => {
      if (twoFactorRedirect === true) onCode();
      else await client.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: textOf(form, 'login'), password: textOf(form, 'password') });
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput label={t('Login')} name="login" type="email" autoComplete="username" required autoFocus />
        <Password label={t('Password')} name="password" autoComplete="current-password" required />
        <Refused error={signIn.error} sentence={t('Wrong login or password.')} />
        <Button type="submit" loading={signIn.isPending}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}

function CodeForm(): ReactNode {
  const client = useQueryClient();
  const verify = useMutation({
    mutationFn: (code: string) =>
      /^\d{6}$/.test(code) ? post('/api/auth/two-factor/verify-totp', { code }) : post('/api/auth/two-factor/verify-backup-code', { code }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['session'] }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        verify.mutate(textOf(new FormData(event.currentTarget), 'code').replaceAll(' ', ''));
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t('Two-factor code')}
          description={t('Six digits from the app, or a backup code.')}
          name="code"
          autoComplete="one-time-code"
          required
          autoFocus
        />
        <Refused error={verify.error} sentence={t('The code is wrong, or has already been used.')} />
        <Button type="submit" loading={verify.isPending}>
          {t('Continue')}
        </Button>
      </Stack>
    </form>
  );
}

/** Beside the password, and instead of the code. */
function PasskeyButton(): ReactNode {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: () => client.invalidateQueries({ queryKey: ['session'] }),
  });
  return (
    <Stack gap="sm" mt="sm">
      <Refused error={signIn.error} sentence={t('This passkey is not accepted.')} />
      <Button
        variant="default"
        fullWidth
        loading={signIn.isPending}
        onClick={() => {
          signIn.mutate();
        }}
      >
        {t('Use a passkey')}
      </Button>
    </Stack>
  );
}

function CompanyButton({ provider }: { readonly provider: string }): ReactNode {
  const go = useMutation({
    mutationFn: () => {
      const next = new URLSearchParams(window.location.search).get('next') ?? '/';
      return post<Answer>('/api/auth/sign-in/social', { provider, callbackURL: next.startsWith('/') ? next : '/' });
    },
    onSuccess: ({ url }) => {
      if (url !== undefined) window.location.assign(url);
    },
  });
  return (
    <>
      <Divider my="md" label={t('or')} />
      <Fault error={go.error} />
      <Button
        variant="default"
        fullWidth
        loading={go.isPending}
        onClick={() => {
          go.mutate();
        }}
      >
        {t('Company sign-in')}
      </Button>
    </>
  );
}

/** What a stranger sees: never whether the login exists. */
function Refused({ error, sentence }: { readonly error: Error | null; readonly sentence: string }): ReactNode {
  const isRefusal = error instanceof ApiFault && (error.status === 401 || error.status === 400);
  return <Fault title={t('Not signed in')} error={isRefusal ? new Error(sentence) : error} />;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
