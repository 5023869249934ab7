import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import type { CallbackEvent, CallbackEventStory, CardPayment, QrPayment, Refund } from '@pay/sdk/types.ts';
import { read } from '../../api.ts';
import { words } from '../../format.ts';
import { Facts, Fault, Moment, Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { Waiting } from '../../parts/table.tsx';
import type { Page as PageOf } from '../../types.ts';
import { rubles } from '../format.ts';
import { RefundButton } from '../refund.tsx';

type Payment = CardPayment | QrPayment;

/** One payment: what it is, its refunds, and everything that happened to it, callbacks among it. */
export function PaymentPage({ method, id }: { readonly method: 'card' | 'qr'; readonly id: string }): ReactNode {
  const path = `/api/partner/api/${method}/${encodeURIComponent(id)}`;
  const payment = useQuery({ queryKey: ['payment', id], queryFn: () => read<Payment>(path) });
  const refunds = useQuery({
    queryKey: ['refunds-of', id],
    queryFn: () => read<PageOf<Refund>>(`${path}/refunds?limit=100`),
  });
  return (
    <Page title="Payment" aside={<Link href={method === 'card' ? '/payments' : '/payments?show=qr'}>All payments</Link>}>
      {payment.isPending ? <Waiting /> : null}
      <Fault error={payment.error} title="Couldn’t load the payment" />
      {payment.data === undefined ? null : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <Stack>
            <About payment={payment.data} />
            {refunds.data === undefined ? null : (
              <Group>
                <RefundButton path={path} payment={payment.data} refunds={refunds.data.items} />
              </Group>
            )}
          </Stack>
          <section>
            <Title order={2} size="h4" mb="xs">
              What happened
            </Title>
            <Fault error={refunds.error} title="Couldn’t load the refunds" />
            <Story payment={payment.data} refunds={refunds.data?.items ?? []} />
          </section>
        </SimpleGrid>
      )}
    </Page>
  );
}

function About({ payment }: { readonly payment: Payment }): ReactNode {
  const isCard = payment.paymentMethod !== 'SBP_DYNAMIC_QR';
  return (
    <Paper withBorder p="md" h="fit-content">
      <Group justify="space-between" mb="md">
        <Text className="numbers" size="xl" fw={700}>
          {rubles(payment.amount)} RUB
        </Text>
        <State value={payment.status} more={payment.failureCode ?? null} />
      </Group>
      <Facts
        facts={[
          ['Refunded', `${rubles(payment.refundedAmount)} RUB`],
          ['Method', words(payment.paymentMethod)],
          ['Order', isCard ? mono(maskedDigits(payment.orderID)) : undefined],
          ['Buyer', isCard ? maskedDigits(payment.customerID) : undefined],
          ['Purpose', isCard ? payment.description : undefined],
          ['Reason', payment.statusReason],
          ['Point', payment.paymentPointID],
          ['Saved card', isCard && payment.bindingId !== undefined ? mono(payment.bindingId) : undefined],
          ['Bank operation', payment.bankOperationId === null ? undefined : mono(payment.bankOperationId)],
          ['Session ends', <Moment key="expires" at={payment.expiresAt} />],
          ['Payment', mono(payment.id)],
        ]}
      />
    </Paper>
  );
}

const mono = (text: string): ReactNode => <span className="mono">{text}</span>;

type Step = { readonly at: string; readonly what: ReactNode };

/** Everything that the API knows of the payment, oldest first. */
function Story({ payment, refunds }: { readonly payment: Payment; readonly refunds: readonly Refund[] }): ReactNode {
  const events = useQuery({
    queryKey: ['events-of', payment.id],
    queryFn: () => read<PageOf<CallbackEvent>>(`/api/partner/api/events?objectId=${payment.id}&limit=100`),
  });
  const told = useQueries({
    queries: (events.data?.items ?? []).map(({ eventId }) => ({
      queryKey: ['callback', eventId],
      queryFn: () => read<CallbackEventStory>(`/api/partner/api/events/${eventId}`),
    })),
  });
  const steps: Step[] = [
    { at: payment.createdAt, what: 'Created' },
    { at: payment.updatedAt, what: `Status: ${words(payment.status)}` },
    ...refunds.flatMap(refundSteps),
    ...told.flatMap(({ data }) => (data === undefined ? [] : callbackSteps(data))),
  ];
  return (
    <Stack gap="xs">
      <Fault error={events.error} title="Couldn’t load the callbacks" />
      <ol className="story">
        {steps
          .toSorted((a, b) => a.at.localeCompare(b.at))
          .map(({ at, what }, index) => (
            <li key={`${at} ${String(index)}`}>
              <Text size="sm">{what}</Text>
              <Text size="xs">
                <Moment at={at} />
              </Text>
            </li>
          ))}
      </ol>
    </Stack>
  );
}

function refundSteps({ amount, status, createdAt, completedAt, updatedAt }: Refund): Step[] {
  const requested = { at: createdAt, what: `A refund of ${rubles(amount)} RUB was requested` };
  if (status === 'PENDING') return [requested];
  const what = `The refund of ${rubles(amount)} RUB ${status === 'COMPLETED' ? 'was completed' : 'failed'}`;
  return [requested, { at: completedAt ?? updatedAt, what }];
}

function callbackSteps({ eventId, type, recordedAt, attempts }: CallbackEventStory): Step[] {
  const link = <Link href={`/callbacks/${eventId}`}>{type}</Link>;
  return [
    { at: recordedAt, what: <>Callback {link} was created</> },
    ...attempts.map(({ startedAt, number, httpStatus, failure, outcome }) => ({
      at: startedAt,
      what: (
        <>
          Callback {link} {words(outcome).toLowerCase()} ({httpStatus === null ? failure : String(httpStatus)}) on attempt {String(number)}
        </>
      ),
    })),
  ];
}
