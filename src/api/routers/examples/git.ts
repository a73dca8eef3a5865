/** Examples of deliveries of forges in the document of RPC. */
import type { ForgeDeliveryRecord } from '../../../platform/forges/deliveries/list-forge-deliveries.ts'

export const forgeDeliveryExample: ForgeDeliveryRecord = {
  id: 'fdl_019aa5d3b3208fd4e7a15c60b2938d4e',
  event: 'push',
  status: 'failed',
  branch: 'main',
  commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  pull_request: null,
  approved_by: null,
  outcome: 'The repository did not answer.',
  deployment: null,
  report_problem: null,
  attempts: 1,
  received_ms: 1_790_000_000_000,
  ended_ms: 1_790_000_002_000,
}
