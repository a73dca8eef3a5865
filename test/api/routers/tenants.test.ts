import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import type { Answer } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let db: Database
/** The team that others try to reach, with one of everything. */
let theirs: TestTeam
let project: { id: string; production_url: string }
let live: { id: string }
let preview: { id: string }
const projectName = unique('theirs')

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
  theirs = await newTeam(node)
  live = await deploy(theirs, { project: projectName, target: 'production' })
  preview = await deploy(theirs, { project: projectName })
  project = (await theirs.owner('GET', `/v1/projects/${projectName}`)).body
})

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

/** A response, without the requested reference and the request's id. */
function comparable({ status, headers, body }: Answer, reference: string) {
  const names = [...headers.keys()].toSorted()
  return { status, names, body: JSON.stringify({ ...body, request_id: '' }).replaceAll(reference, '<it>') }
}

/** Calls that every-procedure.test.ts lacks: method, path and body, with `<it>` for the reference. */
const operations: [string, string, string, () => [reference: string, unknown: string], unknown?][] = [
  ['a project', 'PUT', '/v1/projects/<it>', byId, { name: 'mine', protection: 'none' }],
  ['a project by name', 'PUT', '/v1/projects/<it>', () => [projectName, unique('nobodys')], { name: 'mine' }],
  ['a deployment', 'GET', '/v1/deployments/<it>?wait_s=1', () => ofDeployment(preview)],
  ['the live deployment', 'POST', '/v1/deployments/<it>/promote', () => ofDeployment(live)],
  ['the live deployment', 'DELETE', '/v1/deployments/<it>', () => ofDeployment(live)],
]

function byId(): [string, string] {
  return [project.id, newId('project', Date.now())]
}

function ofDeployment({ id }: { id: string }): [string, string] {
  return [id, newId('deployment', Date.now())]
}

describe("another team's", () => {
  it.each(operations)(
    '%s responds to %s %s as if it were unknown, and stays as it is',
    async (_what, method, path, references, body) => {
      const [reference, unknown] = references()
      const mine = await newTeam(node)
      const member = await addMember(node, mine)
      const before = await rows()
      for (const api of [mine.owner, member.api]) {
        const call = (it: string) => {
          const sent =
            body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll('<it>', it))
          return api(method, path.replace('<it>', it), sent)
        }
        const foreign = await call(reference)
        expect(comparable(foreign, reference)).toEqual(comparable(await call(unknown), unknown))
        expect([403, 404]).toContain(foreign.status)
      }
      expect(await rows()).toEqual(before)
    },
  )

  it('project in a deployment list’s filter, beside an own one, adds nothing', async () => {
    const mine = await newTeam(node)
    const own = await deploy(mine)
    const { body } = await mine.owner('GET', '/v1/deployments')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([own.id])
  })

  it('project name creates an own project by PUT', async () => {
    const mine = await newTeam(node)
    const { body } = await mine.owner('PUT', `/v1/projects/${projectName}`)
    expect(body.id).not.toBe(project.id)
    expect(body.production_url).not.toBe(project.production_url)
    expect((await visit(project.production_url)).body).toBe('hello')
  })
})
