import { useState, type ReactNode } from 'react';
import { t } from '../text.ts';
import { useKept } from './kept.ts';

/**
 * Lets the operator choose which columns of a list they see; the first, which leads to the row's page, always stays.
 * @returns the chosen columns, and the choice to show above the list
 */
export function useColumns<C extends { readonly title: string }>(columns: readonly C[]): readonly [readonly C[], ReactNode] {
  // By position: a title is another one in each language. A list with more columns than it had begins anew.
  const [isOpen, setOpen] = useState(false);
  const kept = useKept(`columns of ${String(columns.length)}`);
  if (kept === undefined) return [columns, null];
  const [hidden, keep] = kept;
  const isHidden = (index: number) => index > 0 && hidden.includes(String(index));
  const choice = (
    <details
      className="columns"
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open);
      }}
    >
      <summary>{t('Columns')}</summary>
      {columns.map(({ title }, index) =>
        index === 0 || !isOpen ? null : (
          <label key={title}>
            <input
              type="checkbox"
              checked={!isHidden(index)}
              onChange={({ currentTarget: { checked } }) => {
                const others = hidden.filter((one) => one !== String(index));
                keep(checked ? others : [...others, String(index)]);
              }}
            />{' '}
            {title}
          </label>
        ),
      )}
    </details>
  );
  return [columns.filter((_one, index) => !isHidden(index)), choice];
}
