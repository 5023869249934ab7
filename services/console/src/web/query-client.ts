import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFault } from './api.ts';

/** Somebody whose session ended is shown the sign-in page, wherever he was. */
function onFault(error: Error): void {
  if (error instanceof ApiFault && error.status === 401) void queryClient.invalidateQueries({ queryKey: ['session'] });
}

/**
 * What the server said last is shown until it says something else: nothing is changed on the page before the server has
 * done it, and a fault is shown, not tried again behind the operator's back.
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
