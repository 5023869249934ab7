import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { duration } from '../../format.ts';
import { read } from '../../api.ts';
import { Fault, Moment, Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/table.tsx';

type TestClock = { readonly now: string; readonly aheadSeconds: number };

/** The clock that all services of TEST share. Read only: a partner who moved it would move it for every other partner. */
export function TestClockPage(): ReactNode {
  const clock = useQuery({ queryKey: ['test-clock'], queryFn: () => read<TestClock>('/api/test-clock') });
  return (
    <Page title="Test clock">
      {clock.isPending ? <Waiting /> : null}
      <Fault error={clock.error} title="Couldn’t load the test clock" />
      {clock.data === undefined ? null : <Shown {...clock.data} />}
      <Text size="sm" mt="md">
        Charges of saved cards, expiry of payments and cards, retries of callbacks, closed days and retention follow this clock. Signatures
        of requests, timestamps of callbacks and rate limits keep real time.
      </Text>
      <Text size="sm" mt="md">
        Every partner of this system shares the clock, so no partner can move it here. To let a month pass at once, run a system of your own
        with <code>npm start</code> and move its clock:
      </Text>
      <Text size="sm" mt="xs">
        <code>npm run pay -- sandbox clock advance P1M</code>
      </Text>
    </Page>
  );
}

function Shown({ now, aheadSeconds }: TestClock): ReactNode {
  return (
    <>
      <Text fw={700}>
        <Moment at={now} />
      </Text>
      <Text size="sm">{aheadSeconds === 0 ? 'Real time.' : `${duration(aheadSeconds * 1_000)} ahead of real time.`}</Text>
    </>
  );
}
