/** The promises of the README and the guides hold. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { exitCodesText } from '../../src/cli/exit-codes.ts'
import { commandsTable } from '../support/commands-table.ts'
import { eventsTables } from '../support/events-tables.ts'
import { seriesTable } from '../support/series-table.ts'
import { settingsTable } from '../support/settings-table.ts'

it.each([
  ['docs/commands.md', 'commands', 'shows every command with its options and meaning', commandsTable],
  ['docs/settings.md', 'settings', 'shows every setting with its default and meaning', settingsTable],
  ['docs/api.md', 'events', 'has every event with its data', eventsTables],
  ['docs/operators.md', 'series', 'shows every series with its labels and meaning', seriesTable],
])('%s (%s) %s', async (file, mark, _what, table) => {
  const text = await readFile(file, 'utf8')
  const between = new RegExp(`(<!-- ${mark}: written by npm run readme -->\\n)[^]*?(<!-- /${mark} -->)`)
  expect(text).toMatch(between)
  const written = await table()
  const wanted = text.replace(between, (_all, start, end) => `${start}${written}\n${end}`)
  if (process.env.WRITE_README) await writeFile(file, wanted)
  else expect(text).toBe(wanted)
})

it('has no more than 1,500 words in the README, code and tables included', async () => {
  const words = (await readFile('README.md', 'utf8')).split(/\s+/).filter((word) => word !== '')
  expect(words.length).toBeLessThanOrEqual(1_500)
})

it('has links in the README to both tables, and none to a file that is not there', async () => {
  const links = [...(await readFile('README.md', 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
    ([, path = '']) => path,
  )
  expect(links).toEqual(expect.arrayContaining(['docs/commands.md', 'docs/settings.md']))
  expect(links.filter((path) => !existsSync(path))).toEqual([])
})

it('has the exit codes beside the commands, as the commands print them', async () => {
  const page = await readFile('docs/commands.md', 'utf8')
  expect(page.replaceAll('\n', ' ')).toContain(exitCodesText.replaceAll('\n', ' '))
})
