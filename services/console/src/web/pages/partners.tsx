import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { Partner } from '@pay/contract/operator/partners.ts';
import { read } from '../api.ts';
import { words } from '../format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { TextForm } from '../parts/form.tsx';
import { Fault, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { DataTable, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import type { List } from '../types.ts';
import { t } from '../text.ts';

const PATH = '/api/gateway/partners';

const COLUMNS: readonly Column<Partner>[] = [
  {
    title: t('Partner'),
    cell: ({ partnerID }) => <Link href={`/partners/${encodeURIComponent(partnerID)}`}>{partnerID}</Link>,
  },
  { title: t('Name'), cell: ({ name }) => name },
  { title: t('State'), cell: ({ status }) => <State value={status} /> },
  {
    title: t('Keys'),
    cell: ({ keys }) =>
      ['ACTIVE', 'REGISTERED']
        .map((status) => `${String(keys.filter((key) => key.status === status).length)} ${words(status).toLowerCase()}`)
        .join(', '),
  },
  { title: t('Since'), cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** All partners, and how to add one. */
export function PartnersPage(): ReactNode {
  const partners = useQuery({ queryKey: [PATH], queryFn: () => read<List<Partner>>(PATH) });
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const may = useMay();
  const create = useAct<Partner>([[PATH]], ({ partnerID }) => {
    navigate(`/partners/${encodeURIComponent(partnerID)}`);
  });
  return (
    <Page
      title={t('Partners')}
      aside={
        <Group gap="xs">
          <ExportLink list="partners" action="partners.export" filter={{}} />
          {may('partners.create') ? (
            <Button
              size="xs"
              onClick={() => {
                setOpen(true);
              }}
            >
              {t('New partner')}
            </Button>
          ) : null}
        </Group>
      }
    >
      {partners.isPending ? <Waiting /> : null}
      <Fault error={partners.error} title={t('Couldn’t load the partners')} />
      {partners.data === undefined ? null : (
        <DataTable
          label={t('Partners')}
          rows={partners.data.items}
          columns={COLUMNS}
          keyOf={({ partnerID }) => partnerID}
          empty={t('No partners yet. Create the first one, then its key, store and payment points.')}
        />
      )}
      <Dialog
        title={t('New partner')}
        opened={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        <TextForm
          button={t('Create')}
          act={create}
          fields={[
            {
              name: 'partnerID',
              label: t('Partner ID'),
              description: t('Letters, digits, dot, underscore, hyphen. It can’t be changed later.'),
            },
            { name: 'name', label: t('Name') },
          ]}
          onSubmit={(body) => {
            create.mutate({ path: PATH, body });
          }}
        />
      </Dialog>
    </Page>
  );
}
