/** What the README promises is so. */
import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { exitCodesText } from '../../src/cli/exit-codes.ts'
import { createProgram } from '../../src/cli/program.ts'
import { settingsTable } from '../support/settings-table.ts'

const between = /(<!-- settings: written by npm run readme -->\n)[\s\S]*?(<!-- \/settings -->)/

it('shows every setting with its default and meaning', async () => {
  const readme = await readFile('README.md', 'utf8')
  const wanted = readme.replace(between, `$1${settingsTable()}\n$2`)
  if (process.env.WRITE_README) await writeFile('README.md', wanted)
  else expect(readme).toBe(wanted)
})

it('stays under 200 lines', async () => {
  const readme = await readFile('README.md', 'utf8')
  expect(readme.split('\n').length).toBeLessThan(200)
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
