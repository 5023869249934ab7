import { Button, Text } from '@mantine/core';
import { Component, Suspense, type ReactNode } from 'react';
import { Redirect } from 'wouter';
import { Page } from './page.tsx';
import { Waiting } from './table.tsx';
import { t } from '../text.ts';

/** Returns to where sign-in was requested; never to another origin. */
export function SignedIn(): ReactNode {
  const next = new URLSearchParams(window.location.search).get('next') ?? '/';
  const url = new URL(next, window.location.origin);
  const isOwn = url.origin === window.location.origin && url.pathname !== '/sign-in';
  return <Redirect to={isOwn ? `${url.pathname}${url.search}` : '/'} replace />;
}

/** A page whose script may still be on its way. */
export const WhenLoaded = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Failure>
    <Suspense fallback={<Waiting />}>{children}</Suspense>
  </Failure>
);

/** In place of a page whose script did not arrive, for example because a new version replaced it, or that threw. */
class Failure extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Page title={t('Couldn’t load this page')}>
        <Text mb="md">{t('The pages may have been updated, or the connection was lost. Reload the page to continue.')}</Text>
        <Button
          onClick={() => {
            window.location.reload();
          }}
        >
          {t('Reload')}
        </Button>
      </Page>
    );
  }
}
