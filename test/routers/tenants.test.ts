import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
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

async function rows() {
  return {
    projects: await db.select().from(projects).where(eq(projects.teamId, theirs.id)).orderBy(projects.id),
    deployments: await db
      .select()
      .from(deployments)
      .where(eq(deployments.teamId, theirs.id))
      .orderBy(deployments.id),
  }
}

/** What an answer says, without the reference that was asked for and the id of the request. */
function said({ status, headers, body }: Answer, reference: string) {
  const names = [...headers.keys()].toSorted()
  return { status, names, body: JSON.stringify({ ...body, request_id: '' }).replaceAll(reference, '<it>') }
}

/** What every-procedure.test.ts doesn't ask: method, path and body, with `<it>` for the reference. */
const operations: [string, string, string, string, unknown?][] = [
  ['a project', project.id, 'PUT', '/v1/projects/<it>', { name: 'mine', protection: 'none' }],
  ['a project by name', projectName, 'PUT', '/v1/projects/<it>', { name: 'mine' }],
  ['a deployment', preview.id, 'GET', '/v1/deployments/<it>?wait_s=1'],
  ['the live deployment', live.id, 'POST', '/v1/deployments/<it>/promote'],
  ['the live deployment', live.id, 'DELETE', '/v1/deployments/<it>'],
]

const unknownOf: Record<string, string> = {
  [project.id]: newId('project', Date.now()),
  [projectName]: unique('nobodys'),
  [preview.id]: newId('deployment', Date.now()),
  [live.id]: newId('deployment', Date.now()),
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
        expect([403, 404]).toContain(foreign.status)
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
