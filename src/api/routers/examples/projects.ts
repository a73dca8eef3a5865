/** Examples of projects in the document of the API. */
import type { z } from 'zod'
import { buildFields } from '../../../platform/projects/build-fields.ts'
import { eachOf } from '../../../platform/projects/field.ts'
import { fields } from '../../../platform/projects/fields.ts'
import type { putProjectInput } from '../../../platform/projects/project-input.ts'
import type { ProjectRecord } from '../../../platform/projects/project-output.ts'
import { repositoryFields } from '../../../platform/projects/repository-fields.ts'
import { runtimeFields } from '../../../platform/projects/runtime-fields.ts'

const { protection: _, ...others } = eachOf(fields, 'initial')

export const projectExample: ProjectRecord = {
  id: 'prj_019aa5d3c80062f17c2f0b9e4d7a8c31',
  name: 'web',
  build: eachOf(buildFields, 'initial'),
  env: [{ key: 'API_BASE', target: ['production', 'preview'], branch: null, updated_ms: 1_790_000_000_000 }],
  protection: 'preview',
  bypass_set: false,
  password_set: false,
  ...others,
  runtime: eachOf(runtimeFields, 'initial'),
  preview_ttl_days: 30,
  git: {
    production_branch: 'main',
    production_branch_by: 'forge',
    provider: 'github',
    url: 'https://github.com/acme/web',
    ...eachOf(repositoryFields, 'initial'),
    close_days: 14,
    token_set: true,
    secret_set: true,
    hook_url: 'https://svc.example.com/hooks/git/prj_019aa5d3c80062f17c2f0b9e4d7a8c31',
    connected_by: 'usr_019aa5d0b1f27c40a5d3e8f6912c7b04',
    connected_by_name: 'Ada Lovelace',
    connected_by_role: 'owner',
  },
  production_url: 'https://web.svc.site',
  production_deployment: 'dpl_019aa5d3d1c0a4b2f60d93c2e8175b64',
  domains: ['www.example.com'],
  branches: [
    {
      name: 'next',
      url: 'https://web-git-next.svc.site',
      deployment: 'dpl_019aa5d3d1c0a4b2f60d93c2e8175b64',
    },
  ],
  created_ms: 1_790_000_000_000,
  updated_ms: 1_790_000_000_000,
}

export const putProjectExample: Omit<z.input<typeof putProjectInput>, 'project'> = {
  protection: 'preview',
  env: [{ key: 'API_BASE', value: 'https://api.example.com' }],
  preview_ttl_days: 30,
}
