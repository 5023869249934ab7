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

const FIELDS = [{ name: 'type', label: 'Type', placeholder: 'payment.completed' }] as const;

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
      title="Dead letters"
      aside={
        <Group gap="xs">
          <ExportLink file={`${service}-dead-letters.csv`} action="dead-letters.export" filter={shown} />
          <RetryAllButton onOpen={setAll} />
        </Group>
      }
    >
      <Choice
        label="Service"
        value={service}
        options={CONSUMERS.map((one) => ({ value: one, label: one }))}
        onChange={(value) => {
          change({ service: value });
        }}
      />
      <Group mt="xs">
        <QueueChoice
          value={status}
          waiting={{ value: 'WAITING', label: 'Waiting, oldest first' }}
          ended={{ value: 'REDRIVEN', label: 'Redriven' }}
          onChange={change}
        />
      </Group>
      <FilterForm fields={FIELDS} filter={type === undefined ? {} : { type }} onChange={change} />
      <ListTable
        label="Dead letters"
        list={list}
        columns={columns(setChosen)}
        keyOf={({ deadLetterId }) => deadLetterId}
        empty={`No dead letters match these filters in ${service}.`}
      />
      <Dialog
        title="A dead letter"
        opened={chosen !== undefined}
        onClose={() => {
          setChosen(undefined);
        }}
      >
        {chosen === undefined ? null : <Letter path={path} id={chosen} />}
      </Dialog>
      <Dialog
        title={`Retry all of ${service}`}
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
      Retry all
    </Button>
  );
}

function columns(onShow: (id: string) => void): readonly Column<DeadLetter>[] {
  return [
    { title: 'Failed at', cell: ({ diedAt }) => <Moment at={diedAt} /> },
    { title: 'State', cell: ({ status }) => <State value={status} /> },
    { title: 'Type', cell: ({ type }) => type },
    { title: 'About', cell: ({ aggregateId }) => <Id>{aggregateId}</Id> },
    { title: 'Retries', align: 'right', cell: ({ attemptCount }) => String(attemptCount) },
    { title: 'Last error', cell: ({ lastError }) => lastError ?? '–' },
    {
      title: 'Actions',
      cell: ({ deadLetterId, type }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Show ${type} ${deadLetterId}`}
          onClick={() => {
            onShow(deadLetterId);
          }}
        >
          Show
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
  if (letter.isError) return <Fault error={letter.error} title="Couldn’t load the message" />;
  const { status, type, messageId, occurredAt, requestId, lastError, redrivenBy, redrivenAt, body } = letter.data;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          ['State', <State key="state" value={status} />],
          ['Type', type],
          ['Sent', occurredAt === '' ? undefined : <Moment key="sent" at={occurredAt} />],
          ['Message', <Id key="message">{messageId}</Id>],
          ['Request', requestId === null ? undefined : <Id key="request">{requestId}</Id>],
          ['Error', lastError ?? undefined],
          [
            'Processed',
            redrivenBy === null ? undefined : (
              <span key="redriven">
                by {redrivenBy}, <Moment at={redrivenAt} />
              </span>
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
          {redrive.data.status === 'REDRIVEN' ? 'Processed.' : 'Still failing: see the error above.'}
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
            Retry
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}
