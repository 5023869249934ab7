import { Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { t } from '../text.ts';
import { useKept } from './kept.ts';

/** Filters that name a buyer: a browser does not keep them. */
const OF_BUYERS = ['id', 'customerId', 'cardLastFour'];

/** The filters that an operator saved for this list, and a way to save the present ones under a name. */
export function SavedFilters(): ReactNode {
  const kept = useKept('filters');
  const [location] = useLocation();
  const query = new URLSearchParams(useSearch());
  const [isOpen, setOpen] = useState(false);
  if (kept === undefined) return null;
  for (const name of OF_BUYERS) query.delete(name);
  const [saved, keep] = kept;
  // Kept as `name?query`: a name has no question mark.
  const links = saved.map((text) => ({
    text,
    name: text.split('?')[0] ?? '',
    href: `${location}?${text.split('?')[1] ?? ''}`,
  }));
  if (links.length === 0 && query.size === 0) return null;
  return (
    <Group gap={4} mb="sm" role="group" aria-label={t('Saved searches')}>
      {links.map(({ text, name, href }) => (
        <Group key={text} gap={0}>
          <Button component={Link} href={href} size="compact-xs" variant="light">
            {name}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t('Remove saved search {name}', { name })}
            onClick={() => {
              keep(saved.filter((one) => one !== text));
            }}
          >
            ×
          </Button>
        </Group>
      ))}
      {isOpen ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget).get('name');
            const name = typeof typed === 'string' ? typed.replaceAll('?', '').trim() : '';
            if (name !== '') keep([...saved.filter((one) => !one.startsWith(`${name}?`)), `${name}?${query.toString()}`]);
            setOpen(false);
          }}
        >
          <Group gap={4}>
            <TextInput size="xs" name="name" aria-label={t('Name of the search')} maxLength={40} required autoFocus />
            <Button type="submit" size="compact-xs">
              {t('Save')}
            </Button>
          </Group>
        </form>
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={query.size === 0}
          onClick={() => {
            setOpen(true);
          }}
        >
          {t('Save this search')}
        </Button>
      )}
    </Group>
  );
}
