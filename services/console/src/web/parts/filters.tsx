import { Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';

type Filter<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * The filters of a list, kept in the address: a reload keeps them, a link carries them, and "back" goes back. Setting one
 * begins at the first page again.
 */
export function useFilters<const Name extends string>(
  names: readonly Name[],
): [Filter<Name>, (change: Filter<Name>) => void] {
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

/** Text filters with one button: nothing is asked of the server while somebody types. */
export function FilterForm<const Name extends string>({
  fields,
  filter,
  onChange,
}: {
  readonly fields: readonly { readonly name: Name; readonly label: string; readonly placeholder?: string }[];
  readonly filter: Filter<Name>;
  readonly onChange: (change: Filter<Name>) => void;
}): ReactNode {
  // Made anew when the address changes, so that it never shows other filters than the list has.
  const inAddress = JSON.stringify(fields.map(({ name }) => filter[name] ?? ''));
  return <Draft key={inAddress} fields={fields} filter={filter} onChange={onChange} />;
}

function Draft<const Name extends string>({
  fields,
  filter,
  onChange,
}: {
  readonly fields: readonly { readonly name: Name; readonly label: string; readonly placeholder?: string }[];
  readonly filter: Filter<Name>;
  readonly onChange: (change: Filter<Name>) => void;
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
        for (const { name } of fields) trimmed[name] = (draft[name] ?? '').trim();
        onChange(trimmed);
      }}
    >
      <Group align="end" gap="sm" my="md">
        {fields.map(({ name, label, placeholder }) => (
          <TextInput
            key={name}
            label={label}
            size="xs"
            {...(placeholder === undefined ? {} : { placeholder })}
            value={draft[name] ?? ''}
            onChange={({ currentTarget: { value } }) => {
              setDraft((old) => ({ ...old, [name]: value }));
            }}
          />
        ))}
        <Button type="submit" size="xs">
          Filter
        </Button>
        <Button
          type="button"
          size="xs"
          variant="default"
          onClick={() => {
            onChange(cleared);
          }}
        >
          Clear
        </Button>
      </Group>
    </form>
  );
}
