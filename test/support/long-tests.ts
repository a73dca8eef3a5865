/**
 * Tests tagged `long` run in `npm run test:all` only, because a quicker test in `npm test` catches the same.
 * A case has the tag in its options, `it('…', { tags: 'long' }, …)`; a file has a line `@module-tag long` in
 * the comment that it begins with. In test/world, which neither command runs, it marks what `.ci/run` leaves
 * out.
 */
import { readFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

export const longTag = {
  name: 'long',
  description: 'Runs in `npm run test:all` only; a quicker test in `npm test` catches the same.',
}

/** Whether all of a test file is long, so that `npm test` doesn't even load it. */
export function isLongFile(file: string): boolean {
  return /^ \* @module-tag long$/m.test(readFileSync(file, 'utf8'))
}

/** For `reporters`: reports at the end of a run what was left out. */
export function reportLeftOut(longFiles: string[], alsoLeftOut: string[]): Reporter {
  return {
    onTestRunEnd(modules) {
      const tests = modules.flatMap((module) => [...module.children.allTests('skipped')])
      const cases = tests.filter((test) => test.tags.includes(longTag.name))
      const leftOut = [
        `${longFiles.length} long files`,
        `${cases.length} long cases of other files`,
        ...alsoLeftOut,
      ]
      process.stdout.write(` Left to \`npm run test:all\`: ${leftOut.join(', ')}.\n`)
    },
  }
}
