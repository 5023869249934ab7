import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere, writeProfile } from './run-cli.ts';

export type DoctorFinding = { readonly what: string; readonly ok: boolean; readonly says: string };

/**
 * The findings of `pay doctor` for services that run on their own: `services` maps a name, such as `notifier-1`, to its
 * private port. The checks of the gateway and the partner fail, because there are none.
 */
export async function doctorOf(services: Readonly<Record<string, string>>): Promise<readonly DoctorFinding[]> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const nowhere = { baseUrl: 'http://127.0.0.1:1', partnerID: 'nobody', publicKey: 'none' };
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const profile = writeProfile(nowhere, pem);
  const ports = Object.entries(services).map(([name, url]) => [`${name}-private`, Number(new URL(url).port)]);
  writeFileSync(join(profile.folder, 'system.json'), JSON.stringify({ ports: Object.fromEntries(ports) as unknown }));
  try {
    const { stdout, stderr } = await runHere(['--profile', profile.file, '--json', 'doctor']);
    const { findings } = JSON.parse(stdout === '' ? stderr : stdout) as { findings: readonly DoctorFinding[] };
    return findings;
  } finally {
    profile.remove();
  }
}
