import { useQuery, type QueryClient, type UseQueryResult } from '@tanstack/react-query';
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

const SESSION = ['session'];

/**
 * Who is signed in; null if nobody is. What was read for another partner is forgotten before the answer is known to any page:
 * nothing of it is drawn under the new name.
 */
export function useSessionQuery(): UseQueryResult<Session | null> {
  return useQuery({
    queryKey: SESSION,
    queryFn: async ({ client }) => {
      const session = await readSession();
      if (client.getQueryData<Session | null>(SESSION)?.partnerID !== session?.partnerID) forgetPages(client);
      return session;
    },
  });
}

async function readSession(): Promise<Session | null> {
  try {
    return await read<Session>('/api/session');
  } catch (error) {
    if (error instanceof ApiFault && error.status === 401) return null;
    throw error;
  }
}

/** Shows at once that nobody is signed in. */
export function endSession(client: QueryClient): void {
  // Notifies everything on the screen; removing notifies nobody.
  client.setQueryData(SESSION, null);
  forgetPages(client);
}

function forgetPages(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** Who is signed in, on pages that require a session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('the page does not require a session');
  return session;
}

/** A link's address that says which partner its page shows: a link has no headers. The server reads the last parameter. */
export function useFileLink(): (path: string) => string {
  const { partnerID } = useSession();
  return (path) => `${path}${path.includes('?') ? '&' : '?'}portalPartner=${partnerID}`;
}
