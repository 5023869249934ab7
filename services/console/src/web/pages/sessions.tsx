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
import { said, t, tx } from '../text.ts';

const PATH = '/api/sessions';
const SIGN_INS = { action: 'session.sign-in' };

const SIGN_IN_COLUMNS: readonly Column<AuditedAction>[] = [
  { title: t('When'), cell: ({ at }) => <Moment at={at} /> },
  { title: t('Who'), cell: ({ operator }) => operator },
  { title: t('Result'), cell: resultOf },
  { title: t('Signed in with'), cell: (row) => said(factorOf(row) ?? '–') },
  { title: t('Address'), cell: (row) => addressOf(row) ?? '–' },
];

/** Who is signed in, and every attempt to sign in. An administrator ends a session that should not be there. */
export function SessionsPage(): ReactNode {
  const sessions = useQuery({ queryKey: [PATH], queryFn: () => read<List<OperatorSession>>(PATH) });
  const signIns = useList<AuditedAction>('/api/audited-actions', SIGN_INS, 'before');
  const end = useAct([[PATH]]);
  return (
    <Page title={t('Sessions and sign-ins')}>
      <Title order={2} size="h4" mb="xs">
        {t('Signed in now')}
      </Title>
      {sessions.isPending ? <Waiting /> : null}
      <Fault error={sessions.error} title={t('Couldn’t load the sessions')} />
      <Fault error={end.error} title={t('Couldn’t end the session')} />
      {sessions.data === undefined ? null : (
        <DataTable
          label={t('Sessions')}
          rows={sessions.data.items}
          columns={columns((session) => {
            end.mutate({ path: `${PATH}/${encodeURIComponent(session.sessionId)}/end` });
          })}
          keyOf={({ sessionId }) => sessionId}
          empty={t('Nobody.')}
        />
      )}
      <Title order={2} size="h4" mt="xl" mb="xs">
        {t('Sign-ins')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {tx('Every sign-in attempt, newest first. Other actions are in the {log}.', {
          log: <Link href="/audit">{t('audit log')}</Link>,
        })}
      </Text>
      <ListTable
        label={t('Sign-ins')}
        list={signIns}
        columns={SIGN_IN_COLUMNS}
        keyOf={({ position }) => position}
        empty={t('No sign-ins yet.')}
      />
    </Page>
  );
}

function resultOf({ status, after }: AuditedAction): string {
  if (status === null) return t('no result');
  if (status >= 400) return t('refused');
  const isHalf = typeof after === 'object' && after !== null && 'outcome' in after;
  return isHalf ? t('second factor requested') : t('signed in');
}

function columns(onEnd: (session: OperatorSession) => void): readonly Column<OperatorSession>[] {
  return [
    { title: t('Who'), cell: ({ name, login }) => `${name} (${login})` },
    { title: t('Signed in'), cell: ({ signedInAt }) => <Moment at={signedInAt} /> },
    { title: t('Last used'), cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
    { title: t('Address'), cell: ({ address }) => address ?? '–' },
    { title: t('Browser'), cell: ({ userAgent }) => (userAgent === null ? '–' : <Id>{userAgent}</Id>) },
    {
      title: t('Actions'),
      cell: (session) =>
        session.isOwn ? (
          t('this session')
        ) : (
          <ConfirmButton
            label={t('End session')}
            name={t('End session of {name}, {address}', { name: session.name, address: session.address ?? '' })}
            size="compact-xs"
            explains={t('{name} has to sign in again in that browser. Their other sessions stay. To keep them out, disable the account.', {
              name: session.name,
            })}
            onConfirm={() => {
              onEnd(session);
            }}
          />
        ),
    },
  ];
}
