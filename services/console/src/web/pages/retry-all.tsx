import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { DeadLetter, DeadLetterWithBody } from '@pay/contract/operator/queues.ts';
import { ApiFault, post, queryOf, read } from '../api.ts';
import { Fault } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import type { Page } from '../types.ts';
import { t, tx } from '../text.ts';

type Done = { readonly processed: number; readonly failed: number };

/**
 * Processes all waiting messages again, oldest first, one after the other, so that it shows how far it is and can be
 * stopped. Messages that fail after the dialog was opened are not included.
 */
export function RetryAll({
  service,
  path,
  type,
}: {
  readonly service: string;
  readonly path: string;
  readonly type: string | undefined;
}): ReactNode {
  const waiting = useQuery({
    queryKey: [path, 'all waiting', type],
    queryFn: () => readWaiting(path, type),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const [typed, setTyped] = useState('');
  const run = useRun(path);
  if (waiting.isPending) return <Waiting />;
  if (waiting.isError) return <Fault error={waiting.error} title={t('Couldn’t load the messages')} />;
  const ids = waiting.data;
  if (run.done !== undefined)
    return <Outcome total={ids.length} done={run.done} isRunning={run.isRunning} error={run.error} onStop={run.stop} />;
  const wanted = type ?? service;
  const messages = ids.length === 1 ? t('1 message') : t('{count} messages', { count: String(ids.length) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run.start(ids);
      }}
    >
      <Stack>
        <Text size="sm" role="status">
          {tx(
            '{messages} of {service}{type} will be processed again, oldest first. Look at one first: messages keep failing until the cause is fixed.',
            {
              messages: <strong>{messages}</strong>,
              service,
              type: type === undefined ? '' : t(' of type {type}', { type }),
            },
          )}
        </Text>
        <TextInput
          label={t('Type {word} to confirm', { word: wanted })}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
          }}
        />
        <Group justify="end">
          <Button type="submit" disabled={ids.length === 0 || typed.trim() !== wanted}>
            {t('Retry {messages}', { messages })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The ids of all messages that wait, oldest first. */
async function readWaiting(path: string, type: string | undefined): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let pageToken: string | null | undefined; pageToken !== null;) {
    const query = queryOf({ status: 'WAITING', order: 'oldest', type, limit: '100', pageToken });
    const page: Page<DeadLetter> = await read(`${path}${query}`);
    ids.push(...page.items.map(({ deadLetterId }) => deadLetterId));
    pageToken = page.nextPageToken;
  }
  return ids;
}

type Run = {
  readonly done: Done | undefined;
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly start: (ids: readonly string[]) => Promise<void>;
  readonly stop: () => void;
};

function useRun(path: string): Run {
  const client = useQueryClient();
  const [done, setDone] = useState<Done>();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const isStopped = useRef(false);
  // Closing the dialog stops it, too: nobody could any more.
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const start = async (ids: readonly string[]) => {
    setRunning(true);
    setDone({ processed: 0, failed: 0 });
    try {
      for (const id of ids) {
        if (isStopped.current) break;
        const isProcessed = await retried(path, id);
        setDone((so = { processed: 0, failed: 0 }) =>
          isProcessed ? { ...so, processed: so.processed + 1 } : { ...so, failed: so.failed + 1 },
        );
      }
    } catch (fault) {
      setError(fault instanceof Error ? fault : new Error(String(fault)));
    }
    setRunning(false);
    await client.invalidateQueries({ queryKey: [path] });
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { done, isRunning, error, start, stop };
}

/** Whether the message was processed. Somebody else may have retried it meanwhile. */
async function retried(path: string, id: string): Promise<boolean> {
  try {
    return (await post<DeadLetterWithBody>(`${path}/${id}/redrive`, {})).status === 'REDRIVEN';
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'STALE_REVISION') return true;
    throw error;
  }
}

function Outcome({
  total,
  done: { processed, failed },
  isRunning,
  error,
  onStop,
}: {
  readonly total: number;
  readonly done: Done;
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly onStop: () => void;
}): ReactNode {
  const left = total - processed - failed;
  return (
    <Stack>
      <Progress value={(100 * (processed + failed)) / total} aria-label={t('Progress')} />
      <Text role="status">
        {tx('{processed} processed, {failed} failed again, {left} left.', {
          processed: <strong>{processed}</strong>,
          failed: <strong>{failed}</strong>,
          left: <strong>{left}</strong>,
        })}
      </Text>
      <Fault error={error} title={t('Stopped: couldn’t go on')} />
      {isRunning ? (
        <Group justify="end">
          <Button color="red" variant="outline" onClick={onStop}>
            {t('Stop')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}
