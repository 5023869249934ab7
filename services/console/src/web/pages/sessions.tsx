import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { read } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Fault, Id, Moment, Page } from '../parts/page.tsx';
import { DataTable, ListTable, useList, Waiting, type Column } from '../parts/table.tsx';
import { useAct } from '../parts/use-act.ts';
import type { AuditedAction, List, OperatorSession } from '../types.ts';
import { addressOf, factorOf } from './audited.ts';

const PATH = '/api/sessions';
const SIGN_INS = { action: 'session.sign-in' };

const SIGN_IN_COLUMNS: readonly Column<AuditedAction>[] = [
  { title: 'When', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Who', cell: ({ operator }) => operator },
  { title: 'Result', cell: resultOf },
  { title: 'With', cell: (row) => factorOf(row) ?? '–' },
  { title: 'Address', cell: (row) => addressOf(row) ?? '–' },
];

/** Who is signed in, and every attempt to sign in. An administrator ends a session that should not be there. */
export function SessionsPage(): ReactNode {
  const sessions = useQuery({ queryKey: [PATH], queryFn: () => read<List<OperatorSession>>(PATH) });
  const signIns = useList<AuditedAction>('/api/audited-actions', SIGN_INS, 'before');
  const end = useAct([[PATH]]);
  return (
    <Page title="Sessions and sign-ins">
      <Title order={2} size="h4" mb="xs">
        Signed in now
      </Title>
      {sessions.isPending ? <Waiting /> : null}
      <Fault error={sessions.error} title="Couldn’t load the sessions" />
      <Fault error={end.error} title="Couldn’t end the session" />
      {sessions.data === undefined ? null : (
        <DataTable
          label="Sessions"
          rows={sessions.data.items}
          columns={columns((session) => {
            end.mutate({ path: `${PATH}/${encodeURIComponent(session.sessionId)}/end` });
          })}
          keyOf={({ sessionId }) => sessionId}
          empty="Nobody."
        />
      )}
      <Title order={2} size="h4" mt="xl" mb="xs">
        Sign-ins
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Every attempt, newest first. Everything else that people did is in the <Link href="/audit">audit log</Link>.
      </Text>
      <ListTable
        label="Sign-ins"
        list={signIns}
        columns={SIGN_IN_COLUMNS}
        keyOf={({ position }) => position}
        empty="No sign-ins yet."
      />
    </Page>
  );
}

function resultOf({ status, after }: AuditedAction): string {
  if (status === null) return 'no result';
  if (status >= 400) return 'refused';
  const isHalf = typeof after === 'object' && after !== null && 'outcome' in after;
  return isHalf ? 'second factor asked for' : 'signed in';
}

function columns(onEnd: (session: OperatorSession) => void): readonly Column<OperatorSession>[] {
  return [
    { title: 'Who', cell: ({ name, login }) => `${name} (${login})` },
    { title: 'Signed in', cell: ({ signedInAt }) => <Moment at={signedInAt} /> },
    { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
    { title: 'Address', cell: ({ address }) => address ?? '–' },
    { title: 'Browser', cell: ({ userAgent }) => (userAgent === null ? '–' : <Id>{userAgent}</Id>) },
    {
      title: 'Actions',
      cell: (session) =>
        session.isOwn ? (
          'this session'
        ) : (
          <ConfirmButton
            label="End session"
            name={`End session of ${session.name}, ${session.address ?? ''}`}
            size="compact-xs"
            explains={`${session.name} has to sign in again in that browser. Their other sessions stay. To keep them out, disable the account.`}
            onConfirm={() => {
              onEnd(session);
            }}
          />
        ),
    },
  ];
}
