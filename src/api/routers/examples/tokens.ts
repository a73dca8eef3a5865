/** Examples of API keys and tokens in the document of the API. */
import type { z } from 'zod'
import type { createKeyInput, createLimitedKeyInput } from '../../../platform/callers/credential-input.ts'
import type { KeyDetails, KeyRecord, TokenRecord } from '../../../platform/callers/credential-output.ts'

export const keyExample: KeyRecord = {
  id: 'key_019aa5d3b3208fd4e7a15c60b2938d4e',
  name: 'deploy from CI',
  prefix: 'svc_Ab3dE6…',
  team: 'personal',
  role: 'member',
  created_ms: 1_790_000_000_000,
  last_used_ms: 0,
}

export const createKeyExample: z.input<typeof createKeyInput> = { name: 'deploy from CI', role: 'member' }

export const mintedTokenExample: TokenRecord = {
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6InN2Yytqd3QifQ.<claims>.<signature>',
  token_type: 'Bearer',
  team: 'personal',
  role: 'member',
  expires_ms: 1_790_028_800_000,
}

const limitsExample = { expires_ms: 1_797_776_000_000, read_only: false }

export const createLimitedKeyExample: z.input<typeof createLimitedKeyInput> = {
  name: 'deploy from CI',
  projects: ['web'],
  ...limitsExample,
}

export const newLimitedKeyExample = { ...keyExample, ...limitsExample, projects: ['web'] }

export const keyDetailsExample: KeyDetails = {
  ...newLimitedKeyExample,
  created_by: 'usr_019aa5d1f0a47c3be2d95f8043b7a61c',
  created_by_name: 'Ada',
  expired: false,
}
