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
import { t, tx } from '../text.ts';

const pathOf = (id: string) => `/api/gateway/partners/${encodeURIComponent(id)}`;
const keyOfPartner = (id: string) => ['partner', id] as const;

/** One partner, in the order of onboarding: details, keys, callbacks, recipients. */
export function PartnerPage({ id }: { readonly id: string }): ReactNode {
  const partner = useQuery({ queryKey: keyOfPartner(id), queryFn: () => read<Partner>(pathOf(id)) });
  return (
    <Page title={t('Partner {id}', { id })} aside={<Link href="/partners">{t('All partners')}</Link>}>
      {partner.isPending ? <Waiting /> : null}
      <Fault error={partner.error} title={t('Couldn’t load the partner')} />
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
          [t('Name'), name],
          [t('State'), <State key="state" value={status} />],
          [t('Limit'), t('{rate} requests per second, bursts of {burst}', { rate: String(ratePerSecond), burst: String(burst) })],
          [t('Since'), <Moment key="since" at={createdAt} />],
        ]}
      />
      <Fault error={act.error} />
      {may('partners.limit') ? (
        <details className="change">
          <summary>{t('Change the limit')}</summary>
          <TextForm
            key={`${String(ratePerSecond)} ${String(burst)}`}
            button={t('Save')}
            act={limit}
            fields={[
              { name: 'ratePerSecond', label: t('Requests per second'), initial: String(ratePerSecond) },
              { name: 'burst', label: t('Burst size'), initial: String(burst) },
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
            <ConfirmButton label={t('Suspend')} explains={t('All its requests are refused until you resume it.')} onConfirm={change} />
          ) : (
            <Button size="xs" variant="outline" loading={act.isPending} onClick={change}>
              {t('Resume')}
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
  const columns: readonly Column<PartnerKey>[] = [
    { title: t('Fingerprint'), cell: ({ fingerprint }) => <span className="mono">{fingerprint}</span> },
    { title: t('Comment'), cell: ({ comment }) => comment ?? '–' },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    { title: t('Registered by'), cell: ({ registeredBy }) => registeredBy },
    { title: t('Activated by'), cell: ({ activatedBy }) => activatedBy ?? '–' },
    {
      title: t('Actions'),
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
        {t('Keys')}
      </Title>
      <DataTable label={t('Keys')} rows={keys} columns={columns} keyOf={({ keyId }) => keyId} empty={t('No keys yet.')} />
      <Fault error={act.error} />
      {may('keys.register') ? <NewKey partnerID={partnerID} /> : null}
    </Paper>
  );
}

function NewKey({ partnerID }: { readonly partnerID: string }): ReactNode {
  const register = useAct<PartnerKey>([keyOfPartner(partnerID)]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const publicKey = new FormData(event.currentTarget).get('publicKey');
        if (typeof publicKey === 'string') register.mutate({ path: `${pathOf(partnerID)}/keys`, body: { publicKey: publicKey.trim() } });
      }}
    >
      <Textarea
        mt="sm"
        label={t('New key (paste the partner’s OpenSSH public key)')}
        description={t('Another operator activates it after checking the fingerprint with the partner.')}
        placeholder={t('ssh-ed25519 AAAA… comment')}
        name="publicKey"
        required
        autosize
        minRows={2}
      />
      <Fault error={register.error} />
      {register.data === undefined ? null : (
        <Text role="status" size="sm" mt="xs">
          {tx('Registered, not active yet: {fingerprint}', {
            fingerprint: <span className="mono">{register.data.fingerprint}</span>,
          })}
        </Text>
      )}
      <Button type="submit" size="xs" mt="sm" loading={register.isPending}>
        {t('Register the key')}
      </Button>
    </form>
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
          <Text size="xs">{t('needs another operator')}</Text>
        ) : (
          <Button
            size="compact-xs"
            aria-label={`${t('Activate')} ${fingerprint}`}
            onClick={() => {
              onAct('activate');
            }}
          >
            {t('Activate')}
          </Button>
        )
      ) : null}
      {may('keys.revoke') ? (
        <ConfirmButton
          size="compact-xs"
          label={t('Revoke')}
          name={`${t('Revoke')} ${fingerprint}`}
          explains={t('Requests with this key are refused from now on. This can’t be undone.')}
          onConfirm={() => {
            onAct('revoke');
          }}
        />
      ) : null}
    </Group>
  );
}
