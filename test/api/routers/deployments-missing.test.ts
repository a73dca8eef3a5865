/** What must be uploaded before a deployment can be created. */
import { beforeAll, describe, expect, it } from 'vitest'
import { byDigest, deploy, sha256, upload } from '../../platform/deployments/steps.ts'
import { addLimited } from '../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const rpc = '/trpc/deployments.missing'

/** The uploads that the files need. */
async function missing(api: TestTeam['owner'], files: unknown[], project = 'web') {
  const { status, body } = await api('POST', rpc, { project, files })
  return { status, missing: body.result?.data.missing, error: body.error?.data }
}

describe('the uploads that a deployment needs', () => {
  it('are one for each digest that the team lacks, and none once they are made', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const [one, two] = [unique('one'), unique('two')]
    const files = [byDigest('index.html', one), byDigest('copy.html', one), byDigest('two.html', two)]
    const first = await missing(team.owner, files)
    expect(first).toMatchObject({ status: 200, missing: [{ sha256: sha256(one) }, { sha256: sha256(two) }] })
    await upload(first.missing[0].upload_url, one)
    await upload(first.missing[1].upload_url, two)
    expect(await missing(team.owner, files)).toMatchObject({ status: 200, missing: [] })
    expect((await team.owner('POST', '/v1/deployments', { project: 'web', files })).status).toBe(200)
  })

  it('have no side effect: nothing is deployed', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    await missing(team.owner, [byDigest('index.html', 'x')])
    expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  })

  it('are those of the team: what another team has is missing', async () => {
    const [team, other] = [await newTeam(node), await newTeam(node)]
    const content = unique('theirs')
    await other.owner('PUT', '/v1/projects/web')
    await deploy(other, { files: [{ path: 'index.html', content }] })
    await team.owner('PUT', '/v1/projects/web')
    const { missing: uploads } = await missing(team.owner, [byDigest('index.html', content)])
    expect(uploads).toMatchObject([{ sha256: sha256(content) }])
  })

  it('are those of what a limited member sees', async () => {
    const team = await newTeam(node)
    const { body: web } = await team.owner('PUT', '/v1/projects/web')
    await team.owner('PUT', '/v1/projects/hidden')
    const [hidden, seen] = [unique('hidden'), unique('seen')]
    await deploy(team, { project: 'hidden', files: [{ path: 'index.html', content: hidden }] })
    await deploy(team, { project: 'web', files: [{ path: 'index.html', content: seen }] })
    const { api } = await addLimited(node, team, [web.id])
    const files = [byDigest('a.html', hidden), byDigest('b.html', seen)]
    expect(await missing(api, files)).toMatchObject({ status: 200, missing: [{ sha256: sha256(hidden) }] })
    expect(await missing(api, files, 'hidden')).toMatchObject({
      status: 404,
      error: { reason: 'project_not_found' },
    })
  })

  it('are refused with the place of what is wrong', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const { status, error } = await missing(team.owner, [{ ...byDigest('../up', 'x') }])
    expect({ status, error }).toMatchObject({
      status: 400,
      error: { reason: 'invalid_input', issues: [{ path: 'files.0.path' }] },
    })
  })
})
