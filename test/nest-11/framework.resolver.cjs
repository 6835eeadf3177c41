const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
const FRAMEWORK = /^(@nestjs\/|rxjs($|\/)|reflect-metadata($|\/))/;

/**
 * Whoever asks for the framework, spec or built package, gets the copies installed beside this file;
 * whoever asks for a source of the library gets what was built from it.
 */
module.exports = (request, options) => {
  if (FRAMEWORK.test(request)) return options.defaultResolver(request, { ...options, basedir: __dirname });
  return options.defaultResolver(builtFrom(request, options.basedir) ?? request, options);
};

function builtFrom(request, basedir) {
  if (!request.startsWith('.') && !request.startsWith(ROOT)) return undefined;
  const source = path.relative(path.join(ROOT, 'lib'), path.resolve(basedir, request));
  if (source.startsWith('..')) return undefined;
  return path.join(ROOT, 'dist', 'esm', source.replace(/\.ts$/, '.js'));
}
