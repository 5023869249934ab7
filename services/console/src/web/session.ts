import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { may, type Action } from '@pay/shared/operators/roles.ts';
import { ApiFault, read } from './api.ts';
import type { Session } from './types.ts';

/** Who is signed in; null if nobody is. */
export function useSessionQuery(): UseQueryResult<Session | null> {
  return useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      try {
        return await read<Session>('/api/session');
      } catch (error) {
        if (error instanceof ApiFault && error.status === 401) return null;
        throw error;
      }
    },
  });
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** Who is signed in, on pages that require a session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('the page does not require a session');
  return session;
}

/** Whether the current role may do that. Only for hiding things: the API decides. */
export function useMay(): (action: Action) => boolean {
  const { role } = useSession();
  return (action) => may(role, action);
}
