import type { ServerReport } from '../boot-audit/server-report.js';
import type { Inspection } from './app.inspector.js';

/** What the doctor found, for people. */
export function printInspection({ servers, findings }: Inspection): string {
  const verdict =
    findings.length === 0
      ? ['No findings.']
      : [`Findings: ${findings.length}`, ...findings.map(({ check, text }) => `- ${text} [${check}]`)];
  return `${[...servers.map(describeServer), ...verdict].join('\n')}\n`;
}

/** What the doctor found, for programs. */
export function printJson({ servers, findings }: Inspection): string {
  const described = servers.map(({ findings: _own, ...server }) => server);
  return `${JSON.stringify({ servers: described, findings }, undefined, 2)}\n`;
}

function describeServer({ name, server, paths, revisions, counts }: ServerReport): string {
  const facts = [
    ['endpoint', paths.length === 0 ? 'none' : paths.map((path) => `POST ${path}`).join(', ')],
    ['revisions', revisions.join(', ')],
    [
      'offers',
      Object.entries(counts)
        .map(([list, count]) => `${count} ${list}`)
        .join(', '),
    ],
  ];
  const lines = facts.map(([label = '', fact = '']) => `  ${label.padEnd(10)} ${fact}`);
  return [`${name} (server "${server}")`, ...lines, ''].join('\n');
}
