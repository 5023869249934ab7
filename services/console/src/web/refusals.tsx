import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Page } from './parts/page.tsx';
import { t } from './text.ts';

/** For a page that the current role may not see. */
export function ForbiddenPage(): ReactNode {
  return (
    <Page title={t('No access')}>
      <Text mb="md">{t('Your role doesn’t have access to this page. Ask an administrator if you need it.')}</Text>
      <Link href="/account">{t('Your account and role')}</Link>
    </Page>
  );
}

/** For an address that is no page. */
export function NotFoundPage(): ReactNode {
  return (
    <Page title={t('Page not found')}>
      <Text mb="md">{t('There is no page at this address. Search by ID above, or start at the overview.')}</Text>
      <Link href="/overview">{t('Overview')}</Link>
    </Page>
  );
}
