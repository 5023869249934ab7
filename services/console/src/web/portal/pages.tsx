import { lazy, useEffect, type ReactNode } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { Page } from '../parts/page.tsx';
import { SignedIn, WhenLoaded } from '../parts/when-loaded.tsx';

const CallbackPage = lazy(async () => ({ default: (await import('./pages/callback.tsx')).CallbackPage }));
const CallbacksPage = lazy(async () => ({ default: (await import('./pages/callbacks.tsx')).CallbacksPage }));
const IntegrationPage = lazy(async () => ({ default: (await import('./pages/integration.tsx')).IntegrationPage }));
const KeysPage = lazy(async () => ({ default: (await import('./pages/keys.tsx')).KeysPage }));
const PaymentPage = lazy(async () => ({ default: (await import('./pages/payment.tsx')).PaymentPage }));
const loadPayments = async () => ({ default: (await import('./pages/payments.tsx')).PaymentsPage });
const PaymentsPage = lazy(loadPayments);
const RegistersPage = lazy(async () => ({ default: (await import('./pages/registers.tsx')).RegistersPage }));
const RequestsPage = lazy(async () => ({ default: (await import('./pages/requests.tsx')).RequestsPage }));
const SignInPage = lazy(async () => ({ default: (await import('./pages/sign-in.tsx')).SignInPage }));

const TestCardsPage = lazy(async () => ({ default: (await import('./pages/test-cards.tsx')).TestCardsPage }));
const TestClockPage = lazy(async () => ({ default: (await import('./pages/test-clock.tsx')).TestClockPage }));
const WithdrawalsPage = lazy(async () => ({ default: (await import('./pages/withdrawals.tsx')).WithdrawalsPage }));

/** For strangers. While they sign in, the page that most of them see next is loaded. */
export function SignIn(): ReactNode {
  useEffect(() => {
    loadPayments().catch(() => undefined);
  }, []);
  return (
    <WhenLoaded>
      <SignInPage />
    </WhenLoaded>
  );
}

/** The page of the current address. */
export function Pages(): ReactNode {
  const [location] = useLocation();
  return (
    <WhenLoaded key={location}>
      <Switch>
        <Route path="/sign-in" component={SignedIn} />
        <Route path="/payments" component={PaymentsPage} />
        <Route path="/payments/:method/:id">
          {({ method, id }) => <PaymentPage key={id} method={method === 'qr' ? 'qr' : 'card'} id={id} />}
        </Route>
        <Route path="/callbacks" component={CallbacksPage} />
        <Route path="/callbacks/:id">{({ id }) => <CallbackPage key={id} id={id} />}</Route>
        <Route path="/withdrawals" component={WithdrawalsPage} />
        <Route path="/registers" component={RegistersPage} />
        <Route path="/integration" component={IntegrationPage} />
        <Route path="/keys" component={KeysPage} />
        <Route path="/requests" component={RequestsPage} />
        <Route path="/test-cards" component={TestCardsPage} />
        <Route path="/test-clock" component={TestClockPage} />
        <Route path="/">
          <Redirect to="/payments" replace />
        </Route>
        <Route component={NotFoundPage} />
      </Switch>
    </WhenLoaded>
  );
}

function NotFoundPage(): ReactNode {
  return (
    <Page title="Page not found">
      <Link href="/payments">Payments</Link>
    </Page>
  );
}
