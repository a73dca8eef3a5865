import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiKeys } from '../../src/db/schema/keys.ts'
import { deployments, projects } from '../../src/db/schema/projects.ts'
import { newId } from '../../src/ids.ts'
import { deploy, visit } from '../deployments/steps.ts'
import type { Answer } from '../support/api.ts'
import { sharedNode, unique } from '../support/node.ts'
import { addMember, newTeam } from '../support/team.ts'

const node = await sharedNode()
const { db } = node.installation.store

/** The team that others try to reach, with one of everything. */
const theirs = await newTeam(node)
const projectName = unique('theirs')
const live = await deploy(theirs, { project: projectName, target: 'production' })
const preview = await deploy(theirs, { project: projectName })
const { body: project } = await theirs.owner('GET', `/v1/projects/${projectName}`)
const { body: key } = await theirs.owner('POST', '/v1/apikeys', { name: 'theirs' })

async function rows() {
  return {
    projects: await db.select().from(projects).where(eq(projects.teamId, theirs.id)).orderBy(projects.id),
    deployments: await db
      .select()
      .from(deployments)
      .where(eq(deployments.teamId, theirs.id))
      .orderBy(deployments.id),
    keys: await db
      .select({ id: apiKeys.id, role: apiKeys.role })
      .from(apiKeys)
      .where(eq(apiKeys.teamId, theirs.id))
      .orderBy(apiKeys.id),
  }
}

/** What an answer says, without the reference that was asked for and the id of the request. */
function said({ status, headers, body }: Answer, reference: string) {
  const names = [...headers.keys()].toSorted()
  return { status, names, body: JSON.stringify({ ...body, request_id: '' }).replaceAll(reference, '<it>') }
}

const files = [{ path: 'index.html', content: 'mine' }]

/** Every operation that takes a reference: method, path and body, with `<it>` for the reference. */
const operations: [string, string, string, string, unknown?][] = [
  ['a project', project.id, 'GET', '/v1/projects/<it>'],
  ['a project', project.id, 'PUT', '/v1/projects/<it>', { spa: true }],
  ['a project', project.id, 'PUT', '/v1/projects/<it>', { name: 'mine', protection: 'none' }],
  ['a project', project.id, 'DELETE', '/v1/projects/<it>'],
  ['a project', project.id, 'GET', '/v1/deployments?project=<it>'],
  ['a project', project.id, 'POST', '/v1/deployments', { project: '<it>', files }],
  ['a project by name', projectName, 'GET', '/v1/projects/<it>'],
  ['a project by name', projectName, 'PUT', '/v1/projects/<it>', { name: 'mine' }],
  ['a project by name', projectName, 'DELETE', '/v1/projects/<it>'],
  ['a project by name', projectName, 'GET', '/v1/deployments?project=<it>'],
  ['a project by name', projectName, 'POST', '/v1/deployments', { project: '<it>', files }],
  ['a deployment', preview.id, 'GET', '/v1/deployments/<it>'],
  ['a deployment', preview.id, 'GET', '/v1/deployments/<it>?wait_s=1'],
  ['a deployment', preview.id, 'POST', '/v1/deployments/<it>/promote'],
  ['a deployment', preview.id, 'DELETE', '/v1/deployments/<it>'],
  ['the live deployment', live.id, 'DELETE', '/v1/deployments/<it>'],
  ['a key', key.id, 'DELETE', '/v1/apikeys/<it>'],
]

const unknownOf: Record<string, string> = {
  [project.id]: newId('project', Date.now()),
  [projectName]: unique('nobodys'),
  [preview.id]: newId('deployment', Date.now()),
  [live.id]: newId('deployment', Date.now()),
  [key.id]: newId('key', Date.now()),
}

describe("another team's", () => {
  it.each(operations)(
    '%s (%s) answers %s %s as if it were unknown, and stays as it is',
    async (...operation) => {
      const [, reference, method, path, body] = operation
      const mine = await newTeam(node)
      const member = await addMember(node, mine)
      const before = await rows()
      for (const api of [mine.owner, member.api]) {
        const ask = (it: string) => {
          const sent =
            body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll('<it>', it))
          return api(method, path.replace('<it>', it), sent)
        }
        const unknown = unknownOf[reference] ?? ''
        const foreign = await ask(reference)
        expect(said(foreign, reference)).toEqual(said(await ask(unknown), unknown))
        if (foreign.status === 200) expect(foreign.body.data).toEqual([])
        else expect([403, 404]).toContain(foreign.status)
      }
      expect(await rows()).toEqual(before)
    },
  )

  it('project named in a deployment list, beside an own one, adds nothing', async () => {
    const mine = await newTeam(node)
    const own = await deploy(mine)
    const { body } = await mine.owner('GET', '/v1/deployments')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([own.id])
  })

  it('project name, put by me, is a project of my own', async () => {
    const mine = await newTeam(node)
    const { body } = await mine.owner('PUT', `/v1/projects/${projectName}`)
    expect(body.id).not.toBe(project.id)
    expect(body.production_url).not.toBe(project.production_url)
    expect((await visit(project.production_url)).body).toBe('hello')
  })
})
