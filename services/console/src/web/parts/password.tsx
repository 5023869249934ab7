import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text.ts';

/** A password's field. The library's own name of its button is English. */
export function Password(props: PasswordInputProps): ReactNode {
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('Toggle password visibility') }} {...props} />;
}
