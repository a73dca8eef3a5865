/** `svc domains`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createClient } from '../../src/api/client/index.ts'
import { startOwnNode } from '../stores/db/own-node.ts'
import { newCertificate } from '../support/certificate.ts'
import { claim } from '../support/claims.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { type TestNode, unique } from '../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

let dns: DnsServer
let node: TestNode
let team: TestTeam
let svc: Svc
let domain: string

beforeAll(async () => {
  dns = await startDnsServer()
  node = await startOwnNode({
    SVC_ROLES: 'api,edge,worker,dns',
    SVC_RESOLVERS: dns.address,
    SVC_EDGE_ADDRESSES: '203.0.113.7',
    SVC_NAMESERVERS: 'ns1.example.net,ns2.example.net',
  })
})

afterAll(async () => {
  await node.stop()
  await dns.close()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
  domain = `${unique('site')}.com`
})

const apiOf = () => createClient({ url: node.apiUrl, token: team.ownerKey })

const claimed = () => apiOf().domains.put.mutate({ domain })

/** The proof's value for the domain. */
const proofOf = async () => (await apiOf().domains.get.query({ domain })).verification[0]?.value ?? ''

describe('svc domains', () => {
  it('reports that there is none, with nothing on standard output', async () => {
    expect(await svc(['domains'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No domains yet: `svc domains add <domain>` claims one.\n',
    })
    expect((await svc(['domains', '--json'])).stdout).toBe('[]\n')
  })

  it('adds one, and prints the records that it needs', async () => {
    await apiOf().projects.put.mutate({ project: 'web' })
    const { code, stdout, stderr } = await svc(['domains', 'add', domain.toUpperCase(), '--project', 'web'])
    expect(code).toBe(0)
    expect(stdout).toBe(`TXT\t_svc.${domain}\t${await proofOf()}\nA\t${domain}\t203.0.113.7\n`)
    expect(stderr).toBe(`Domain ${domain} is not verified yet.
Add these records at your DNS provider, then run \`svc domains verify\`:
Or verify it first, then delegate it to ns1.example.net, ns2.example.net.
`)
    expect((await svc(['domains'])).stdout).toMatch(new RegExp(`^${domain}\tweb\tno\tno\t\\d+s\n$`))
  })

  it('changes a domain’s target, and shows it', async () => {
    await claimed()
    const { stdout } = await svc(['domains', 'add', domain, '--redirect', 'www.example.org', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ domain, redirect: { to: 'www.example.org', status: 308 } })
    const output = (await svc(['domains', 'show', domain])).stdout.split('\n')
    expect(output).toContain('target\twww.example.org (308)')
    expect(output).toContain('verified\tno')
    expect(output).toContain(`proof\tTXT _svc.${domain} ${await proofOf()}`)
    expect(output).toContain(`expected\tA ${domain} 203.0.113.7`)
    expect(output).toContain('name servers\tns1.example.net, ns2.example.net')
  })

  it('takes a certificate of one’s own, shows its state, and removes it', async () => {
    await claim(node, team, domain, { proven: true })
    const { cert, key } = await newCertificate(domain)
    const place = join(inject('directory'), domain)
    await writeFile(`${place}.crt`, cert)
    await writeFile(`${place}.key`, key)
    const files = ['--chain', `${place}.crt`, '--key', `${place}.key`]
    const used = await svc(['domains', 'cert', domain, ...files])
    expect(used).toMatchObject({ code: 0, stderr: '' })
    expect(used.stdout).toMatch(
      new RegExp(`^The certificate of ${domain}: of your own, active, until 20.+Z\\.\n$`),
    )
    expect((await svc(['domains', 'show', domain])).stdout).toMatch(
      /^certificate\tof your own, active, until /m,
    )
    const removed = await svc(['domains', 'cert', domain, '--remove'])
    expect(removed.stdout).toBe(`The certificate of ${domain}: none.\n`)
  })

  it.each([
    ['one file alone', ['--key', 'a.key']],
    ['nothing', []],
    ['a file and --remove', ['--key', 'a.key', '--remove']],
  ])('refuses a certificate of %s', async (_, options) => {
    const { code, stderr } = await svc(['domains', 'cert', domain, ...options])
    expect(code).toBe(2)
    expect(stderr).toContain('Name both files, --chain and --key, or pass --remove.')
  })

  it('needs no proof below a verified domain of the team', async () => {
    await claim(node, team, domain, { proven: true })
    const { stdout, stderr } = await svc(['domains', 'add', `www.${domain}`])
    expect(stdout).toBe(`A\twww.${domain}\t203.0.113.7\n`)
    expect(stderr).toContain(`Domain www.${domain} is verified.\n`)
  })

  it('verifies one whose proof exists', async () => {
    await claimed()
    dns.set(`_svc.${domain}`, 'TXT', [await proofOf()])
    dns.set(domain, 'A', ['203.0.113.7'])
    expect(await svc(['domains', 'verify', domain])).toEqual({
      code: 0,
      stdout: `${domain} is verified.\n`,
      stderr: '',
    })
    expect((await svc(['domains', 'add', domain])).stderr).toBe(
      `Domain ${domain} is verified.\nNo records are missing.\n`,
    )
  })

  it('ends with 1 if it does not exist, and prints what is missing', async () => {
    await claimed()
    const { code, stdout, stderr } = await svc(['domains', 'verify', domain])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`svc: ${domain} is not verified. `)
    expect(stderr).toContain(`_svc.${domain} with the value ${await proofOf()}`)
    const json = await svc(['domains', 'verify', domain, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ domain, verified: false })
    expect({ code: json.code, ...JSON.parse(json.stderr) }).toMatchObject({ code: 1, reason: 'failed' })
  })

  it('waits until it does', async () => {
    await claimed()
    const proof = await proofOf()
    const looked = () => dns.queries.filter((question) => question === `TXT _svc.${domain}`).length
    const waiting = svc(['domains', 'verify', domain, '--wait'])
    await expect.poll(looked, { timeout: 20_000 }).toBeGreaterThan(0)
    const inVain = looked()
    dns.set(`_svc.${domain}`, 'TXT', [proof])
    const { code, stdout } = await waiting
    expect(code).toBe(0)
    expect(stdout).toContain(`${domain} is verified`)
    expect(looked()).toBeGreaterThan(inVain)
  })

  it('gives up waiting', async () => {
    await claimed()
    const { code, stderr } = await svc(['domains', 'verify', domain, '--wait', '--timeout', '1'])
    expect(code).toBe(1)
    expect(stderr).toContain('is not verified')
  })

  it('removes one, but only after confirmation', async () => {
    await claimed()
    expect(await svc(['domains', 'rm', domain])).toMatchObject({ code: 2, stdout: '' })
    expect(await svc(['domains', 'rm', domain, '--yes'])).toEqual({
      code: 0,
      stdout: `Deleted ${domain}.\n`,
      stderr: '',
    })
    expect((await apiOf().domains.list.query({})).data).toEqual([])
  })

  it.each([
    [['add', 'com'], 2, 'svc: domain: com is a public suffix'],
    [['add', 'example.com', '--project', 'nothing'], 4, 'svc: The team has no project nothing.\n'],
    [['show', 'example.com'], 4, 'svc: The team has no domain example.com.\n'],
    [['verify', 'example.com'], 4, 'svc: The team has no domain example.com.\n'],
    [['rm', 'example.com', '--yes'], 4, 'svc: The team has no domain example.com.\n'],
    [
      ['verify', 'example.com', '--timeout', '0'],
      2,
      "svc: option '--timeout <seconds>' argument '0' is invalid.",
    ],
  ])('domains %j ends with %i', async (args, code, message) => {
    const outcome = await svc(['domains', ...args])
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr.startsWith(message)).toBe(true)
  })

  it('ends with 5 for one that another team has verified', async () => {
    await claim(node, await newTeam(node), domain, { proven: true })
    expect(await svc(['domains', 'add', domain])).toMatchObject({ code: 5, stdout: '' })
  })

  it('ends with 3 for a member who may not remove one', async () => {
    await claimed()
    const member = await svcWith(node, (await addMember(node, team)).key)
    expect(await member(['domains', 'rm', domain, '--yes'])).toMatchObject({ code: 3, stdout: '' })
  })
})
