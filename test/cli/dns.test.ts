/** `svc dns`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../src/api/client/index.ts'
import { claim } from '../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc
let domain: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
  domain = `${unique('zone')}.com`
  await claim(node, team, domain)
})

const apiOf = () => createClient({ url: node.apiUrl, token: team.ownerKey })

const records = async () => (await apiOf().dns.list.query({ domain, limit: 100 })).data

/** The records, one per line. */
const recordLines = async () =>
  (await records()).map(({ name, type, value }) => `${name} ${type} ${value}`).sort()

describe('svc dns', () => {
  it('adds, lists and removes records', async () => {
    expect(await svc(['dns', 'ls', domain])).toEqual({
      code: 0,
      stdout: '',
      stderr: `${domain} has no records yet: \`svc dns add\` adds one.\n`,
    })
    const added = await svc([
      'dns',
      'add',
      domain,
      '@',
      'mx',
      'mail.example.net',
      '--priority',
      '0',
      '--ttl',
      '60',
    ])
    expect(added).toEqual({
      code: 0,
      stdout: expect.stringMatching(`^Added rec_[0-9a-f]{32}: ${domain} 60 MX 0 mail.example.net\n$`),
      stderr: '',
    })
    const { stdout } = await svc([
      'dns',
      'add',
      domain,
      'a',
      'TXT',
      'two words',
      '--comment',
      'a note',
      '--json',
    ])
    const { id } = JSON.parse(stdout)
    const [mx] = (await records()).filter(({ type }) => type === 'MX')
    const rows = `${id}\ta\tTXT\t300\ttwo words\ta note\n${mx?.id}\t@\tMX\t60\t0 mail.example.net\t\n`
    for (const args of [['ls', domain], [domain]]) {
      expect((await svc(['dns', ...args])).stdout).toBe(rows)
    }
    expect(await svc(['dns', 'rm', domain, id])).toEqual({ code: 0, stdout: `Removed ${id}.\n`, stderr: '' })
    expect(JSON.parse((await svc(['dns', 'ls', domain, '--json'])).stdout)).toEqual([mx])
  })

  it('takes a text as other programs print it', async () => {
    const add = (name: string, value: string) => svc(['dns', 'add', domain, name, 'TXT', value])
    const added = await add('@', '"v=spf1 mx -all"')
    expect(added.stdout).toMatch(`: ${domain} 300 TXT v=spf1 mx -all\n`)
    const parts = await add('k1._domainkey', '"v=DKIM1; k=rsa; p=AAAA" "BBBB"')
    expect(parts.stdout).toMatch('300 TXT "v=DKIM1; k=rsa; p=AAAA" "BBBB"\n')
    const typographic = await add('@', '“v=spf1 mx -all”')
    expect(typographic.code).toBe(2)
    expect(typographic.stderr).toContain('value: must not be in typographic quotes (“ ”)')
    expect(await recordLines()).toEqual([
      '@ TXT v=spf1 mx -all',
      'k1._domainkey TXT v=DKIM1; k=rsa; p=AAAABBBB',
    ])
  })

  it('marks the service’s records', async () => {
    const proven = `${unique('proven')}.com`
    await claim(node, team, proven, { proven: true })
    expect((await svc(['dns', 'ls', proven])).stdout).toMatch(
      /\t_svc\tTXT\t300\tsvc-verify=\S+\t\(managed\)\n$/,
    )
  })

  it.each([
    [['add', 'DOMAIN', 'a', 'A', '300.1.2.3'], 2, 'svc: value: must be an IPv4 address'],
    [
      ['add', 'DOMAIN', 'a', 'DNAME', 'x'],
      2,
      "svc: command-argument value 'DNAME' is invalid for argument 'type'. Allowed",
    ],
    [
      ['add', 'DOMAIN', 'a', 'A', '192.0.2.1', '--ttl', 'x'],
      2,
      "svc: option '--ttl <seconds>' argument 'x' is invalid",
    ],
    [
      ['add', 'DOMAIN', 'a', 'spf', 'v=spf1 -all'],
      2,
      "svc: command-argument value 'spf' is invalid for argument 'type'. SPF records are obsolete: use TXT",
    ],
    [['ls', 'example.com'], 4, 'svc: The team has no domain example.com.\n'],
    [['rm', 'DOMAIN', 'rec_0'], 4, 'svc: '],
    [['import', 'DOMAIN', '/nowhere', '--yes'], 1, "svc: /nowhere can't be read: "],
    [['export', 'DOMAIN', '--out', '/nowhere/file'], 1, "svc: /nowhere/file can't be written: "],
    [['ls'], 2, "svc: missing required argument 'domain'"],
  ])('dns %j ends with %i', async (args, code, message) => {
    const outcome = await svc(['dns', ...args.map((arg) => (arg === 'DOMAIN' ? domain : arg))])
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr.startsWith(message)).toBe(true)
    expect(await records()).toEqual([])
  })

  it('ends with 5 for a conflicting record', async () => {
    await apiOf().dns.create.mutate({ domain, name: 'a', type: 'TXT', value: 'x' })
    expect(await svc(['dns', 'add', domain, 'a', 'CNAME', 'b.example.net'])).toMatchObject({
      code: 5,
      stdout: '',
    })
  })
})

describe('svc dns export', () => {
  it('prints the zone file, or writes it', async () => {
    await apiOf().dns.create.mutate({ domain, name: 'a', type: 'TXT', value: 'x', comment: 'a note' })
    const { zone } = await apiOf().dns.exportZone.query({ domain })
    expect(await svc(['dns', 'export', domain])).toEqual({ code: 0, stdout: zone, stderr: '' })
    const file = join(inject('directory'), unique('zone'))
    expect(await svc(['dns', 'export', domain, '--out', file])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Wrote the zone of ${domain} to ${file}.\n`,
    })
    expect(await readFile(file, 'utf8')).toBe(zone)
  })
})

describe('svc dns import', () => {
  const zone = 'a 60 TXT "kept"\nb 30 A 192.0.2.1\n@ 300 MX 10 mail\n'

  beforeEach(async () => {
    await apiOf().dns.create.mutate({ domain, name: 'a', type: 'TXT', value: 'kept' })
    await apiOf().dns.create.mutate({ domain, name: 'gone', type: 'A', value: '192.0.2.9' })
  })

  it('shows the changes, and nothing more in a dry run', async () => {
    const before = await records()
    const { code, stdout, stderr } = await svc(['dns', 'import', domain, '-', '--dry-run'], {
      input: `@ NS ns\n${zone}`,
    })
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: [
        '- gone 300 A 192.0.2.9',
        '~ a 60 TXT kept (TTL was 300)',
        '+ b 60 A 192.0.2.1',
        `+ @ 300 MX 10 mail.${domain}`,
        '',
      ],
    })
    expect(stderr).toBe(`line 3: b.${domain} A: the TTL 30 becomes 60
line 1: NS of ${domain}: the service has its own; skipped
${domain}: 2 added, 1 removed, 1 changed, 0 unchanged.
`)
    expect(await records()).toEqual(before)
  })

  it('applies them when confirmed', async () => {
    const file = join(inject('directory'), unique('zone'))
    await writeFile(file, zone)
    const { code, stderr } = await svc(['dns', 'import', domain, file, '--yes'])
    expect(code).toBe(0)
    expect(stderr).toContain(`Imported into ${domain}: 2 added, 1 removed, 1 changed, 0 unchanged.\n`)
    expect(await recordLines()).toEqual([`@ MX mail.${domain}`, 'a TXT kept', 'b A 192.0.2.1'])
  })

  it('shows the strings of a text, and an empty one, in quotes', async () => {
    const input = 'a TXT "x=1" "y=2"\nb TXT ""\n'
    const { stdout } = await svc(['dns', 'import', domain, '-', '--dry-run'], { input })
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['+ a 300 TXT "x=1" "y=2"', '+ b 300 TXT ""']))
  })

  it('is one JSON document', async () => {
    const { stdout } = await svc(['dns', 'import', domain, '-', '--yes', '--json'], { input: zone })
    expect(JSON.parse(stdout)).toMatchObject({ domain, applied: true, unchanged: 0, skipped: [] })
    const again = await svc(['dns', 'import', domain, '-', '--dry-run', '--json'], { input: zone })
    expect(JSON.parse(again.stdout)).toMatchObject({ added: [], removed: [], changed: [], applied: false })
  })

  it('changes nothing without a terminal to confirm on', async () => {
    expect(await svc(['dns', 'import', domain, '-'], { input: zone })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'svc: No terminal to confirm on: pass --yes, or --dry-run to see the changes.\n',
    })
    expect(await recordLines()).toEqual(['a TXT kept', 'gone A 192.0.2.9'])
  })

  it('leaves out invalid lines with --skip, naming each', async () => {
    const input = `a A x\nb DNAME z\n@ SPF "v=spf1 -all"\nw [AGE:3636591] 300 A 192.0.2.1\n${zone}`
    const refused = await svc(['dns', 'import', domain, '-', '--yes'], { input })
    expect(refused.code).toBe(2)
    const { code, stderr } = await svc(['dns', 'import', domain, '-', '--yes', '--skip'], { input })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^line 1: a\.\S+ A: value must be an IPv4 address .*; skipped$/m)
    expect(stderr).toMatch(/^line 2: DNAME records can't be kept: .*; skipped$/m)
    expect(stderr).toMatch(/^line 3: \S+ TXT: SPF records are obsolete /m)
    expect(stderr).toMatch(/^line 4: w\.\S+ A: \[AGE:3636591\], in which Microsoft DNS /m)
    expect(await recordLines()).toEqual(
      ['@ TXT v=spf1 -all', `@ MX mail.${domain}`, 'a TXT kept', 'b A 192.0.2.1', 'w A 192.0.2.1'].toSorted(),
    )
  })

  it('reports every invalid line', async () => {
    const input = 'a A x\n$INCLUDE y\nb DNAME z\n'
    const { code, stdout, stderr } = await svc(['dns', 'import', domain, '-', '--yes'], { input })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n').map((line) => line.slice(0, 20))).toEqual([
      'svc: zone: line 1: a',
      'zone: line 2: $INCLU',
      'zone: line 3: DNAME ',
      '',
    ])
  })
})
