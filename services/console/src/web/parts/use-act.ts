import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import { call } from '../api.ts';

type Asked = {
  readonly path: string;
  readonly body?: unknown;
  /** For the partner API, whose commands need one. */
  readonly idempotencyKey?: string;
};

/**
 * An action on the server, after which the affected data is read again. Nothing is shown as done before the server
 * confirms it.
 */
export function useAct<T = unknown>(
  keys: readonly QueryKey[],
  then?: (answer: T) => void,
  method: 'POST' | 'PUT' = 'POST',
): UseMutationResult<T, Error, Asked> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, body, idempotencyKey }) => call<T>(method, path, body, idempotencyKey),
    onSuccess: (answer) => {
      then?.(answer);
    },
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
