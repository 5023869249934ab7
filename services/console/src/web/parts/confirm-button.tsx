import { Button, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

/** A button that explains its effect and asks for confirmation first. */
export function ConfirmButton({
  label,
  name = label,
  explains,
  size = 'xs',
  color = 'red',
  onConfirm,
}: {
  readonly label: string;
  /** Its accessible name if several buttons have the same label; begins with the label. */
  readonly name?: string;
  readonly explains: string;
  readonly size?: 'xs' | 'compact-xs';
  readonly color?: 'red' | 'indigo';
  readonly onConfirm: () => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size={size}
        variant={color === 'red' ? 'outline' : 'filled'}
        color={color}
        aria-label={name}
        onClick={() => {
          setOpen(true);
        }}
      >
        {label}
      </Button>
      <Dialog
        title={label}
        opened={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        <Text size="sm">{explains}</Text>
        <Group justify="end" mt="md">
          <Button
            color={color}
            data-autofocus
            onClick={() => {
              setOpen(false);
              onConfirm();
            }}
          >
            {label}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
