/**
 * `npm run fleet` and `npm run soak`: see README.md. `--soak --minutes N` goes on for so long, `--attack` has
 * an attacker in half of that time, and no disturbances. `--only TEXT` takes the disturbances, or
 * attacks, with the text in their names, `--keep` keeps history and logs, and `--with-fault NAME` shows that
 * the checker catches a fault of faults.mjs.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeTree } from '../faults/tree.mjs'
import { faults } from './faults.mjs'
import { bundleHarness, runHarness } from './harness.mjs'

const { values: options } = parseArgs({
  options: {
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
    attack: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    'with-fault': { type: 'string' },
  },
})

await bundleHarness()
const { soak, minutes, attack, only, keep, 'with-fault': fault } = options
process.exitCode = fault === undefined ? await runPlain() : await runWithFault(fault)

async function runPlain() {
  const { code, directory } = await runHarness({
    program: 'dist/main.js',
    soakMinutes: soak || attack ? minutes : undefined,
    attack,
    only,
  })
  if (code === 1 || keep) console.log(`\nThe history and the logs are kept in ${directory}.`)
  else await rm(directory, { recursive: true, force: true })
  return code
}

/** 0 if the checker found what the fault is to be caught by. */
async function runWithFault(name) {
  const chosen = faults[name]
  if (!chosen) throw new Error(`There is no fault ${name}: choose one of ${Object.keys(faults).join(', ')}.`)
  console.log(`${chosen.what}\nBuilding a copy of the project with this fault ...`)
  const copy = await mkdtemp(join(tmpdir(), 'svc-fleet-fault-'))
  try {
    const tree = await makeTree(process.cwd(), join(copy, 'tree'))
    await tree.plant(chosen.changes)
    await tree.build()
    const program = join(tree.directory, 'dist/main.js')
    const { directory, output } = await runHarness({
      program,
      soakMinutes: chosen.minutes,
      only: chosen.only,
    })
    await rm(directory, { recursive: true, force: true })
    const isCaught = new RegExp(`^\\d+ VIOLATIONS.* × ${chosen.caughtBy}`, 'm').test(output)
    console.log(isCaught ? `\nCaught: ${chosen.caughtBy}.` : `\nNOT CAUGHT by ${chosen.caughtBy}.`)
    return isCaught ? 0 : 1
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
