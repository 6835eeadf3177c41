import { describe, expect, it } from '@jest/globals';

import { DuplicateComponentError } from '../../../lib/errors/duplicate-component.error.js';
import { ComponentRegistry } from '../../../lib/registry/component.registry.js';
import type {
  CompletionComponent,
  ComponentHost,
  PromptComponent,
  ResourceComponent,
  TemplateComponent,
  ToolComponent,
} from '../../../lib/registry/registered-component.js';
import { UriTemplate } from '../../../lib/uri/uri-template.js';

const host = { owner: 'Host.method' } as ComponentHost;

const tool = (name: string, description = 'd'): ToolComponent =>
  ({ kind: 'tool', definition: { name, description, inputSchema: {} }, host }) as unknown as ToolComponent;

const prompt = (name: string): PromptComponent =>
  ({ kind: 'prompt', definition: { name }, host }) as unknown as PromptComponent;

const resource = (uri: string): ResourceComponent =>
  ({ kind: 'resource', definition: { name: 'r', uri }, host }) as unknown as ResourceComponent;

const template = (uriTemplate: string): TemplateComponent =>
  ({
    kind: 'template',
    definition: { name: 't', uriTemplate },
    host,
    template: UriTemplate.parse(uriTemplate),
  }) as unknown as TemplateComponent;

const completion = (name: string): CompletionComponent =>
  ({ kind: 'completion', target: { kind: 'prompt', name }, argument: 'a', host }) as unknown as CompletionComponent;

/** A registry that has been filled, and what its listener hears. */
function filled(...components: Parameters<ComponentRegistry['add']>[0][]): {
  readonly registry: ComponentRegistry;
  readonly heard: string[];
} {
  const registry = new ComponentRegistry(2);
  const heard: string[] = [];
  registry.onChange((lists) => heard.push([...lists].join(' ')));
  for (const component of components) registry.add(component);
  registry.finishDiscovery();
  return { registry, heard };
}

const namesOf = (registry: ComponentRegistry): string[] =>
  registry.listed('tool').map(({ definition }) => definition.name);

describe('a registry', () => {
  it('reports no change for components of the start', () => {
    const { registry, heard } = filled(tool('a'), prompt('b'));
    expect([registry.isComplete, heard]).toEqual([true, []]);
    expect(new ComponentRegistry(2).isComplete).toBe(false);
  });

  it('reports the lists that differ after each change', () => {
    const { registry, heard } = filled();
    const parts = [tool('a'), prompt('b'), resource('a://b'), template('a://{b}/c'), completion('b')];
    for (const part of parts) registry.add(part);
    for (const part of parts) registry.setEnabled(part, false);
    for (const part of parts) registry.setEnabled(part, true);
    for (const part of [...parts].reverse()) registry.remove(part);
    const lists = ['tools', 'prompts', 'resources', 'resources', ''];
    expect(heard).toEqual([...lists, ...lists, ...lists, ...[...lists].reverse()]);
    expect(registry.all()).toEqual([]);
  });

  it('names no list where none looks different', () => {
    const [a, b] = [tool('a'), tool('b')];
    const { registry, heard } = filled(a, b);
    registry.setEnabled(a, true);
    registry.replace(a, { ...a });
    registry.remove(a);
    expect(heard).toEqual(['']);
    registry.setEnabled(b, false);
    heard.length = 0;
    registry.setEnabled(b, false);
    const next = tool('b', 'changed');
    registry.replace(b, next);
    registry.remove(next);
    registry.remove(next);
    registry.setEnabled(next, true);
    expect(heard).toEqual(['', '']);
  });

  it('forgets pages of the list that changed alone', () => {
    const a = tool('a');
    const { registry } = filled(a, prompt('p'));
    const [tools, prompts] = [registry.page('tool', undefined), registry.page('prompt', undefined)];
    registry.setEnabled(a, false);
    expect(registry.page('prompt', undefined)).toBe(prompts);
    expect(registry.page('tool', undefined)).toEqual({ items: [] });
    registry.setEnabled(a, true);
    expect(registry.page('tool', undefined)).toEqual(tools);
  });

  it('gives equal lists equal cursors', () => {
    const [a, b, c] = [tool('a'), tool('b'), tool('c')];
    const { registry } = filled(a, b, c);
    const first = registry.page('tool', undefined);
    registry.setEnabled(a, false);
    expect(registry.page('tool', (first as { nextCursor: string }).nextCursor)).toBe('expired');
    registry.setEnabled(a, true);
    registry.remove(c);
    registry.add(tool('c'));
    expect(registry.page('tool', undefined)).toEqual(first);
    expect(registry.page('tool', (first as { nextCursor: string }).nextCursor)).toEqual({ items: [c.definition] });
  });

  it('keeps the position of a component that is replaced or renamed', () => {
    const b = tool('b');
    const { registry, heard } = filled(tool('a'), b, tool('c'));
    const changed = tool('b', 'changed');
    registry.replace(b, changed);
    const renamed = tool('bee');
    registry.replace(changed, renamed);
    expect(namesOf(registry)).toEqual(['a', 'bee', 'c']);
    expect([registry.findTool('b'), registry.findTool('bee')]).toEqual([undefined, renamed]);
    expect(heard).toEqual(['tools', 'tools']);
    expect(() => registry.replace(renamed, tool('c'))).toThrow(DuplicateComponentError);
    expect(namesOf(registry)).toEqual(['a', 'bee', 'c']);
  });

  it('hides a disabled component, and keeps its name', () => {
    const [a, b] = [tool('a'), tool('b')];
    const { registry } = filled(a, b);
    registry.setEnabled(a, false);
    expect([registry.findTool('a'), namesOf(registry), registry.isEnabled(a)]).toEqual([undefined, ['b'], false]);
    expect([registry.holder('tool', 'a'), registry.held('tool'), registry.all()]).toEqual([a, [a, b], [a, b]]);
    expect(() => registry.add(tool('a'))).toThrow(DuplicateComponentError);
    const renamed = tool('c');
    registry.replace(a, renamed);
    expect([registry.isEnabled(renamed), registry.findTool('c')]).toEqual([false, undefined]);
    registry.setEnabled(renamed, true);
    expect(namesOf(registry)).toEqual(['c', 'b']);
  });

  it('does not match templates that are disabled', () => {
    const part = template('a://{b}');
    const { registry } = filled(part);
    expect(registry.matchTemplate('a://x')?.variables).toEqual({ b: 'x' });
    registry.setEnabled(part, false);
    expect([registry.matchTemplate('a://x'), registry.findTemplate('a://{b}')]).toEqual([undefined, undefined]);
    registry.setEnabled(part, true);
    expect(registry.matchTemplate('a://x')?.component).toBe(part);
  });

  it.each([true, false])('lets a resource become a template: enabled %p', (enabled) => {
    const exact = resource('a://b');
    const { registry, heard } = filled(exact);
    registry.setEnabled(exact, enabled);
    heard.length = 0;
    const next = template('a://{b}');
    registry.replace(exact, next);
    expect([registry.has(exact), registry.has(next), registry.isEnabled(next)]).toEqual([false, true, enabled]);
    expect(heard).toEqual(enabled ? ['resources'] : ['']);
  });

  it('removes completions with their component, and no others', () => {
    const [p, q] = [prompt('p'), prompt('q')];
    const { registry } = filled(p, q, completion('p'), completion('q'), tool('p'));
    registry.remove(p);
    expect(registry.held('completion')).toEqual([completion('q')]);
    expect(registry.findCompletion({ kind: 'prompt', name: 'p' }, 'a')).toBeUndefined();
  });

  it('finds resources by every spelling of their URI', () => {
    const part = resource('a://café');
    const { registry } = filled(part);
    expect([registry.findResource('a://caf%c3%a9'), registry.holder('resource', 'a://caf%C3%A9')]).toEqual([
      part,
      part,
    ]);
  });
});
