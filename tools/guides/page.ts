// The code blocks of a guide. What its info string says is done with a block:
// `console` is typed line by line and its output compared, `console again` until the output is there, `js shop.mjs` is
// saved as that file, and `sh not run: <why>` is left to the reader.

/** A command as it stands after `$ `, and the lines that the page shows below it. */
export type Command = { readonly typed: string; readonly shown: string };

export type Block =
  | { readonly kind: 'console'; readonly isRepeated: boolean; readonly commands: readonly Command[] }
  | { readonly kind: 'file'; readonly name: string; readonly content: string }
  | { readonly kind: 'not run'; readonly why: string };

/** The fenced blocks of a page, in order. @throws Error if an info string says nothing of what to do with its block. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(([, info = '', content = '']) => blockOf(info, content));
}

function blockOf(info: string, content: string): Block {
  if (info === 'console' || info === 'console again') {
    return { kind: 'console', isRepeated: info.endsWith('again'), commands: commandsOf(content) };
  }
  const [, why] = /^\w+ not run: (.+)$/.exec(info) ?? [];
  if (why !== undefined) return { kind: 'not run', why };
  const [, name] = /^\w+ ([\w-]+\.\w+)$/.exec(info) ?? [];
  if (name !== undefined) return { kind: 'file', name, content };
  throw new Error(`the block "${info}" says neither its file nor why it is not run`);
}

function commandsOf(content: string): readonly Command[] {
  if (!content.startsWith('$ ')) throw new Error(`no command before the output ${content}`);
  return content
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { typed: part.slice(0, end), shown: part.slice(end + 1).trimEnd() };
    });
}
