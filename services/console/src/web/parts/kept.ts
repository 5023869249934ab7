import { useContext, useState } from 'react';
import { useLocation } from 'wouter';
import { SessionContext } from '../session.ts';

/**
 * Texts that this browser keeps for this operator and this page: what they chose for a list. Undefined in the partner
 * portal, which keeps nothing.
 */
export function useKept(what: string): readonly [readonly string[], (texts: readonly string[]) => void] | undefined {
  const login = useContext(SessionContext)?.login;
  const [location] = useLocation();
  const key = `${what} ${location} ${login ?? ''}`;
  const [kept, setKept] = useState(() => (login === undefined ? [] : readTexts(key)));
  if (login === undefined) return undefined;
  const keep = (texts: readonly string[]) => {
    localStorage.setItem(key, JSON.stringify(texts));
    setKept(texts);
  };
  return [kept, keep];
}

function readTexts(key: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
