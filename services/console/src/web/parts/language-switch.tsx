import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { isRussian } from '../text.ts';

const YEAR_SECONDS = 365 * 86_400;

/** Switches between English and Russian, and remembers it in this browser. The server reads the cookie. */
export function LanguageSwitch(): ReactNode {
  const other = isRussian() ? { language: 'en', name: 'English' } : { language: 'ru', name: 'Русский' };
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      lang={other.language}
      onClick={() => {
        const secure = window.location.protocol === 'https:' ? '; Secure' : '';
        document.cookie = `language=${other.language}; Path=/; Max-Age=${String(YEAR_SECONDS)}; SameSite=Lax${secure}`;
        // Texts are said when a page is loaded.
        window.location.reload();
      }}
    >
      {other.name}
    </Button>
  );
}
