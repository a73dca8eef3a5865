/** Examples of deployments in the document of the API. */
import type { z } from 'zod'
import type { createDeploymentInput } from '../../../platform/deployments/deployment-input.ts'
import type { DeploymentRecord } from '../../../platform/deployments/deployment-output.ts'
import { projectExample } from './projects.ts'

export const deploymentExample: DeploymentRecord = {
  id: 'dpl_019aa5d3d1c0a4b2f60d93c2e8175b64',
  project: 'web',
  target: 'production',
  state: 'ready',
  url: 'https://web-5e1f0a9c37d2.svc.site',
  aliases: ['https://web.svc.site'],
  live: true,
  live_since_ms: 1_790_000_002_000,
  rollback_candidate: false,
  queue_position: null,
  build: { ...projectExample.build, start: null },
  server: null,
  error: null,
  files: 2,
  bytes: 1_742,
  meta: { branch: 'main', commit: '4f0c2d1' },
  warnings: [
    {
      path: '_redirects',
      line: 3,
      message:
        'https://www.example.com/* is passed over: rules apply to every host of the site; write a path.',
    },
  ],
  source: { kind: 'api', name: 'CI' },
  redeploy_of: null,
  untrusted: false,
  created_by: 'usr_019aa5d3a0507e3b1d8c64f2a9b05c17',
  created_by_name: 'Ada Lovelace',
  created_ms: 1_790_000_002_000,
  building_ms: null,
  ready_ms: 1_790_000_002_000,
  ended_ms: 1_790_000_002_000,
  expires_ms: null,
}

export const createDeploymentExample: z.input<typeof createDeploymentInput> = {
  project: 'web',
  target: 'production',
  files: [
    { path: 'index.html', content: '<!doctype html><h1>Hello</h1>' },
    {
      path: 'logo.png',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      size: 1_713,
    },
  ],
  meta: { branch: 'main', commit: '4f0c2d1' },
}
