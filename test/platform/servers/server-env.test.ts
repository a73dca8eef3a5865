import { expect, it } from 'vitest'
import { deploymentFacts } from '../../../src/platform/projects/deployment-facts.ts'
import { serverEnvironment } from '../../../src/platform/servers/server-env.ts'

const facts = deploymentFacts('https://svc.example', {
  id: 'dpl_1',
  project: 'shop',
  target: 'preview',
  host: 'shop-x',
  meta: { 'commit-sha': 'abc' },
})

it('has where to listen, the facts of the deployment, and the variables of its project', () => {
  expect(serverEnvironment(facts, { KEY: 'value' })).toEqual({
    NODE_ENV: 'production',
    KEY: 'value',
    PORT: '3000',
    HOST: '0.0.0.0',
    HOSTNAME: '0.0.0.0',
    SVC: '1',
    SVC_DEPLOYMENT_ID: 'dpl_1',
    SVC_PROJECT: 'shop',
    SVC_TARGET: 'preview',
    SVC_URL: 'https://shop-x.svc.example',
    SVC_META_COMMIT_SHA: 'abc',
  })
})

it('takes the project’s word for NODE_ENV alone', () => {
  const variables = { NODE_ENV: 'test', PORT: '1', HOST: 'x', HOSTNAME: 'x', SVC: '2', SVC_TARGET: 'x' }
  const own = { ...serverEnvironment(facts, {}), NODE_ENV: 'test' }
  expect(serverEnvironment(facts, variables)).toEqual(own)
})
