import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { collectOutput } from '../../../src/platform/builds/collect-output.ts'
import { removeWorkspace, type Workspace } from '../../../src/platform/sandbox/workspace.ts'
import { findBlobs } from '../../../src/stores/blobs/rows.ts'
import { blobs as blobRows } from '../../../src/stores/db/schema/blobs.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { sha256 } from '../deployments/steps.ts'
import { newWorkspace } from './build.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const caps = { maxFiles: 50, maxFileBytes: 10_000, maxDeploymentBytes: 30_000 }
const storage = { free: 0, pro: 0, enterprise: 0 }
const deps = () => {
  const { store, blobs } = node.installation
  return { store, blobs, storage, caps, nowMs: Date.now }
}

/** Collects from the workspace that `make` fills, and returns the result; `at` is its directory dist. */
async function collect(
  make: (at: string, workspace: Workspace) => unknown,
  { outputDirectory = 'dist', rootDirectory = '.' } = {},
) {
  const { id: teamId } = await newTeam(node)
  const workspace = await newWorkspace()
  try {
    mkdirSync(join(workspace.files, 'dist'))
    await make(join(workspace.files, 'dist'), workspace)
    const output = { teamId, workspace, rootDirectory, outputDirectory, before: new Map() }
    const collected = await collectOutput(deps(), output, new AbortController().signal)
    return { teamId, collected }
  } finally {
    await removeWorkspace(workspace)
  }
}

async function problemOf(...args: Parameters<typeof collect>): Promise<string> {
  const { collected } = await collect(...args)
  return 'problem' in collected ? collected.problem : 'none'
}

async function pathsOf(...args: Parameters<typeof collect>): Promise<string[]> {
  const { collected } = await collect(...args)
  return 'files' in collected ? collected.files.map(({ path }) => path).sort() : [collected.problem]
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

describe('the output of a build', () => {
  it('becomes blobs of the team, each content once', async () => {
    const content = randomUUID()
    const { teamId, collected } = await collect(async (at) => {
      await put(join(at, 'index.html'), content)
      await put(join(at, 'a/b/copy.html'), content)
      await put(join(at, 'empty.txt'), '')
    })
    const file = { sha256: sha256(content), size: content.length, bytes: undefined }
    const sorted = 'files' in collected && collected.files.sort((a, b) => (a.path < b.path ? -1 : 1))
    expect(sorted).toMatchObject([
      { path: 'a/b/copy.html', ...file },
      { path: 'empty.txt', size: 0 },
      { path: 'index.html', ...file },
    ])
    const known = await findBlobs(
      node.installation.store.db,
      teamId,
      [sha256(content), sha256('')],
      Date.now(),
    )
    expect(known.length).toBe(2)
    const [row] = await node.installation.store.db
      .select()
      .from(blobRows)
      .where(eq(blobRows.sha256, sha256(content)))
    expect((await node.installation.blobs.read(row?.object ?? '')).toString()).toBe(content)
  })

  it('is read from the project’s output directory', async () => {
    const make = (_at: string, { files }: Workspace) => put(join(files, 'web/out/page.html'), 'x')
    expect(await pathsOf(make, { rootDirectory: 'web', outputDirectory: 'out' })).toEqual(['page.html'])
    expect(await pathsOf(make, { outputDirectory: 'web' })).toEqual(['out/page.html'])
  })

  it('is refused when it is empty, with the name of the directory', async () => {
    expect(await problemOf(() => {})).toMatch(/left no files in the directory "dist"/)
    expect(await problemOf(() => {}, { outputDirectory: 'public' })).toMatch(/created no directory "public"/)
    expect(await problemOf((at) => mkdir(join(at, 'a/b'), { recursive: true }))).toMatch(/no files/)
    const elsewhere = (_at: string, { files }: Workspace) => put(join(files, 'out/app/index.html'), '')
    expect(await problemOf(elsewhere, { outputDirectory: 'public' })).toContain(
      'created no directory "public": set output_directory to "out/app", where it made a page.',
    )
    expect(
      await problemOf((_at, { files }) => put(join(files, 'file'), ''), { outputDirectory: 'file' }),
    ).not.toBe('none')
  })
})

describe('symbolic links', () => {
  it('to files of the build are followed', async () => {
    const paths = await pathsOf(async (at, { files }) => {
      await put(join(files, 'elsewhere/real.txt'), 'x')
      await symlink('../elsewhere/real.txt', join(at, 'link.txt'))
      linkSync(join(files, 'elsewhere/real.txt'), join(at, 'hard.txt'))
    })
    expect(paths).toEqual(['hard.txt', 'link.txt'])
  })

  it.each([
    ['/etc/passwd', /link\.txt in the output is a link that leads to no file of the build/],
    ['../../../../../../../../etc/passwd', /leads to no file of the build/],
    ['/proc/self/environ', /leads to no file of the build/],
    ['no-such-file', /leads to no file of the build/],
    ['link.txt', /leads to no file of the build/],
    ['../../home', /leads to no file of the build/],
    ['..', /link\.txt in the output links to something that is not a file/],
    ['.', /not a file/],
  ])('to %s are refused by name', async (target, expected) => {
    const problem = await problemOf(async (at) => {
      await put(join(at, 'index.html'), 'x')
      symlinkSync(target, join(at, 'link.txt'))
    })
    expect(problem).toMatch(expected)
  })

  it('in place of the output directory cannot leave the workspace', async () => {
    const make =
      (target: string) =>
      (_at: string, { files }: Workspace) =>
        symlink(target, join(files, 'out'))
    expect(await problemOf(make('/etc'), { outputDirectory: 'out' })).toMatch(/no files/)
    expect(await problemOf(make('../home'), { outputDirectory: 'out' })).toMatch(/no files/)
    expect(await problemOf(() => {}, { outputDirectory: '../../..' })).toMatch(/no files/)
  })

  it('through a linked directory are refused', async () => {
    const problem = await problemOf(async (at) => {
      await symlink('/etc', join(at, 'etc'))
      await symlink('etc/passwd', join(at, 'passwd'))
    })
    expect(problem).toMatch(/no file of the build|not a file/)
  })
})

describe('special files', () => {
  it('are refused by name, without blocking', async () => {
    expect(await problemOf((at) => execFileSync('mkfifo', [join(at, 'pipe')]))).toMatch(
      /^pipe in the output is not a file/,
    )
    const linked = (at: string, { files }: Workspace) => {
      execFileSync('mkfifo', [join(files, 'pipe')])
      symlinkSync('../pipe', join(at, 'link'))
    }
    expect(await problemOf(linked)).toMatch(/^link in the output links to something/)
  })

  it('are refused if they are sockets, too', async () => {
    const server = createServer()
    const problem = await problemOf(async (at) => {
      // The path of a socket must be short.
      const before = process.cwd()
      process.chdir(at)
      await new Promise<void>((resolve) => server.listen('socket', resolve))
      process.chdir(before)
    })
    server.close()
    expect(problem).toMatch(/^socket in the output/)
  })
})

describe('limits', () => {
  it.each([
    [
      'files',
      (at: string) => Promise.all(Array.from({ length: 51 }, (_, i) => put(join(at, `${i}`), 'x'))),
      /more than 50 files/,
    ],
    [
      'a file',
      (at: string) => put(join(at, 'big.bin'), 'x'.repeat(10_001)),
      /^big\.bin in the output has more than 10000 bytes/,
    ],
    [
      'all files',
      (at: string) => Promise.all([1, 2, 3, 4].map((i) => put(join(at, `${i}`), 'x'.repeat(9_000)))),
      /more than 30000 bytes/,
    ],
    [
      'a path',
      (at: string) =>
        put(
          join(at, 'd'.repeat(250), 'e'.repeat(250), 'f'.repeat(250), 'g'.repeat(250), 'h'.repeat(250)),
          '',
        ),
      /at most 1024 bytes/,
    ],
    [
      'the characters of a path',
      (at: string) => put(join(at, 'a\nb\u001b[31m'), ''),
      /a␊b of the output must not contain control/,
    ],
    ['the form of a path', (at: string) => put(join(at, 'u\u0308'), ''), /form C/],
  ])('hold for %s', async (_what, make, expected) => {
    expect(await problemOf(make)).toMatch(expected)
  })

  it('hold for names that are not UTF-8', async () => {
    const problem = await problemOf((at) =>
      writeFileSync(Buffer.concat([Buffer.from(`${at}/`), Buffer.from([0xff])]), 'x'),
    )
    expect(problem).toMatch(/not UTF-8/)
  })
})
