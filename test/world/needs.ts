/** What the tests of this folder need from elsewhere; nothing here installs it. */
import { existsSync } from 'node:fs'

/** Absolute paths, and the Debian packages that have them. */
type Need = { programs: readonly string[]; packages: readonly string[] }

const needs = {
  HAProxy: { programs: ['/usr/sbin/haproxy'], packages: ['haproxy'] },
  Caddy: { programs: ['/usr/bin/caddy'], packages: ['caddy'] },
  nginx: { programs: ['/usr/sbin/nginx'], packages: ['nginx-light'] },
  Ceph: {
    programs: [
      '/usr/bin/radosgw',
      '/usr/bin/radosgw-admin',
      '/usr/bin/ceph',
      '/usr/bin/ceph-mon',
      '/usr/bin/ceph-osd',
    ],
    packages: ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'],
  },
} as const satisfies Record<string, Need>

export type NeedName = keyof typeof needs

/** Whether all of its programs are installed. */
export function isInstalled(name: NeedName): boolean {
  return missingPrograms(needs[name]).length === 0
}

/** A sentence for each need that isn't met; `server` is the address of PostgreSQL, if it answers. */
export function describeMissing(server: string | undefined): string[] {
  const programs = Object.entries(needs).flatMap(([name, need]) => {
    const missing = missingPrograms(need).join(', ')
    if (missing === '') return []
    return `${name} is left out: ${missing} isn't installed (Debian: ${need.packages.join(', ')}).`
  })
  if (server) return programs
  return [...programs, 'What needs PostgreSQL is left out: 127.0.0.1:5432 (or TEST_DATABASE_URL) is silent.']
}

function missingPrograms({ programs }: Need): string[] {
  return programs.filter((path) => !existsSync(path))
}
