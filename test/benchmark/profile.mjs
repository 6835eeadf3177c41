import { parseArgs } from 'node:util';
import { Load } from './measure/load.mjs';
import { Server } from './measure/server.mjs';
import { compileLibrary, installStand } from './prepare.mjs';
import { ADD, count, ECHO } from './workload/requests.mjs';

/** Lists where a server spends CPU time and what allocates: `node test/benchmark/profile.mjs ours-fastify`. */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    add: { type: 'boolean' },
    count: { type: 'string' },
    requests: { type: 'string' },
    top: { type: 'string', default: '25' },
  },
});
const [name = 'ours-fastify'] = positionals;
const updates = Number(options.count ?? 0);
const request = updates > 0 ? count(updates) : options.add ? ADD : ECHO;
const limits = { connections: 16, amount: Number(options.requests ?? Math.max(200, 20_000 / (updates || 1))) };
const top = Number(options.top);

await compileLibrary();
installStand();
const load = await Load.start();
const server = await Server.start(name);
try {
  await server.verify(request);
  await load.run(server, request, limits);
  await server.ask('startCpuProfile');
  await load.run(server, request, limits);
  showCpu(await server.ask('stopCpuProfile'));
  await server.ask('startAllocations');
  await load.run(server, request, limits);
  showAllocations(await server.ask('stopAllocations'));
} finally {
  await server.stop();
  await load.stop();
}

function showCpu({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const sites = new Map();
  samples.forEach((id, index) => add(sites, frames.get(id), timeDeltas[index] / limits.amount));
  report('microseconds per call, self time', sites);
}

function showAllocations({ head }) {
  const sites = new Map();
  const visit = ({ callFrame, selfSize, children }) => {
    add(sites, callFrame, selfSize / limits.amount);
    for (const child of children) visit(child);
  };
  visit(head);
  report('bytes per call, allocated by itself', sites);
}

function add(sites, { functionName, url, lineNumber }, value) {
  const file = url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/(?:node_modules|\.build\/benchmark|test\/benchmark)\//, (path) =>
      path.includes('.build') ? 'lib/' : '',
    );
  const site = `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
  const owner = ownerOf(url, functionName);
  const known = sites.get(site) ?? { owner, value: 0 };
  known.value += value;
  sites.set(site, known);
}

function ownerOf(url, functionName) {
  if (url.includes('/.build/benchmark/')) return 'lib';
  const [, owner] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (owner !== undefined) return owner;
  if (url.startsWith('node:')) return 'node';
  return functionName.startsWith('(') ? functionName : 'native';
}

function report(title, sites) {
  const owners = new Map();
  for (const { owner, value } of sites.values()) owners.set(owner, (owners.get(owner) ?? 0) + value);
  const ranked = [...sites].sort(([, a], [, b]) => b.value - a.value);
  console.log(`\n${title}`);
  const byOwner = [...owners].sort(([, a], [, b]) => b - a);
  for (const [owner, value] of byOwner.slice(0, 12)) console.log(`  ${value.toFixed(1).padStart(8)}  ${owner}`);
  console.log('  in the library');
  const own = ranked.filter(([, { owner }]) => owner === 'lib');
  for (const [site, { value }] of own.slice(0, top)) console.log(`  ${value.toFixed(2).padStart(8)}  ${site}`);
  console.log('  elsewhere');
  const others = ranked.filter(([, { owner }]) => owner !== 'lib');
  for (const [site, { value }] of others.slice(0, top)) console.log(`  ${value.toFixed(2).padStart(8)}  ${site}`);
}
