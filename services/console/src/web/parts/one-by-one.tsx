import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient, type QueryKey, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiFault, isUnavailable, readAll } from '../api.ts';
import { said, t } from '../text.ts';
import { Fault } from './page.tsx';

/**
 * All rows of a list as it is now, for a bulk action: what comes later is not included. It is nobody else's, so that reading the
 * lists again after the action does not change what the action was about.
 */
export const useAllNow = <T,>(path: string, filter: Readonly<Record<string, string | undefined>>): UseQueryResult<readonly T[]> =>
  useQuery({
    queryKey: ['all now', path, filter],
    queryFn: () => readAll<T>(path, filter),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });

/** A bulk action that does one thing after the other, so that it shows how far it is and can be stopped. */
export type OneByOne<Result> = {
  /** Undefined until it is started. */
  readonly results: readonly Result[] | undefined;
  readonly isRunning: boolean;
  /** Why it could not go on. */
  readonly error: Error | null;
  readonly start: (ids: readonly string[]) => Promise<void>;
  readonly stop: () => void;
};

/** `act`: does one of them; what it throws ends the run. The lists of `keys` are read again when it has ended. */
export function useOneByOne<Result>(keys: readonly QueryKey[], act: (id: string) => Promise<Result>): OneByOne<Result> {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly Result[]>();
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
    setResults([]);
    try {
      for (const id of ids) {
        if (isStopped.current) break;
        const result = await act(id);
        setResults((so = []) => [...so, result]);
      }
    } catch (fault) {
      setError(fault instanceof Error ? fault : new Error(String(fault)));
    }
    setRunning(false);
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { results, isRunning, error, start, stop };
}

/** How far a bulk action is, with its result so far as `children`, and the button that stops it. */
export function OneByOneProgress({
  run: { results = [], isRunning, error, stop },
  total,
  children,
}: {
  readonly run: OneByOne<unknown>;
  readonly total: number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Stack>
      <Progress value={(100 * results.length) / total} aria-label={t('Progress')} />
      <Text component="div" role="status">
        {children}
      </Text>
      <Fault error={error} title={t('Stopped: couldn’t go on')} />
      {isRunning ? (
        <Group justify="end">
          <Button color="red" variant="outline" onClick={stop}>
            {t('Stop')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

/** What was refused: somebody was faster, or it is no longer as it was. */
export type Refused = { readonly id: string; readonly is: 'refused'; readonly why: string };

/** The result of `act`, or its refusal. @throws ApiFault without an answer: then nobody goes on */
export async function refusedOr<Result>(id: string, act: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiFault) || isUnavailable(error)) throw error;
    return { id, is: 'refused', why: error.message };
  }
}

type Ended = Refused | { readonly is: 'done' | 'proposed' };

/** How many of a bulk action ended in which way, and how many are left. */
export function countsOf(results: readonly Ended[], left: number): Readonly<Record<Ended['is'] | 'left', ReactNode>> {
  const count = (is: Ended['is']) => <strong>{results.filter((one) => one.is === is).length}</strong>;
  return { done: count('done'), proposed: count('proposed'), refused: count('refused'), left: <strong>{left}</strong> };
}

/** More refusals than this have a common cause. */
const SHOWN_MAX = 20;

/** Which of the results so far are refusals, and why. */
export function Refusals({ results }: { readonly results: readonly Ended[] }): ReactNode {
  const refused = results.flatMap((one) => (one.is === 'refused' ? [one] : []));
  if (refused.length === 0) return null;
  return (
    <List size="sm" mt="xs">
      {refused.slice(0, SHOWN_MAX).map(({ id, why }) => (
        <List.Item key={id}>
          <span className="mono">{id.slice(-8)}</span>: {said(why)}
        </List.Item>
      ))}
    </List>
  );
}
