/** The promises of the README and the guides hold. */
import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { exitCodesText } from '../../src/cli/exit-codes.ts'
import { createProgram } from '../../src/cli/program.ts'
import { eventsTables } from '../support/events-tables.ts'
import { seriesTable } from '../support/series-table.ts'
import { settingsTable } from '../support/settings-table.ts'

it.each([
  ['README.md', 'settings', 'shows every setting with its default and meaning', settingsTable],
  ['docs/api.md', 'events', 'has every event with its data', eventsTables],
  ['docs/operators.md', 'series', 'shows every series with its labels and meaning', seriesTable],
])('%s (%s) %s', async (file, mark, _what, table) => {
  const text = await readFile(file, 'utf8')
  const between = new RegExp(`(<!-- ${mark}: written by npm run readme -->\\n)[^]*?(<!-- /${mark} -->)`)
  expect(text).toMatch(between)
  const wanted = text.replace(between, (_all, start, end) => `${start}${table()}\n${end}`)
  if (process.env.WRITE_README) await writeFile(file, wanted)
  else expect(text).toBe(wanted)
})

it('stays under 160 lines, plus a line for each setting', async () => {
  const lines = (await readFile('README.md', 'utf8')).split('\n')
  expect(lines.filter((line) => !line.startsWith('| `')).length).toBeLessThan(160)
})

it('names every command of svc, and the exit codes', async () => {
  const readme = await readFile('README.md', 'utf8')
  const [, section = ''] = /### From the terminal\n([\s\S]*?)\n### /.exec(readme) ?? []
  const { env, stdin, stdout, stderr } = process
  const program = await createProgram({ env, stdin, stdout, stderr, signal: AbortSignal.abort() })
  const names = program.commands.map((command) => command.name()).filter((name) => !name.startsWith('_'))
  expect(names.filter((name) => !new RegExp(`\`(svc )?${name}[ \`]`).test(section))).toEqual([])
  expect(section.replaceAll('\n', ' ')).toContain(exitCodesText.replaceAll('\n', ' '))
})
