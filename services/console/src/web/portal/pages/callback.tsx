import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CallbackEventStory } from '@pay/sdk/types.ts';
import { read } from '../../api.ts';
import { words } from '../../format.ts';
import { Facts, Fault, Moment, Page } from '../../parts/page.tsx';
import { State } from '../../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../../parts/table.tsx';
import { useAct } from '../../parts/use-act.ts';
import { refetchEvery } from '../../query-client.ts';

type Attempt = CallbackEventStory['attempts'][number];

/** Why there are no more attempts, or when the next one is. */
const WHY: Readonly<Record<CallbackEventStory['status'], string>> = {
  WAITING: 'An attempt is due, in progress or scheduled.',
  DELIVERED: 'Your server confirmed it with 200.',
  REFUSED: 'Your server rejected it (4xx), so we stopped retrying. Resend it once your server is fixed.',
  NOT_CONFIGURED: 'There was no callback address or secret yet, or the event was not enabled. Resend it to get it.',
  EXHAUSTED: 'All attempts failed. Resend it once your server works again.',
};

const COLUMNS: readonly Column<Attempt>[] = [
  { title: 'No.', align: 'right', cell: ({ number }) => String(number) },
  { title: 'Started', cell: ({ startedAt }) => <Moment at={startedAt} /> },
  { title: 'Took, ms', align: 'right', cell: ({ durationMs }) => String(durationMs) },
  {
    title: 'Response',
    cell: ({ httpStatus, failure }) => (httpStatus === null ? (failure ?? '–') : String(httpStatus)),
  },
  { title: 'Outcome', cell: ({ outcome }) => words(outcome) },
  { title: 'Signed with', cell: ({ keyIds }) => <span className="mono">{keyIds.join(', ')}</span> },
  { title: 'Sent to', cell: ({ url }) => <span className="mono">{url}</span> },
  { title: 'Sent by', cell: ({ isReplay }) => (isReplay ? 'resend' : 'automatically') },
  { title: 'Response (start)', cell: ({ answerBase64 }) => <Excerpt base64={answerBase64} /> },
];

/** While an attempt is due or planned, the page refreshes. */
const SOON_MS = 2_000;

/** One event: the exact bytes, every attempt with what the partner's server answered, and a button to send it again. */
export function CallbackPage({ id }: { readonly id: string }): ReactNode {
  const path = `/api/partner/api/events/${encodeURIComponent(id)}`;
  const callback = useQuery({
    queryKey: ['callback', id],
    queryFn: () => read<CallbackEventStory>(path),
    refetchInterval: (query) => refetchEvery(query.state.data?.status === 'WAITING' ? SOON_MS : false)(query),
  });
  const resend = useAct([['callback', id]]);
  const event = callback.data;
  return (
    <Page title="Callback" aside={<Link href="/callbacks">All callbacks</Link>}>
      {callback.isPending ? <Waiting /> : null}
      <Fault error={callback.error} title="Couldn’t load the callback" />
      {event === undefined ? null : (
        <Stack>
          <Facts
            facts={[
              ['State', <State key="state" value={event.status} />],
              ['Why', WHY[event.status]],
              ['Type', event.type],
              [
                'About',
                <span key="about" className="mono">
                  {event.objectId}
                </span>,
              ],
              ['Version', String(event.aggregateVersion)],
              ['Created', <Moment key="recorded" at={event.recordedAt} />],
              ['Next attempt', <Moment key="next" at={event.nextAttemptAt} />],
              [
                'Event',
                <span key="event" className="mono">
                  {event.eventId}
                </span>,
              ],
            ]}
          />
          {event.status === 'WAITING' ? null : (
            <Button
              w="fit-content"
              size="xs"
              loading={resend.isPending}
              onClick={() => {
                resend.mutate({ path: `${path}/replay`, idempotencyKey: crypto.randomUUID() });
              }}
            >
              Resend
            </Button>
          )}
          <Fault error={resend.error} title="Couldn’t resend" />
          <section>
            <Title order={2} size="h4">
              Attempts
            </Title>
            <DataTable label="Attempts" rows={event.attempts} columns={COLUMNS} keyOf={keyOf} empty="None yet." />
          </section>
          <section>
            <Title order={2} size="h4" mb="xs">
              Request body
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

/** What the partner's server answered, as text only. */
function Excerpt({ base64 }: { readonly base64: string | null }): ReactNode {
  if (base64 === null || base64 === '') return '–';
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return (
    <Text size="xs" className="mono">
      {new TextDecoder().decode(bytes).slice(0, 200)}
    </Text>
  );
}
