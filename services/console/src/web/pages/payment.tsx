import type { Delivery, DeliveryWithAttempts } from '@pay/contract/operator/deliveries.ts';
import type { LedgerEntry, PaymentReceipt, PaymentRefund, PaymentTimeline, ThreeDSecure } from '@pay/contract/operator/payments.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import { Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { read } from '../api.ts';
import { grouped, words } from '../format.ts';
import { Facts, Fault, Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { reasonOf } from './exception-reason.ts';
import { RefundButton } from './refund.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import type { Page as PageOf } from '../types.ts';
import { t, tx } from '../text.ts';

const amount = (text: string) => <span className="numbers">{grouped(text)}</span>;

const LEDGER: readonly Column<LedgerEntry>[] = [
  { title: t('Kind'), cell: ({ kind }) => words(kind) },
  { title: t('Account'), cell: ({ account }) => words(account) },
  { title: t('Owner'), cell: ({ owner }) => owner },
  { title: t('RUB'), align: 'right', cell: (entry) => amount(entry.amount) },
];

const REFUNDS: readonly Column<PaymentRefund>[] = [
  { title: t('Refund'), cell: ({ refundId }) => <Id>{refundId}</Id> },
  { title: t('State'), cell: ({ status, failureCode }) => <State value={status} more={failureCode} /> },
  { title: t('RUB'), align: 'right', cell: (refund) => amount(refund.amount) },
  { title: t('Reason'), cell: ({ reason }) => reason ?? '–' },
  { title: t('Requested'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** The whole history of one payment on one page. */
export function PaymentPage({ id }: { readonly id: string }): ReactNode {
  const payment = useQuery({
    queryKey: ['payment', id],
    queryFn: () => read<PaymentTimeline>(`/api/payments/payments/${encodeURIComponent(id)}`),
  });
  return (
    <Page title={t('Payment')} aside={<Link href="/payments">{t('All payments')}</Link>}>
      {payment.isPending ? <Waiting /> : null}
      <Fault error={payment.error} title={t('Couldn’t load the payment')} />
      {payment.data === undefined ? null : (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack>
              <PaymentFacts payment={payment.data} />
              <Part title={t('Ledger')}>
                <DataTable
                  label={t('Ledger entries')}
                  rows={payment.data.ledger}
                  columns={LEDGER}
                  keyOf={entryKey}
                  empty={t('No ledger entries yet: they appear once the bank confirms the payment.')}
                />
              </Part>
              <Part title={t('Refunds')} aside={<RefundButton payment={payment.data} />}>
                <DataTable
                  label={t('Refunds')}
                  rows={payment.data.refunds}
                  columns={REFUNDS}
                  keyOf={({ refundId }) => refundId}
                  empty={t('No refunds.')}
                />
              </Part>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Part title={t('What happened')}>
              <Timeline payment={payment.data} />
            </Part>
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}

const entryKey = ({ ledgerTransactionId, account, owner }: LedgerEntry) => `${ledgerTransactionId} ${account} ${owner}`;

function Part({ title, aside, children }: { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}

function PaymentFacts({ payment }: { readonly payment: PaymentTimeline }): ReactNode {
  const code = (text: string | null) => (text === null ? undefined : <span className="mono">{text}</span>);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="md">
        <Text className="numbers" size="xl" fw={700}>
          {grouped(payment.amount)} RUB
        </Text>
        <State value={payment.status} more={payment.failureCode} />
      </Group>
      <Facts
        facts={[
          [
            t('Refunded'),
            <span key="refunded" className="numbers">
              {grouped(payment.refundedAmount)} RUB
            </span>,
          ],
          [t('Method'), words(payment.method)],
          [t('Card'), payment.cardMask ?? undefined],
          ...threeDSecureFacts(payment.threeDSecure, code),
          [t('Receipt'), payment.receipt === null ? undefined : receiptText(payment.receipt)],
          [
            t('Partner'),
            <Link key="partner" href={`/partners/${encodeURIComponent(payment.partnerID)}`}>
              {payment.partnerID}
            </Link>,
          ],
          [t('Point'), payment.paymentPointID],
          [t('Order'), code(maskedDigits(payment.merchantOrderId))],
          [t('Buyer'), maskedDigits(payment.customerId)],
          [t('Purpose'), payment.description],
          [t('Route'), payment.routeId],
          [t('Bank operation'), code(payment.bankOperationId)],
          [t('Ledger transaction'), code(payment.ledgerTransactionId)],
          [
            t('Saved card'),
            payment.bindingId === null ? undefined : (
              <Link key="card" href={`/saved-cards/${payment.bindingId}`} className="mono">
                {payment.bindingId}
              </Link>
            ),
          ],
          [t('Payment'), code(payment.paymentId)],
        ]}
      />
    </Paper>
  );
}

const receiptText = ({ items, contacts }: PaymentReceipt): string =>
  [items === 1 ? t('1 item') : t('{count} items', { count: String(items) }), ...contacts].join(' · ');

const TRANS_STATUSES = {
  Y: t('authenticated'),
  A: t('attempted, with proof'),
  N: t('not authenticated'),
  U: t('could not be performed'),
  R: t('rejected by the issuer'),
  C: t('the buyer is on the issuer’s page, or was last seen there'),
  D: t('the issuer authenticates the buyer by other means'),
  I: t('for information only'),
} as const satisfies Record<NonNullable<ThreeDSecure['transStatus']>, string>;

const LIABILITIES = {
  ISSUER: t('The issuer bears fraud losses'),
  MERCHANT: t('The shop bears fraud losses'),
  UNKNOWN: t('Unknown: the bank did not provide enough data'),
} as const satisfies Record<ThreeDSecure['liability'], string>;

/** How the buyer was authenticated, what that means in a dispute, and the ids that the scheme needs to find it. */
function threeDSecureFacts(told: ThreeDSecure | null, code: (text: string | null) => ReactNode): readonly (readonly [string, ReactNode])[] {
  if (told === null) return [];
  const { version, transStatus, eci } = told;
  const status = transStatus === null ? t('result not reported') : `${transStatus}, ${TRANS_STATUSES[transStatus]}`;
  return [
    [t('3-D Secure'), [version, status, ...(eci === null ? [] : [`ECI ${eci}`])].filter((part) => part !== null).join(' · ')],
    [t('Liability'), LIABILITIES[told.liability]],
    [t('DS transaction'), code(told.dsTransID)],
    [t('3DS Server transaction'), code(told.threeDSServerTransID)],
    [t('ACS transaction'), code(told.acsTransID)],
  ];
}

type Step = { readonly at: string; readonly what: ReactNode };

/** Everything known about the payment, in order: the call, the bank, the books, the callbacks. */
function Timeline({ payment }: { readonly payment: PaymentTimeline }): ReactNode {
  const id = payment.paymentId;
  const events = useQuery({
    queryKey: ['deliveries-of', id],
    queryFn: () => read<PageOf<Delivery>>(`/api/notifier/events?paymentId=${id}&limit=100`),
  });
  const deliveries = useQueries({
    queries: (events.data?.items ?? []).map(({ eventId }) => ({
      queryKey: ['delivery', eventId],
      queryFn: () => read<DeliveryWithAttempts>(`/api/notifier/events/${eventId}`),
    })),
  });
  const told = deliveries.flatMap(({ data }) => (data === undefined ? [] : callbackSteps(data)));
  const steps = [...paymentSteps(payment), ...told].toSorted((a, b) => a.at.localeCompare(b.at));
  return (
    <>
      <Fault error={events.error} title={t('Couldn’t load the callbacks')} />
      <ol className="story">
        {steps.map(({ at, what }, index) => (
          <li key={`${at} ${String(index)}`}>
            <Text size="sm">{what}</Text>
            <Text size="xs">
              <Moment at={at} />
            </Text>
          </li>
        ))}
      </ol>
    </>
  );
}

function paymentSteps(payment: PaymentTimeline): Step[] {
  const { bank, declinedCards, ledger, refunds, returns, exceptions } = payment;
  const step = (at: string | null, what: ReactNode): Step[] => (at === null ? [] : [{ at, what }]);
  const booked = new Map(ledger.map((entry) => [entry.ledgerTransactionId, entry]));
  return [
    ...step(payment.createdAt, t('The partner created the payment')),
    ...declinedCards.flatMap(({ sentAt, declinedAt, cardMask, failureCode }) => [
      ...(failureCode === 'CANCELLED_BY_CUSTOMER'
        ? step(declinedAt, t('The buyer chose another way to pay'))
        : [
            ...step(sentAt, t('The card was sent to the bank')),
            ...step(declinedAt, t('The bank declined the card {card}: {reason}', { card: cardMask ?? '', reason: words(failureCode) })),
          ]),
    ]),
    ...step(bank.cardSentAt, t('The card was sent to the bank')),
    ...step(bank.lastReadAt, t('Bank status last read')),
    ...[...booked.values()].map(({ createdAt, kind }) => ({
      at: createdAt,
      what: t('Ledger: {kind}', { kind: words(kind) }),
    })),
    ...refunds.flatMap((refund) => [
      ...step(refund.createdAt, t('A refund of {amount} RUB was requested', { amount: grouped(refund.amount) })),
      ...step(
        refund.completedAt,
        t('The refund of {amount} RUB is {state}', { amount: grouped(refund.amount), state: words(refund.status) }),
      ),
    ]),
    ...returns.flatMap(({ createdAt, status, amount: returned }) =>
      step(createdAt, t('Late money, {amount} RUB, is being returned: {state}', { amount: grouped(returned), state: words(status) })),
    ),
    ...exceptions.flatMap((exception) =>
      step(exception.createdAt, t('Exception: {kind}. {reason}', { kind: words(exception.kind), reason: reasonOf(exception) })),
    ),
    ...step(payment.updatedAt, t('Status: {state}', { state: words(payment.status) })),
  ];
}

function callbackSteps({ eventId, type, recordedAt, attempts }: DeliveryWithAttempts): Step[] {
  const link = <Link href={`/deliveries/${eventId}`}>{type}</Link>;
  return [
    { at: recordedAt, what: tx('Callback {link} was created', { link }) },
    ...attempts.map(({ startedAt, number, httpStatus, failure, outcome }) => ({
      at: startedAt,
      what: tx('Callback {link} {outcome} ({response}) on attempt {number}', {
        link,
        outcome: words(outcome).toLowerCase(),
        response: httpStatus === null ? failure : String(httpStatus),
        number: String(number),
      }),
    })),
  ];
}
