import { Alert, AppShell, Burger, Button, Center, Group, Loader, NavLink, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import type { Action } from '@pay/shared/operators/roles.ts';
import { post } from './api.ts';
import { AccountPage } from './pages/account.tsx';
import { AuditPage } from './pages/audit.tsx';
import { DeadLettersPage } from './pages/dead-letters.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { DeliveryPage } from './pages/delivery.tsx';
import { ExceptionsPage } from './pages/exceptions.tsx';
import { HeldBackPage } from './pages/held-back.tsx';
import { ProposalsPage } from './pages/proposals.tsx';
import { FundingsPage } from './pages/fundings.tsx';
import { OperatorsPage } from './pages/operators.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { PartnerPage } from './pages/partner.tsx';
import { PartnersPage } from './pages/partners.tsx';
import { PaymentPage } from './pages/payment.tsx';
import { PaymentsPage } from './pages/payments.tsx';
import { PointPage } from './pages/point.tsx';
import { RoutesPage } from './pages/routes.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { WithdrawalPage } from './pages/withdrawal.tsx';
import { WithdrawalsPage } from './pages/withdrawals.tsx';
import type { Session } from './types.ts';
import { SessionContext, useMay, useSession, useSessionQuery } from './session.ts';

type PageLink = { readonly path: string; readonly label: string; readonly action: Action };
type Section = { readonly name: string; readonly links: readonly PageLink[] };

const SECTIONS: readonly Section[] = [
  { name: 'Now', links: [{ path: '/overview', label: 'Overview', action: 'overview.read' }] },
  {
    name: 'Payments',
    links: [
      { path: '/payments', label: 'Payments', action: 'payments.read' },
      { path: '/deliveries', label: 'Deliveries', action: 'deliveries.read' },
      { path: '/held-back', label: 'Cards held back', action: 'held-back.read' },
      { path: '/exceptions', label: 'Exceptions', action: 'exceptions.read' },
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
    name: 'Set-up',
    links: [
      { path: '/partners', label: 'Partners', action: 'partners.read' },
      { path: '/routes', label: 'Routes', action: 'routes.read' },
      { path: '/operators', label: 'Operators', action: 'operators.read' },
      { path: '/audit', label: 'Audit log', action: 'audit.read' },
    ],
  },
];

/** The whole console: the sign-in page for strangers, the pages for everybody else. */
export function Console(): ReactNode {
  const session = useSessionQuery();
  const [location] = useLocation();
  if (session.isPending)
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  if (session.isError)
    return (
      <Alert color="red" title="The console isn’t responding" m="xl">
        {session.error.message}
      </Alert>
    );
  if (session.data === null)
    return location === '/sign-in' ? (
      <SignInPage />
    ) : (
      <Redirect to={`/sign-in?next=${encodeURIComponent(here())}`} replace />
    );
  return (
    <SessionContext.Provider value={session.data}>
      <Frame>{isHeldUp(session.data) ? <AccountPage /> : <Pages />}</Frame>
    </SessionContext.Provider>
  );
}

/** Only their own account is open to them so far. */
const isHeldUp = ({ mustChangePassword, mustSetUpSecondFactor }: Session) =>
  mustChangePassword || mustSetUpSecondFactor;

const here = () => `${window.location.pathname}${window.location.search}`;

function Pages(): ReactNode {
  return (
    <Switch>
      <Route path="/sign-in" component={SignedIn} />
      <Route path="/account" component={AccountPage} />
      <Route path="/overview" component={OverviewPage} />
      <Route path="/withdrawals" component={WithdrawalsPage} />
      <Route path="/withdrawals/:id">{({ id }) => <WithdrawalPage key={id} id={id} />}</Route>
      <Route path="/fundings" component={FundingsPage} />
      <Route path="/payments" component={PaymentsPage} />
      <Route path="/payments/:id">{({ id }) => <PaymentPage key={id} id={id} />}</Route>
      <Route path="/held-back" component={HeldBackPage} />
      <Route path="/exceptions" component={ExceptionsPage} />
      <Route path="/proposals" component={ProposalsPage} />
      <Route path="/deliveries" component={DeliveriesPage} />
      <Route path="/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
      <Route path="/partners" component={PartnersPage} />
      <Route path="/partners/:id">{({ id }) => <PartnerPage key={id} id={decodeURIComponent(id)} />}</Route>
      <Route path="/points/:id">{({ id }) => <PointPage key={id} id={decodeURIComponent(id)} />}</Route>
      <Route path="/routes" component={RoutesPage} />
      <Route path="/dead-letters" component={DeadLettersPage} />
      <Route path="/operators" component={OperatorsPage} />
      <Route path="/audit" component={AuditPage} />
      <Route>
        <Redirect to="/overview" replace />
      </Route>
    </Switch>
  );
}

/** Returns to where sign-in was requested; never to another origin. */
function SignedIn(): ReactNode {
  const next = new URLSearchParams(window.location.search).get('next') ?? '/';
  const url = new URL(next, window.location.origin);
  const isOwn = url.origin === window.location.origin && url.pathname !== '/sign-in';
  return <Redirect to={isOwn ? `${url.pathname}${url.search}` : '/'} replace />;
}

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const session = useSession();
  const may = useMay();
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
  }, [location]);
  const sections = isHeldUp(session)
    ? []
    : SECTIONS.map(({ name, links }) => ({ name, links: links.filter(({ action }) => may(action)) }));
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'xs', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Burger
              hiddenFrom="xs"
              size="sm"
              aria-label="Menu"
              aria-expanded={isOpen}
              opened={isOpen}
              onClick={() => {
                setOpen(!isOpen);
              }}
            />
            <Text fw={700} visibleFrom="xs">
              Payment console
            </Text>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <Link href="/account">
              {session.name} ({session.role})
            </Link>
            <SignOut />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {sections
          .filter(({ links }) => links.length > 0)
          .map((section) => (
            <Links key={section.name} section={section} location={location} />
          ))}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

function Links({ section, location }: { readonly section: Section; readonly location: string }): ReactNode {
  return (
    <div role="group" aria-label={section.name}>
      <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm" pb={4} aria-hidden>
        {section.name}
      </Text>
      {section.links.map(({ path, label }) => (
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
    </div>
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
    navigate('/sign-in');
  };
  return (
    <Button variant="default" size="xs" onClick={() => void signOut()}>
      Sign out
    </Button>
  );
}
