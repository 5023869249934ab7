import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Delivery } from '@pay/contract/operator/deliveries.ts';
import { ApiFault, read } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Facts, Fault, Moment } from '../parts/page.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import type { Receiver } from '../types.ts';
import { t, tx } from '../text.ts';

const pathOf = (id: string) => `/api/notifier/partners/${encodeURIComponent(id)}`;

/** The meaning of a receiver's state. */
const STATES: Readonly<Record<string, string>> = {
  NO_ADDRESS: t('the partner has not saved a callbackUrl yet'),
  NO_SECRET: t('the partner has not fetched the callback secret yet'),
  DEAD: t('not responding: probing'),
  REFUSING: t('permanently rejecting callbacks'),
  FAILING: t('the last attempts failed'),
  SLOW: t('slow'),
  HEALTHY: t('healthy'),
};

/** Where a partner's callbacks go, how well that works, and what can be done about it. */
export function Callbacks({ id }: { readonly id: string }): ReactNode {
  const may = useMay();
  const key = ['receiver', id];
  const receiver = useReceiver(id);
  const test = useAct<Delivery>([key]);
  const rotate = useAct([key]);
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        {t('Callbacks')}
      </Title>
      <Fault error={receiver.error} title={t('Couldn’t load the receiver')} />
      {receiver.data === null ? <Text size="sm">{t('The partner has not saved a callbackUrl yet.')}</Text> : null}
      {receiver.data === undefined || receiver.data === null ? null : <ReceiverFacts receiver={receiver.data} />}
      <Group mt="sm">
        <Link href={`/deliveries?partnerId=${encodeURIComponent(id)}`}>{t('Deliveries')}</Link>
        {may('deliveries.test') ? (
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            onClick={() => {
              test.mutate({ path: `${pathOf(id)}/test-callback`, body: {} });
            }}
          >
            {t('Send a test callback')}
          </Button>
        ) : null}
        {may('secrets.rotate') ? (
          <ConfirmButton
            label={t('Rotate secret')}
            explains={t('The partner can then fetch a new callback secret. Both secrets sign for 24 hours, the new one first.')}
            onConfirm={() => {
              rotate.mutate({ path: `${pathOf(id)}/secret-rotation`, body: {} });
            }}
          />
        ) : null}
      </Group>
      <Fault error={test.error} />
      <Fault error={rotate.error} />
      {test.data === undefined ? null : (
        <Text role="status" size="sm" mt="xs">
          {tx('In progress: {link}', {
            link: <Link href={`/deliveries/${test.data.eventId}`}>{test.data.eventId}</Link>,
          })}
        </Text>
      )}
    </Paper>
  );
}

function ReceiverFacts({ receiver }: { readonly receiver: Receiver }): ReactNode {
  return (
    <Facts
      facts={[
        [
          t('Address'),
          <span key="url" className="mono">
            {receiver.callbackUrl ?? '–'}
          </span>,
        ],
        [t('State'), STATES[receiver.state] ?? receiver.state],
        [t('Waiting'), String(receiver.waiting)],
        [t('Failures in a row'), String(receiver.failuresInARow)],
        ...(receiver.keys ?? []).map(
          ({ keyId, issuedAt, expiresAt }) =>
            [
              t('Secret'),
              <span key={keyId}>
                {tx('{key}, issued {moment}', {
                  key: <span className="mono">{keyId}</span>,
                  moment: <Moment at={issuedAt} />,
                })}
                {expiresAt === null ? '' : tx(', signs until {moment}', { moment: <Moment at={expiresAt} /> })}
              </span>,
            ] as const,
        ),
        [
          t('Rotation'),
          receiver.rotationOpenedAt === null ? undefined : (
            <span key="rotation">
              {tx('open since {moment}: the partner fetches a new secret', {
                moment: <Moment at={receiver.rotationOpenedAt} />,
              })}
            </span>
          ),
        ],
      ]}
    />
  );
}

/** Null: the partner has not saved an address yet. */
function useReceiver(id: string): UseQueryResult<Receiver | null> {
  return useQuery({
    queryKey: ['receiver', id],
    queryFn: async () => {
      try {
        return await read<Receiver>(pathOf(id));
      } catch (error) {
        if (error instanceof ApiFault && error.status === 404) return null;
        throw error;
      }
    },
  });
}
