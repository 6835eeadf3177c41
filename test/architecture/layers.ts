/** Where a folder of `lib` stands, and which other folders its files may import. */
export interface Layer {
  readonly ring: number;
  readonly mayImport: readonly string[];
}

/** The folders of `lib`. A folder without a row, or a row without a folder, fails the test. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  model: { ring: 0, mayImport: [] },
  errors: { ring: 0, mayImport: ['model'] },
  wire: { ring: 1, mayImport: ['model', 'errors'] },
  schema: { ring: 1, mayImport: ['model', 'errors'] },
  execution: { ring: 1, mayImport: ['errors'] },
  enhancers: { ring: 1, mayImport: ['errors'] },
  uri: { ring: 1, mayImport: ['errors'] },
  'request-state': { ring: 1, mayImport: ['errors'] },
  questions: { ring: 2, mayImport: ['model', 'errors', 'schema'] },
  decorators: { ring: 2, mayImport: ['model', 'schema', 'questions'] },
  registry: { ring: 2, mayImport: ['model', 'errors', 'schema', 'uri', 'enhancers', 'decorators'] },
  dialects: { ring: 2, mayImport: ['model', 'errors', 'wire', 'uri'] },
  admission: { ring: 2, mayImport: ['model', 'errors', 'wire'] },
  dispatch: {
    ring: 3,
    mayImport: ['model', 'errors', 'wire', 'schema', 'request-state', 'questions', 'decorators', 'registry'],
  },
  server: { ring: 4, mayImport: ['model', 'errors', 'wire', 'execution', 'dialects', 'admission', 'dispatch'] },
  subscriptions: { ring: 4, mayImport: ['model', 'errors', 'uri', 'dispatch'] },
  transports: { ring: 5, mayImport: ['model', 'errors', 'wire', 'enhancers', 'server'] },
  client: { ring: 5, mayImport: ['model', 'errors', 'wire', 'dialects'] },
  interceptors: { ring: 5, mayImport: ['model', 'errors', 'execution', 'decorators', 'dispatch', 'server'] },
  observability: { ring: 5, mayImport: ['model', 'errors', 'execution', 'registry', 'server', 'subscriptions'] },
  options: {
    ring: 6,
    mayImport: [
      ...['model', 'errors', 'execution', 'request-state', 'admission', 'dispatch', 'server'],
      ...['subscriptions', 'transports', 'dialects'],
    ],
  },
  'boot-audit': { ring: 6, mayImport: ['model', 'schema', 'registry', 'dialects', 'transports', 'options'] },
  testing: { ring: 8, mayImport: ['model', 'errors', 'client'] },
  host: { ring: 8, mayImport: ['errors', 'wire', 'server'] },
  cli: { ring: 8, mayImport: ['transports', 'boot-audit'] },
};

/** Files directly in `lib`: `mcp.*.ts` composes the module out of the folders below its ring, and of one another. */
const COMPOSITION_RING = 7;

export const COMPOSITION: Layer = {
  ring: COMPOSITION_RING,
  mayImport: Object.keys(LAYERS).filter((folder) => (LAYERS[folder]?.ring ?? COMPOSITION_RING) < COMPOSITION_RING),
};

/** Keys and tokens, open to every file. */
export const CONSTANTS = 'lib/mcp.constants.ts';

/** Packages that may be named only by the files that are about them; a name with `/*` covers a scope. */
export const PACKAGE_HOMES: Readonly<Record<string, readonly RegExp[]>> = {
  'node:http': [/^lib\/transports\/(?:http|node-http|listener)\//],
  'node:https': [/^lib\/transports\/(?:http|node-http|listener)\//],
  'node:child_process': [],
  express: [/^lib\/transports\/http\/express\.platform\.ts$/],
  fastify: [/^lib\/transports\/http\/fastify\.platform\.ts$/],
  '@nestjs/platform-express': [/^lib\/transports\/http\/express\.platform\.ts$/],
  '@nestjs/platform-fastify': [/^lib\/transports\/http\/fastify\.platform\.ts$/],
  'class-validator': [/^lib\/schema\//],
  'class-transformer': [/^lib\/schema\//],
  ioredis: [],
  '@opentelemetry/*': [],
};

/** Packages an application may lack: loading the package must not load them. */
export const OPTIONAL_PACKAGES: readonly string[] = [
  'class-validator',
  'class-transformer',
  'express',
  'fastify',
  '@nestjs/platform-express',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  'ioredis',
  '@opentelemetry/*',
  'zod',
  'valibot',
  'arktype',
];

/** The delta dialect is the one version folder that builds on another. */
export const DIALECT_DELTAS: Readonly<Record<string, string>> = { 'v2025-06-18': 'v2025-11-25' };

/** Where code may touch the process itself. */
export const PROCESS_HOMES = {
  stdout: [/^lib\/transports\/stdio\//, /^lib\/cli\//],
  exit: [/^lib\/transports\/stdio\/serve-stdio\.ts$/, /^lib\/cli\//],
} as const;
