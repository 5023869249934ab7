import { Alert } from '@mantine/core';
import { useSyncExternalStore, type ReactNode } from 'react';
import { slowServices, watchSlowServices } from '../api.ts';

/** Which services have not answered the page yet. What the others said is on the page. */
export function SlowServices(): ReactNode {
  const names = useSyncExternalStore(watchSlowServices, slowServices);
  if (names === '') return null;
  return (
    <Alert role="status" color="yellow" variant="light" mb="md" title={`No answer from ${names} yet`}>
      The page shows what is known without it, and waits.
    </Alert>
  );
}
