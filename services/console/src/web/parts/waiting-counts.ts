import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { read } from '../api.ts';

/** By the page that shows it: how much waits for somebody. Absent where the role may not see it, or nobody knows. */
export type Waiting = Readonly<Record<string, number>>;

/** Lists are counted up to this. */
export const COUNTED_MAX = 99;
/** Counts are read again with the next page, not by themselves: polling would keep an idle session alive. */
const FRESH_MS = 30_000;

/** What waits for somebody, for the menu. */
export function useWaiting(isEnabled: boolean): Waiting {
  const client = useQueryClient();
  const [location] = useLocation();
  useEffect(() => {
    void client.refetchQueries({ queryKey: ['waiting'], stale: true });
  }, [client, location]);
  const waiting = useQuery({
    queryKey: ['waiting'],
    queryFn: () => read<Waiting>('/api/waiting'),
    enabled: isEnabled,
    staleTime: FRESH_MS,
    refetchInterval: false,
  });
  return waiting.data ?? {};
}
