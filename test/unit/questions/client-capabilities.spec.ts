import { describe, expect, it } from '@jest/globals';
import {
  CLIENT_CAPABILITIES,
  type ClientCapability,
  hasCapability,
  missingCapabilities,
  requiredCapabilities,
} from '../../../lib/questions/client-capabilities.js';

const asking = (...needs: ClientCapability[]) => ({ needs });
const FORM = asking('elicitation.form');
const URL_PAGE = asking('elicitation.url');
const SAMPLE = asking('sampling');
const SAMPLE_WITH_TOOLS = asking('sampling', 'sampling.tools');
const ROOTS = asking('roots');

describe('requiredCapabilities', () => {
  it.each([
    ['nothing for no questions', [], {}],
    ['a form', [FORM], { elicitation: { form: {} } }],
    ['both modes', [FORM, URL_PAGE, FORM], { elicitation: { form: {}, url: {} } }],
    ['plain sampling', [SAMPLE], { sampling: {} }],
    ['sampling with tools and without', [SAMPLE_WITH_TOOLS, SAMPLE], { sampling: { tools: {} } }],
    ['everything', [FORM, SAMPLE_WITH_TOOLS, ROOTS], { elicitation: { form: {} }, sampling: { tools: {} }, roots: {} }],
  ])('merges %s', (_what, questions, required) => {
    expect(requiredCapabilities(questions)).toEqual(required);
  });
});

describe('missingCapabilities', () => {
  const missing = (required: unknown) => ({ kind: 'missing', required });
  const malformed = (capability: string) => ({ kind: 'malformed', capability });
  const covered = { kind: 'covered' };

  it.each<[declared: Record<string, unknown>, question: { needs: ClientCapability[] }, verdict: unknown]>([
    [{}, FORM, missing({ elicitation: { form: {} } })],
    [{ elicitation: {} }, FORM, covered],
    [{ elicitation: { form: {} } }, FORM, covered],
    [{ elicitation: { form: { any: 1 }, voice: {} } }, FORM, covered],
    [{ elicitation: { url: {} } }, FORM, missing({ elicitation: { form: {} } })],
    [{ elicitation: { form: false } }, FORM, malformed('elicitation')],
    [{ elicitation: { form: false, url: {} } }, URL_PAGE, malformed('elicitation')],
    [{ elicitation: { voice: {} } }, FORM, malformed('elicitation')],
    [{ elicitation: true }, FORM, malformed('elicitation')],
    [{ elicitation: null }, FORM, malformed('elicitation')],
    [{ elicitation: [] }, FORM, malformed('elicitation')],
    [{ elicitation: {} }, URL_PAGE, missing({ elicitation: { url: {} } })],
    [{ elicitation: { form: {} } }, URL_PAGE, missing({ elicitation: { url: {} } })],
    [{ elicitation: { form: {}, url: {} } }, URL_PAGE, covered],
    [{ sampling: {} }, SAMPLE, covered],
    [{ sampling: {} }, SAMPLE_WITH_TOOLS, missing({ sampling: { tools: {} } })],
    [{ sampling: { tools: {} } }, SAMPLE_WITH_TOOLS, covered],
    [{ sampling: { tools: {} } }, asking('sampling', 'sampling.context'), missing({ sampling: { context: {} } })],
    [{ sampling: { context: {} } }, asking('sampling', 'sampling.context'), covered],
    [{ sampling: { tools: true } }, SAMPLE, malformed('sampling')],
    [{ roots: {} }, ROOTS, covered],
    [{ roots: { listChanged: true } }, ROOTS, covered],
    [{ roots: false }, ROOTS, malformed('roots')],
    [{ sampling: 'of no interest', elicitation: {} }, FORM, covered],
  ])('finds %j and %j: %j', (declared, question, verdict) => {
    expect(missingCapabilities([question], declared)).toEqual(verdict);
  });

  it('refuses all questions together, and names what all of them need', () => {
    expect(missingCapabilities([FORM, SAMPLE_WITH_TOOLS, ROOTS], { elicitation: {}, sampling: {}, roots: {} })).toEqual(
      missing({ elicitation: { form: {} }, sampling: { tools: {} }, roots: {} }),
    );
  });

  it('asks nothing of anybody without questions', () => {
    expect(missingCapabilities([], { elicitation: 5 })).toEqual(covered);
  });

  it('ignores inherited capabilities', () => {
    const declared = Object.create({ roots: {} }) as Record<string, unknown>;
    expect(missingCapabilities([ROOTS], declared)).toEqual(missing({ roots: {} }));
  });
});

describe('hasCapability', () => {
  it.each<[declared: Record<string, unknown>, capabilities: ClientCapability[]]>([
    [{}, []],
    [{ elicitation: {} }, ['elicitation.form']],
    [{ elicitation: { url: {} } }, ['elicitation.url']],
    [{ elicitation: { form: {}, url: {} } }, ['elicitation.form', 'elicitation.url']],
    [{ elicitation: { form: 1, url: {} } }, []],
    [{ sampling: {} }, ['sampling']],
    [{ sampling: { tools: {}, context: {} } }, ['sampling', 'sampling.tools', 'sampling.context']],
    [{ sampling: { tools: null } }, []],
    [{ roots: {}, elicitation: 'yes' }, ['roots']],
  ])('finds in %j: %j', (declared, capabilities) => {
    expect(CLIENT_CAPABILITIES.filter((name) => hasCapability(declared, name))).toEqual(capabilities);
  });
});
