import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './console.tsx';
import { queryClient } from './query-client.ts';
import { styleNonce } from './style-nonce.ts';
import { cssVariables, theme } from './theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the document has no root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} getStyleNonce={styleNonce} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Console />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
