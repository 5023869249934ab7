import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says that what was asked for waits for a second person, where the answer is a proposal. */
export function Proposed({
  answer,
  title,
  what,
}: {
  readonly answer: object | undefined;
  readonly title: string;
  readonly what: string;
}): ReactNode {
  return answer !== undefined && 'proposal' in answer ? (
    <Alert role="alert" color="blue" title={title} mb="sm">
      {what} takes a second person, who finds it under Proposals.
    </Alert>
  ) : null;
}
