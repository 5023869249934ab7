import type { Command } from 'commander';
import { checkReceiver, type RuleResult } from './receiver-check.ts';
import { contextOf, withClient } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { table } from '../output.ts';

type Options = { key?: string; order?: string; merchantOrder?: string };

/** `pay callbacks check` and `pay callbacks test`: whether your receiver follows the rules. */
export function addReceiverCommands(callbacks: Command): void {
  callbacks
    .command('check <url>')
    .description('test your receiver against the rules of docs/partners/callbacks.md')
    .option('--key <keyId:secret>', 'the callback key to sign with; default: the key of the profile')
    .option('--order <id>', 'orderId of the events, for a receiver that rejects unknown payments')
    .option('--merchant-order <number>', 'merchantOrderId of the events')
    .action(async (url: string, options: Options, command: Command) => {
      const { output, profile } = contextOf(command);
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw usage('<url> must be an http(s) address');
      const key = options.key === undefined ? profile().callbackKeys[0] : keyOf(options.key);
      if (key === undefined) throw usage('no callback key in the profile: pass --key keyId:secret');
      const rules = await checkReceiver({
        url,
        key,
        ...(options.order === undefined ? {} : { orderId: options.order }),
        ...(options.merchantOrder === undefined ? {} : { merchantOrderId: options.merchantOrder }),
      });
      const report = { url, passed: rules.every(({ passed }) => passed), rules };
      const lines = render(rules);
      if (rules.slice(0, -1).every(({ got }) => got.startsWith('no answer'))) {
        throw new CliFault(EXIT.unreachable, `${url} does not respond: ${rules[0]?.got ?? ''}`, report);
      }
      if (!report.passed) throw new CliFault(EXIT.refused, lines.join('\n'), report);
      output.result(lines, report);
    });
  callbacks
    .command('test')
    .description('resend your newest payment.completed')
    .action(async (_options: unknown, command: Command) => {
      const { output, profile } = contextOf(command);
      const answer = await withClient(profile(), (client) => client.request({ method: 'POST', target: '/api/integration/test-callback' }));
      output.result(answer.body.toString('utf8'), answer.json);
    });
}

function render(rules: readonly RuleResult[]): string[] {
  return table(
    rules.map(({ rule, passed, expected, got }) => [passed ? 'pass' : 'FAIL', rule, passed ? got : `${got}, expected ${expected}`]),
  );
}

function keyOf(text: string): { keyId: string; secret: string } {
  const colon = text.indexOf(':');
  if (colon < 1) throw usage('--key must be keyId:secret');
  return { keyId: text.slice(0, colon), secret: text.slice(colon + 1) };
}
