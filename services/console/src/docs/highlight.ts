import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escape } from './html.ts';

const LANGUAGES = { bash, go, http, java, json, php, python, sql, typescript, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** A block of code as HTML, coloured when the site is made; its language as highlight.js calls it, or anything else. */
export function codeBlock(code: string, language: string): string {
  const known = hljs.getLanguage(language) !== undefined;
  const html = known ? hljs.highlight(code, { language }).value : escape(code);
  // A block that is wider than the screen scrolls, so the keyboard must be able to reach it.
  return `<pre tabindex="0"><code>${html.trimEnd()}</code></pre>`;
}
