import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Series } from './drawing.tsx';
import { DataTable, type Column } from './table.tsx';
import { t } from '../text.ts';

/** A chart on a card: a sentence that sums it up, the drawing, and the same figures as a table. */
export function ChartCard<T>({
  title,
  says,
  series,
  table,
  children,
}: {
  readonly title: string;
  readonly says: string;
  readonly series?: readonly Series[];
  readonly table: {
    readonly rows: readonly T[];
    readonly columns: readonly Column<T>[];
    readonly keyOf: (row: T) => string;
  };
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} className="chart">
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {says}
      </Text>
      <div role="img" aria-label={`${title}: ${says}`}>
        {children}
      </div>
      {series === undefined ? null : <Legend series={series} />}
      <details>
        <summary>{t('{chart} as a table', { chart: title })}</summary>
        <div className="figures">
          <DataTable label={t('{chart}, figures', { chart: title })} {...table} empty={t('No data for this period.')} />
        </div>
      </details>
    </Paper>
  );
}

function Legend({ series }: { readonly series: readonly Series[] }): ReactNode {
  return (
    <ul className="legend">
      {series.map(({ name, label }, index) => (
        <li key={name} className={`series-${String(index + 1)}`}>
          {label}
        </li>
      ))}
    </ul>
  );
}
