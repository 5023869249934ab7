import { Alert, Button, Grid, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PointAcquiringRoutes } from '@pay/contract/operator/acquiring-routes.ts';
import type { AuditLogEntry } from '@pay/contract/operator/audit-log.ts';
import type { PaymentPoint } from '@pay/contract/operator/stores.ts';
import type { PointMethod } from '@pay/contract/states.ts';
import { ApiFault, read } from '../api.ts';
import { grouped, words } from '../format.ts';
import { History } from '../parts/history.tsx';
import { Facts, Fault, Page } from '../parts/page.tsx';
import { Proposed } from '../parts/proposed.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import type { List } from '../types.ts';
import { pointBody, PointFields } from './point-fields.tsx';
import { t } from '../text.ts';

const pathOf = (id: string) => `/api/payments/payment-points/${encodeURIComponent(id)}`;
const keyOf = (id: string) => ['point', id] as const;

/** One payment point: its settings, and the routes of each method in the order they are tried. */
export function PointPage({ id }: { readonly id: string }): ReactNode {
  const point = useQuery({ queryKey: keyOf(id), queryFn: () => read<PaymentPoint>(pathOf(id)) });
  const may = useMay();
  return (
    <Page
      title={t('Payment point {id}', { id })}
      aside={
        point.data === undefined ? null : (
          <Link href={`/partners/${encodeURIComponent(point.data.partnerId)}`}>{t('Partner {id}', { id: point.data.partnerId })}</Link>
        )
      }
    >
      {point.isPending ? <Waiting /> : null}
      <Fault error={point.error} title={t('Couldn’t load the payment point')} />
      {point.data === undefined ? null : (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Settings point={point.data} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack>
              {point.data.paymentMethods.map((method) => (
                <MethodRoutes key={method} id={id} method={method} />
              ))}
              {may('audit.read') ? <Actions id={id} /> : null}
            </Stack>
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}

const methodsOf = ({ paymentMethods, sbpOnCardPage }: PaymentPoint): readonly string[] => [
  ...paymentMethods.map(words),
  ...(sbpOnCardPage ? [t('SBP on the card page')] : []),
];

function Settings({ point }: { readonly point: PaymentPoint }): ReactNode {
  const { paymentPointId, revision, status, name, storeId } = point;
  const may = useMay();
  const change = useAct<object>([keyOf(paymentPointId), ['actions', paymentPointId]], undefined, 'PUT');
  const isStale = change.error instanceof ApiFault && change.error.code === 'STALE_REVISION';
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Settings')}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t('Settings')}
        </Title>
        <State value={status} />
      </Group>
      {isStale ? (
        <Alert role="alert" color="yellow" title={t('Not saved: somebody else changed it in the meantime')} mb="sm">
          {t('The page shows the current settings.')}
        </Alert>
      ) : null}
      <Proposed
        answer={change.data}
        title={t('Proposed, not saved yet')}
        what={t('A new fee, and accepting buyers who are not authenticated,')}
      />
      <Facts
        facts={[
          [t('Name'), name],
          [t('Store'), storeId],
          [t('Methods'), methodsOf(point).join(', ')],
          [t('Amounts'), <span key="amounts" className="numbers">{`${grouped(point.minAmount)} – ${grouped(point.maxAmount)} RUB`}</span>],
          [t('Not authenticated'), point.whenNotAuthenticated === 'DECLINE' ? t('are declined') : t('As the bank decides')],
          [t('Cards per payment'), String(point.cardAttempts)],
          [t('Default route'), point.routeId],
          [t('Revision'), String(revision)],
        ]}
      />
      {may('points.change') ? (
        <details key={revision} className="change">
          <summary>{t('Change the settings')}</summary>
          <PointFields
            point={point}
            button={t('Save')}
            act={isStale ? { ...change, error: null } : change}
            onSubmit={(values) => {
              change.mutate({ path: pathOf(paymentPointId), body: { revision, ...pointBody(values) } });
            }}
          />
        </details>
      ) : null}
    </Paper>
  );
}

const COLUMNS: readonly Column<PointAcquiringRoutes['routes'][number]>[] = [
  { title: t('Route'), cell: ({ routeId }) => routeId },
  { title: t('State'), cell: ({ status }) => <State value={status} /> },
  {
    title: t('From, RUB'),
    align: 'right',
    cell: ({ minAmount }) => <span className="numbers">{grouped(minAmount)}</span>,
  },
  {
    title: t('To, RUB'),
    align: 'right',
    cell: ({ maxAmount }) => <span className="numbers">{grouped(maxAmount)}</span>,
  },
];

function MethodRoutes({ id, method }: { readonly id: string; readonly method: PointMethod }): ReactNode {
  const path = `${pathOf(id)}/routes/${method}`;
  const routes = useQuery({ queryKey: ['point-routes', id, method], queryFn: () => read<PointAcquiringRoutes>(path) });
  const change = useAct(
    [
      ['point-routes', id, method],
      ['actions', id],
    ],
    undefined,
    'PUT',
  );
  const may = useMay();
  const lines = routes.data?.routes.map(({ routeId, minAmount, maxAmount }) => `${routeId} ${minAmount} ${maxAmount}`);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Routes of {method}', { method: words(method) })}>
      <Title order={2} size="h4" mb="sm">
        {t('Routes of {method}', { method: words(method) })}
      </Title>
      <Fault error={routes.error} title={t('Couldn’t load the routes')} />
      {routes.data === undefined ? null : (
        <DataTable
          label={t('Routes of {method}, in the order they are tried', { method: words(method) })}
          rows={routes.data.routes}
          columns={COLUMNS}
          keyOf={({ routeId }) => routeId}
          empty={t('No route supports this method.')}
        />
      )}
      {may('points.change') && lines !== undefined ? (
        <details className="change">
          <summary>{t('Change the routes of {method}', { method: words(method) })}</summary>
          <form
            key={lines.join()}
            onSubmit={(event) => {
              event.preventDefault();
              const typed = new FormData(event.currentTarget).get('routes');
              if (typeof typed === 'string') change.mutate({ path, body: { routes: routesOf(typed) } });
            }}
          >
            <Textarea
              label={t('One route per line, tried from top to bottom')}
              description={t('Route, minimum and maximum amount: sandbox-bank 0.01 1000000.00. Leave empty for the point’s own route.')}
              name="routes"
              defaultValue={lines.join('\n')}
              autosize
              minRows={2}
            />
            <Fault error={change.error} />
            <Group justify="end" mt="sm">
              <Button type="submit" size="xs" loading={change.isPending}>
                {t('Save')}
              </Button>
            </Group>
          </form>
        </details>
      ) : null}
    </Paper>
  );
}

function routesOf(typed: string): readonly Readonly<Record<string, string>>[] {
  const lines = typed.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [routeId = '', minAmount, maxAmount] = line.split(/\s+/);
      return {
        routeId,
        ...(minAmount === undefined ? {} : { minAmount }),
        ...(maxAmount === undefined ? {} : { maxAmount }),
      };
    });
}

function Actions({ id }: { readonly id: string }): ReactNode {
  const actions = useQuery({
    queryKey: ['actions', id],
    queryFn: () => read<List<AuditLogEntry>>(`/api/payments/actions?subjectId=${encodeURIComponent(id)}&limit=20`),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('History')}>
      <Title order={2} size="h4" mb="sm">
        {t('History')}
      </Title>
      <Fault error={actions.error} title={t('Couldn’t load the history')} />
      {actions.data === undefined ? null : <History entries={actions.data.items} />}
      {actions.data?.items.length === 0 ? <Text size="xs">{t('No changes since creation.')}</Text> : null}
    </Paper>
  );
}
