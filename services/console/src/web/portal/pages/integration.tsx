import { Alert, Code, Paper, Space, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CallbackSecret, Endpoints } from '@pay/sdk/types.ts';
import { read } from '../../api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { TextForm } from '../../parts/form.tsx';
import { Facts, Fault, Moment, Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/table.tsx';
import { useAct } from '../../parts/use-act.ts';

const ENDPOINTS = '/api/partner/api/integration/endpoints';

/** Where callbacks are sent and buyers return to, and the secret that signs callbacks. */
export function IntegrationPage(): ReactNode {
  const endpoints = useQuery({ queryKey: ['endpoints'], queryFn: () => read<Endpoints>(ENDPOINTS) });
  return (
    <Page title="Integration">
      {endpoints.isPending ? <Waiting /> : null}
      <Fault error={endpoints.error} title="Couldn’t load the addresses" />
      <Stack maw={640}>
        {endpoints.data === undefined ? null : <Addresses endpoints={endpoints.data} />}
        <Secret />
      </Stack>
    </Page>
  );
}

function Addresses({ endpoints }: { readonly endpoints: Endpoints }): ReactNode {
  const [isSaved, setSaved] = useState(false);
  const save = useAct<Endpoints>(
    [['endpoints']],
    () => {
      setSaved(true);
    },
    'PUT',
  );
  const { callbackUrl, returnUrl, extraEvents, updatedAt } = endpoints;
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        Addresses
      </Title>
      {/* Recreated with what was saved. */}
      <TextForm
        key={updatedAt ?? 'never'}
        fields={[
          {
            name: 'callbackUrl',
            label: 'Callback address',
            description: 'We send events there. It must answer 200 itself, without a redirect.',
            initial: callbackUrl ?? '',
          },
          {
            name: 'returnUrl',
            label: 'Return address',
            description: 'Buyers come back there after paying, unless a payment names another one.',
            initial: returnUrl ?? '',
          },
        ]}
        button="Save addresses"
        act={save}
        onSubmit={(body) => {
          save.mutate({ path: ENDPOINTS, body });
        }}
      />
      {isSaved && save.isSuccess ? (
        <Alert role="status" color="green" variant="light" title="Saved" mt="sm">
          Events go to the new address from now on.
        </Alert>
      ) : null}
      <Space h="md" />
      <Facts
        facts={[
          ['Further events', extraEvents === undefined ? 'none' : extraEvents.join(', ')],
          ['Last saved', <Moment key="at" at={updatedAt} />],
        ]}
      />
    </Paper>
  );
}

function Secret(): ReactNode {
  const issue = useAct<CallbackSecret>([]);
  // One key while the page is open: pressing again after a lost response returns the same secret.
  const [key] = useState(() => crypto.randomUUID());
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        Callback secret
      </Title>
      <Text size="sm" mb="sm">
        Callbacks are signed with it. It is shown once: when you first get it, and again after we opened a rotation at your request. During
        a rotation both secrets sign for 24 hours, the new one first.
      </Text>
      {issue.data === undefined ? (
        <ConfirmButton
          label="Show the secret"
          color="indigo"
          explains="The secret is shown on this page, once. Have your secret store open: nobody can show it again later."
          onConfirm={() => {
            const body = { confirmSecureStorage: true };
            issue.mutate({ path: '/api/partner/api/integration/callback-secret', body, idempotencyKey: key });
          }}
        />
      ) : (
        <Alert role="status" color="green" variant="light" title="Store it now">
          <Facts
            facts={[
              [
                'Secret',
                <Code key="secret" className="mono">
                  {issue.data.secret}
                </Code>,
              ],
              [
                'Key id',
                <span key="id" className="mono">
                  {issue.data.keyId}
                </span>,
              ],
              ['Algorithm', issue.data.algorithm],
              ['Header', issue.data.signatureHeader],
            ]}
          />
        </Alert>
      )}
      <Fault error={issue.error} title="No new secret" />
    </Paper>
  );
}
