import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { askNode, NoAdminSocketError } from '../../src/cli/admin/ask-node.ts'
import { type AdminHandlers, adminSocketPath } from '../../src/data-dir/admin-protocol.ts'
import { AppError } from '../../src/errors.ts'
import { createLogger } from '../../src/log/logger.ts'
import { type AdminSocket, listenAdmin } from '../../src/server/admin-socket.ts'
import { SettingsError } from '../../src/settings/error.ts'

const requestOwnerKey = (from: string, options?: { timeoutMs: number }) =>
  askNode(from, 'createOwnerKey', {}, options)

const createPersonLink: AdminHandlers['createPersonLink'] = async ({ email }) => ({
  url: `https://api.test/${email}`,
  expires_ms: 1,
})

const sweepBlobs = () => Promise.reject(new Error('not asked for here'))
const acceptClock: AdminHandlers['acceptClock'] = async () => ({ now_ms: 2, seen_ms: 1 })

const setPlan: AdminHandlers['setPlan'] = async ({ team, plan }) => {
  if (team === 'acme') return { team, plan }
  throw new AppError('team_not_found', `There is no team ${team}.`)
}

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
})

afterEach(async () => {
  for (const socket of started) await socket.close()
  await rm(directory, { recursive: true })
})

async function start(createOwnerKey: AdminHandlers['createOwnerKey'], closeMs = 1000): Promise<AdminSocket> {
  const log = createLogger({ write: (line) => logged.push(line) })
  const socket = await listenAdmin({
    directory,
    handlers: { createOwnerKey, createPersonLink, setPlan, sweepBlobs, acceptClock },
    log,
    closeMs,
  })
  started.push(socket)
  return socket
}

/** Leaves the socket of a process that was killed. */
async function leaveSocket(): Promise<void> {
  const script = `require('net').createServer().listen(process.argv[1], () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await stat(path)).isSocket()).toBe(true)
}

async function ask(
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
  it('gives an owner key to who asks', async () => {
    await start(async () => key)
    expect(await requestOwnerKey(directory)).toEqual(key)
  })

  it('is open to its owner alone', async () => {
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
    expect(await ask(method, url)).toEqual({
      status: 404,
      text: '{"message":"Unknown admin request."}\n',
    })
    expect(createOwnerKey).not.toHaveBeenCalled()
  })

  it('gives a link to who asks, and hands over what is asked for', async () => {
    await start(async () => key)
    expect(await askNode(directory, 'createPersonLink', { email: 'ada@example.com' })).toEqual({
      url: 'https://api.test/ada@example.com',
      expires_ms: 1,
    })
  })

  it.each(['x', '{', '{"x":"', '{"email":1}', '[]', `"${'x'.repeat(100_000)}"`])(
    '400 for a body that it does not know: %.10s',
    async (body) => {
      await start(async () => key)
      expect(await ask('POST', '/people', body)).toMatchObject({ status: 400 })
    },
  )

  it('sets a plan, and says why not', async () => {
    await start(async () => key)
    expect(await askNode(directory, 'setPlan', { team: 'acme', plan: 'pro' })).toEqual({
      team: 'acme',
      plan: 'pro',
    })
    await expect(askNode(directory, 'setPlan', { team: 'nobodys', plan: 'pro' })).rejects.toThrow(
      'no team nobodys',
    )
  })

  it('400 with the reason when what is asked for is refused', async () => {
    await start(() => Promise.reject(new AppError('invalid_input', 'email: should be an address')))
    await expect(requestOwnerKey(directory)).rejects.toThrow('email: should be an address')
    expect(logged).toEqual([])
  })

  it('500 when making the key fails: the log tells why, the answer does not', async () => {
    await start(() => Promise.reject(new Error('connection to 10.0.0.1 refused')))
    const answer = await ask('POST', '/keys')
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

  it('500 also when the handler throws at once', async () => {
    await start(() => {
      throw new Error('broken')
    })
    expect(await ask('POST', '/keys')).toMatchObject({ status: 500 })
  })

  it('answers with nothing but token and team, and logs neither', async () => {
    await start(async () => ({ ...key, token_sha256: 'abc' }))
    expect(JSON.parse((await ask('POST', '/keys')).text)).toEqual(key)
    expect(logged).toEqual([])
  })

  it('takes the place of a socket that a dead process left', async () => {
    await leaveSocket()
    await start(async () => key)
    expect(await requestOwnerKey(directory)).toEqual(key)
  })

  it('is gone when closed', async () => {
    const socket = await start(async () => key)
    await socket.close()
    expect(await readdir(directory)).toEqual([])
    await expect(requestOwnerKey(directory)).rejects.toBeInstanceOf(NoAdminSocketError)
  })

  it('finishes a request under way before it closes', async () => {
    let finish = () => {}
    const createOwnerKey = vi.fn(() => new Promise<typeof key>((resolve) => (finish = () => resolve(key))))
    const socket = await start(createOwnerKey)
    const asked = requestOwnerKey(directory)
    await vi.waitFor(() => expect(createOwnerKey).toHaveBeenCalled())
    const closing = socket.close()
    finish()
    expect(await asked).toEqual(key)
    await closing
  })

  it('does not wait for ever for a request under way, nor for a client that says nothing', async () => {
    const createOwnerKey = vi.fn(() => new Promise<never>(() => {}))
    const socket = await start(createOwnerKey, 50)
    await once(connect(path), 'connect')
    const asked = requestOwnerKey(directory).catch((error: unknown) => error)
    await vi.waitFor(() => expect(createOwnerKey).toHaveBeenCalled())
    await socket.close()
    expect(await asked).toMatchObject({
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
      handlers: { createOwnerKey: async () => key, createPersonLink, setPlan, sweepBlobs, acceptClock },
      log: createLogger(),
    })
    await expect(listening).rejects.toMatchObject({ syscall: 'listen' })
  })
})

describe('whoever asks', () => {
  /** Something that answers on the socket, but is not this version of the node. */
  async function startOther(answer: RequestListener): Promise<void> {
    const server = createServer(answer).listen(path)
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
  }

  it('learns that no node listens when there is no socket', async () => {
    await expect(requestOwnerKey(directory)).rejects.toEqual(
      new NoAdminSocketError(`The data directory is in use, but no node listens on ${path}: try again.`),
    )
  })

  it('learns that no node listens when a dead process left its socket', async () => {
    await leaveSocket()
    await expect(requestOwnerKey(directory)).rejects.toBeInstanceOf(NoAdminSocketError)
  })

  it('waits no longer than asked', async () => {
    await startOther(() => {})
    const asked = requestOwnerKey(directory, { timeoutMs: 50 })
    await expect(asked).rejects.toThrow('The running node did not respond within 50 ms: try again.')
  })

  it('waits no longer than asked for the rest of an answer', async () => {
    await startOther((_, response) => response.write('{'))
    const asked = requestOwnerKey(directory, { timeoutMs: 50 })
    await expect(asked).rejects.toThrow('The running node did not respond within 50 ms: try again.')
  })

  it.each(['{}', '[]', 'null', '{"token":1,"team":"team_1"}', '{"token":"","team":"team_1"}'])(
    'takes no other answer for a key: %s',
    async (answer) => {
      await startOther((_, response) => response.end(answer))
      await expect(requestOwnerKey(directory)).rejects.toThrow(
        'a response that this version does not understand',
      )
    },
  )

  it('takes no refusal for a key', async () => {
    await startOther((_, response) =>
      response.writeHead(500).end(JSON.stringify({ ...key, message: 'Not now.' })),
    )
    await expect(requestOwnerKey(directory)).rejects.toThrow('Not now.')
  })

  it('takes no part of an answer for a key', async () => {
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

  it('is absolute as long as that fits', () => {
    expect(adminSocketPath('/var/lib/svc', '/var')).toBe('/var/lib/svc/admin.sock')
    expect(adminSocketPath(long(longest), '/')).toHaveLength(longest)
  })

  it('is relative to the working directory when only that fits', () => {
    expect(adminSocketPath(`${long(200)}/data`, long(200))).toBe('data/admin.sock')
    expect(adminSocketPath(`${long(200)}/data`, `${long(200)}/work`)).toBe('../data/admin.sock')
  })

  it('is counted in bytes', () => {
    expect(() => adminSocketPath(`/${'ä'.repeat(60)}`, '/')).toThrow(SettingsError)
  })

  it('is refused when neither fits', () => {
    const directory = long(longest + 2)
    expect(() => adminSocketPath(directory, '/')).toThrow(
      new SettingsError(
        `SVC_DATA_DIR (${directory}) is too long: with /admin.sock behind it, it must fit in ${longest} bytes.`,
      ),
    )
  })

  it('works when relative, on both sides', async () => {
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
