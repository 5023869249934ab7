import { z } from 'zod';

// The requests of the Bruno collection, made from docs/openapi.json: a file for each operation, a folder for each tag.

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['query', 'path', 'header']),
  required: z.boolean().default(false),
  description: z.string(),
});
const Operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ example: z.record(z.string(), z.unknown()) }) }) }).optional(),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

/** Members of bodies that are the reader's own, by the variable that the collection's script sets. */
const VARIABLES: Readonly<Record<string, string>> = {
  orderID: 'orderNumber',
  merchantOrderId: 'orderNumber',
  merchantRefundId: 'orderNumber',
  storeId: 'storeID',
  beneficiaryRef: 'beneficiaryRef',
  bindingId: 'bindingId',
  customerID: 'customerId',
};

/** A file for each operation of the document, by its path in the collection. */
export function requestFiles(openapi: unknown): ReadonlyMap<string, string> {
  const { paths } = Document.parse(openapi);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return new Map(
    operations.map(({ path, method, operation }, index) => [
      `${operation.tags[0]}/${operation.operationId}.bru`,
      requestFile({ path, method, operation }, index + 1),
    ]),
  );
}

type Request = { readonly path: string; readonly method: string; readonly operation: z.infer<typeof Operation> };

function requestFile({ path, method, operation }: Request, seq: number): string {
  const body = operation.requestBody?.content['application/json'].example;
  const pointVariable = path.startsWith('/api/card') ? 'cardPoint' : 'qrPoint';
  const url = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{{${name === 'paymentPointID' ? pointVariable : name}}}`)}`;
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const blocks = [
    block('meta', [`name: ${operation.summary}`, 'type: http', `seq: ${String(seq)}`]),
    block(method, [`url: ${url}`, `body: ${body === undefined ? 'none' : 'json'}`, 'auth: none']),
    ...(query.length === 0 ? [] : [block('params:query', query.map(queryLine))]),
    ...(body === undefined ? [] : [block('body:json', JSON.stringify(withVariables(body, pointVariable), null, 2).split('\n'))]),
    ...(query.length === 0
      ? []
      : [
          block(
            'docs',
            query.map(({ name, description }) => `- \`${name}\`: ${description}`),
          ),
        ]),
  ];
  return blocks.join('\n');
}

/** Bruno sends what has no `~`. */
const queryLine = ({ name, required }: z.infer<typeof Parameter>): string => (required ? `${name}: {{${name}}}` : `~${name}: `);

function withVariables(body: Readonly<Record<string, unknown>>, pointVariable: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const variable = name === 'paymentPointID' ? pointVariable : VARIABLES[name];
      return [name, variable === undefined ? value : `{{${variable}}}`];
    }),
  );
}

const block = (name: string, lines: readonly string[]): string => `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
