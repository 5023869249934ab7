import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { ApiFault, read } from '../api.ts';

/** The partner that is signed in, and the key that it signed in with. */
export type Session = {
  readonly partnerID: string;
  readonly name: string;
  readonly keyId: string;
  readonly fingerprint: string;
  readonly startedAt: string;
  readonly environment: 'TEST' | 'LIVE';
};

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
