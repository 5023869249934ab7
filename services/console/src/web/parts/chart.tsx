import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { DataTable, type Column } from './table.tsx';

/** One line or one kind of bar: its label, and the field of a row that it draws. Never an amount: those are text. */
export type Series = { readonly name: string; readonly label: string };
export type Point = { readonly at: string } & Readonly<Record<string, string | number | null>>;

const COLORS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)'] as const;
const HEIGHT = 200;
const TICK = { fill: 'var(--mantine-color-dimmed)', fontSize: 11 };

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
        <summary>{title} as a table</summary>
        <div className="figures">
          <DataTable label={`${title}, figures`} {...table} empty="No data for this period." />
        </div>
      </details>
    </Paper>
  );
}

function Legend({ series }: { readonly series: readonly Series[] }): ReactNode {
  return (
    <ul className="legend">
      {series.map(({ name, label }, index) => (
        <li key={name} className={`legend-${String(index + 1)}`}>
          {label}
        </li>
      ))}
    </ul>
  );
}

/** Lines over time. */
export function Lines({
  points,
  series,
  unit,
  max,
}: {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly unit: (value: number) => string;
  readonly max?: number;
}): ReactNode {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <LineChart data={[...points]} accessibilityLayer={false} margin={{ top: 8, right: 12, bottom: 0, left: 0 }}>
        <CartesianGrid stroke="var(--mantine-color-default-border)" vertical={false} />
        <XAxis dataKey="at" tick={TICK} tickLine={false} minTickGap={40} stroke="var(--mantine-color-default-border)" />
        <YAxis
          tick={TICK}
          tickLine={false}
          axisLine={false}
          width={76}
          tickFormatter={unit}
          domain={[0, max ?? 'auto']}
        />
        {series.map(({ name }, index) => (
          <Line
            key={name}
            dataKey={name}
            stroke={COLORS[index] ?? COLORS[0]}
            strokeWidth={2}
            dot={{ r: 2 }}
            connectNulls
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}

/** Bars side by side or stacked, one row per name. */
export function Bars({
  rows,
  series,
  unit,
}: {
  readonly rows: readonly Point[];
  readonly series: readonly Series[];
  readonly unit?: (value: number) => string;
}): ReactNode {
  if (rows.length === 0) return null;
  const height = Math.max(90, 34 * rows.length + 30);
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        data={[...rows]}
        layout="vertical"
        accessibilityLayer={false}
        margin={{ top: 4, right: 12, bottom: 0, left: 0 }}
      >
        <XAxis
          type="number"
          tick={unit === undefined ? false : TICK}
          tickLine={false}
          axisLine={false}
          allowDecimals={false}
          height={unit === undefined ? 4 : 24}
          {...(unit === undefined ? {} : { tickFormatter: unit })}
        />
        <YAxis
          type="category"
          dataKey="at"
          tick={TICK}
          tickLine={false}
          width={150}
          stroke="var(--mantine-color-default-border)"
        />
        {series.map(({ name }, index) => (
          <Bar
            key={name}
            dataKey={name}
            stackId="one"
            fill={COLORS[index] ?? COLORS[0]}
            isAnimationActive={false}
            barSize={16}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
