import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** Contrast of at least 4.5 to 1 for every text, including buttons (axe checks it in the browser tests). */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  autoContrast: true,
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  respectReducedMotion: true,
});

/** Explanations are grey and destructive actions red, both dark enough to read. */
export const cssVariables: CSSVariablesResolver = (resolved) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': resolved.colors.gray[7],
    '--mantine-color-red-outline': resolved.colors.red[9],
    '--mantine-color-error': resolved.colors.red[9],
    '--mantine-color-anchor': resolved.colors.indigo[8],
  },
  dark: {
    '--mantine-color-dimmed': resolved.colors.dark[1],
    '--mantine-color-red-outline': resolved.colors.red[4],
    '--mantine-color-error': resolved.colors.red[4],
    '--mantine-color-anchor': resolved.colors.indigo[3],
  },
});
