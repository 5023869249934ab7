import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** One line or one kind of bar: its label, and the field of a row that it draws. Never an amount: those are text. */
export type Series = { readonly name: string; readonly label: string };
export type Point = { readonly at: string } & Readonly<Record<string, string | number | null>>;

type Unit = (value: number) => string;

const HEIGHT = 200;
const LEFT = 64;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 22;
/** Of a character of a label, and between two labels on the time axis. */
const CHARACTER_PX = 6.5;
const LABEL_GAP_PX = 14;

/** The shape of a drawing over time, in pixels. */
type Scale = {
  readonly width: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** The middle of a point's bucket. */
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
  readonly bucketWidth: number;
};

/**
 * Figures over time, as bars beside each other or as lines. A line needs two points: where a single bucket has a value,
 * it is drawn as a bar.
 */
export function OverTime({
  points,
  series,
  unit,
  max,
  kind,
}: {
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly unit: Unit;
  /** The end of the axis; otherwise the largest value decides. */
  readonly max?: number;
  readonly kind: 'bars' | 'lines';
}): ReactNode {
  const { ref, width } = useElementSize();
  const valued = points.filter((point) => series.some(({ name }) => typeof point[name] === 'number'));
  const scale = scaleOf(points, series, width, max);
  const isBars = kind === 'bars' || valued.length === 1;
  return (
    <div ref={ref} className="drawing">
      {width === 0 ? null : (
        <svg width={width} height={HEIGHT}>
          <Axes points={points} scale={scale} unit={unit} />
          {series.map(({ name }, index) =>
            isBars ? (
              <Columns key={name} points={points} name={name} index={index} of={series.length} scale={scale} />
            ) : (
              <Line key={name} points={points} name={name} index={index} scale={scale} />
            ),
          )}
        </svg>
      )}
    </div>
  );
}

function scaleOf(points: readonly Point[], series: readonly Series[], width: number, max: number | undefined): Scale {
  const values = points.flatMap((point) => series.map(({ name }) => numberOf(point[name]) ?? 0));
  const ticks = ticksTo(max ?? Math.max(1, ...values));
  const top = ticks.at(-1) ?? 1;
  const bucketWidth = (width - LEFT - RIGHT) / Math.max(1, points.length);
  return {
    width,
    ticks,
    max: top,
    bucketWidth,
    x: (index) => LEFT + bucketWidth * (index + 0.5),
    y: (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / top,
  };
}

/** About four round steps from zero to at least `max`. */
function ticksTo(max: number): number[] {
  const size = 10 ** Math.floor(Math.log10(max / 4));
  const step = Math.max(1, size * ([1, 2, 2.5, 5].find((one) => one * size * 4 >= max) ?? 10));
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_one, index) => index * step);
}

function Axes({
  points,
  scale: { width, ticks, x, y, bucketWidth },
  unit,
}: {
  readonly points: readonly Point[];
  readonly scale: Scale;
  readonly unit: Unit;
}): ReactNode {
  const longest = Math.max(0, ...points.map(({ at }) => at.length));
  const every = Math.max(1, Math.ceil((longest * CHARACTER_PX + LABEL_GAP_PX) / bucketWidth));
  return (
    <g className="axes">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
            {unit(tick)}
          </text>
        </g>
      ))}
      {points.map(({ at }, index) =>
        index % every === 0 ? (
          <text key={at} x={x(index)} y={HEIGHT - 6} textAnchor="middle">
            {at}
          </text>
        ) : null,
      )}
    </g>
  );
}

type Drawn = {
  readonly points: readonly Point[];
  readonly name: string;
  /** Of the series: decides its colour. */
  readonly index: number;
  readonly scale: Scale;
};

function Columns({ points, name, index, of, scale }: Drawn & { readonly of: number }): ReactNode {
  const width = Math.min(40, (scale.bucketWidth * 0.8) / of);
  return points.map((point, position) => {
    const value = numberOf(point[name]);
    if (value === null) return null;
    const left = scale.x(position) + width * (index - of / 2);
    return (
      <rect
        key={point.at}
        className={`series series-${String(index + 1)}`}
        x={left}
        y={scale.y(value)}
        width={width}
        height={scale.y(0) - scale.y(value)}
      />
    );
  });
}

function Line({ points, name, index, scale }: Drawn): ReactNode {
  const dots = points.flatMap((point, position) => {
    const value = numberOf(point[name]);
    return value === null ? [] : [{ at: point.at, x: scale.x(position), y: scale.y(value) }];
  });
  return (
    <g className={`series series-${String(index + 1)}`}>
      <polyline points={dots.map(({ x, y }) => `${String(x)},${String(y)}`).join(' ')} />
      {dots.map(({ at, x, y }) => (
        <circle key={at} cx={x} cy={y} r={2} />
      ))}
    </g>
  );
}

const numberOf = (value: string | number | null | undefined): number | null => (typeof value === 'number' ? value : null);

/** A bar for each row, with its parts after one another; `unit` writes the whole behind it. */
export function Bars({
  rows,
  series,
  unit,
}: {
  readonly rows: readonly Point[];
  readonly series: readonly Series[];
  readonly unit?: Unit;
}): ReactNode {
  const wholeOf = (row: Point) => series.reduce((sum, { name }) => sum + (numberOf(row[name]) ?? 0), 0);
  const longest = Math.max(1, ...rows.map(wholeOf));
  return (
    <div className="bars">
      {rows.map((row) => (
        <div key={row.at} className="bar">
          <span>{row.at}</span>
          <span className="bar-parts">
            {series.map(({ name }, index) => (
              <span
                key={name}
                className={`series-${String(index + 1)}`}
                style={{ width: `${String((100 * (numberOf(row[name]) ?? 0)) / longest)}%` }}
              />
            ))}
          </span>
          <span className="numbers">{unit === undefined ? null : unit(wholeOf(row))}</span>
        </div>
      ))}
    </div>
  );
}
