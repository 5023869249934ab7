import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import { call } from '../api.ts';

/**
 * An action on the server, after which the affected data is read again. Nothing is shown as done before the server
 * confirms it.
 */
export function useAct<T = unknown>(
  keys: readonly QueryKey[],
  then?: (answer: T) => void,
  method: 'POST' | 'PUT' = 'POST',
): UseMutationResult<T, Error, { readonly path: string; readonly body?: unknown }> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, body }) => call<T>(method, path, body),
    onSuccess: (answer) => {
      then?.(answer);
    },
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
