/** What the settings say of how much a deployment may hold. */
import type { Settings } from '../settings/variables.ts'
import type { FileCaps } from './plan-files.ts'

export function capsOf(settings: Settings): FileCaps {
  return {
    maxFiles: settings.SVC_MAX_FILES,
    maxFileBytes: settings.SVC_MAX_FILE_BYTES,
    maxDeploymentBytes: settings.SVC_MAX_DEPLOYMENT_BYTES,
  }
}
