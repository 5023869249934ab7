import { Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Replay, ReplayCount } from '@pay/contract/operator/deliveries.ts';
import { read } from '../api.ts';
import { moment, utc, words } from '../format.ts';
import { TextForm } from '../parts/form.tsx';
import { Fault } from '../parts/page.tsx';
import { useAct } from '../parts/use-act.ts';
import { refetchEvery } from '../query-client.ts';
import { t, tx } from '../text.ts';

const REPLAYS = '/api/notifier/replays';
const STATUSES = ['DELIVERED', 'REFUSED', 'EXHAUSTED', 'NOT_CONFIGURED'] as const;

type Asked = {
  readonly partnerId: string;
  readonly from: string;
  readonly to: string;
  readonly statuses: readonly string[];
};

/** Sends many callbacks again: the filter is typed, then counted, and only what was counted is sent. */
export function BulkResend(): ReactNode {
  const [asked, setAsked] = useState<Asked>();
  const count = useAct<ReplayCount>([]);
  const start = useAct<Replay>([['/api/notifier/events']]);
  if (start.data !== undefined) return <Running replayId={start.data.replayId} />;
  if (asked === undefined || count.data === undefined)
    return (
      <Filter
        act={count}
        onAsked={(filter) => {
          setAsked(filter);
          count.mutate({ path: REPLAYS, body: { ...filter, dryRun: true } });
        }}
      />
    );
  const { total } = count.data;
  const callbacks = total === 1 ? t('1 callback') : t('{count} callbacks', { count: String(total) });
  return (
    <Stack>
      <Text role="status">
        {tx('{callbacks} of {partner}, recorded from {from} to {to}, will be sent again{states}. The partner gets each one again.', {
          callbacks: <strong>{callbacks}</strong>,
          partner: asked.partnerId,
          from: utc(asked.from),
          to: utc(asked.to),
          states: asked.statuses.length === 0 ? '' : `: ${asked.statuses.map(words).join(', ').toLowerCase()}`,
        })}
      </Text>
      <Fault error={start.error} title={t('Couldn’t resend')} />
      <Group justify="end">
        <Button
          variant="default"
          onClick={() => {
            setAsked(undefined);
            count.reset();
          }}
        >
          {t('Back')}
        </Button>
        <Button
          loading={start.isPending}
          disabled={total === 0}
          onClick={() => {
            start.mutate({ path: REPLAYS, body: asked });
          }}
        >
          {t('Resend {callbacks}', { callbacks })}
        </Button>
      </Group>
    </Stack>
  );
}

function Filter({
  act,
  onAsked,
}: {
  readonly act: Parameters<typeof TextForm>[0]['act'];
  readonly onAsked: (asked: Asked) => void;
}): ReactNode {
  const [statuses, setStatuses] = useState<string[]>([]);
  return (
    <TextForm
      button={t('Preview')}
      act={act}
      fields={[
        { name: 'partnerId', label: t('Partner') },
        { name: 'from', label: t('From, UTC'), description: t('2026-11-21 or 2026-11-21 10:30') },
        { name: 'to', label: t('To, UTC'), description: t('Not included.') },
      ]}
      onSubmit={({ partnerId = '', from = '', to = '' }) => {
        onAsked({ partnerId, from: moment(from), to: moment(to), statuses });
      }}
    >
      <Checkbox.Group
        label={t('States')}
        description={t('Leave all unticked to include every state.')}
        value={statuses}
        onChange={setStatuses}
      >
        <Group mt="xs">
          {STATUSES.map((status) => (
            <Checkbox key={status} value={status} label={words(status)} />
          ))}
        </Group>
      </Checkbox.Group>
    </TextForm>
  );
}

const WATCH_MS = 1_000;

/** How far it is; it goes on if the dialog is closed, and can be stopped. */
function Running({ replayId }: { readonly replayId: string }): ReactNode {
  const path = `${REPLAYS}/${replayId}`;
  const replay = useQuery({
    queryKey: [path],
    queryFn: () => read<Replay>(path),
    refetchInterval: (query) => refetchEvery(query.state.data?.state === 'RUNNING' ? WATCH_MS : false)(query),
  });
  const stop = useAct([[path], ['/api/notifier/events']]);
  if (replay.data === undefined) return <Fault error={replay.error} title={t('Couldn’t load the progress')} />;
  const { resent, total, state } = replay.data;
  return (
    <Stack>
      <Progress value={total === 0 ? 100 : (100 * resent) / total} aria-label={t('Progress')} />
      <Text role="status">
        {ENDS[state]} {t('{done} of {total} queued to be sent again.', { done: String(resent), total: String(total) })}
      </Text>
      <Fault error={stop.error} title={t('Couldn’t stop it')} />
      {state === 'RUNNING' ? (
        <Group justify="end">
          <Button
            color="red"
            variant="outline"
            loading={stop.isPending}
            onClick={() => {
              stop.mutate({ path: `${path}/cancel` });
            }}
          >
            {t('Stop')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

const ENDS = { RUNNING: t('Working:'), DONE: t('Done:'), CANCELLED: t('Stopped:') } as const satisfies Record<Replay['state'], string>;
