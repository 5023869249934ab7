import { Alert, Group, List, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { ApiFault } from '../api.ts';
import { local, utc } from '../format.ts';
import { said, t } from '../text.ts';

/** The document's own title, before a page has set one. */
const PROGRAM = document.title;

/** The frame of every page: its title, which is also the browser's and gets the focus when the page is entered. */
export function Page({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${PROGRAM}`;
    // Not from somebody who types in the header's search while the page was still loading.
    if (document.activeElement?.matches('input') !== true) heading.current?.focus();
  }, [title]);
  return (
    <>
      <Group justify="space-between" mb="md" align="center">
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </>
  );
}

/** Why something was refused, with the invalid fields. Announced to screen readers when it appears. */
export function Fault({
  error,
  title = t('Couldn’t save'),
  fields = [],
}: {
  readonly error: Error | null;
  readonly title?: string;
  /** What the page calls the fields of a request. */
  readonly fields?: readonly { readonly name: string; readonly label: string }[];
}): ReactNode {
  const alert = useRef<HTMLDivElement>(null);
  // At the end of a long form it would be out of view.
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  const details = error instanceof ApiFault ? error.details : [];
  const labelOf = (field: string) => said(fields.find(({ name }) => name === field)?.label ?? field);
  return (
    <Alert ref={alert} role="alert" color="red" variant="light" title={title} my="sm">
      {details.length > 0 ? t('Check these fields:') : sentence(said(error.message))}
      {details.length === 0 ? null : (
        <List size="sm" mt="xs">
          {details.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>
              {labelOf(field)}: {said(message)}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.…]$/.test(text) ? '' : '.'}`;

/** A moment in the reader's time zone with UTC beside it; UTC alone if that is theirs. */
export function Moment({ at }: { readonly at: string | null | undefined }): ReactNode {
  if (at === null || at === undefined) return '–';
  const here = local(at);
  return (
    <time dateTime={at} title={new Date(at).toString()} className="numbers">
      {here === undefined ? (
        utc(at)
      ) : (
        <>
          {here} <small>{utc(at).slice(here.slice(0, 10) === at.slice(0, 10) ? 11 : 0)}</small>
        </>
      )}
    </time>
  );
}

/** An id, truncated in narrow lists; in full when hovered over or copied. */
export function Id({ children }: { readonly children: string }): ReactNode {
  return (
    <span className="mono id" title={children}>
      {children}
    </span>
  );
}

/** Names and values. Undefined values are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={`${name} value`}>{value ?? '–'}</dd>])}
    </dl>
  );
}
