import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

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
