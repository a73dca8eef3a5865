/**
 * Pushes by programs other than git: isomorphic-git, and Dulwich where it is installed.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { newDataDirectory, type Program, startProgram } from '../../support/program.ts'
import { newWorkTree } from '../../support/work-tree.ts'
import { isInstalled } from '../needs.ts'
import { get } from '../visit.ts'

let program: Program

beforeAll(async () => {
  program = await startProgram({ SVC_DATA_DIR: join(await newDataDirectory(), 'data') })
}, 60_000)

afterAll(() => program.end('SIGTERM'))

const execute = promisify(execFile)

const isomorphic = `
import * as fs from 'node:fs'
import git from 'isomorphic-git'
import http from 'isomorphic-git/http/node'
const [dir, url, password] = process.argv.slice(2)
const said = []
const result = await git.push({
  fs, http, dir, url, ref: 'main', remoteRef: 'main',
  onAuth: () => ({ username: 'anybody', password }),
  onMessage: (text) => said.push(text),
})
console.log(JSON.stringify({ result, said: said.join('') }))
`

const dulwich = `
import sys
from dulwich import porcelain
directory, url, password = sys.argv[1:]
errors = open(directory + '/../errors', 'wb+')
porcelain.push(directory, url, 'main', errstream=errors, username='anybody', password=password)
errors.seek(0)
sys.stdout.buffer.write(errors.read())
`

type Push = (directory: string, url: string, password: string) => Promise<string>

/** Installed from npm into a directory of the test's own. */
async function newIsomorphic(): Promise<Push> {
  const room = await mkdtemp(join(inject('directory'), 'isomorphic-'))
  await writeFile(join(room, 'package.json'), '{ "private": true, "type": "module" }')
  await execute('npm', ['install', '--no-audit', '--no-fund', 'isomorphic-git@1'], { cwd: room })
  await writeFile(join(room, 'push.js'), isomorphic)
  return async (...args) => (await execute(process.execPath, ['push.js', ...args], { cwd: room })).stdout
}

async function newDulwich(): Promise<Push> {
  const file = join(await mkdtemp(join(inject('directory'), 'dulwich-')), 'push.py')
  await writeFile(file, dulwich)
  return async (...args) => (await execute('/usr/bin/python3', [file, ...args])).stdout
}

const clients = [
  { name: 'isomorphic-git', isThere: true, newClient: newIsomorphic },
  { name: 'Dulwich', isThere: isInstalled('Dulwich'), newClient: newDulwich },
]

it.each(clients)('$name puts a site live, and then a change of it', async ({ name, isThere, newClient }) => {
  if (!isThere) return
  const push = await newClient()
  const tree = await newWorkTree()
  const project = name.toLowerCase().replace(/\W/g, '-')
  const url = `${program.apiUrl}/git/personal/${project}.git`
  for (const content of ['first', 'second']) {
    await tree.commit({ 'index.html': content, 'deep/page.html': content, 'empty.txt': '' })
    const said = await push(tree.directory, url, program.key ?? '')
    expect(said).toContain(`Live: ${program.siteUrl(project)}`)
    const { bytes } = await get(program.siteUrl(project), 'deep/page.html')
    expect(bytes.toString()).toBe(content)
  }
})
