import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What may follow a command: its subcommands, its options and the values of its argument. */
type Place = { readonly path: string; readonly words: readonly Word[] };
type Word = { readonly word: string; readonly says: string };

/** `pay completion`: a script that completes the commands of this program, made from the program itself. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .description('print a completion script; bash and zsh: eval "$(pay completion bash)"; fish: pay completion fish | source')
    .action((shell: Shell) => {
      console.log(renderCompletion(program, shell));
    });
}

/** The script. It names every command, option and value that the program has now. */
export function renderCompletion(program: Command, shell: Shell): string {
  const places = placesOf(program, []);
  if (shell === 'fish') return fishScript(places);
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}` : bashScript(places);
}

/** The deepest first, so that the first that fits is the right one. */
function placesOf(command: Command, path: readonly string[]): Place[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const words = [
    ...children.map((child) => ({ word: child.name(), says: child.description() })),
    ...command.registeredArguments.flatMap((one) => (one.argChoices ?? []).map((word) => ({ word, says: '' }))),
    ...help
      .visibleOptions(command)
      .flatMap(({ long, description }) => (typeof long === 'string' ? [{ word: long, says: description }] : [])),
  ];
  return [...children.flatMap((child) => placesOf(child, [...path, child.name()])), { path: path.join(' '), words }];
}

const bashScript = (places: readonly Place[]): string => `_pay() {
  local path="" word before="" words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* || $before == --profile ]] || path="$path $word"
    before=$word
  done
  case "$path " in
${places.map(({ path, words }) => `    "${path === '' ? '' : ` ${path} `}"*) words="${words.map(({ word }) => word).join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pay pay`;

const fishScript = (places: readonly Place[]): string => `function __pay_at
  set -l words (commandline -opc | string match -v -- '-*')
  test (string join ' ' -- $words[2..]) = "$argv[1]"
end
complete -c pay -f
${places
  .flatMap(({ path, words }) =>
    words.map(({ word, says }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c pay -n '__pay_at "${path}"' ${what} -d '${says.replaceAll("'", '’')}'`;
    }),
  )
  .join('\n')}`;
