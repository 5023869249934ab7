import { Alert } from '@mantine/core';
import { useSyncExternalStore, type ReactNode } from 'react';
import { slowServices, watchSlowServices } from '../api.ts';
import { t } from '../text.ts';

/** Which services have not answered the page yet. What the others said is on the page. */
export function SlowServices(): ReactNode {
  const names = useSyncExternalStore(watchSlowServices, slowServices);
  if (names === '') return null;
  return (
    <Alert role="status" color="yellow" variant="light" mb="md" title={t('No answer from {services} yet', { services: names })}>
      {t('The page shows what is known without it, and waits.')}
    </Alert>
  );
}
