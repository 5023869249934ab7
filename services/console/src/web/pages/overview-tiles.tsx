import { SimpleGrid, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DeliveryOverview, PaymentOverview } from '@pay/contract/operator/overview.ts';
import { queryOf } from '../api.ts';
import { age, share, total } from '../format.ts';

/** What a tile shows: a figure, and a line that explains it or links to what was counted. */
type Shown = { readonly value: string; readonly below: ReactNode };

/** The figures of a range. Each waits only for the service that counts it. */
export function Tiles({
  payments,
  deliveries,
  range,
  now,
}: {
  readonly payments: UseQueryResult<PaymentOverview>;
  readonly deliveries: UseQueryResult<DeliveryOverview>;
  readonly range: { readonly from: string; readonly to: string };
  readonly now: number;
}): ReactNode {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <Tile name="Success share" of={payments} show={successShare} />
      <Tile
        name="Paid, RUB"
        of={payments}
        show={({ amount, buckets }) => ({ value: amount, below: `${String(total(buckets, 'created'))} created` })}
      />
      <Tile
        name="Callbacks waiting"
        of={deliveries}
        show={({ waiting: { waiting, oldestAt } }) => ({
          value: String(waiting),
          below:
            oldestAt === null ? (
              'nothing waits'
            ) : (
              <Link href="/deliveries?status=WAITING">oldest for {age(oldestAt, now)}</Link>
            ),
        })}
      />
      <Tile
        name="Callbacks given up"
        of={deliveries}
        show={({ buckets }) => ({ value: String(total(buckets, 'stopped')), below: <GivenUp range={range} /> })}
      />
    </SimpleGrid>
  );
}

function successShare({ buckets }: PaymentOverview): Shown {
  const [completed, failed] = [total(buckets, 'completed'), total(buckets, 'failed')];
  return {
    value: share(completed, completed + failed),
    below: `${String(completed)} of ${String(completed + failed)} that ended`,
  };
}

const GivenUp = ({ range }: { readonly range: { readonly from: string; readonly to: string } }): ReactNode => (
  <>
    <Link href={`/deliveries${queryOf({ status: 'REFUSED', ...range })}`}>refused</Link>{' '}
    <Link href={`/deliveries${queryOf({ status: 'EXHAUSTED', ...range })}`}>exhausted</Link>
  </>
);

/** Grey while its service has not answered; the last known figure stays. */
function Tile<T>({
  name,
  of: { data, error },
  show,
}: {
  readonly name: string;
  readonly of: UseQueryResult<T>;
  readonly show: (data: T) => Shown;
}): ReactNode {
  const { value, below } = data === undefined ? { value: '–', below: 'loading' } : show(data);
  return (
    <div className="tile" data-known={error === null && data !== undefined}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text className="numbers" size="xl" fw={700}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {error === null ? below : error.message}
      </Text>
    </div>
  );
}
