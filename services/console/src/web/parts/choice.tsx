import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text.ts';

/** One of a few, as a row of buttons; the chosen one is pressed. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <Group gap={4} role="group" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.value}
          size="compact-sm"
          variant={option.value === value ? 'filled' : 'default'}
          aria-pressed={option.value === value}
          onClick={() => {
            onChange(option.value);
          }}
        >
          {option.label}
        </Button>
      ))}
    </Group>
  );
}

const ALL = 'ALL';

/**
 * The rows of a list in which one status waits for somebody: those that wait by default, the oldest first, because a queue
 * is worked off from its oldest end.
 */
export function queueOf(status: string, waits: string): Readonly<Record<'status' | 'order', string | undefined>> {
  return { status: status === ALL ? undefined : status, order: status === waits ? 'oldest' : undefined };
}

/** Chooses what `queueOf` selects. */
export function QueueChoice({
  value,
  waiting,
  ended,
  onChange,
}: {
  readonly value: string;
  readonly waiting: { readonly value: string; readonly label: string };
  readonly ended: { readonly value: string; readonly label: string };
  readonly onChange: (change: { readonly status: string }) => void;
}): ReactNode {
  return (
    <Choice
      label={t('State')}
      value={value}
      options={[waiting, ended, { value: ALL, label: t('All') }]}
      onChange={(status) => {
        onChange({ status });
      }}
    />
  );
}
