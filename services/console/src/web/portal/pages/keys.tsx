import { Alert, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { PartnerKey } from '@pay/contract/operator/partners.ts';
import { publicLineOfText } from '@pay/signing/key-text.ts';
import { read } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { TextForm } from '../../parts/form.tsx';
import { Fault, Moment, Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../../parts/table.tsx';
import { useAct } from '../../parts/use-act.ts';
import { useSession } from '../session.ts';

type Key = Pick<PartnerKey, 'keyId' | 'comment' | 'fingerprint' | 'status' | 'registeredAt' | 'activatedAt' | 'revokedAt'>;

const KEYS = '/api/keys';

/** The keys that sign the partner's requests and sign-ins. */
export function KeysPage(): ReactNode {
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => read<{ readonly items: readonly Key[] }>(KEYS) });
  return (
    <Page title="Keys">
      {keys.isPending ? <Waiting /> : null}
      <Fault error={keys.error} title="Couldn’t load the keys" />
      {keys.data === undefined ? null : <KeyTable keys={keys.data.items} />}
      <NewKey />
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: readonly Key[] }): ReactNode {
  const { keyId: own } = useSession();
  const revoke = useAct([['keys'], ['session']]);
  const active = keys.filter(({ status }) => status === 'ACTIVE');
  const columns: readonly Column<Key>[] = [
    {
      title: 'Fingerprint',
      cell: ({ fingerprint, keyId }) => (
        <>
          <span className="mono">{fingerprint}</span>
          {keyId === own ? <Text size="xs">You signed in with it</Text> : null}
        </>
      ),
    },
    { title: 'Comment', cell: ({ comment }) => comment ?? '–' },
    { title: 'State', cell: ({ status }) => <State value={status} /> },
    { title: 'Registered', cell: ({ registeredAt }) => <Moment at={registeredAt} /> },
    { title: 'Active since', cell: ({ activatedAt }) => <Moment at={activatedAt} /> },
    {
      title: 'Revoke',
      cell: ({ keyId, status, fingerprint }) =>
        status === 'REVOKED' || (status === 'ACTIVE' && active.length === 1) ? (
          '–'
        ) : (
          <ConfirmButton
            label="Revoke"
            name={`Revoke ${fingerprint}`}
            size="compact-xs"
            explains={`Requests signed with ${fingerprint} are refused within five seconds${keyId === own ? ', and you are signed out' : ''}; an open stream of events ends within a minute. This can’t be undone.`}
            onConfirm={() => {
              revoke.mutate({ path: `${KEYS}/${keyId}/revoke`, body: {} });
            }}
          />
        ),
    },
  ];
  return (
    <>
      <DataTable label="Keys" rows={keys} columns={columns} keyOf={({ keyId }) => keyId} empty="No keys yet." />
      <Fault error={revoke.error} title="Couldn’t revoke the key" />
    </>
  );
}

function faultOf(text: string): Error | undefined {
  try {
    publicLineOfText(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function NewKey(): ReactNode {
  const register = useAct<Key>([['keys']]);
  // A private key that was pasted by mistake does not leave the page.
  const [fault, setFault] = useState<Error>();
  return (
    <Paper withBorder p="md" mt="xl" maw={640} component="section">
      <Title order={2} size="h4" mb="xs">
        New key
      </Title>
      <Text size="sm" mb="sm">
        Paste the public key only. We activate it after comparing its fingerprint with you: read it out to us from the machine that has the
        key.
      </Text>
      <TextForm
        key={register.data?.keyId ?? 'new'}
        fields={[{ name: 'publicKey', label: 'OpenSSH public key', placeholder: 'ssh-ed25519 AAAA… name' }]}
        button="Register key"
        act={fault === undefined ? register : { error: fault, isPending: false }}
        onSubmit={(body) => {
          const wrong = faultOf(body['publicKey'] ?? '');
          setFault(wrong);
          if (wrong === undefined) register.mutate({ path: KEYS, body });
        }}
      />
      {register.data === undefined ? null : (
        <Alert role="status" color="green" variant="light" title="Registered, not active yet" mt="sm">
          Its fingerprint is <span className="mono">{register.data.fingerprint}</span>
        </Alert>
      )}
    </Paper>
  );
}
