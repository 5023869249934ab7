import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeadLetter, DeadLetterWithBody } from '@pay/contract/operator/queues.ts';
import { CONSUMERS } from '@pay/contract/operator/states.ts';
import { read } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Choice, QueueChoice, queueOf } from '../parts/choice.tsx';
import { ExportLink } from '../parts/export-link.tsx';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { Facts, Fault, Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import { RetryAll } from './retry-all.tsx';
import { t, tx } from '../text.ts';

const FIELDS = [{ name: 'type', label: t('Type'), placeholder: 'payment.completed' }] as const;

/** Messages that a service could not process in twenty deliveries: inspect and retry them. */
export function DeadLettersPage(): ReactNode {
  const [{ service = 'notifier', status = 'WAITING', type }, change] = useFilters(['service', 'status', 'type']);
  const shown = { type, ...queueOf(status, 'WAITING') };
  const path = `/api/${service}/dead-letters`;
  const list = useList<DeadLetter>(path, shown);
  const [chosen, setChosen] = useState<string>();
  const [isAll, setAll] = useState(false);
  return (
    <Page
      title={t('Dead letters')}
      aside={
        <Group gap="xs">
          <ExportLink list={`${service}-dead-letters`} action="dead-letters.export" filter={shown} />
          <RetryAllButton onOpen={setAll} />
        </Group>
      }
    >
      <Choice
        label={t('Service')}
        value={service}
        options={CONSUMERS.map((one) => ({ value: one, label: one }))}
        onChange={(value) => {
          change({ service: value });
        }}
      />
      <Group mt="xs">
        <QueueChoice
          value={status}
          waiting={{ value: 'WAITING', label: t('Waiting, oldest first') }}
          ended={{ value: 'REDRIVEN', label: t('Retried') }}
          onChange={change}
        />
      </Group>
      <FilterForm fields={FIELDS} filter={type === undefined ? {} : { type }} onChange={change} />
      <ListTable
        label={t('Dead letters')}
        filters={FIELDS}
        list={list}
        columns={columns(setChosen)}
        keyOf={({ deadLetterId }) => deadLetterId}
        empty={t('No dead letters match these filters in {service}.', { service })}
      />
      <Dialog
        title={t('A dead letter')}
        opened={chosen !== undefined}
        onClose={() => {
          setChosen(undefined);
        }}
      >
        {chosen === undefined ? null : <Letter path={path} id={chosen} />}
      </Dialog>
      <Dialog
        title={t('Retry all of {service}', { service })}
        opened={isAll}
        onClose={() => {
          setAll(false);
        }}
      >
        {isAll ? <RetryAll service={service} path={path} type={type} /> : null}
      </Dialog>
    </Page>
  );
}

function RetryAllButton({ onOpen }: { readonly onOpen: (isOpen: true) => void }): ReactNode {
  const may = useMay();
  if (!may('dead-letters.redrive')) return null;
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => {
        onOpen(true);
      }}
    >
      {t('Retry all')}
    </Button>
  );
}

function columns(onShow: (id: string) => void): readonly Column<DeadLetter>[] {
  return [
    { title: t('Failed at'), cell: ({ diedAt }) => <Moment at={diedAt} /> },
    { title: t('State'), cell: ({ status }) => <State value={status} /> },
    { title: t('Type'), cell: ({ type }) => type },
    { title: t('About'), cell: ({ aggregateId }) => <Id>{aggregateId}</Id> },
    { title: t('Retries'), align: 'right', cell: ({ attemptCount }) => String(attemptCount) },
    { title: t('Last error'), cell: ({ lastError }) => lastError ?? '–' },
    {
      title: t('Actions'),
      cell: ({ deadLetterId, type }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${t('Show')} ${type} ${deadLetterId}`}
          onClick={() => {
            onShow(deadLetterId);
          }}
        >
          {t('Show')}
        </Button>
      ),
    },
  ];
}

function Letter({ path, id }: { readonly path: string; readonly id: string }): ReactNode {
  const key = [path, 'one', id];
  const letter = useQuery({ queryKey: key, queryFn: () => read<DeadLetterWithBody>(`${path}/${id}`) });
  const redrive = useAct<DeadLetterWithBody>([[path], key]);
  const may = useMay();
  if (letter.isPending) return <Waiting />;
  if (letter.isError) return <Fault error={letter.error} title={t('Couldn’t load the message')} />;
  const { status, type, messageId, occurredAt, requestId, lastError, redrivenBy, redrivenAt, body } = letter.data;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [t('State'), <State key="state" value={status} />],
          [t('Type'), type],
          [t('Sent'), occurredAt === '' ? undefined : <Moment key="sent" at={occurredAt} />],
          [t('Message'), <Id key="message">{messageId}</Id>],
          [t('Request ID'), requestId === null ? undefined : <Id key="request">{requestId}</Id>],
          [t('Error'), lastError ?? undefined],
          [
            t('Processed'),
            redrivenBy === null ? undefined : (
              <span key="redriven">{tx('by {operator}, {moment}', { operator: redrivenBy, moment: <Moment at={redrivenAt} /> })}</span>
            ),
          ],
        ]}
      />
      <pre className="bytes" tabIndex={0}>
        {body}
      </pre>
      <Fault error={redrive.error} />
      {redrive.data === undefined ? null : (
        <Text role="status" size="sm">
          {redrive.data.status === 'REDRIVEN' ? t('Processed.') : t('Still failing: see the error above.')}
        </Text>
      )}
      {status === 'WAITING' && may('dead-letters.redrive') ? (
        <Group justify="end">
          <Button
            data-autofocus
            loading={redrive.isPending}
            onClick={() => {
              redrive.mutate({ path: `${path}/${id}/redrive`, body: {} });
            }}
          >
            {t('Retry')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}
