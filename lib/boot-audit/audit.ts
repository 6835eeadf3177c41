import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';

import type { McpSettings } from '../options/settings.js';
import type { ListedComponent } from '../registry/registered-component.js';
import { guardsAt, isGuardedHost } from '../registry/placed-guards.js';
import { MCP_SCOPE } from '../mcp.constants.js';

/** The data of a started server that checks read. */
interface AuditedServer {
  readonly settings: McpSettings;
  /** Whether the server is reachable over the app's HTTP server. */
  readonly isReachable: boolean;
  readonly components: readonly ListedComponent[];
  /** The scope that cacheable results of a kind actually have. */
  readonly sentScope: (subject: keyof McpSettings['profile']['cache']) => 'public' | 'private';
  readonly modules: ModulesContainer;
  readonly config: ApplicationConfig;
}

/** One risk and its cure, in one line. */
export interface Finding {
  /** Stable name of the check. */
  readonly check: string;
  readonly text: string;
}

/** Checks for one kind of risk; returns an empty list if there is none. */
interface AuditCheck {
  readonly name: string;
  /** A sentence for each risk, and a sentence with its cure. */
  readonly inspect: (server: AuditedServer) => readonly string[];
}

const hasGuards = (place: object): boolean => guardsAt(place).length > 0;

/** The class, or the first of its methods, that has a guard: `Class` or `Class.method`. */
function findGuardedPlace(owner: { readonly name: string; readonly prototype: unknown }): string | undefined {
  if (hasGuards(owner)) return owner.name;
  let prototype = owner.prototype as object | null;
  while (prototype !== null && prototype !== Object.prototype) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name !== 'constructor' && typeof value === 'function' && hasGuards(value as object)) {
        return `${owner.name}.${name}`;
      }
    }
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return undefined;
}

/** Returns whether a guard protects the endpoint; global guards protect it like any route. */
function hasEndpointGuards({ settings: { http }, isReachable, config }: AuditedServer): boolean {
  if (!isReachable) return false;
  if (http !== false && http.guards.length > 0) return true;
  return config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0;
}

/** Nest closes an app on a signal only if shutdown hooks are enabled. */
const shutdownHooksCheck: AuditCheck = {
  name: 'shutdown-hooks',
  inspect: ({ isReachable }) =>
    !isReachable || process.listenerCount('SIGTERM') > 0
      ? []
      : ['Shutdown hooks are off, so a SIGTERM cuts running calls. Call app.enableShutdownHooks() before listen().'],
};

/** An app that protects its other routes was probably meant to protect this one. */
const openEndpointCheck: AuditCheck = {
  name: 'open-endpoint',
  inspect: (server) => {
    if (!server.isReachable || hasEndpointGuards(server) || server.components.some(({ host }) => isGuardedHost(host)))
      return [];
    const place = findGuardedRoute(server);
    return place === undefined
      ? []
      : [`${place} is guarded, but the MCP endpoint is not. Pass http: { guards: [...] } to McpModule.`];
  },
};

function findGuardedRoute({ modules }: AuditedServer): string | undefined {
  for (const module of modules.values()) {
    if (module.providers.has(MCP_SCOPE)) continue;
    for (const { metatype } of module.controllers.values()) {
      const place = typeof metatype === 'function' ? findGuardedPlace(metatype) : undefined;
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** On other addresses than loopback, any caller is unknown until a guard or a client certificate identifies it. */
const openListenerCheck: AuditCheck = {
  name: 'open-listener',
  inspect: ({ settings: { listener } }) => {
    if (listener === undefined || LOOPBACK.test(listener.host) || listener.guards.length > 0) return [];
    const { requestCert, rejectUnauthorized } = listener.https ?? {};
    if (requestCert === true && rejectUnauthorized !== false) return [];
    return [
      `The listener at ${listener.host} takes requests from other machines, and nothing guards it. Pass listener: { guards: [...] } to McpModule, or listen at 127.0.0.1.`,
    ];
  },
};

/** A page of any site can then use the endpoint with the cookies or network access of its visitor. */
const anyOriginCheck: AuditCheck = {
  name: 'any-origin',
  inspect: ({ isReachable, settings: { admission, listener } }) => [
    ...(isReachable && admission.allowedOrigins.includes('*') ? [finding('http')] : []),
    ...(listener?.allowedOrigins.includes('*') === true ? [finding('listener')] : []),
  ],
};

const finding = (option: string): string =>
  `${option}.allowedOrigins holds "*", so web pages of any site may call the MCP endpoint. Name the origins you trust.`;

/** The result of `discover` is the same for every caller. */
const SUBJECTS = [
  ['tools', 'the list of tools'],
  ['resources', 'the list of resources'],
  ['templates', 'the list of templates'],
  ['prompts', 'the list of prompts'],
  ['read', 'what resources hold'],
] as const;

/** A shared cache would give every caller what a guard refuses to some. */
const publicCacheCheck: AuditCheck = {
  name: 'public-cache',
  inspect: (server) =>
    SUBJECTS.flatMap(([subject, content]) => {
      const { settings, sentScope } = server;
      if (settings.profile.cache[subject]?.scope !== 'public') return [];
      const option = `cache.${subject}.scope is "public", but`;
      // Then the option has no effect. That is safe, but it is probably a mistake.
      if (sentScope(subject) === 'private') {
        return [
          `${option} ${content} depends on the caller, so it is sent as "private" all the same. Make it "private".`,
        ];
      }
      return hasEndpointGuards(server)
        ? [
            `${option} guards stand before the MCP endpoint, so shared caches may show ${content} to callers whom they refuse. Make it "private".`,
          ]
        : [];
    }),
};

/** Without a deadline, calls that never settle hold their places until none is left. */
const endlessCallCheck: AuditCheck = {
  name: 'endless-call',
  inspect: ({ settings: { limits } }) =>
    limits.requestTimeoutMs === Number.POSITIVE_INFINITY
      ? [
          'limits.requestTimeoutMs is Infinity, so a call that hangs keeps its place for ever. Set it to the longest that a call may take.',
        ]
      : [],
};

const CHECKS: readonly AuditCheck[] = [
  shutdownHooksCheck,
  openEndpointCheck,
  openListenerCheck,
  anyOriginCheck,
  publicCacheCheck,
  endlessCallCheck,
];

/** All checks of a started server. */
export function auditServer(server: AuditedServer): readonly Finding[] {
  return CHECKS.flatMap(({ name, inspect }) => inspect(server).map((text) => ({ check: name, text })));
}
