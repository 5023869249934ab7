import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown in place of an empty list: that there are no rows, and what to do. */
export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <Text size="sm">{children}</Text>
    </div>
  );
}
