/** What the tests of this folder need from elsewhere; nothing here installs it. */
import { existsSync } from 'node:fs'
import { canMakeMemoryGroup } from '../support/memory-group.ts'

/** Paths of files, and where they come from. */
type Need = { files: readonly string[]; from: string }

const needs = {
  HAProxy: { files: ['/usr/sbin/haproxy'], from: 'Debian: haproxy' },
  Caddy: { files: ['/usr/bin/caddy'], from: 'Debian: caddy' },
  nginx: { files: ['/usr/sbin/nginx'], from: 'Debian: nginx-light' },
  Ceph: {
    files: [
      '/usr/bin/radosgw',
      '/usr/bin/radosgw-admin',
      '/usr/bin/ceph',
      '/usr/bin/ceph-mon',
      '/usr/bin/ceph-osd',
    ],
    from: 'Debian: ceph-mon, ceph-osd, radosgw, ceph-common',
  },
  Dulwich: { files: ['/usr/bin/dulwich'], from: 'Debian: python3-dulwich' },
  'A site of thousands of files': {
    files: ['tools/node_modules/ckeditor4/package.json'],
    from: '`node build/install.mjs tools`',
  },
} as const satisfies Record<string, Need>

export type NeedName = keyof typeof needs

/** Whether all of its files are there. */
export function isInstalled(name: NeedName): boolean {
  return missingFiles(needs[name]).length === 0
}

/** A sentence for each need that isn't met; `server` is the address of PostgreSQL, if it answers. */
export function describeMissing(server: string | undefined): string[] {
  const missing = Object.entries(needs).flatMap(([name, need]) => {
    const missing = missingFiles(need).join(', ')
    if (missing === '') return []
    return `${name} is left out: ${missing} isn't installed (${need.from}).`
  })
  if (!canMakeMemoryGroup)
    missing.push('Nodes in bounded memory are left out: no memory cgroup can be made here.')
  if (server) return missing
  return [...missing, 'What needs PostgreSQL is left out: 127.0.0.1:5432 (or TEST_DATABASE_URL) is silent.']
}

function missingFiles({ files }: Need): string[] {
  return files.filter((path) => !existsSync(path))
}
