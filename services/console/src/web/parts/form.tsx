import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Fault } from './page.tsx';

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly optional?: boolean;
  /** Initial content. */
  readonly initial?: string;
  /** Russians type a comma. */
  readonly isAmount?: true;
};

/** The part of a mutation that the form needs. */
export type FormAct = Pick<UseMutationResult<unknown, Error, never>, 'error' | 'isPending'>;

/** Text fields and one button. A refusal is shown below them, and the input stays. */
export function TextForm({
  fields,
  button,
  title,
  act,
  onSubmit,
  children,
}: {
  readonly fields: readonly Field[];
  readonly button: string;
  /** What a refusal is called. */
  readonly title?: string;
  readonly act: FormAct;
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesOf(event.currentTarget, fields));
      }}
    >
      <Stack gap="sm">
        {children}
        {fields.map(({ name, label, description, placeholder, optional, initial }, index) => (
          <TextInput
            key={name}
            name={name}
            label={label}
            required={optional !== true}
            autoComplete="off"
            {...(description === undefined ? {} : { description })}
            {...(placeholder === undefined ? {} : { placeholder })}
            {...(initial === undefined ? {} : { defaultValue: initial })}
            {...(index === 0 ? { 'data-autofocus': true } : {})}
          />
        ))}
        <Fault error={act.error} fields={fields} {...(title === undefined ? {} : { title })} />
        <Group justify="end">
          <Button type="submit" loading={act.isPending} {...(fields.length === 0 ? { 'data-autofocus': true } : {})}>
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The values of a form's fields, trimmed; amounts with a point. */
function valuesOf(form: HTMLFormElement, fields: readonly Field[]): Record<string, string> {
  const amounts = new Set(fields.flatMap(({ name, isAmount }) => (isAmount === true ? [name] : [])));
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') values[name] = amounts.has(name) ? value.trim().replace(',', '.') : value.trim();
  }
  return values;
}
