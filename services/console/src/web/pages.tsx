import { lazy, useEffect, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { Action } from '@pay/shared/operators/roles.ts';
import { ForbiddenPage, NotFoundPage } from './refusals.tsx';
import { SignedIn, WhenLoaded } from './parts/when-loaded.tsx';
import { useMay } from './session.ts';

// Each page is a script of its own, loaded when it is first shown. The document names the first one
// (decisions/console-pages).
const AccountPage = lazy(async () => ({ default: (await import('./pages/account.tsx')).AccountPage }));
const AuditPage = lazy(async () => ({ default: (await import('./pages/audit.tsx')).AuditPage }));
const DeadLettersPage = lazy(async () => ({ default: (await import('./pages/dead-letters.tsx')).DeadLettersPage }));
const DeliveriesPage = lazy(async () => ({ default: (await import('./pages/deliveries.tsx')).DeliveriesPage }));
const DeliveryPage = lazy(async () => ({ default: (await import('./pages/delivery.tsx')).DeliveryPage }));
const ExceptionsPage = lazy(async () => ({ default: (await import('./pages/exceptions.tsx')).ExceptionsPage }));
const FundingsPage = lazy(async () => ({ default: (await import('./pages/fundings.tsx')).FundingsPage }));
const HeldBackPage = lazy(async () => ({ default: (await import('./pages/held-back.tsx')).HeldBackPage }));
const OperatorsPage = lazy(async () => ({ default: (await import('./pages/operators.tsx')).OperatorsPage }));
const loadOverview = async () => ({ default: (await import('./pages/overview.tsx')).OverviewPage });
const OverviewPage = lazy(loadOverview);
const PartnerPage = lazy(async () => ({ default: (await import('./pages/partner.tsx')).PartnerPage }));
const PartnersPage = lazy(async () => ({ default: (await import('./pages/partners.tsx')).PartnersPage }));
const PaymentPage = lazy(async () => ({ default: (await import('./pages/payment.tsx')).PaymentPage }));
const PaymentsPage = lazy(async () => ({ default: (await import('./pages/payments.tsx')).PaymentsPage }));
const PointPage = lazy(async () => ({ default: (await import('./pages/point.tsx')).PointPage }));
const ProposalsPage = lazy(async () => ({ default: (await import('./pages/proposals.tsx')).ProposalsPage }));
const ReconciliationPage = lazy(async () => ({ default: (await import('./pages/reconciliation.tsx')).ReconciliationPage }));
const ReconciliationsPage = lazy(async () => ({ default: (await import('./pages/reconciliations.tsx')).ReconciliationsPage }));
const RoutesPage = lazy(async () => ({ default: (await import('./pages/routes.tsx')).RoutesPage }));
const SavedCardPage = lazy(async () => ({ default: (await import('./pages/saved-card.tsx')).SavedCardPage }));
const SavedCardsPage = lazy(async () => ({ default: (await import('./pages/saved-cards.tsx')).SavedCardsPage }));
const SearchPage = lazy(async () => ({ default: (await import('./pages/search.tsx')).SearchPage }));
const SessionsPage = lazy(async () => ({ default: (await import('./pages/sessions.tsx')).SessionsPage }));
const SignInPage = lazy(async () => ({ default: (await import('./pages/sign-in.tsx')).SignInPage }));
const WithdrawalPage = lazy(async () => ({ default: (await import('./pages/withdrawal.tsx')).WithdrawalPage }));
const WithdrawalsPage = lazy(async () => ({ default: (await import('./pages/withdrawals.tsx')).WithdrawalsPage }));

/** For strangers. While they type, the page that most of them see next is loaded. */
export function SignIn(): ReactNode {
  useEffect(() => {
    loadOverview().catch(() => undefined);
  }, []);
  return (
    <WhenLoaded>
      <SignInPage />
    </WhenLoaded>
  );
}

/** For operators who must first choose a password or set up a second factor. */
export const OwnAccount = (): ReactNode => (
  <WhenLoaded>
    <AccountPage />
  </WhenLoaded>
);

/** The page of the current address. */
export function Pages(): ReactNode {
  const [location] = useLocation();
  const may = useMay();
  const action = NEEDS[location.split('/')[1] ?? ''];
  if (action !== undefined && !may(action)) return <ForbiddenPage />;
  return (
    <WhenLoaded key={location}>
      <Switch>
        <Route path="/sign-in" component={SignedIn} />
        <Route path="/account" component={AccountPage} />
        <Route path="/overview" component={OverviewPage} />
        <Route path="/withdrawals" component={WithdrawalsPage} />
        <Route path="/withdrawals/:id">{({ id }) => <WithdrawalPage key={id} id={id} />}</Route>
        <Route path="/fundings" component={FundingsPage} />
        <Route path="/payments" component={PaymentsPage} />
        <Route path="/payments/:id">{({ id }) => <PaymentPage key={id} id={id} />}</Route>
        <Route path="/saved-cards" component={SavedCardsPage} />
        <Route path="/saved-cards/:id">{({ id }) => <SavedCardPage key={id} id={id} />}</Route>
        <Route path="/held-back" component={HeldBackPage} />
        <Route path="/exceptions" component={ExceptionsPage} />
        <Route path="/reconciliations" component={ReconciliationsPage} />
        <Route path="/reconciliations/:routeId/:date">
          {({ routeId, date }) => <ReconciliationPage routeId={decodeURIComponent(routeId)} date={decodeURIComponent(date)} />}
        </Route>
        <Route path="/proposals" component={ProposalsPage} />
        <Route path="/deliveries" component={DeliveriesPage} />
        <Route path="/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
        <Route path="/partners" component={PartnersPage} />
        <Route path="/partners/:id">{({ id }) => <PartnerPage key={id} id={decodeURIComponent(id)} />}</Route>
        <Route path="/points/:id">{({ id }) => <PointPage key={id} id={decodeURIComponent(id)} />}</Route>
        <Route path="/routes" component={RoutesPage} />
        <Route path="/dead-letters" component={DeadLettersPage} />
        <Route path="/operators" component={OperatorsPage} />
        <Route path="/sessions" component={SessionsPage} />
        <Route path="/audit" component={AuditPage} />
        <Route path="/search" component={SearchPage} />
        <Route path="/">
          <Redirect to="/overview" replace />
        </Route>
        <Route component={NotFoundPage} />
      </Switch>
    </WhenLoaded>
  );
}

/** What a role must be allowed to see a page, by the first part of its address. */
const NEEDS: Readonly<Record<string, Action>> = {
  overview: 'overview.read',
  withdrawals: 'withdrawals.read',
  fundings: 'fundings.read',
  payments: 'payments.read',
  'saved-cards': 'consents.read',
  'held-back': 'held-back.read',
  exceptions: 'exceptions.read',
  proposals: 'proposals.read',
  reconciliations: 'reconciliations.read',
  deliveries: 'deliveries.read',
  partners: 'partners.read',
  points: 'stores.read',
  routes: 'routes.read',
  'dead-letters': 'dead-letters.read',
  operators: 'operators.read',
  sessions: 'sessions.read',
  audit: 'audit.read',
};
