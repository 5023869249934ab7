import { Alert, Burger, Button, Center, Group, Loader, NavLink, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import { post, queryOf, showPartner } from '../api.ts';
import { SlowServices } from '../parts/slow-services.tsx';
import { Pages, SignIn } from './pages.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { endSession, SessionContext, useSession, useSessionQuery } from './session.ts';

const LINKS = [
  { path: '/payments', label: 'Payments' },
  { path: '/callbacks', label: 'Callbacks' },
  { path: '/withdrawals', label: 'Withdrawals' },
  { path: '/registers', label: 'Registers' },
  { path: '/integration', label: 'Integration' },
  { path: '/keys', label: 'Keys' },
] as const;
/** Where payments are tried out. */
const TEST_LINKS = [
  ...LINKS,
  { path: '/requests', label: 'Requests' },
  { path: '/test-cards', label: 'Test cards' },
  { path: '/test-clock', label: 'Test clock' },
] as const;

/** Whether this document has shown a page of somebody who was signed in. */
let wasSignedIn = false;

/** The whole portal: the sign-in page for strangers, the pages for a partner. */
export function Portal(): ReactNode {
  const session = useSessionQuery();
  const [location] = useLocation();
  const partnerID = session.data?.partnerID;
  // With the drawing, and before its pages read anything: calls name the partner that people see.
  useLayoutEffect(() => {
    showPartner(partnerID);
  }, [partnerID]);
  if (session.isPending)
    return (
      <Center h="100vh">
        <Loader role="progressbar" aria-label="Loading" />
      </Center>
    );
  if (session.isError)
    return (
      <Alert color="red" title="The portal isn’t responding" m="xl">
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
      {/* Another partner begins anew: what was typed or shown once belongs to the one before. */}
      <Frame key={partnerID}>
        <Pages />
        <SignInAgain />
      </Frame>
    </SessionContext.Provider>
  );
}

const here = () => `${window.location.pathname}${window.location.search}`;

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const { name, environment } = useSession();
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
  }, [location]);
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header>
        <Group gap="xs" wrap="nowrap">
          <Burger
            className="menu-button"
            size="sm"
            aria-label="Menu"
            aria-expanded={isOpen}
            opened={isOpen}
            onClick={() => {
              setOpen(!isOpen);
            }}
          />
          <Text fw={700} className="name">
            Partner portal
          </Text>
          {environment === 'TEST' ? <span className="state state-late">Test</span> : null}
        </Group>
        <Group gap="sm" wrap="nowrap">
          <Text truncate="end">{name}</Text>
          <SignOut />
        </Group>
      </header>
      <nav aria-label="Pages" data-open={isOpen}>
        {(environment === 'TEST' ? TEST_LINKS : LINKS).map(({ path, label }) => (
          <NavLink
            key={path}
            component={Link}
            href={path}
            label={label}
            py={6}
            active={location === path || location.startsWith(`${path}/`)}
            {...(location === path ? { 'aria-current': 'page' as const } : {})}
          />
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <SlowServices />
        {children}
      </main>
    </div>
  );
}

function SignOut(): ReactNode {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const signOut = async () => {
    await post('/api/sign-out', {});
    endSession(client);
    wasSignedIn = false;
    navigate('/sign-in');
  };
  return (
    <Button className="sign-out" variant="default" size="xs" onClick={() => void signOut()}>
      Sign out
    </Button>
  );
}
