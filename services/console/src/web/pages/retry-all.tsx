import type { ReactNode } from 'react';
import type { DeadLetter, DeadLetterWithBody } from '@pay/contract/operator/queues.ts';
import { ApiFault, post } from '../api.ts';
import { OneByOneProgress, useAllNow, useOneByOne } from '../parts/one-by-one.tsx';
import { Fault } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import { TypedConfirmation } from '../parts/typed-confirmation.tsx';
import { t, tx } from '../text.ts';

/**
 * Processes all waiting messages again, oldest first, one after the other. Messages that fail after the dialog was opened
 * are not included.
 */
export function RetryAll({
  service,
  path,
  type,
}: {
  readonly service: string;
  readonly path: string;
  readonly type: string | undefined;
}): ReactNode {
  const waiting = useAllNow<DeadLetter>(path, { status: 'WAITING', order: 'oldest', type });
  const run = useOneByOne([[path]], (id) => retried(path, id));
  if (waiting.isPending) return <Waiting />;
  if (waiting.isError) return <Fault error={waiting.error} title={t('Couldn’t load the messages')} />;
  const ids = waiting.data.map(({ deadLetterId }) => deadLetterId);
  if (run.results !== undefined) {
    const processed = run.results.filter(Boolean).length;
    return (
      <OneByOneProgress run={run} total={ids.length}>
        {tx('{processed} processed, {failed} failed again, {left} left.', {
          processed: <strong>{processed}</strong>,
          failed: <strong>{run.results.length - processed}</strong>,
          left: <strong>{ids.length - run.results.length}</strong>,
        })}
      </OneByOneProgress>
    );
  }
  const messages = ids.length === 1 ? t('1 message') : t('{count} messages', { count: String(ids.length) });
  return (
    <TypedConfirmation
      word={type ?? service}
      button={t('Retry {messages}', { messages })}
      isNothing={ids.length === 0}
      effect={tx(
        '{messages} of {service}{type} will be processed again, oldest first. Look at one first: messages keep failing until the cause is fixed.',
        {
          messages: <strong>{messages}</strong>,
          service,
          type: type === undefined ? '' : t(' of type {type}', { type }),
        },
      )}
      onConfirm={() => {
        void run.start(ids);
      }}
    />
  );
}

/** Whether the message was processed. Somebody else may have retried it meanwhile. */
async function retried(path: string, id: string): Promise<boolean> {
  try {
    return (await post<DeadLetterWithBody>(`${path}/${id}/redrive`, {})).status === 'REDRIVEN';
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'STALE_REVISION') return true;
    throw error;
  }
}
