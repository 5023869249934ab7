import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFault } from './api.ts';

/** Shows the sign-in page to anyone whose session has ended. */
function onFault(error: Error): void {
  if (error instanceof ApiFault && error.status === 401) void queryClient.invalidateQueries({ queryKey: ['session'] });
}

/**
 * The last server state is shown until a newer one arrives: the page changes nothing before the server has done it, and
 * an error is shown, not retried behind the operator's back.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== 'session') onFault(error);
    },
  }),
  mutationCache: new MutationCache({ onError: onFault }),
  defaultOptions: { queries: { retry: false, staleTime: 0, refetchOnWindowFocus: true }, mutations: { retry: false } },
});
