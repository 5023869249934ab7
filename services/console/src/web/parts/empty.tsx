import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands where a list has no rows: that there are none, and what to do. */
export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <Text size="sm">{children}</Text>
    </div>
  );
}
