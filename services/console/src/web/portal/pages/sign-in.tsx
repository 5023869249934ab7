import { Alert, Button, Center, Code, Input, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiFault, post } from '../../api.ts';
import { Fault } from '../../parts/page.tsx';
import { signWithKeyFile } from '../key-file.ts';

type Challenge = { readonly challengeId: string; readonly text: string; readonly expiresAt: string };

/** Proves who somebody is with the partner's key: signed in this page, or on their own machine. */
export function SignInPage(): ReactNode {
  const [partnerID, setPartnerID] = useState('');
  useEffect(() => {
    document.title = 'Sign in · Partner portal';
  }, []);
  return (
    <Center mih="100vh" component="main" p="md">
      <Paper withBorder p="xl" w="100%" maw={460}>
        <Title order={1} size="h2" mb="md">
          Partner portal
        </Title>
        {new URLSearchParams(window.location.search).has('ended') ? (
          <Alert role="status" color="yellow" variant="light" mb="md" title="Your session has ended">
            Sign in to return to where you were. What you had not sent was not done.
          </Alert>
        ) : null}
        <Stack gap="sm">
          <TextInput
            label="Partner ID"
            value={partnerID}
            autoComplete="username"
            required
            autoFocus
            onChange={({ currentTarget: { value } }) => {
              setPartnerID(value);
            }}
          />
          <SignInForms partnerID={partnerID.trim()} />
        </Stack>
      </Paper>
    </Center>
  );
}

type Props = { readonly partnerID: string; readonly onSignedIn?: () => void };

/** Both ways to sign in as a partner. */
export function SignInForms(props: Props): ReactNode {
  return (
    <>
      <KeyFileForm {...props} />
      <details className="change">
        <summary>Sign on your own machine instead</summary>
        <OwnMachineForm {...props} />
      </details>
    </>
  );
}

/** What follows a sign-in: the pages ask again who is signed in. */
function useSignedIn(onSignedIn: (() => void) | undefined): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ['session'] });
    onSignedIn?.();
  };
}

function KeyFileForm({ partnerID, onSignedIn }: Props): ReactNode {
  const signedIn = useSignedIn(onSignedIn);
  const [file, setFile] = useState<File>();
  const signIn = useMutation({
    mutationFn: async (key: File) => {
      const challenge = await challengeFor(partnerID);
      const signature = await signWithKeyFile(key, challenge.text);
      await post('/api/sessions', { challengeId: challenge.challengeId, signature });
    },
    onSuccess: signedIn,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== undefined) signIn.mutate(file);
      }}
    >
      <Stack gap="sm">
        <Input.Wrapper id="key-file" label="Private key file" description="It stays in this browser: only a signature is sent." required>
          <input
            id="key-file"
            type="file"
            accept=".pem,.key,.txt"
            aria-describedby="key-file-description"
            onChange={({ currentTarget: { files } }) => {
              setFile(files?.[0]);
            }}
          />
        </Input.Wrapper>
        <Refused error={signIn.error} />
        <Button type="submit" loading={signIn.isPending} disabled={partnerID === '' || file === undefined}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function OwnMachineForm({ partnerID, onSignedIn }: Props): ReactNode {
  const signedIn = useSignedIn(onSignedIn);
  const challenge = useMutation({ mutationFn: () => challengeFor(partnerID) });
  const signIn = useMutation({
    mutationFn: (signature: string) => post('/api/sessions', { challengeId: challenge.data?.challengeId, signature: signature.trim() }),
    onSuccess: signedIn,
    // It was used up: the next attempt needs another one.
    onError: () => {
      challenge.reset();
    },
  });
  if (challenge.data === undefined)
    return (
      <Stack gap="sm">
        <Text size="sm">You get a text, sign it with the command line within five minutes, and paste the signature.</Text>
        <Refused error={challenge.error ?? signIn.error} />
        <Button
          variant="default"
          disabled={partnerID === ''}
          loading={challenge.isPending}
          onClick={() => {
            challenge.mutate();
          }}
        >
          Get the text to sign
        </Button>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const signature = new FormData(event.currentTarget).get('signature');
        if (typeof signature === 'string') signIn.mutate(signature);
      }}
    >
      <Stack gap="sm">
        <Text size="sm">Run this where the key is:</Text>
        <Code block className="bytes" tabIndex={0}>
          pay portal sign {challenge.data.text}
        </Code>
        <TextInput label="Signature" name="signature" autoComplete="off" required />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** A text to sign. @throws Error unless it is one to sign in here, as this partner */
async function challengeFor(partnerID: string): Promise<Challenge> {
  const challenge = await post<Challenge>('/api/challenges', { partnerID });
  if (challenge.text.startsWith(`pay-portal-sign-in ${window.location.origin} ${partnerID} `)) return challenge;
  throw new Error('The server asked for a signature of something else. Nothing was signed.');
}

/** What a stranger sees: never whether the partner exists. */
function Refused({ error }: { readonly error: Error | null }): ReactNode {
  const isRefusal = error instanceof ApiFault && error.status === 401;
  const sentence = 'The partner ID and the key don’t belong together, or the key isn’t active.';
  return <Fault title="Not signed in" error={isRefusal ? new Error(sentence) : error} />;
}
