import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { containsCardData } from '@pay/shared/content/card-data.ts';
import { queryOf } from '../api.ts';
import { t } from '../text.ts';

/**
 * One field for any id, in the header of every page. The key `/` moves there from anywhere that is not a field, also on a
 * Russian keyboard.
 */
export function SearchBox(): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [, navigate] = useLocation();
  const [isCardNumber, setCardNumber] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      // A Russian keyboard has the full stop on that key.
      const isSlash = event.key === '/' || (event.code === 'Slash' && event.key === '.');
      if (!isSlash || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <form
      role="search"
      aria-label={t('Everything')}
      className="search-box"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = input.current?.value.trim() ?? '';
        // It must not get into an address, which the browser keeps and proxies log.
        const isForbidden = containsCardData(typed);
        setCardNumber(isForbidden);
        if (typed === '' || isForbidden) return;
        // The page that comes takes the focus.
        input.current?.blur();
        navigate(`/search${queryOf({ q: typed })}`);
      }}
    >
      <TextInput
        ref={input}
        type="search"
        size="xs"
        aria-label={t('Find by ID')}
        aria-keyshortcuts="/"
        placeholder={t('Find by ID ( / )')}
        autoComplete="off"
        maxLength={128}
        error={isCardNumber ? t('Not a card number: use its last four digits, an amount and a day') : null}
      />
    </form>
  );
}
