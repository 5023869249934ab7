import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditLogEntry } from '@pay/contract/operator/audit-log.ts';
import { Moment } from './page.tsx';
import { t } from '../text.ts';

/** What people did, newest first: who, when, and what it changed. */
export function History({ entries }: { readonly entries: readonly AuditLogEntry[] }): ReactNode {
  if (entries.length === 0) return <Text size="sm">{t('No actions yet.')}</Text>;
  return (
    <ol className="story">
      {entries.map(({ at, operator, action, before, after, requestId }) => (
        <li key={`${at} ${action} ${requestId ?? ''}`}>
          <Text size="sm">
            <strong>{operator}</strong> {action}
          </Text>
          <Text size="xs">
            <Moment at={at} />
          </Text>
          {changes(before, after).map((change) => (
            <Text key={change} size="xs" className="mono">
              {change}
            </Text>
          ))}
        </li>
      ))}
    </ol>
  );
}

type State = Readonly<Record<string, unknown>> | null;

/** `status: IN_REVIEW → APPROVED` for everything that changed. */
function changes(before: State, after: State): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.flatMap((name) => {
    const [was, is] = [textOf(before?.[name]), textOf(after?.[name])];
    return was === is ? [] : [`${name}: ${was} → ${is}`];
  });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
