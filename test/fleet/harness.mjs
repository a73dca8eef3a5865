/** Bundles the harness, and runs it where whatever it leaves is removed with it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const bundles = resolve('node_modules/.cache/svc-fleet')

/** Makes JavaScript of it, which also Node 20 runs. */
export async function bundleHarness() {
  await build({
    entryPoints: ['main', 'parts/s3-process', 'parts/proxy-process', 'parts/attacker-process'].map(
      (name) => `test/fleet/${name}.ts`,
    ),
    outdir: bundles,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    // Of packages that are CommonJS.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
    logLevel: 'warning',
  })
}

/**
 * Runs it on a build's `main.js`. Resolves to its exit code, its output, and the directory of its history,
 * which the caller removes.
 */
export async function runHarness({ program, soakMinutes, only, attack = false }) {
  const directory = mkdtempSync(join(tmpdir(), 'svc-fleet-'))
  // PostgreSQL runs as another user.
  chmodSync(directory, 0o711)
  // Mounts in a namespace of the harness's own end with it.
  const namespace = spawnSync('unshare', ['--mount', 'true']).status === 0 ? ['unshare', '--mount'] : []
  const main = [process.execPath, join(bundles, 'main.mjs')]
  const [file, ...args] = [...namespace, 'setpriv', '--pdeathsig', 'TERM', ...main]
  const child = spawn(file, args, {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: {
      ...process.env,
      FLEET_DIRECTORY: directory,
      FLEET_PROGRAM: resolve(program),
      FLEET_ONLY: only,
      FLEET_CAN_MOUNT: namespace.length > 0 ? '1' : '0',
      FLEET_ATTACK: attack ? '1' : '0',
      ...(soakMinutes !== undefined && { FLEET_SOAK_MINUTES: String(soakMinutes) }),
    },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    process.stdout.write(text)
  })
  // Ctrl-C reaches the harness, too, which this waits for.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'close')
  return { code: code ?? 1, output, directory }
}
