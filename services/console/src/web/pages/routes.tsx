import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AcquiringRoute } from '@pay/contract/operator/acquiring-routes.ts';
import { read } from '../api.ts';
import { grouped } from '../format.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import type { List } from '../types.ts';
import { t } from '../text.ts';

const PATH = '/api/payments/routes';
type Open = 'new' | AcquiringRoute | undefined;

/** The acquiring routes: which amounts they take, and whether new payments use them. */
export function RoutesPage(): ReactNode {
  const routes = useQuery({ queryKey: [PATH], queryFn: () => read<List<AcquiringRoute>>(PATH) });
  const act = useAct([[PATH]]);
  const [open, setOpen] = useState<Open>();
  const may = useMay();
  const close = () => {
    setOpen(undefined);
  };
  return (
    <Page
      title={t('Routes')}
      aside={
        <Group gap="xs">
          <ExportLink list="routes" action="routes.export" filter={{}} />
          {may('routes.create') ? (
            <Button
              size="xs"
              onClick={() => {
                setOpen('new');
              }}
            >
              {t('New route')}
            </Button>
          ) : null}
        </Group>
      }
    >
      {routes.isPending ? <Waiting /> : null}
      <Fault error={routes.error} title={t('Couldn’t load the routes')} />
      <Fault error={act.error} />
      {routes.data === undefined ? null : (
        <DataTable
          label={t('Routes')}
          rows={routes.data.items}
          columns={columns(setOpen, (route, verb) => {
            act.mutate({ path: `${PATH}/${encodeURIComponent(route.routeId)}/${verb}` });
          })}
          keyOf={({ routeId }) => routeId}
          empty={t('No routes yet. Payments need one: create it for a connector of this system.')}
        />
      )}
      <Dialog title={open === 'new' ? t('New route') : t('Limits of a route')} opened={open !== undefined} onClose={close}>
        {open === 'new' ? <NewRoute onDone={close} /> : null}
        {open === undefined || open === 'new' ? null : <Limits route={open} onDone={close} />}
      </Dialog>
    </Page>
  );
}

function columns(
  onLimits: (route: AcquiringRoute) => void,
  onAct: (route: AcquiringRoute, verb: 'suspend' | 'resume') => void,
): readonly Column<AcquiringRoute>[] {
  return [
    { title: t('Route'), cell: ({ routeId }) => routeId },
    { title: t('Connector'), cell: ({ connector }) => connector },
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
    { title: t('Actions'), cell: (route) => <Actions route={route} onLimits={onLimits} onAct={onAct} /> },
  ];
}

function Actions({
  route,
  onLimits,
  onAct,
}: {
  readonly route: AcquiringRoute;
  readonly onLimits: (route: AcquiringRoute) => void;
  readonly onAct: (route: AcquiringRoute, verb: 'suspend' | 'resume') => void;
}): ReactNode {
  const may = useMay();
  if (!may('routes.change')) return '–';
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('Limits of {route}', { route: route.routeId })}
        onClick={() => {
          onLimits(route);
        }}
      >
        {t('Limits')}
      </Button>
      {route.status === 'ACTIVE' ? (
        <ConfirmButton
          size="compact-xs"
          label={t('Suspend')}
          name={`${t('Suspend')} ${route.routeId}`}
          explains={t(
            'New payments use the next route, or are refused if there is none. Payments in progress are completed on this route.',
          )}
          onConfirm={() => {
            onAct(route, 'suspend');
          }}
        />
      ) : (
        <Button
          size="compact-xs"
          aria-label={`${t('Resume')} ${route.routeId}`}
          onClick={() => {
            onAct(route, 'resume');
          }}
        >
          {t('Resume')}
        </Button>
      )}
    </Group>
  );
}

function NewRoute({ onDone }: { readonly onDone: () => void }): ReactNode {
  const create = useAct([[PATH]], onDone);
  return (
    <TextForm
      button={t('Create')}
      act={create}
      fields={[
        { name: 'routeId', label: t('Route'), description: t('Our name for it. It can’t be changed later.') },
        { name: 'connector', label: t('Connector'), description: t('sandbox-bank or t-bank.'), placeholder: 't-bank' },
      ]}
      onSubmit={(body) => {
        create.mutate({ path: PATH, body });
      }}
    />
  );
}

function Limits({ route, onDone }: { readonly route: AcquiringRoute; readonly onDone: () => void }): ReactNode {
  const change = useAct([[PATH]], onDone, 'PUT');
  return (
    <TextForm
      button={t('Save')}
      act={change}
      fields={[
        { name: 'minAmount', label: t('Lowest amount, RUB'), initial: route.minAmount, isAmount: true },
        { name: 'maxAmount', label: t('Highest amount, RUB'), initial: route.maxAmount, isAmount: true },
      ]}
      onSubmit={(body) => {
        change.mutate({ path: `${PATH}/${encodeURIComponent(route.routeId)}/limits`, body });
      }}
    >
      <Text size="sm">{t('Of {route}, for new payments. A point may have narrower limits.', { route: route.routeId })}</Text>
    </TextForm>
  );
}
