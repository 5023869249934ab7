import { CONSOLE_PAGES } from '../../services/console/src/http/pages.ts';
import { PORTAL_PAGES } from '../../services/console/src/portal/app.ts';
import { PORTAL_SHOWN } from '../../services/console/test/portal-shown.ts';
import { startSamplePages } from '../../services/console/test/sample-pages.ts';
import { startSamplePortal } from '../../services/console/test/sample-portal.ts';
import { SHOWN } from '../../services/console/test/shown.ts';
import type { Album } from './album.ts';

export const CONSOLE: Album = {
  name: 'console',
  languages: ['en', 'ru'],
  open: async () => ({
    ...(await startSamplePages()),
    sessionCookie: CONSOLE_PAGES.sessionCookie,
    shown: () => Promise.resolve(SHOWN),
    hasScrolledParts: true,
  }),
};

export const PORTAL: Album = {
  name: 'portal',
  languages: ['en'],
  open: async () => ({
    ...(await startSamplePortal()),
    sessionCookie: PORTAL_PAGES.sessionCookie,
    shown: () => Promise.resolve(PORTAL_SHOWN),
    hasScrolledParts: true,
  }),
};
