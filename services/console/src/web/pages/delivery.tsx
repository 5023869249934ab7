import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Attempt, DeliveryWithAttempts } from '@pay/contract/operator/deliveries.ts';
import { read } from '../api.ts';
import { words } from '../format.ts';
import { Facts, Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { refetchEvery } from '../query-client.ts';
import { useMay } from '../session.ts';
import { t } from '../text.ts';

/** Why there are no more attempts, or when the next one is. */
const WHY: Readonly<Record<string, string>> = {
  WAITING: t('An attempt is due, in progress or scheduled.'),
  DELIVERED: t('The receiver confirmed the event with 200.'),
  REFUSED: t('The partner’s server rejected it (4xx), so we stopped retrying. Resend once their server is fixed.'),
  NOT_CONFIGURED: t(
    'The partner had no callback address or secret when the event was recorded, so it is not sent automatically. Resend it if the partner asks for it.',
  ),
  EXHAUSTED: t('All 12 attempts over about 71 hours failed. Resend once the partner’s server works again.'),
};

const COLUMNS: readonly Column<Attempt>[] = [
  { title: t('No.'), align: 'right', cell: ({ number }) => String(number) },
  { title: t('Started'), cell: ({ startedAt }) => <Moment at={startedAt} /> },
  { title: t('Took, ms'), align: 'right', cell: ({ durationMs }) => String(durationMs) },
  {
    title: t('Response'),
    cell: ({ httpStatus, failure }) => (httpStatus === null ? (failure ?? '–') : String(httpStatus)),
  },
  { title: t('Outcome'), cell: ({ outcome }) => words(outcome) },
  { title: t('Signed with'), cell: ({ keyIds }) => <span className="mono">{keyIds.join(', ')}</span> },
  { title: t('Sent by'), cell: ({ resentBy }) => resentBy ?? t('automatically') },
  { title: t('Response (start)'), cell: ({ excerptBase64 }) => <Excerpt base64={excerptBase64} /> },
];

/** While an attempt is due or planned, the page refreshes. */
const SOON_MS = 2_000;

/** One event: the exact bytes, every attempt, and why there are no more. */
export function DeliveryPage({ id }: { readonly id: string }): ReactNode {
  const path = `/api/notifier/events/${encodeURIComponent(id)}`;
  const delivery = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => read<DeliveryWithAttempts>(path),
    refetchInterval: (query) => refetchEvery(query.state.data?.status === 'WAITING' ? SOON_MS : false)(query),
  });
  const may = useMay();
  const resend = useAct([['delivery', id]]);
  const event = delivery.data;
  return (
    <Page title={t('Delivery')} aside={<Link href="/deliveries">{t('All deliveries')}</Link>}>
      {delivery.isPending ? <Waiting /> : null}
      <Fault error={delivery.error} title={t('Couldn’t load the event')} />
      {event === undefined ? null : (
        <Stack>
          <DeliveryFacts event={event} />
          {may('deliveries.resend') && event.status !== 'WAITING' ? (
            <Button
              w="fit-content"
              size="xs"
              loading={resend.isPending}
              onClick={() => {
                resend.mutate({ path: `${path}/resend`, body: {} });
              }}
            >
              {t('Resend')}
            </Button>
          ) : null}
          <Fault error={resend.error} title={t('Couldn’t resend')} />
          <section>
            <Title order={2} size="h4">
              {t('Attempts')}
            </Title>
            <DataTable label={t('Attempts')} rows={event.attempts} columns={COLUMNS} keyOf={keyOf} empty={t('None yet.')} />
          </section>
          <section>
            <Title order={2} size="h4" mb="xs">
              {t('Request body')}
            </Title>
            <pre className="bytes" tabIndex={0}>
              {event.body}
            </pre>
          </section>
        </Stack>
      )}
    </Page>
  );
}

const keyOf = ({ number, startedAt }: Attempt) => `${String(number)} ${startedAt}`;

function Subject({ delivery }: { readonly delivery: DeliveryWithAttempts }): ReactNode {
  const { type, aggregateId } = delivery;
  if (type.startsWith('binding.')) return <span className="mono">{aggregateId}</span>;
  return (
    <Link href={`/payments/${aggregateId}`} className="mono">
      {aggregateId}
    </Link>
  );
}

/** A stranger's server's response, shown as text only. */
function Excerpt({ base64 }: { readonly base64: string | null }): ReactNode {
  if (base64 === null || base64 === '') return '–';
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return (
    <Text size="xs" className="mono">
      {new TextDecoder().decode(bytes).slice(0, 200)}
    </Text>
  );
}

function DeliveryFacts({ event }: { readonly event: DeliveryWithAttempts }): ReactNode {
  return (
    <Facts
      facts={[
        [t('State'), <State key="state" value={event.status} />],
        [t('Why'), WHY[event.status]],
        [t('Type'), event.type],
        [
          t('Partner'),
          <Link key="partner" href={`/partners/${encodeURIComponent(event.partnerId)}`}>
            {event.partnerId}
          </Link>,
        ],
        [t('About'), <Subject key="about" delivery={event} />],
        [t('Version'), String(event.aggregateVersion)],
        [t('Created'), <Moment key="recorded" at={event.recordedAt} />],
        [t('Next attempt'), <Moment key="next" at={event.nextAttemptAt} />],
        [
          t('Event'),
          <span key="event" className="mono">
            {event.eventId}
          </span>,
        ],
      ]}
    />
  );
}
