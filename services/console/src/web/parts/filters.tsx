import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { moment, words } from '../format.ts';
import { SavedFilters } from './saved-filters.tsx';
import { said, t } from '../text.ts';

type Filter<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** One filter: text, or one of several constants. `from` and `to` take a date, or a date and a time, in UTC. */
export type FilterField<Name extends string> = {
  readonly name: Name;
  readonly label: string;
  readonly placeholder?: string;
  readonly options?: readonly string[];
};

/** For lists over time. */
export const TIME_FIELDS = [
  { name: 'from', label: 'From, UTC', placeholder: '2026-01-31 00:00' },
  { name: 'to', label: 'To, UTC', placeholder: '2026-02-28 00:00' },
] as const;

/**
 * The filters of a list, stored in the address: a reload keeps them, a link carries them, and "back" restores them.
 * Changing one returns to the first page.
 */
export function useFilters<const Name extends string>(names: readonly Name[]): [Filter<Name>, (change: Filter<Name>) => void] {
  const [params, setParams] = useSearchParams();
  const filter: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value !== null && value !== '') filter[name] = value;
  }
  const change = (changed: Filter<Name>) => {
    setParams((old) => {
      const next = new URLSearchParams(old);
      for (const name of names) {
        if (!(name in changed)) continue;
        const value = changed[name] ?? '';
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  };
  return [filter, change];
}

/** Text filters with one button: no request is sent while somebody types. */
export function FilterForm<const Name extends string>({
  fields,
  filter,
  onChange,
  button = t('Filter'),
}: {
  readonly fields: readonly FilterField<Name>[];
  readonly filter: Filter<Name>;
  readonly onChange: (change: Filter<Name>) => void;
  readonly button?: string;
}): ReactNode {
  // Recreated when the address changes, so that it never shows other filters than the list has.
  const inAddress = JSON.stringify(fields.map(({ name }) => filter[name] ?? ''));
  return (
    <>
      <Draft key={inAddress} fields={fields} filter={filter} onChange={onChange} button={button} />
      <SavedFilters />
    </>
  );
}

function Draft<const Name extends string>({
  fields,
  filter,
  onChange,
  button,
}: {
  readonly fields: readonly FilterField<Name>[];
  readonly filter: Filter<Name>;
  readonly onChange: (change: Filter<Name>) => void;
  readonly button: string;
}): ReactNode {
  const [draft, setDraft] = useState<Filter<Name>>(filter);
  const cleared: Partial<Record<Name, string>> = {};
  for (const { name } of fields) cleared[name] = '';
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const trimmed: Partial<Record<Name, string>> = {};
        for (const { name } of fields) {
          const typed = (draft[name] ?? '').trim();
          trimmed[name] = isMoment(name) ? moment(typed) : typed;
        }
        onChange(trimmed);
      }}
    >
      <Group align="end" gap="sm" my="md" className="filters">
        {fields.map((field) => (
          <FilterInput
            key={field.name}
            field={field}
            value={draft[field.name] ?? ''}
            onChange={(value) => {
              setDraft((old) => ({ ...old, [field.name]: value }));
            }}
          />
        ))}
        <Button type="submit" size="xs">
          {button}
        </Button>
        <Button
          type="button"
          size="xs"
          variant="default"
          onClick={() => {
            onChange(cleared);
          }}
        >
          {t('Clear')}
        </Button>
        {fields.some(({ name }) => name === 'from') ? <Presets fields={fields} draft={draft} onChange={onChange} /> : null}
      </Group>
    </form>
  );
}

const DAY_MS = 86_400_000;
const PRESETS = [
  { label: 'Today', from: 0, to: 1 },
  { label: 'Yesterday', from: -1, to: 0 },
  { label: '7 days', from: -6, to: 1 },
  { label: '30 days', from: -29, to: 1 },
] as const;

/** A range of whole days in UTC: -1 is yesterday; `to` is not included. */
export function daysFromToday(from: number, to: number): { readonly from: string; readonly to: string } {
  const today = Math.floor(Date.now() / DAY_MS);
  const dayOf = (offset: number) => new Date((today + offset) * DAY_MS).toISOString();
  return { from: dayOf(from), to: dayOf(to) };
}

/** Whole days in UTC, as the books have them, with the other filters as they are typed. */
function Presets<const Name extends string>({
  fields,
  draft,
  onChange,
}: {
  readonly fields: readonly FilterField<Name>[];
  readonly draft: Filter<Name>;
  readonly onChange: (change: Filter<Name>) => void;
}): ReactNode {
  return (
    <Group gap={4} role="group" aria-label={t('Days, UTC')}>
      {PRESETS.map(({ label, from, to }) => (
        <Button
          key={label}
          type="button"
          size="compact-xs"
          variant="default"
          onClick={() => {
            const range: Readonly<Record<string, string>> = daysFromToday(from, to);
            const change: Partial<Record<Name, string>> = { ...draft };
            for (const { name } of fields) {
              const value = range[name];
              if (value !== undefined) change[name] = value;
            }
            onChange(change);
          }}
        >
          {t(label)}
        </Button>
      ))}
    </Group>
  );
}

const isMoment = (name: string): boolean => name === 'from' || name === 'to';

function FilterInput({
  field: { label, placeholder, options },
  value,
  onChange,
}: {
  readonly field: FilterField<string>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  if (options !== undefined)
    return (
      <NativeSelect
        label={said(label)}
        size="xs"
        value={value}
        data={[{ value: '', label: t('Any') }, ...options.map((option) => ({ value: option, label: words(option) }))]}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
    );
  return (
    <TextInput
      label={said(label)}
      size="xs"
      {...(placeholder === undefined ? {} : { placeholder: said(placeholder) })}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
