import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '../text.ts';

/** The last step before a bulk action: it says what it will do, and nobody starts it by habit, because a word must be typed. */
export function TypedConfirmation({
  word,
  button,
  color = 'indigo',
  isNothing,
  effect,
  onConfirm,
  children,
}: {
  readonly word: string;
  readonly button: string;
  readonly color?: 'red' | 'indigo';
  /** There is nothing to act on. */
  readonly isNothing: boolean;
  readonly effect: ReactNode;
  readonly onConfirm: () => void;
  /** What else is to be known. */
  readonly children?: ReactNode;
}): ReactNode {
  const [typed, setTyped] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <Stack>
        <Text size="sm" role="status">
          {effect}
        </Text>
        {children}
        <TextInput
          label={t('Type {word} to confirm', { word })}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
          }}
        />
        <Group justify="end">
          <Button type="submit" color={color} disabled={isNothing || typed.trim() !== word}>
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
