import { Alert, Burger, Button, Center, Group, Loader, NavLink, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import type { Action } from '@pay/shared/operators/roles.ts';
import { post, queryOf } from './api.ts';
import { COUNTED_MAX, useWaiting, type Waiting } from './parts/waiting-counts.ts';
import { LanguageSwitch } from './parts/language-switch.tsx';
import { SearchBox } from './parts/search-box.tsx';
import { SlowServices } from './parts/slow-services.tsx';
import { OwnAccount, Pages, SignIn } from './pages.tsx';
import type { Session } from './types.ts';
import { SessionContext, useMay, useSession, useSessionQuery } from './session.ts';
import { said, t, type Plain } from './text.ts';

type SectionName = '' | 'Payments' | 'USDT' | 'Settings';
type PageLink = { readonly path: string; readonly label: Plain; readonly action: Action };
type Section = { readonly name: SectionName; readonly links: readonly PageLink[] };

const SECTIONS: readonly Section[] = [
  { name: '', links: [{ path: '/overview', label: 'Overview', action: 'overview.read' }] },
  {
    name: 'Payments',
    links: [
      { path: '/payments', label: 'Payments', action: 'payments.read' },
      { path: '/deliveries', label: 'Deliveries', action: 'deliveries.read' },
      { path: '/saved-cards', label: 'Saved cards', action: 'consents.read' },
      { path: '/held-back', label: 'Cards held back', action: 'held-back.read' },
      { path: '/exceptions', label: 'Exceptions', action: 'exceptions.read' },
      { path: '/reconciliations', label: 'Reconciliation', action: 'reconciliations.read' },
      { path: '/proposals', label: 'Proposals', action: 'proposals.read' },
      { path: '/dead-letters', label: 'Dead letters', action: 'dead-letters.read' },
    ],
  },
  {
    name: 'USDT',
    links: [
      { path: '/withdrawals', label: 'Withdrawals', action: 'withdrawals.read' },
      { path: '/fundings', label: 'Balances and funding', action: 'fundings.read' },
    ],
  },
  {
    name: 'Settings',
    links: [
      { path: '/partners', label: 'Partners', action: 'partners.read' },
      { path: '/routes', label: 'Routes', action: 'routes.read' },
      { path: '/operators', label: 'Operators', action: 'operators.read' },
      { path: '/sessions', label: 'Sessions', action: 'sessions.read' },
      { path: '/audit', label: 'Audit log', action: 'audit.read' },
    ],
  },
];

/** Whether this document has shown a page of somebody who was signed in. */
let wasSignedIn = false;

/** The whole console: the sign-in page for strangers, the pages for everybody else. */
export function Console(): ReactNode {
  const session = useSessionQuery();
  const [location] = useLocation();
  if (session.isPending)
    return (
      <Center h="100vh">
        <Loader role="progressbar" aria-label={t('Loading')} />
      </Center>
    );
  if (session.isError)
    return (
      <Alert color="red" title={t('The console isn’t responding')} m="xl">
        {session.error.message}
      </Alert>
    );
  if (session.data === null)
    return location === '/sign-in' ? (
      <SignIn />
    ) : (
      <Redirect to={`/sign-in${queryOf({ next: here(), ended: wasSignedIn ? 'yes' : undefined })}`} replace />
    );
  wasSignedIn = true;
  return (
    <SessionContext.Provider value={session.data}>
      <Frame>{isHeldUp(session.data) ? <OwnAccount /> : <Pages />}</Frame>
    </SessionContext.Provider>
  );
}

const here = () => `${window.location.pathname}${window.location.search}`;

/** Only their own account is open to them so far. */
const isHeldUp = ({ mustChangePassword, mustSetUpSecondFactor }: Session) => mustChangePassword || mustSetUpSecondFactor;

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const session = useSession();
  const may = useMay();
  const [location] = useLocation();
  const waiting = useWaiting(!isHeldUp(session));
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
  }, [location]);
  const sections = isHeldUp(session) ? [] : SECTIONS.map(({ name, links }) => ({ name, links: links.filter(({ action }) => may(action)) }));
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('Skip to the page')}
      </a>
      <header>
        <Group gap="xs" wrap="nowrap">
          <Burger
            className="menu-button"
            size="sm"
            aria-label={t('Menu')}
            aria-expanded={isOpen}
            opened={isOpen}
            onClick={() => {
              setOpen(!isOpen);
            }}
          />
          <Text fw={700} className="name">
            {t('Payment console')}
          </Text>
        </Group>
        {isHeldUp(session) ? null : <SearchBox />}
        <Group gap="sm" wrap="nowrap">
          <Link href="/account">
            {session.name} ({said(session.role)})
          </Link>
          <SignOut />
        </Group>
      </header>
      <nav aria-label={t('Pages')} data-open={isOpen}>
        {sections
          .filter(({ links }) => links.length > 0)
          .map((section) => (
            <Links key={section.name} section={section} location={location} waiting={waiting} />
          ))}
        <div className="language">
          <LanguageSwitch />
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        <SlowServices />
        {children}
      </main>
    </div>
  );
}

function Links({
  section,
  location,
  waiting,
}: {
  readonly section: Section;
  readonly location: string;
  readonly waiting: Waiting;
}): ReactNode {
  return (
    <div role="group" aria-label={section.name === '' ? t('Start') : t(section.name)}>
      {section.name === '' ? null : (
        <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm" pb={4} aria-hidden>
          {t(section.name)}
        </Text>
      )}
      {section.links.map(({ path, label }) => (
        <NavLink
          key={path}
          component={Link}
          href={path}
          label={t(label)}
          rightSection={<Waits count={waiting[path.slice(1)]} />}
          py={6}
          active={location === path || location.startsWith(`${path}/`)}
          {...(location === path ? { 'aria-current': 'page' as const } : {})}
        />
      ))}
    </div>
  );
}

/** How many items of a page wait for somebody; nothing if none do, or nobody knows. */
function Waits({ count }: { readonly count: number | undefined }): ReactNode {
  if (count === undefined || count === 0) return null;
  return (
    <span className="waits">
      {count > COUNTED_MAX ? `${String(COUNTED_MAX)}+` : String(count)}
      <span className="unseen"> {t('waiting')}</span>
    </span>
  );
}

function SignOut(): ReactNode {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const signOut = async () => {
    await post('/api/auth/sign-out', {});
    // Notifies everything on the screen; clearing the cache notifies nobody.
    client.setQueryData(['session'], null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    wasSignedIn = false;
    navigate('/sign-in');
  };
  return (
    <Button variant="default" size="xs" onClick={() => void signOut()}>
      {t('Sign out')}
    </Button>
  );
}
