import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Action } from '@pay/shared/operators/roles.ts';
import { queryOf } from '../api.ts';
import { useMay } from '../session.ts';
import { t } from '../text.ts';

/** The server writes the file, with exactly what these filters select, and the audit log says who took it. */
export function ExportLink({
  file,
  action,
  filter,
  label = t('CSV of this list'),
}: {
  readonly file: string;
  readonly action: Action;
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly label?: string;
}): ReactNode {
  const may = useMay();
  if (!may(action)) return null;
  return (
    <Button component="a" href={`/api/${file}${queryOf(filter)}`} download variant="default" size="xs">
      {label}
    </Button>
  );
}
