import { Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Partner, PartnerKey } from '@pay/contract/operator/partners.ts';
import { read } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Facts, Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay, useSession } from '../session.ts';
import { Recipients } from './partner-recipients.tsx';
import { Callbacks } from './partner-callbacks.tsx';
import { Stores } from './partner-stores.tsx';
import { TextForm } from '../parts/form.tsx';

const pathOf = (id: string) => `/api/gateway/partners/${encodeURIComponent(id)}`;
const keyOfPartner = (id: string) => ['partner', id] as const;

/** One partner, in the order of onboarding: details, keys, callbacks, recipients. */
export function PartnerPage({ id }: { readonly id: string }): ReactNode {
  const partner = useQuery({ queryKey: keyOfPartner(id), queryFn: () => read<Partner>(pathOf(id)) });
  return (
    <Page title={`Partner ${id}`} aside={<Link href="/partners">All partners</Link>}>
      {partner.isPending ? <Waiting /> : null}
      <Fault error={partner.error} title="Couldn’t load the partner" />
      {partner.data === undefined ? null : (
        <Stack>
          <Identity partner={partner.data} />
          <Keys partner={partner.data} />
          <Stores id={id} />
          <Callbacks id={id} />
          <Recipients id={id} />
        </Stack>
      )}
    </Page>
  );
}

function Identity({ partner }: { readonly partner: Partner }): ReactNode {
  const { partnerID, name, status, ratePerSecond, burst, createdAt } = partner;
  const may = useMay();
  const act = useAct([keyOfPartner(partnerID)]);
  const limit = useAct([keyOfPartner(partnerID)], undefined, 'PUT');
  const verb = status === 'ACTIVE' ? 'suspend' : 'resume';
  const change = () => {
    act.mutate({ path: `${pathOf(partnerID)}/${verb}` });
  };
  return (
    <Paper withBorder p="md" component="section">
      <Facts
        facts={[
          ['Name', name],
          ['State', <State key="state" value={status} />],
          ['Limit', `${String(ratePerSecond)} requests per second, bursts of ${String(burst)}`],
          ['Since', <Moment key="since" at={createdAt} />],
        ]}
      />
      <Fault error={act.error} />
      {may('partners.limit') ? (
        <details className="change">
          <summary>Change the limit</summary>
          <TextForm
            key={`${String(ratePerSecond)} ${String(burst)}`}
            button="Save"
            act={limit}
            fields={[
              { name: 'ratePerSecond', label: 'Requests per second', initial: String(ratePerSecond) },
              { name: 'burst', label: 'Burst size', initial: String(burst) },
            ]}
            onSubmit={(values) => {
              const body = { ratePerSecond: Number(values['ratePerSecond']), burst: Number(values['burst']) };
              limit.mutate({ path: `${pathOf(partnerID)}/rate-limit`, body });
            }}
          />
        </details>
      ) : null}
      {may(`partners.${verb}`) ? (
        <Group mt="sm">
          {verb === 'suspend' ? (
            <ConfirmButton
              label="Suspend"
              explains="All its requests are refused until you resume it."
              onConfirm={change}
            />
          ) : (
            <Button size="xs" variant="outline" loading={act.isPending} onClick={change}>
              Resume
            </Button>
          )}
        </Group>
      ) : null}
    </Paper>
  );
}

function Keys({ partner }: { readonly partner: Partner }): ReactNode {
  const { partnerID, keys } = partner;
  const may = useMay();
  const act = useAct([keyOfPartner(partnerID)]);
  const register = useAct<PartnerKey>([keyOfPartner(partnerID)]);
  const columns: readonly Column<PartnerKey>[] = [
    { title: 'Fingerprint', cell: ({ fingerprint }) => <span className="mono">{fingerprint}</span> },
    { title: 'Comment', cell: ({ comment }) => comment ?? '–' },
    { title: 'State', cell: ({ status }) => <State value={status} /> },
    { title: 'Registered by', cell: ({ registeredBy }) => registeredBy },
    { title: 'Activated by', cell: ({ activatedBy }) => activatedBy ?? '–' },
    {
      title: 'Actions',
      cell: (key) => (
        <KeyActions
          partnerKey={key}
          onAct={(verb) => {
            act.mutate({ path: `${pathOf(partnerID)}/keys/${key.keyId}/${verb}` });
          }}
        />
      ),
    },
  ];
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        Keys
      </Title>
      <DataTable label="Keys" rows={keys} columns={columns} keyOf={({ keyId }) => keyId} empty="No keys yet." />
      <Fault error={act.error} />
      {may('keys.register') ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const publicKey = new FormData(event.currentTarget).get('publicKey');
            if (typeof publicKey === 'string')
              register.mutate({ path: `${pathOf(partnerID)}/keys`, body: { publicKey: publicKey.trim() } });
          }}
        >
          <Textarea
            mt="sm"
            label="New key (paste the partner’s OpenSSH public key)"
            description="Another operator activates it after checking the fingerprint with the partner."
            placeholder="ssh-ed25519 AAAA… comment"
            name="publicKey"
            required
            autosize
            minRows={2}
          />
          <Fault error={register.error} />
          {register.data === undefined ? null : (
            <Text role="status" size="sm" mt="xs">
              Registered, not active yet: <span className="mono">{register.data.fingerprint}</span>
            </Text>
          )}
          <Button type="submit" size="xs" mt="sm" loading={register.isPending}>
            Register the key
          </Button>
        </form>
      ) : null}
    </Paper>
  );
}

function KeyActions({
  partnerKey,
  onAct,
}: {
  readonly partnerKey: PartnerKey;
  readonly onAct: (verb: 'activate' | 'revoke') => void;
}): ReactNode {
  const { login } = useSession();
  const may = useMay();
  const { status, registeredBy, fingerprint } = partnerKey;
  if (status === 'REVOKED') return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {status === 'REGISTERED' && may('keys.activate') ? (
        registeredBy === login ? (
          <Text size="xs">needs another operator</Text>
        ) : (
          <Button
            size="compact-xs"
            aria-label={`Activate ${fingerprint}`}
            onClick={() => {
              onAct('activate');
            }}
          >
            Activate
          </Button>
        )
      ) : null}
      {may('keys.revoke') ? (
        <ConfirmButton
          size="compact-xs"
          label="Revoke"
          name={`Revoke ${fingerprint}`}
          explains="Requests with this key are refused from now on. This can’t be undone."
          onConfirm={() => {
            onAct('revoke');
          }}
        />
      ) : null}
    </Group>
  );
}
