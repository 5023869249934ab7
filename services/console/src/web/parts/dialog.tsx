import { getDefaultZIndex, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text.ts';

/** A dialog with a title over the page. Escape closes it, and the focus returns to what opened it. */
export function Dialog({
  title,
  opened,
  onClose,
  isOverOthers = false,
  children,
}: {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** It may open while another dialog is open, and is in front of it. */
  readonly isOverOthers?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      zIndex={getDefaultZIndex(isOverOthers ? 'popover' : 'modal')}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          {/* Not the library's own header: its element would be a second banner of the page. */}
          <Group justify="space-between" py="sm" wrap="nowrap">
            <Modal.Title fw={700}>{title}</Modal.Title>
            <Modal.CloseButton aria-label={t('Close')} />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
