import { containerLayout } from '../system/layout.ts';

const { PAY_HOST = '127.0.0.1', PAY_API_PORT, PAY_FORM_PORT, PAY_CONSOLE_PORT } = process.env;
const { PAY_PORTAL_PORT, PAY_BANK_PORT, PAY_BANK_CONTROL_PORT } = process.env;
const origin = (port: string | undefined, unset: string) => `http://${PAY_HOST}:${port === undefined || port === '' ? unset : port}`;

/** The layout of the compose file: the ports it publishes, from the same variables with the same defaults. */
export const LAYOUT = containerLayout({
  'gateway-1': origin(PAY_API_PORT, '8080'),
  'checkout-1': origin(PAY_FORM_PORT, '8081'),
  'console-1': origin(PAY_CONSOLE_PORT, '8082'),
  'portal-1': origin(PAY_PORTAL_PORT, '8086'),
  'sandbox-bank-1': origin(PAY_BANK_PORT, '8083'),
  'sandbox-bank-1-control': origin(PAY_BANK_CONTROL_PORT, '8085'),
});

/** Where the setup containers mount each program's volume. */
export const SECRETS = '/secrets';
/** The volume that only the setup containers have: all keys, including the demo partner's. */
export const SETUP_FOLDER = `${SECRETS}/setup`;
