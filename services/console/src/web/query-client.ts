import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFault, isUnavailable } from './api.ts';

/** Reads the session again if it has ended, or if what the page shows has been overtaken: by another sign-in, for example. */
function onFault(error: Error): void {
  if (error instanceof ApiFault && (error.status === 401 || error.code === 'STALE_REVISION'))
    void queryClient.invalidateQueries({ queryKey: ['session'] });
}

/** What could not be read is asked for again after this time; it says so. */
const RETRY_MS = 5_000;

/** A query's `refetchInterval`: what the page wants, or sooner if the service did not answer. */
export const refetchEvery =
  (milliseconds: number | false) =>
  ({ state }: { readonly state: { readonly error: Error | null } }): number | false =>
    isUnavailable(state.error) ? RETRY_MS : milliseconds;

/**
 * The last server state is shown until a newer one arrives: the page changes nothing before the server has done it, and
 * an error is shown. Only reading from a service that did not answer is repeated, never an action.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== 'session') onFault(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: onFault,
    // Whatever was done may be what waited (`parts/waiting-counts.ts`).
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['waiting'] }),
  }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 0,
      refetchOnWindowFocus: true,
      refetchInterval: refetchEvery(false),
    },
    mutations: { retry: false },
  },
});
