/** A scenario that left no report: the suite could not run it, or never came to it. */
const NO_RESULT = { id: 'no-result', status: 'FAILURE', errorMessage: 'The suite left no result' };

/** Compares what each scenario's checks say with the checks that are expected to fail. */
export function judge(required, results, expected) {
  return required.map(({ name, scored }) => {
    const checks = results.get(name) ?? [NO_RESULT];
    const failures = checks.filter(({ status }) => status === 'FAILURE');
    const failed = idsOf(failures);
    const known = expected[name] ?? [];
    return {
      name,
      scored,
      failures,
      failed,
      warned: idsOf(checks.filter(({ status }) => status === 'WARNING')),
      idle: checks.every(({ status }) => status === 'SKIPPED' || status === 'INFO'),
      unexpected: failed.filter((id) => !known.includes(id)),
      stale: known.filter((id) => !failed.includes(id)),
    };
  });
}

/** One line: pass or fail, whether it counts, and the checks to look at. */
export function describeScenario({ name, scored, failed, warned, idle, unexpected }) {
  const mark = failed.length > 0 ? 'FAIL' : 'pass';
  const notes = [
    ...failed.map((id) => (unexpected.includes(id) ? `${id} (unexpected)` : id)),
    ...warned.map((id) => `${id} (warning)`),
    ...(idle ? ['nothing was checked'] : []),
  ];
  return `${mark}  ${scored ? 'required  ' : 'not scored'}  ${name}${notes.length > 0 ? `: ${notes.join(', ')}` : ''}`;
}

/** Every difference from the expected failures, in words. */
export function problemsOf(scenarios, expected) {
  const names = new Set(scenarios.map(({ name }) => name));
  const strangers = Object.keys(expected).filter((name) => !names.has(name));
  return [
    ...scenarios.flatMap(({ name, failures, unexpected }) =>
      failures
        .filter(({ id }) => unexpected.includes(id))
        .map(({ id, errorMessage, description }) => `Unexpected: ${name} fails ${id}: ${errorMessage ?? description}`),
    ),
    ...scenarios.flatMap(({ name, stale }) =>
      stale.map((id) => `Stale: ${name} no longer fails ${id}; take it off the expected failures`),
    ),
    ...strangers.map((name) => `Stale: there is no scenario ${name}; take it off the expected failures`),
  ];
}

/** The closing line's figures. */
export function tally(scenarios) {
  const figure = (part) => `${part.filter(({ failed }) => failed.length === 0).length}/${part.length}`;
  const required = scenarios.filter(({ scored }) => scored);
  const others = scenarios.filter(({ scored }) => !scored);
  return `${figure(required)} required, ${figure(others)} not scored`;
}

function idsOf(checks) {
  return [...new Set(checks.map(({ id }) => id))];
}
