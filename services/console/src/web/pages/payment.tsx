import type { Delivery, DeliveryWithAttempts } from '@pay/contract/operator/deliveries.ts';
import type {
  LedgerEntry,
  PaymentReceipt,
  PaymentRefund,
  PaymentTimeline,
  ThreeDSecure,
} from '@pay/contract/operator/payments.ts';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import { Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { read } from '../api.ts';
import { grouped, words } from '../format.ts';
import { Facts, Fault, Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { RefundButton } from './refund.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import type { Page as PageOf } from '../types.ts';

const amount = (text: string) => <span className="numbers">{grouped(text)}</span>;

const LEDGER: readonly Column<LedgerEntry>[] = [
  { title: 'Kind', cell: ({ kind }) => words(kind) },
  { title: 'Account', cell: ({ account }) => words(account) },
  { title: 'Owner', cell: ({ owner }) => owner },
  { title: 'RUB', align: 'right', cell: (entry) => amount(entry.amount) },
];

const REFUNDS: readonly Column<PaymentRefund>[] = [
  { title: 'Refund', cell: ({ refundId }) => <Id>{refundId}</Id> },
  { title: 'State', cell: ({ status, failureCode }) => <State value={status} more={failureCode} /> },
  { title: 'RUB', align: 'right', cell: (refund) => amount(refund.amount) },
  { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
  { title: 'Requested', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** The whole history of one payment on one page. */
export function PaymentPage({ id }: { readonly id: string }): ReactNode {
  const payment = useQuery({
    queryKey: ['payment', id],
    queryFn: () => read<PaymentTimeline>(`/api/payments/payments/${encodeURIComponent(id)}`),
  });
  return (
    <Page title="Payment" aside={<Link href="/payments">All payments</Link>}>
      {payment.isPending ? <Waiting /> : null}
      <Fault error={payment.error} title="Couldn’t load the payment" />
      {payment.data === undefined ? null : (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack>
              <PaymentFacts payment={payment.data} />
              <Part title="Ledger">
                <DataTable
                  label="Ledger entries"
                  rows={payment.data.ledger}
                  columns={LEDGER}
                  keyOf={entryKey}
                  empty="No ledger entries yet: they appear once the bank confirms the payment."
                />
              </Part>
              <Part title="Refunds" aside={<RefundButton payment={payment.data} />}>
                <DataTable
                  label="Refunds"
                  rows={payment.data.refunds}
                  columns={REFUNDS}
                  keyOf={({ refundId }) => refundId}
                  empty="No refunds."
                />
              </Part>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Part title="What happened">
              <Timeline payment={payment.data} />
            </Part>
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}

const entryKey = ({ ledgerTransactionId, account, owner }: LedgerEntry) => `${ledgerTransactionId} ${account} ${owner}`;

function Part({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
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
          ['Refunded', amount(`${payment.refundedAmount} RUB`)],
          ['Method', words(payment.method)],
          ['Card', payment.cardMask ?? undefined],
          ...threeDSecureFacts(payment.threeDSecure, code),
          ['Receipt', payment.receipt === null ? undefined : receiptText(payment.receipt)],
          [
            'Partner',
            <Link key="partner" href={`/partners/${encodeURIComponent(payment.partnerID)}`}>
              {payment.partnerID}
            </Link>,
          ],
          ['Point', payment.paymentPointID],
          ['Order', code(maskedDigits(payment.merchantOrderId))],
          ['Buyer', maskedDigits(payment.customerId)],
          ['Purpose', payment.description],
          ['Route', payment.routeId],
          ['Bank operation', code(payment.bankOperationId)],
          ['Ledger transaction', code(payment.ledgerTransactionId)],
          [
            'Saved card',
            payment.bindingId === null ? undefined : (
              <Link key="card" href={`/saved-cards/${payment.bindingId}`} className="mono">
                {payment.bindingId}
              </Link>
            ),
          ],
          ['Payment', code(payment.paymentId)],
        ]}
      />
    </Paper>
  );
}

const receiptText = ({ items, contacts }: PaymentReceipt): string =>
  [`${String(items)} ${items === 1 ? 'item' : 'items'}`, ...contacts].join(' · ');

const TRANS_STATUSES = {
  Y: 'authenticated',
  A: 'attempted, with proof',
  N: 'not authenticated',
  U: 'could not be performed',
  R: 'rejected by the issuer',
  C: 'the buyer is on the issuer’s page, or was last seen there',
  D: 'the issuer authenticates the buyer by other means',
  I: 'for information only',
} as const satisfies Record<NonNullable<ThreeDSecure['transStatus']>, string>;

const LIABILITIES = {
  ISSUER: 'The issuer bears fraud losses',
  MERCHANT: 'The shop bears fraud losses',
  UNKNOWN: 'Unknown: the bank did not provide enough data',
} as const satisfies Record<ThreeDSecure['liability'], string>;

/** How the buyer was authenticated, what that means in a dispute, and the ids that the scheme needs to find it. */
function threeDSecureFacts(
  told: ThreeDSecure | null,
  code: (text: string | null) => ReactNode,
): readonly (readonly [string, ReactNode])[] {
  if (told === null) return [];
  const { version, transStatus, eci } = told;
  const status = transStatus === null ? 'result not reported' : `${transStatus}, ${TRANS_STATUSES[transStatus]}`;
  return [
    [
      '3-D Secure',
      [version, status, ...(eci === null ? [] : [`ECI ${eci}`])].filter((part) => part !== null).join(' · '),
    ],
    ['Liability', LIABILITIES[told.liability]],
    ['DS transaction', code(told.dsTransID)],
    ['3DS Server transaction', code(told.threeDSServerTransID)],
    ['ACS transaction', code(told.acsTransID)],
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
      <Fault error={events.error} title="Couldn’t load the callbacks" />
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
  const { bank, ledger, refunds, returns, exceptions } = payment;
  const step = (at: string | null, what: ReactNode): Step[] => (at === null ? [] : [{ at, what }]);
  const booked = new Map(ledger.map((entry) => [entry.ledgerTransactionId, entry]));
  return [
    ...step(payment.createdAt, 'The partner created the payment'),
    ...step(bank.cardSentAt, 'The card was sent to the bank'),
    ...step(bank.lastReadAt, 'Bank status last read'),
    ...[...booked.values()].map(({ createdAt, kind }) => ({ at: createdAt, what: `Ledger: ${words(kind)}` })),
    ...refunds.flatMap((refund) => [
      ...step(refund.createdAt, `A refund of ${grouped(refund.amount)} RUB was requested`),
      ...step(refund.completedAt, `The refund of ${grouped(refund.amount)} RUB is ${words(refund.status)}`),
    ]),
    ...returns.flatMap(({ createdAt, status, amount: returned }) =>
      step(createdAt, `Late money, ${grouped(returned)} RUB, is being returned: ${words(status)}`),
    ),
    ...exceptions.flatMap(({ createdAt, kind, reason }) => step(createdAt, `Exception: ${kind}, ${reason}`)),
    ...step(payment.updatedAt, `Status: ${words(payment.status)}`),
  ];
}

function callbackSteps({ eventId, type, recordedAt, attempts }: DeliveryWithAttempts): Step[] {
  const link = <Link href={`/deliveries/${eventId}`}>{type}</Link>;
  return [
    { at: recordedAt, what: <>Callback {link} was created</> },
    ...attempts.map(({ startedAt, number, httpStatus, failure, outcome }) => ({
      at: startedAt,
      what: (
        <>
          Callback {link} {words(outcome).toLowerCase()} ({httpStatus === null ? failure : String(httpStatus)}) on
          attempt {String(number)}
        </>
      ),
    })),
  ];
}
