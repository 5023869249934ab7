import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { programOnPath } from '../infrastructure/programs.ts';

/** What the tests of the SDK in a language need. */
export type Language = {
  readonly name: string;
  /** Debian packages. */
  readonly packages: readonly string[];
  /** The program, if it is here with all that its tests need. */
  readonly find: () => string | undefined;
};

const MODULES = 'hatchling, mypy, pip, pytest, cryptography, django, fastapi, flask, httpx, psycopg2, venv';

export const PYTHON: Language = {
  name: 'Python 3.11 with the modules of its tests',
  packages: [
    'mypy',
    'python3-cryptography',
    'python3-django',
    'python3-fastapi',
    'python3-flask',
    'python3-hatchling',
    'python3-httpx',
    'python3-pip',
    'python3-psycopg2',
    'python3-pytest',
  ],
  find: () =>
    ['python3', '/usr/bin/python3'].find((python) =>
      succeeds(python, ['-c', `import sys, ${MODULES}; assert sys.version_info >= (3, 11)`]),
    ),
};

export const PHP: Language = {
  name: 'PHP 8.2 with sodium and SQLite',
  packages: ['php-cli', 'php-sqlite3'],
  find: () =>
    ['php'].find((php) =>
      succeeds(php, ['-r', 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("sodium") && extension_loaded("pdo_sqlite") ? 0 : 1);']),
    ),
};

/** What loads Guzzle, the client with which the PHP SDK sends by PSR-18. */
const GUZZLE_AUTOLOAD = '/usr/share/php/GuzzleHttp/autoload.php';

export const GUZZLE: Language = {
  name: 'Guzzle for PHP',
  packages: ['php-guzzlehttp-guzzle'],
  find: () => (existsSync(GUZZLE_AUTOLOAD) ? GUZZLE_AUTOLOAD : undefined),
};

export const PHP_POSTGRESQL: Language = {
  name: "PHP's driver of PostgreSQL",
  packages: ['php-pgsql'],
  find: () => (succeeds('php', ['-r', 'exit(extension_loaded("pdo_pgsql") ? 0 : 1);']) ? 'pdo_pgsql' : undefined),
};

/** Where Debian puts jars. */
const JARS = '/usr/share/java';
const jars = (prefix: string, parts: readonly string[]): string[] => parts.map((part) => `${JARS}/${prefix}${part}.jar`);

export const JAVA_POSTGRESQL = `${JARS}/postgresql.jar`;

/** What the tests of the Java SDK use: the driver of PostgreSQL, Spring and Tomcat, each with what it needs. */
export const JAVA_JARS: readonly string[] = [
  JAVA_POSTGRESQL,
  `${JARS}/commons-logging.jar`,
  ...jars('spring3-', ['aop', 'beans', 'context', 'core', 'expression', 'web', 'web.servlet']),
  ...jars('tomcat9-', ['annotations-api', 'api', 'catalina', 'coyote', 'jaspic-api', 'jni', 'juli', 'servlet-api', 'util', 'util-scan']),
];

/** For a JVM that lives for a second or two: half of its time would go to its optimising compiler and parallel collector. */
export const SHORT_JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;
export const SHORT_JAVAC = SHORT_JVM.map((option) => `-J${option}`);

export const JAVA: Language = {
  name: 'Java 17 with a compiler, the driver of PostgreSQL, Spring and Tomcat',
  packages: ['openjdk-17-jdk-headless', 'libpostgresql-jdbc-java', 'libspring-web-servlet-java', 'libtomcat9-java'],
  find: () =>
    JAVA_JARS.every((jar) => existsSync(jar)) && succeeds('javac', [...SHORT_JAVAC, '--release', '17', '--version']) ? 'java' : undefined,
};

/** Debian's, which the module of the test with a database names. */
const GO_DRIVER = '/usr/share/gocode/src/github.com/lib/pq/go.mod';

export const GO: Language = {
  name: 'Go 1.19 with lib/pq',
  packages: ['golang-go', 'golang-github-lib-pq-dev'],
  find: () =>
    ['/usr/bin/go', 'go'].find((go) => {
      const [, minor] = /^go1\.(\d+)/.exec(printed(go, ['env', 'GOVERSION']) ?? '') ?? [];
      return minor !== undefined && Number(minor) >= 19 && existsSync(GO_DRIVER);
    }),
};

export const LANGUAGES: readonly Language[] = [PYTHON, PHP, GUZZLE, PHP_POSTGRESQL, JAVA, GO];

/** One line that says what to do where a language is missing. */
export const missing = ({ name, packages }: Language): string =>
  `${name} is not here and not tested: install the Debian packages ${packages.join(', ')}`;

const succeeds = (program: string, given: readonly string[]): boolean => printed(program, given) !== undefined;

/** What a program printed, or undefined if it is missing or fails. */
function printed(program: string, given: readonly string[]): string | undefined {
  if (programOnPath(program) === undefined && !program.startsWith('/')) return undefined;
  try {
    return execFileSync(program, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
