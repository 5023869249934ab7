import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeadLetter, DeadLetterWithBody } from '@pay/contract/operator/queues.ts';
import { CONSUMERS } from '@pay/contract/operator/states.ts';
import { queryOf, read } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FilterForm, useFilters } from '../parts/filters.tsx';
import { Facts, Fault, Id, Moment, Page } from '../parts/page.tsx';
import { State } from '../parts/state.tsx';
import { ListTable, useList, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';

const FIELDS = [
  { name: 'status', label: 'State', options: ['WAITING', 'REDRIVEN'] },
  { name: 'type', label: 'Type', placeholder: 'payment.completed' },
] as const;

/** Messages that a service could not process in twenty deliveries: inspect and redrive them. */
export function DeadLettersPage(): ReactNode {
  const [{ service = 'notifier', ...filter }, change] = useFilters(['service', 'status', 'type']);
  const path = `/api/${service}/dead-letters`;
  const list = useList<DeadLetter>(path, filter);
  const [chosen, setChosen] = useState<string>();
  const [isAll, setAll] = useState(false);
  const may = useMay();
  return (
    <Page
      title="Dead letters"
      aside={
        may('dead-letters.redrive') ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setAll(true);
            }}
          >
            Redrive all
          </Button>
        ) : null
      }
    >
      <SegmentedControl
        aria-label="Service"
        size="xs"
        value={service}
        data={[...CONSUMERS]}
        onChange={(value) => {
          change({ service: value });
        }}
      />
      <FilterForm fields={FIELDS} filter={filter} onChange={change} />
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
        title={`Redrive all of ${service}`}
        opened={isAll}
        onClose={() => {
          setAll(false);
        }}
      >
        {isAll ? <RedriveAll path={path} type={filter.type} /> : null}
      </Dialog>
    </Page>
  );
}

function columns(onShow: (id: string) => void): readonly Column<DeadLetter>[] {
  return [
    { title: 'Died', cell: ({ diedAt }) => <Moment at={diedAt} /> },
    { title: 'State', cell: ({ status }) => <State value={status} /> },
    { title: 'Type', cell: ({ type }) => type },
    { title: 'About', cell: ({ aggregateId }) => <Id>{aggregateId}</Id> },
    { title: 'Redrives', align: 'right', cell: ({ attemptCount }) => String(attemptCount) },
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
            'Redriven',
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
            Redrive
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

type Counted = { readonly total: number; readonly upTo: string };
type Done = { readonly redriven: number; readonly failed: number; readonly left: number };

/** The count comes first; messages that fail after it are not included. */
function RedriveAll({ path, type }: { readonly path: string; readonly type: string | undefined }): ReactNode {
  const only = type === undefined ? {} : { type };
  const counted = useQuery({
    queryKey: [path, 'count', type],
    queryFn: () => read<{ items: readonly DeadLetter[] }>(`${path}${queryOf({ status: 'WAITING', type, limit: '1' })}`),
  });
  const count = useAct<Counted>([]);
  const redrive = useAct<Done>([[path]]);
  if (redrive.data !== undefined) {
    const { redriven, failed, left } = redrive.data;
    return (
      <Text role="status">
        <strong>{redriven}</strong> processed, <strong>{failed}</strong> failed again, <strong>{left}</strong> left.
      </Text>
    );
  }
  if (count.data === undefined)
    return (
      <Stack>
        <Text size="sm">
          All waiting messages{type === undefined ? '' : ` of type ${type}`} are processed again, oldest first. Inspect
          one first: messages keep failing until the cause is fixed.
        </Text>
        <Fault error={count.error} />
        <Group justify="end">
          <Button
            data-autofocus
            loading={count.isPending}
            disabled={counted.data?.items.length === 0}
            onClick={() => {
              count.mutate({ path: `${path}/redrive`, body: { dryRun: true, ...only } });
            }}
          >
            Count
          </Button>
        </Group>
        {counted.data?.items.length === 0 ? <Text size="sm">All queues are empty.</Text> : null}
      </Stack>
    );
  const { total, upTo } = count.data;
  return (
    <Stack>
      <Text role="status">
        <strong>{total}</strong> messages will be processed again.
      </Text>
      <Fault error={redrive.error} />
      <Group justify="end">
        <Button
          loading={redrive.isPending}
          disabled={total === 0}
          onClick={() => {
            redrive.mutate({ path: `${path}/redrive`, body: { upTo, ...only } });
          }}
        >
          Redrive
        </Button>
      </Group>
    </Stack>
  );
}
