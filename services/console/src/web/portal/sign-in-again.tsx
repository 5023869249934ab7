import { Text } from '@mantine/core';
import { lazy, useEffect, useRef, useState, type ReactNode } from 'react';
import { onSignInTooOld } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { WhenLoaded } from '../parts/when-loaded.tsx';
import { useSession } from './session.ts';

const SignInForms = lazy(async () => ({ default: (await import('./pages/sign-in.tsx')).SignInForms }));

/**
 * Asks for the key over whatever is open when an action needs a fresh sign-in. Signing in lets the action go on; closing the
 * dialog leaves it undone.
 */
export function SignInAgain(): ReactNode {
  const { partnerID } = useSession();
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([]);
  const answer = (isSignedIn: boolean) => {
    setOpen(false);
    for (const tell of waiting.current.splice(0)) tell(isSignedIn);
  };
  useEffect(() => {
    const tellLater = waiting.current;
    onSignInTooOld(
      () =>
        new Promise((resolve) => {
          tellLater.push(resolve);
          setOpen(true);
        }),
    );
    return () => {
      onSignInTooOld(undefined);
      for (const tell of tellLater.splice(0)) tell(false);
    };
  }, []);
  return (
    <Dialog
      title="Sign in again"
      opened={isOpen}
      isOverOthers
      onClose={() => {
        answer(false);
      }}
    >
      <Text size="sm" mb="sm">
        This moves money, an address or a secret, so it needs a sign-in within the last five minutes. Nothing has been done yet.
      </Text>
      <WhenLoaded>
        <SignInForms
          partnerID={partnerID}
          onSignedIn={() => {
            answer(true);
          }}
        />
      </WhenLoaded>
    </Dialog>
  );
}
