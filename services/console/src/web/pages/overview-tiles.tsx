import { SimpleGrid, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DeliveryOverview, PaymentOverview } from '@pay/contract/operator/overview.ts';
import { queryOf } from '../api.ts';
import { age, grouped, share, total } from '../format.ts';
import { t } from '../text.ts';

/** What a tile shows: a figure, and a line that explains it or links to what was counted. */
type Shown = { readonly value: string; readonly below: ReactNode };

type Range = { readonly from: string; readonly to: string };

/** The figures of a range beside those of the one before. Each waits only for the service that counts it. */
export function Tiles({
  payments,
  before,
  deliveries,
  range,
  now,
}: {
  readonly payments: UseQueryResult<PaymentOverview>;
  /** Of a range of the same length that ends where this one begins. */
  readonly before: PaymentOverview | undefined;
  readonly deliveries: UseQueryResult<DeliveryOverview>;
  readonly range: Range;
  readonly now: number;
}): ReactNode {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <Tile
        name={t('Success share')}
        of={payments}
        show={(overview) => {
          const { paid, attempts } = attemptsIn(overview);
          return {
            value: share(paid, attempts),
            below: `${t('{paid} of {attempts} completed attempts', { paid: String(paid), attempts: String(attempts) })}${previously(before, shareIn)}`,
          };
        }}
      />
      <Tile
        name={t('Paid, RUB')}
        of={payments}
        show={({ amount, buckets }) => ({
          value: grouped(amount),
          below: (
            <>
              <PaymentsLink range={range}>{t('{count} created', { count: String(total(buckets, 'created')) })}</PaymentsLink>,{' '}
              <PaymentsLink range={range} status="EXPIRED">
                {t('{count} expired', { count: String(total(buckets, 'expired')) })}
              </PaymentsLink>
              ,{' '}
              <PaymentsLink range={range} status="CANCELLED">
                {t('{count} cancelled', { count: String(total(buckets, 'cancelled')) })}
              </PaymentsLink>
              {previously(before, (earlier) => `${grouped(earlier.amount)} RUB`)}
            </>
          ),
        })}
      />
      <Tile
        name={t('Callbacks waiting')}
        of={deliveries}
        show={({ waiting: { waiting, oldestAt } }) => ({
          value: String(waiting),
          below:
            oldestAt === null ? (
              t('nothing waits')
            ) : (
              <Link href="/deliveries?status=WAITING">{t('oldest for {age}', { age: age(oldestAt, now) })}</Link>
            ),
        })}
      />
      <Tile
        name={t('Callbacks given up')}
        of={deliveries}
        show={({ buckets }) => ({ value: String(total(buckets, 'stopped')), below: <GivenUp range={range} /> })}
      />
    </SimpleGrid>
  );
}

/** Attempts at payment that ended. A session in which nobody tried to pay is none. */
export function attemptsIn({ buckets }: PaymentOverview): { readonly paid: number; readonly attempts: number } {
  const paid = total(buckets, 'completed');
  return { paid, attempts: paid + total(buckets, 'failed') - total(buckets, 'expired') - total(buckets, 'cancelled') };
}

function shareIn(overview: PaymentOverview): string {
  const { paid, attempts } = attemptsIn(overview);
  return share(paid, attempts);
}

const previously = (before: PaymentOverview | undefined, say: (before: PaymentOverview) => string): string =>
  before === undefined ? '' : t('; previous period {figure}', { figure: say(before) });

function PaymentsLink({
  range: { from, to },
  status,
  children,
}: {
  readonly range: Range;
  readonly status?: string;
  readonly children: ReactNode;
}): ReactNode {
  return <Link href={`/payments${queryOf({ status, from, to })}`}>{children}</Link>;
}

const GivenUp = ({ range: { from, to } }: { readonly range: Range }): ReactNode => (
  <>
    <Link href={`/deliveries${queryOf({ status: 'REFUSED', from, to })}`}>{t('view refused')}</Link>,{' '}
    <Link href={`/deliveries${queryOf({ status: 'EXHAUSTED', from, to })}`}>{t('view exhausted')}</Link>
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
  const { value, below } = data === undefined ? { value: '–', below: t('loading') } : show(data);
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
