import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text.ts';

/** Says that the request waits for a second person, if the answer is a proposal. */
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
      {t('{what} needs a second person, who will find it under Proposals.', { what })}
    </Alert>
  ) : null;
}
