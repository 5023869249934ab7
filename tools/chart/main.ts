import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../infrastructure/folders.ts';
import { endIfMissing, obtainProgram, type ProgramToObtain } from '../infrastructure/obtain-program.ts';

/**
 * `npm run test:chart`: lints the chart, renders it with `example.yaml`, compares the result with `deploy/kubernetes/pay.yaml` (`--write`
 * replaces
 * that), and validates all manifests with the schemas of three versions of Kubernetes. Needs `helm` and `kubernetes-validate` (PyPI) on the
 * path.
 */
const VERSIONS = ['1.37', '1.36', '1.35'] as const;
const CHART = join(ROOT, 'deploy/helm/pay');
const RENDERED = join(ROOT, 'deploy/kubernetes/pay.yaml');
const MANIFESTS = globSync(['deploy/kubernetes/*.yaml', 'deploy/secrets/*.yaml'], { cwd: ROOT }).map((path) => join(ROOT, path));
const run = promisify(execFile);

const obtain = (name: ProgramToObtain) =>
  obtainProgram(name, (line) => {
    process.stdout.write(`${line}\n`);
  }).catch(endIfMissing);
const helm = await obtain('helm');
const validate = await obtain('kubernetes-validate');
const cluster = ['--kube-version', `${VERSIONS[0]}.0`, '--values', join(CHART, 'example.yaml')];
process.stdout.write((await run(helm, ['lint', '--strict', CHART, ...cluster])).stdout);
const { stdout: rendered } = await run(helm, ['template', 'pay', CHART, ...cluster], { maxBuffer: 16 * 1024 * 1024 });
if (process.argv.includes('--write')) writeFileSync(RENDERED, rendered);
if (readFileSync(RENDERED, 'utf8') !== rendered) {
  process.stderr.write('deploy/kubernetes/pay.yaml is not what the chart renders: npm run test:chart -- --write\n');
  process.exit(1);
}
// Nothing else reads what TEST has and LIVE does not: what the reference of the API sends goes through the console
// (decisions/console-pages).
const forTest = await run(helm, ['template', 'pay', CHART, ...cluster, '--set', 'environment=TEST']);
if (rendered.includes('TRY_IT_API_URL') || !forTest.stdout.includes('TRY_IT_API_URL: http://pay-gateway:8080')) {
  process.stderr.write('TRY_IT_API_URL must be set in TEST, and only there\n');
  process.exit(1);
}
for (const version of VERSIONS) {
  process.stdout.write(`Kubernetes ${version}\n${(await run(validate, ['-k', version, '--strict', ...MANIFESTS])).stdout}`);
}
