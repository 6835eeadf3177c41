import { createRequire } from 'node:module';

const PACKAGES = ['@nestjs/core', '@nestjs/common'];

/**
 * A sentence for each package of Nest that the app and this package load from different places: Nest's classes are
 * then two, and neither finds what the other provides.
 */
export function findNestCopies(appFile: string): readonly string[] {
  const mcp = resolveFrom(appFile, 'nestjs-mcp');
  if (mcp === undefined) return [];
  return PACKAGES.flatMap((name) => {
    const [own, ours] = [resolveFrom(appFile, name), resolveFrom(mcp, name)];
    if (own === undefined || ours === undefined || own === ours) return [];
    return [
      `There are two copies of ${name}: the app loads ${own}, nestjs-mcp loads ${ours}. Install one version of it for both, for example with npm dedupe.`,
    ];
  });
}

export function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}
