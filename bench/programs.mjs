/** The programs that the benchmarks run, and the packages of Debian that have them. */
import { hasCommand } from './children.mjs'

/** Without these nothing is measured. */
export const needed = { wrk: 'wrk', taskset: 'util-linux' }

/** Without these one side of a comparison, or a benchmark, is missing. */
const wanted = {
  nginx: 'nginx-light',
  caddy: 'caddy',
  dnsperf: 'dnsperf',
  pdns_server: 'pdns-server pdns-backend-pgsql',
  nsd: 'nsd',
  knotd: 'knot',
  bwrap: 'bubblewrap',
  git: 'git',
}

/** Lines that say which are missing, and how to install them; none where all are there. */
export function missingPrograms() {
  const missing = Object.keys(wanted).filter((command) => !hasCommand(command))
  if (missing.length === 0) return []
  const packages = missing.map((command) => wanted[command]).join(' ')
  return [
    `Not installed, and left out of the comparisons: ${missing.join(', ')}.`,
    `On Debian: apt install ${packages}`,
  ]
}
