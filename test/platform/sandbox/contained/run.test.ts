import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { withoutRetries } from '../../../../src/platform/sandbox/without-retries.ts'
import { build, exited, newWorkspace, testTimeout } from '../../builds/build.ts'

vi.setConfig({ testTimeout })

describe('a valid build', () => {
  it('runs Node on the files of the workspace and leaves its output there', async () => {
    const script = `
      const fs = require('node:fs')
      fs.mkdirSync('dist')
      fs.writeFileSync('dist/index.html', fs.readFileSync('page.txt', 'utf8').toUpperCase())
      console.log('built')`
    let page = ''
    const { ended, text } = await build(
      'node build.js',
      { files: { 'build.js': script, 'page.txt': 'hello' } },
      async ({ files }) => {
        page = await readFile(join(files, 'dist/index.html'), 'utf8')
      },
    )
    expect({ ended, text, page }).toEqual({ ended: exited(0), text: 'built', page: 'HELLO' })
  })

  it('has npm', async () => {
    const manifest = JSON.stringify({ scripts: { build: 'echo from the script' } })
    const { ended, text } = await build('npm run build', { files: { 'package.json': manifest } })
    expect(ended).toEqual(exited(0))
    expect(text).toContain('from the script')
  })

  it('is a shell command, in the configured directory', async () => {
    const made = await build('mkdir -p "a b" && cd "a b" && pwd | sed s/work/play/ && echo $((1 + 2))')
    expect(made.text).toBe('/playspace/a b\n3')
    expect((await build('pwd', { directory: 'missing' })).ended).toMatchObject({ how: 'exited' })
    expect((await build('pwd', { directory: 'missing' })).ended).not.toEqual(exited(0))
  })

  it('has a home, a directory for temporary files and shared memory', async () => {
    const { ended } = await build(
      'echo x > ~/a && echo x > /tmp/b && echo x > /dev/shm/c && echo x > /var/tmp/d',
    )
    expect(ended).toEqual(exited(0))
  })
})

describe('the result', () => {
  it.each([
    ['true', exited(0)],
    ['exit 3', exited(3)],
    ['false | true', exited(0)],
    ['no-such-command-anywhere', exited(127)],
    ['kill -SEGV $$', exited(139, 'SIGSEGV')],
    ['kill -KILL $$', exited(137, 'SIGKILL')],
  ])('of `%s`', async (command, ended) => {
    expect((await build(command)).ended).toEqual(ended)
  })

  it('distinguishes a failed sandbox setup from a failed command', async () => {
    const workspace = { ...(await newWorkspace('bubblewrap')), home: '/no/such/directory' }
    await expect(build('true', { workspace })).rejects.toThrow(/could not be set up: .*no.such.directory/)
  })
})

describe('its environment', () => {
  it('is the configured one, four variables of our own, and those of what does not try again', async () => {
    const env = { API_URL: 'it\'s $HOME `id` \\ "quoted"\nsecond line', A: 'b' }
    const { text } = await build(`node -e 'console.log(JSON.stringify(process.env))'`, {
      env,
      redactor: { redact: (line) => line, longest: 0 },
    })
    const { PATH, PWD, _, SHLVL, ...rest } = JSON.parse(text)
    expect(rest).toEqual({ ...env, ...withoutRetries, HOME: '/build/home', LANG: 'C.UTF-8', CI: '1' })
    expect(PWD).toBe('/workspace')
  })

  it('affects the build and not the programs that set up the sandbox', async () => {
    const env = {
      LD_PRELOAD: '/workspace/own.so',
      PATH: '/workspace',
      BASH_ENV: '/workspace/x',
      ENV: '/workspace/x',
    }
    const { ended, text } = await build('echo started; /usr/bin/id', {
      env,
      redactor: { redact: (line) => line, longest: 0 },
    })
    expect(ended).toEqual(exited(0))
    // Only the one program that the build itself starts prints warnings.
    expect(text.match(/own\.so/g)?.length).toBeLessThanOrEqual(2)
  })
})

describe('its lines', () => {
  it('have the stream and the time, and arrive while it runs', async () => {
    const stopping = new AbortController()
    let nowMs = 1_000
    const { ended, lines } = await build('echo out; echo err >&2; sleep 100', {
      signal: stopping.signal,
      nowMs: () => nowMs++,
      onLine: ({ stream }) => {
        if (stream === 'stderr') stopping.abort()
      },
    })
    expect(ended).toEqual({ how: 'aborted' })
    expect(lines.map(({ text, stream }) => [text, stream]).sort()).toEqual([
      ['err', 'stderr'],
      ['out', 'stdout'],
    ])
    expect(lines.map(({ timeMs }) => timeMs)).toEqual([1_000, 1_001])
  })

  it('contain no secret and no escape sequence', async () => {
    const { text } = await build(`printf 'a\\033[31m%s\\033[0mb\\000\\n' "$TOKEN"`, {
      env: { TOKEN: 'hunter2!' },
    })
    expect(text).toBe('a[redacted]b␀')
  })
})
