import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Action } from '@pay/shared/operators/roles.ts';
import { queryOf } from '../api.ts';
import { useMay } from '../session.ts';
import { t } from '../text.ts';

/**
 * The server writes the files, with exactly what these filters select, and the audit log says who took them. `list`: their name
 * without its ending.
 */
export function ExportLink({
  list,
  action,
  filter,
  label = t('CSV of this list'),
  isOnlyCsv = false,
}: {
  readonly list: string;
  readonly action: Action;
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly label?: string;
  readonly isOnlyCsv?: boolean;
}): ReactNode {
  const may = useMay();
  if (!may(action)) return null;
  return (
    <Button.Group>
      <FileButton href={`/api/${list}.csv${queryOf(filter)}`}>{label}</FileButton>
      {isOnlyCsv ? null : (
        <FileButton href={`/api/${list}.xlsx${queryOf(filter)}`} about={label.replace('CSV', 'Excel')}>
          Excel
        </FileButton>
      )}
    </Button.Group>
  );
}

function FileButton({
  href,
  about,
  children,
}: {
  readonly href: string;
  readonly about?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Button component="a" href={href} aria-label={about} download variant="default" size="xs">
      {children}
    </Button>
  );
}
