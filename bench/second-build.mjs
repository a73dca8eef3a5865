/** What a second build of a Vite project takes beside the first, which fills its cache. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { amount } from './amount.mjs'
import { hasCommand, stop } from './children.mjs'
import { median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const rounds = amount(3, 1)

const build = { install_command: 'npm ci', build_command: 'npx vite build' }

// Where the registry is behind a proxy with a certificate of its own.
const { NODE_EXTRA_CA_CERTS: authorities } = process.env
const target = ['production', 'preview']
const env = authorities ? [{ key: 'NODE_EXTRA_CA_CERTS', value: authorities, target }] : []

const sources = {
  'package.json': JSON.stringify({
    name: 'site',
    private: true,
    type: 'module',
    dependencies: { react: '^19.0.0', 'react-dom': '^19.0.0' },
    devDependencies: { vite: '^7.0.0', '@vitejs/plugin-react': '^5.0.0' },
  }),
  'vite.config.js':
    "import react from '@vitejs/plugin-react'\nimport { defineConfig } from 'vite'\n" +
    'export default defineConfig({ plugins: [react()] })\n',
  'index.html': '<div id="root"></div><script type="module" src="/main.jsx"></script>\n',
  'main.jsx':
    "import { createRoot } from 'react-dom/client'\n" +
    "createRoot(document.getElementById('root')).render(<h1>Hello</h1>)\n",
}

/** Times from the start of a build to its end, of new projects. Needs the registry of npm. */
export async function benchSecondBuild({ directory, openDatabase }) {
  if (!hasCommand('bwrap')) throw new Error('bwrap is missing. On Debian: apt install bubblewrap')
  const files = lockedSources(join(directory, 'second-build-sources'))
  const database = await openDatabase()
  // The registry may be a mirror in a network of one's own.
  const settings = { SVC_BUILD_NETWORK: 'registries', SVC_RESOLVE_PRIVATE: '1' }
  const svc = await startSvc(join(directory, 'second-build'), database.url, settings)
  const times = { first: [], second: [] }
  for (let round = 0; round < rounds; round += 1) {
    const project = `site-${round}`
    await svc.call('PUT', `/v1/projects/${project}`, { build, env })
    times.first.push(await buildMs(svc, project, files))
    times.second.push(await buildMs(svc, project, files))
  }
  await stop(svc.child)
  return {
    title: 'A build of a Vite project with React: `npm ci` and `vite build`',
    sides: ['first', 'second'],
    notes: ['The first includes what npm downloads from its registry.'],
    latencies: [
      { what: 'median of a build', few: median(times.first), many: median(times.second), bar: 0.5 },
    ],
  }
}

function lockedSources(directory) {
  mkdirSync(directory)
  for (const [name, content] of Object.entries(sources)) writeFileSync(join(directory, name), content)
  execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: directory })
  const lock = readFileSync(join(directory, 'package-lock.json'), 'utf8')
  return Object.entries({ ...sources, 'package-lock.json': lock }).map(([path, content]) => ({
    path,
    content,
  }))
}

async function buildMs(svc, project, files) {
  const { ok, answer } = await svc.call('POST', '/v1/deployments', { project, target: 'production', files })
  if (!ok) throw new Error(JSON.stringify(answer))
  for (;;) {
    const { answer: now } = await svc.call('GET', `/v1/deployments/${answer.id}?wait_s=30`)
    if (now.state === 'queued' || now.state === 'building') continue
    if (now.state !== 'ready') throw new Error(JSON.stringify(now.error))
    return now.ready_ms - now.building_ms
  }
}
