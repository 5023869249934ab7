import { dirname } from 'node:path';
import ts from 'typescript';

/** One change of one place in a file, which a test should notice. */
export type Mutation = {
  readonly file: string;
  readonly line: number;
  /** What is changed, in words: `<= for <`. */
  readonly what: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
};

/** An operator and what stands in its place. */
const OPERATORS: Readonly<Partial<Record<ts.SyntaxKind, readonly string[]>>> = {
  [ts.SyntaxKind.LessThanToken]: ['<=', '>='],
  [ts.SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [ts.SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [ts.SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [ts.SyntaxKind.BarBarToken]: ['&&'],
  [ts.SyntaxKind.PlusToken]: ['-'],
  [ts.SyntaxKind.MinusToken]: ['+'],
  [ts.SyntaxKind.AsteriskToken]: ['/'],
};

/** Methods that are taken for each other. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Everything that can be changed in a file; the same list for the same text. Types and imports are left alone. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: Mutation[] = [];
  const add = (node: ts.Node, replacement: string, what: string) => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, what, start, end: node.getEnd(), replacement });
  };
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    mutate(node, source, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

type Add = (node: ts.Node, replacement: string, what: string) => void;

function mutate(node: ts.Node, source: ts.SourceFile, add: Add): void {
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken;
    if (isText(node.left) || isText(node.right)) return;
    for (const other of OPERATORS[operator.kind] ?? [])
      add(operator, other, `${other} for ${operator.getText(source)}`);
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
    add(node, 'false', 'false for true');
  } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
    add(node, 'true', 'true for false');
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    add(node, `(${node.operand.getText(source)})`, 'no !');
  } else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    for (const value of ['true', 'false'])
      add(condition, value, `${value} for ${firstLine(condition.getText(source))}`);
  } else if (ts.isNumericLiteral(node)) {
    add(node, `(${node.text} + 1)`, `${node.text} + 1`);
  } else if (ts.isBigIntLiteral(node)) {
    add(node, `(${node.text} + 1n)`, `${node.text} + 1n`);
  } else if (ts.isExpressionStatement(node) && isCall(node.expression)) {
    add(node, ';', `without ${firstLine(node.getText(source))}`);
  } else if (ts.isCallExpression(node)) {
    mutateCall(node, source, add);
  }
}

function mutateCall({ expression, arguments: given }: ts.CallExpression, source: ts.SourceFile, add: Add): void {
  if (ts.isPropertyAccessExpression(expression)) {
    const other = METHODS[expression.name.text];
    if (other !== undefined) add(expression.name, other, `${other} for ${expression.name.text}`);
  } else if (ts.isIdentifier(expression) && expression.text === 'and') {
    // The guard of a statement: each of its conditions is left out in turn.
    for (const condition of given) add(condition, 'undefined', `without ${firstLine(condition.getText(source))}`);
  }
}

const isCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(ts.isAwaitExpression(node) ? node.expression : node);
const isText = (node: ts.Expression): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** The file's text with the mutation in it. */
export const mutated = (text: string, { start, end, replacement }: Mutation): string =>
  `${text.slice(0, start)}${replacement}${text.slice(end)}`;

/**
 * The tests that are tried for a change of `file`, in this order: those that import it from its folder and from elsewhere in its service,
 * the others of its folder and of its service, which may start it as a process, and those that import it from elsewhere.
 */
export function byDistance(file: string, importing: readonly string[], ofService: readonly string[]): readonly (readonly string[])[] {
  const [service = ''] = /^services\/[^/]+\//.exec(file) ?? [];
  const isBeside = (test: string) => dirname(test) === dirname(file);
  const own = importing.filter((test) => test.startsWith(service));
  const others = ofService.filter((test) => !importing.includes(test));
  return [
    own.filter(isBeside),
    own.filter((test) => !isBeside(test)),
    others.filter(isBeside),
    others.filter((test) => !isBeside(test)),
    importing.filter((test) => !own.includes(test)),
  ];
} // prettier-ignore
