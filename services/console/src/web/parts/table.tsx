import { Button, Center, Loader, Table } from '@mantine/core';
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryOf, read } from '../api.ts';
import type { Page } from '../types.ts';
import { useColumns } from './columns.tsx';
import { Empty } from './empty.tsx';
import type { FilterField } from './filters.tsx';
import { Fault } from './page.tsx';
import { t } from '../text.ts';

export type Column<T> = {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'right';
};

/** A paged list of the API, continued with `nextPageToken` in the query's `continuedBy`. */
export function useList<T>(
  path: string,
  filter: Readonly<Record<string, string | undefined>>,
  continuedBy: 'pageToken' | 'before' = 'pageToken',
): UseInfiniteQueryResult<InfiniteData<Page<T>>> {
  return useInfiniteQuery({
    queryKey: [path, filter],
    queryFn: ({ pageParam }) => read<Page<T>>(`${path}${queryOf({ ...filter, limit: '50', [continuedBy]: pageParam ?? undefined })}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
  });
}

/** The rows of a list so far, and a button for more. */
export function ListTable<T>({
  list,
  columns,
  filters = [],
  ...rest
}: {
  readonly label: string;
  readonly list: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly empty: string;
  /** What the list is asked for by: a refusal names them. */
  readonly filters?: readonly FilterField<string>[];
}): ReactNode {
  const [shown, choice] = useColumns(columns);
  if (list.isPending) return <Waiting />;
  if (list.isError) return <Fault error={list.error} title={t('Couldn’t load the list')} fields={filters} />;
  return (
    <>
      {choice}
      <DataTable rows={list.data.pages.flatMap(({ items }) => items)} columns={shown} {...rest} />
      {list.hasNextPage ? (
        <Button variant="default" mt="md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('Show more')}
        </Button>
      ) : null}
    </>
  );
}

/** A list that comes newest first, with what waits for somebody in front, the oldest of it first. */
export const waitingFirst = <T extends { readonly status: string }>(items: readonly T[], waits: T['status']): T[] => [
  ...items.filter(({ status }) => status === waits).toReversed(),
  ...items.filter(({ status }) => status !== waits),
];

export function DataTable<T>({
  label,
  rows,
  columns,
  keyOf,
  empty,
}: {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  readonly empty: string;
}): ReactNode {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={t('{list}, scrollable', { list: label })}>
      <Table striped highlightOnHover aria-label={label} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, align }) => (
              <Table.Th key={title} scope="col" ta={align ?? 'left'}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ title, cell, align }) => (
                <Table.Td key={title} ta={align ?? 'left'}>
                  <div className="cell">{cell(row)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

export function Waiting(): ReactNode {
  return (
    <Center my="xl">
      <Loader role="progressbar" aria-label={t('Loading')} />
    </Center>
  );
}
