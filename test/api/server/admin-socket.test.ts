import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AdminSocket, listenAdmin } from '../../../src/api/server/admin-socket.ts'
import { NoAdminSocketError, requestNode } from '../../../src/cli/admin/request-node.ts'
import { streamCheck } from '../../../src/cli/admin/stream-check.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { type AdminHandlers, adminSocketPath } from '../../../src/stores/data-dir/admin-protocol.ts'
import type { CheckEvent, CheckHandler } from '../../../src/stores/data-dir/admin-streams.ts'
import { lockDataDirectory } from '../../../src/stores/data-dir/lock.ts'
import { eventually } from '../../support/eventually.ts'

const requestOwnerKey = (from: string, options?: { timeoutMs: number }) =>
  requestNode(from, 'createOwnerKey', {}, options)

const createPersonLink: AdminHandlers['createPersonLink'] = async ({ email }) => ({
  url: `https://api.test/${email}`,
  expires_ms: 1,
})

const sweepBlobs = () => Promise.reject(new Error('not part of this test'))
const acceptClock: AdminHandlers['acceptClock'] = async () => ({ now_ms: 2, seen_ms: 1 })
const holdCollection = () => Promise.reject(new Error('not part of this test'))
const copyDatabase = () => Promise.reject(new Error('not part of this test'))

const setPlan: AdminHandlers['setPlan'] = async ({ team, plan }) => {
  if (team === 'acme') return { team, plan }
  throw new AppError('team_not_found', `There is no team ${team}.`)
}

const others = { createPersonLink, setPlan, sweepBlobs, acceptClock, holdCollection, copyDatabase }

const key = { token: 'svc_secret', team: 'team_1' }

let directory: string
let path: string
let logged: string[]
let started: AdminSocket[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-admin-'))
  path = join(directory, 'admin.sock')
  logged = []
  started = []
  check = nothing
})

afterEach(async () => {
  for (const socket of started) await socket.close()
  await rm(directory, { recursive: true })
})

/** The check of most tests: it finds nothing. */
async function* nothing(): AsyncGenerator<CheckEvent> {}

let check: CheckHandler = nothing

async function start(createOwnerKey: AdminHandlers['createOwnerKey'], closeMs = 1000): Promise<AdminSocket> {
  const log = createLogger({ write: (line) => logged.push(line) })
  const socket = await listenAdmin({
    directory,
    handlers: { ...others, createOwnerKey },
    check,
    log,
    closeMs,
  })
  started.push(socket)
  return socket
}

/** Leaves behind the socket of a killed process. */
async function leaveSocket(): Promise<void> {
  const script = `require('net').createServer().listen(process.argv[1], () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await stat(path)).isSocket()).toBe(true)
}

async function post(
  method: string,
  url: string,
  body = '',
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: path, method, path: url, agent: false }, async (response) => {
      resolve({ status: response.statusCode, text: await text(response) })
    })
    sent.on('error', reject).end(body)
  })
}

describe('the admin socket', () => {
  it('returns an owner key to a client', async () => {
    await start(async () => key)
    expect(await requestOwnerKey(directory)).toEqual(key)
  })

  it('is accessible to its owner only', async () => {
    const umask = process.umask(0)
    try {
      await start(async () => key)
    } finally {
      process.umask(umask)
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['GET', '/keys'],
    ['DELETE', '/keys'],
    ['POST', '/'],
    ['POST', '/keys/'],
    ['POST', '/keys?team=team_2'],
    ['POST', '//keys'],
  ])('404 for anything else: %s %s', async (method, url) => {
    const createOwnerKey = vi.fn(async () => key)
    await start(createOwnerKey)
    expect(await post(method, url)).toEqual({
      status: 404,
      text: '{"message":"Unknown admin request."}\n',
    })
    expect(createOwnerKey).not.toHaveBeenCalled()
  })

  it('returns a link to a client, and passes on the client’s input', async () => {
    await start(async () => key)
    expect(await requestNode(directory, 'createPersonLink', { email: 'ada@example.com' })).toEqual({
      url: 'https://api.test/ada@example.com',
      expires_ms: 1,
    })
  })

  it.each(['x', '{', '{"x":"', '{"email":1}', '[]', `"${'x'.repeat(100_000)}"`])(
    '400 for an unexpected body: %.10s',
    async (body) => {
      await start(async () => key)
      expect(await post('POST', '/people', body)).toMatchObject({ status: 400 })
    },
  )

  it('sets a plan, or returns why not', async () => {
    await start(async () => key)
    expect(await requestNode(directory, 'setPlan', { team: 'acme', plan: 'pro' })).toEqual({
      team: 'acme',
      plan: 'pro',
    })
    await expect(requestNode(directory, 'setPlan', { team: 'nobodys', plan: 'pro' })).rejects.toThrow(
      'no team nobodys',
    )
  })

  it('400 with the reason when the handler refuses', async () => {
    await start(() => Promise.reject(new AppError('invalid_input', 'email: should be an address')))
    await expect(requestOwnerKey(directory)).rejects.toThrow('email: should be an address')
    expect(logged).toEqual([])
  })

  it('500 when creating the key fails: the reason is in the log, not in the response', async () => {
    await start(() => Promise.reject(new Error('connection to 10.0.0.1 refused')))
    const answer = await post('POST', '/keys')
    expect(answer).toEqual({
      status: 500,
      text: '{"message":"The node failed to create an owner key; see its log."}\n',
    })
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'admin request failed', err: { message: 'connection to 10.0.0.1 refused' } },
    ])
    await expect(requestOwnerKey(directory)).rejects.toThrow(
      'The node failed to create an owner key; see its log.',
    )
  })

  it('500 also when the handler throws synchronously', async () => {
    await start(() => {
      throw new Error('broken')
    })
    expect(await post('POST', '/keys')).toMatchObject({ status: 500 })
  })

  it('returns only token and team, and logs neither', async () => {
    await start(async () => ({ ...key, token_sha256: 'abc' }))
    expect(JSON.parse((await post('POST', '/keys')).text)).toEqual(key)
    expect(logged).toEqual([])
  })

  it('replaces a socket that a dead process left', async () => {
    await leaveSocket()
    await start(async () => key)
    expect(await requestOwnerKey(directory)).toEqual(key)
  })

  it('is removed when closed', async () => {
    const socket = await start(async () => key)
    await socket.close()
    expect(await readdir(directory)).toEqual([])
    await expect(requestOwnerKey(directory)).rejects.toBeInstanceOf(NoAdminSocketError)
  })

  it('finishes a request under way before it closes', async () => {
    let finish = () => {}
    const createOwnerKey = vi.fn(() => new Promise<typeof key>((resolve) => (finish = () => resolve(key))))
    const socket = await start(createOwnerKey)
    const result = requestOwnerKey(directory)
    await eventually(() => expect(createOwnerKey).toHaveBeenCalled())
    const closing = socket.close()
    finish()
    expect(await result).toEqual(key)
    await closing
  })

  it('closes within its time despite a request under way or a silent client', async () => {
    const createOwnerKey = vi.fn(() => new Promise<never>(() => {}))
    const socket = await start(createOwnerKey, 50)
    await once(connect(path), 'connect')
    const result = requestOwnerKey(directory).catch((error: unknown) => error)
    await eventually(() => expect(createOwnerKey).toHaveBeenCalled())
    await socket.close()
    expect(await result).toMatchObject({
      message: 'The running node closed the connection before the response was complete: try again.',
    })
  })

  it('rejects when it cannot listen', async () => {
    await mkdir(path)
    await expect(start(async () => key)).rejects.toMatchObject({ code: 'ERR_FS_EISDIR' })
    await rm(path, { recursive: true })
    const missing = join(directory, 'missing')
    const listening = listenAdmin({
      directory: missing,
      handlers: { ...others, createOwnerKey: async () => key },
      check,
      log: createLogger({ write() {} }),
    })
    await expect(listening).rejects.toMatchObject({ syscall: 'listen' })
  })
})

describe('a check', () => {
  const problem = {
    type: 'problem',
    kind: 'any',
    subject: 'one',
    message: 'One is wrong.',
    mended: false,
  } as const
  const progress = { type: 'progress', part: 'rows', pages: 1 } as const

  /** As the command does it while a node has the data directory. */
  async function gather(signal = new AbortController().signal): Promise<CheckEvent[]> {
    const lock = await lockDataDirectory(directory)
    onTestFinished(() => lock.release())
    const events: CheckEvent[] = []
    const checkDirectly = () => {
      throw new Error('not part of this test')
    }
    const input = { deep: true, mend: false }
    for await (const event of streamCheck({ directory, input, signal, checkDirectly })) events.push(event)
    return events
  }

  it('is sent event by event, with the client’s input', async () => {
    const given: unknown[] = []
    check = async function* (input) {
      given.push(input)
      yield progress
      yield problem
    }
    await start(async () => key)
    expect(await gather()).toEqual([progress, problem])
    expect(given).toEqual([{ deep: true, mend: false }])
  })

  it('that fails halfway is not taken for a whole one; the reason is in the log', async () => {
    check = async function* () {
      yield problem
      throw new Error('connection to 10.0.0.1 refused')
    }
    await start(async () => key)
    await expect(gather()).rejects.toThrow('The node failed to check the installation; see its log.')
    expect(logged.join()).toContain('connection to 10.0.0.1 refused')
  })

  it('that a stopping node breaks off is not taken for a whole one', async () => {
    const reached = vi.fn()
    check = async function* () {
      yield problem
      reached()
      await new Promise(() => {})
    }
    const socket = await start(async () => key, 50)
    const events = gather()
    await eventually(() => expect(reached).toHaveBeenCalled())
    await Promise.all([expect(events).rejects.toThrow('closed the connection before'), socket.close()])
  })

  it('ends when its client goes away', async () => {
    const leaving = new AbortController()
    let ended = false
    check = async function* () {
      try {
        for (;;) {
          yield progress
          leaving.abort()
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      } finally {
        ended = true
      }
    }
    await start(async () => key)
    await expect(gather(leaving.signal)).rejects.toThrow()
    await eventually(() => expect(ended).toBe(true))
  })

  it('400 for input of another version', async () => {
    await start(async () => key)
    expect(await post('POST', '/check', '{"deep":1}')).toMatchObject({ status: 400 })
  })
})

describe('a client', () => {
  /** A server on the socket that is not this version of the node. */
  async function startOther(answer: RequestListener): Promise<void> {
    const server = createServer(answer).listen(path)
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
  }

  it('reports that no node listens when there is no socket', async () => {
    await expect(requestOwnerKey(directory)).rejects.toEqual(
      new NoAdminSocketError(`The data directory is in use, but no node listens on ${path}: try again.`),
    )
  })

  it('reports that no node listens when a dead process left its socket', async () => {
    await leaveSocket()
    await expect(requestOwnerKey(directory)).rejects.toBeInstanceOf(NoAdminSocketError)
  })

  it('gives up at its timeout when nothing is sent', async () => {
    await startOther(() => {})
    const result = requestOwnerKey(directory, { timeoutMs: 50 })
    await expect(result).rejects.toThrow('The running node did not respond within 50 ms: try again.')
  })

  it('gives up at its timeout when a response stops halfway', async () => {
    await startOther((_, response) => response.write('{'))
    const result = requestOwnerKey(directory, { timeoutMs: 50 })
    await expect(result).rejects.toThrow('The running node did not respond within 50 ms: try again.')
  })

  it.each(['{}', '[]', 'null', '{"token":1,"team":"team_1"}', '{"token":"","team":"team_1"}'])(
    'rejects a response that is not a key: %s',
    async (answer) => {
      await startOther((_, response) => response.end(answer))
      await expect(requestOwnerKey(directory)).rejects.toThrow(
        'a response that this version does not understand',
      )
    },
  )

  it('rejects a refusal', async () => {
    await startOther((_, response) =>
      response.writeHead(500).end(JSON.stringify({ ...key, message: 'Not now.' })),
    )
    await expect(requestOwnerKey(directory)).rejects.toThrow('Not now.')
  })

  it('rejects a partial response', async () => {
    await startOther((_, response) => response.end('{"token":"svc_sec'))
    await expect(requestOwnerKey(directory)).rejects.toThrow(
      'closed the connection before the response was complete',
    )
  })
})

describe('the path of the socket', () => {
  const longest = process.platform === 'linux' ? 107 : 103
  const name = '/admin.sock'
  const long = (bytes: number) => `/${'d'.repeat(bytes - name.length - 1)}`

  it('is absolute if that fits', () => {
    expect(adminSocketPath('/var/lib/svc', '/var')).toBe('/var/lib/svc/admin.sock')
    expect(adminSocketPath(long(longest), '/')).toHaveLength(longest)
  })

  it('is relative to the working directory if only that fits', () => {
    expect(adminSocketPath(`${long(200)}/data`, long(200))).toBe('data/admin.sock')
    expect(adminSocketPath(`${long(200)}/data`, `${long(200)}/work`)).toBe('../data/admin.sock')
  })

  it('is measured in bytes', () => {
    expect(() => adminSocketPath(`/${'ä'.repeat(60)}`, '/')).toThrow(SettingsError)
  })

  it('is refused if neither fits', () => {
    const directory = long(longest + 2)
    expect(() => adminSocketPath(directory, '/')).toThrow(
      new SettingsError(
        `SVC_DATA_DIR (${directory}) is too long: ` +
          `with /admin.sock behind it, it must fit in ${longest} bytes.`,
      ),
    )
  })

  it('works when relative, for server and client', async () => {
    const base = directory
    const before = process.cwd()
    directory = join(base, 'd'.repeat(100), 'e')
    await mkdir(directory, { recursive: true })
    process.chdir(join(directory, '..'))
    try {
      const socket = await start(async () => key)
      expect(await requestOwnerKey(directory)).toEqual(key)
      expect(await readdir(directory)).toEqual(['admin.sock'])
      await socket.close()
      expect(await readdir(directory)).toEqual([])
    } finally {
      process.chdir(before)
      directory = base
    }
  })
})
