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

const pathOf = (id: string) => `/api/notifier/partners/${encodeURIComponent(id)}`;

/** The meaning of a receiver's state. */
const STATES: Readonly<Record<string, string>> = {
  NO_ADDRESS: 'the partner has not saved a callbackUrl yet',
  NO_SECRET: 'the partner has not fetched the callback secret yet',
  DEAD: 'not responding: probing',
  REFUSING: 'permanently rejecting callbacks',
  FAILING: 'the last attempts failed',
  SLOW: 'slow',
  HEALTHY: 'healthy',
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
        Callbacks
      </Title>
      <Fault error={receiver.error} title="Couldn’t load the receiver" />
      {receiver.data === null ? <Text size="sm">The partner has not saved a callbackUrl yet.</Text> : null}
      {receiver.data === undefined || receiver.data === null ? null : <ReceiverFacts receiver={receiver.data} />}
      <Group mt="sm">
        <Link href={`/deliveries?partnerId=${encodeURIComponent(id)}`}>Deliveries</Link>
        {may('deliveries.test') ? (
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            onClick={() => {
              test.mutate({ path: `${pathOf(id)}/test-callback`, body: {} });
            }}
          >
            Send a test callback
          </Button>
        ) : null}
        {may('secrets.rotate') ? (
          <ConfirmButton
            label="Rotate secret"
            explains="The partner can then fetch a new callback secret. Both secrets sign for 24 hours, the new one first."
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
          In progress: <Link href={`/deliveries/${test.data.eventId}`}>{test.data.eventId}</Link>
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
          'Address',
          <span key="url" className="mono">
            {receiver.callbackUrl ?? '–'}
          </span>,
        ],
        ['State', STATES[receiver.state] ?? receiver.state],
        ['Waiting', String(receiver.waiting)],
        ['Failures in a row', String(receiver.failuresInARow)],
        ...(receiver.keys ?? []).map(
          ({ keyId, issuedAt, expiresAt }) =>
            [
              'Secret',
              <span key={keyId}>
                <span className="mono">{keyId}</span>, issued <Moment at={issuedAt} />
                {expiresAt === null ? (
                  ''
                ) : (
                  <>
                    , signs until <Moment at={expiresAt} />
                  </>
                )}
              </span>,
            ] as const,
        ),
        [
          'Rotation',
          receiver.rotationOpenedAt === null ? undefined : (
            <span key="rotation">
              open since <Moment at={receiver.rotationOpenedAt} />: the partner fetches a new secret
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
