import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AcquiringRoute } from '@pay/contract/operator/acquiring-routes.ts';
import { read } from '../api.ts';
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
      title="Routes"
      aside={
        <Group gap="xs">
          <ExportLink file="routes.csv" action="routes.export" filter={{}} />
          {may('routes.create') ? (
            <Button
              size="xs"
              onClick={() => {
                setOpen('new');
              }}
            >
              New route
            </Button>
          ) : null}
        </Group>
      }
    >
      {routes.isPending ? <Waiting /> : null}
      <Fault error={routes.error} title="Couldn’t load the routes" />
      <Fault error={act.error} />
      {routes.data === undefined ? null : (
        <DataTable
          label="Routes"
          rows={routes.data.items}
          columns={columns(setOpen, (route, verb) => {
            act.mutate({ path: `${PATH}/${encodeURIComponent(route.routeId)}/${verb}` });
          })}
          keyOf={({ routeId }) => routeId}
          empty="No routes yet. Payments need one: create it for a connector of this system."
        />
      )}
      <Dialog title={open === 'new' ? 'New route' : 'Limits of a route'} opened={open !== undefined} onClose={close}>
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
    { title: 'Route', cell: ({ routeId }) => routeId },
    { title: 'Connector', cell: ({ connector }) => connector },
    { title: 'State', cell: ({ status }) => <State value={status} /> },
    { title: 'From, RUB', align: 'right', cell: ({ minAmount }) => <span className="numbers">{minAmount}</span> },
    { title: 'To, RUB', align: 'right', cell: ({ maxAmount }) => <span className="numbers">{maxAmount}</span> },
    { title: 'Actions', cell: (route) => <Actions route={route} onLimits={onLimits} onAct={onAct} /> },
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
        aria-label={`Limits of ${route.routeId}`}
        onClick={() => {
          onLimits(route);
        }}
      >
        Limits
      </Button>
      {route.status === 'ACTIVE' ? (
        <ConfirmButton
          size="compact-xs"
          label="Suspend"
          name={`Suspend ${route.routeId}`}
          explains="New payments use the next route, or are refused if there is none. Payments in progress are completed on this route."
          onConfirm={() => {
            onAct(route, 'suspend');
          }}
        />
      ) : (
        <Button
          size="compact-xs"
          aria-label={`Resume ${route.routeId}`}
          onClick={() => {
            onAct(route, 'resume');
          }}
        >
          Resume
        </Button>
      )}
    </Group>
  );
}

function NewRoute({ onDone }: { readonly onDone: () => void }): ReactNode {
  const create = useAct([[PATH]], onDone);
  return (
    <TextForm
      button="Create"
      act={create}
      fields={[
        { name: 'routeId', label: 'Route', description: 'Our name for it. It can’t be changed later.' },
        { name: 'connector', label: 'Connector', description: 'sandbox-bank or t-bank.', placeholder: 't-bank' },
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
      button="Save"
      act={change}
      fields={[
        { name: 'minAmount', label: 'Lowest amount, RUB', initial: route.minAmount },
        { name: 'maxAmount', label: 'Highest amount, RUB', initial: route.maxAmount },
      ]}
      onSubmit={(body) => {
        change.mutate({ path: `${PATH}/${encodeURIComponent(route.routeId)}/limits`, body });
      }}
    >
      <Text size="sm">Of {route.routeId}, for new payments. A point may have narrower limits.</Text>
    </TextForm>
  );
}
