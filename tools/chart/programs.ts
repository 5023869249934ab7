import type { z } from 'zod';
import { Config as bindings } from '../../services/bindings/src/config.ts';
import { Config as console } from '../../services/console/src/config.ts';
import { PortalConfig as portal } from '../../services/console/src/portal-config.ts';
import { Config as gateway } from '../../services/gateway/src/config.ts';
import { Config as notifier } from '../../services/notifier/src/config.ts';
import { CheckoutConfig as checkout } from '../../services/payments/src/checkout-config.ts';
import { Config as payments } from '../../services/payments/src/config.ts';
import { Config as withdrawals } from '../../services/withdrawals/src/config.ts';

/** The programs of the chart, each with what it reads at start: what manifests and `docs/operate/deploy` are compared with. */
export const PROGRAMS: Readonly<Record<string, z.ZodObject>> = {
  gateway,
  payments,
  checkout,
  bindings,
  withdrawals,
  notifier,
  console,
  portal,
};
