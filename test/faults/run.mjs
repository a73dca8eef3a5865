/**
 * Checks that the tests catch faults: plants the faults of `table` in a copy of the tree, one at a time, and
 * runs the tests that are expected to catch each. Fails if one isn't caught, or if `npm test` leaves more
 * than a tenth to `npm run test:all`. `--only TEXT` takes the faults with the text in their file or sentence,
 * `--jobs N` runs N at once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge } from './judge.mjs'
import { readFaults } from './read-faults.mjs'
import { makeTree } from './tree.mjs'
import { checkTypes, checkUnbroken } from './unbroken.mjs'

const enoughShare = 0.9

async function run({ only = '', jobs = '1' }) {
  const chosen = (await readFaults()).filter(({ file, what }) => `${file} ${what}`.includes(only))
  if (chosen.length === 0) throw new Error(`No fault has ${only} in its file or sentence.`)
  const directory = await mkdtemp(join(tmpdir(), 'svc-faults-'))
  try {
    const names = Array.from({ length: Math.min(Number(jobs), chosen.length) }, (_, at) => `tree-${at}`)
    const trees = await Promise.all(names.map((name) => makeTree(process.cwd(), join(directory, name))))
    try {
      await checkTypes(trees[0], chosen)
      await checkUnbroken(trees[0], chosen)
      return report(await judgeAll(trees, chosen))
    } finally {
      for (const tree of trees) await tree.close()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Each tree takes the next fault as soon as it is done with the previous one. */
async function judgeAll(trees, faults) {
  const left = [...faults]
  const results = []
  const work = async (tree) => {
    for (let fault = left.shift(); fault; fault = left.shift()) {
      const result = { fault, ...(await judge(tree, fault)) }
      results.push(result)
      console.log(`${results.length}/${faults.length} ${describe(result)}`)
    }
  }
  await Promise.all(trees.map(work))
  return results
}

function describe({ fault, caughtBy, by, seconds }) {
  return (
    `${caughtBy.padEnd(10)} ${String(seconds).padStart(4)} s  ${fault.file}: ` +
    `${fault.what}${by ? `\n    ${by}` : ''}`
  )
}

/** Prints how many faults each way of testing caught; returns whether that is enough. */
function report(results) {
  const count = (way) => results.filter(({ caughtBy }) => caughtBy === way).length
  const missed = results.filter(({ caughtBy }) => caughtBy === 'NOT CAUGHT')
  console.log(`\n${results.length} faults: ${count('npm test')} caught by npm test, ${count('test:all')} by`)
  console.log(`npm run test:all alone, ${missed.length} by nothing.`)
  for (const result of missed) console.log(describe(result))
  return missed.length === 0 && count('npm test') >= results.length * enoughShare
}

const { values } = parseArgs({ options: { only: { type: 'string' }, jobs: { type: 'string' } } })
process.exitCode = (await run(values)) ? 0 : 1
