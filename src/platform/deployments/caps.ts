/** The settings for the size of deployments, and for the trash. */
import type { Settings } from '../../lib/settings/variables.ts'
import type { FileCaps } from './check-files.ts'
import type { TrashLimits } from './garbage/stray-objects.ts'

export function capsOf(settings: Settings): FileCaps {
  return {
    maxFiles: settings.SVC_MAX_FILES,
    maxFileBytes: settings.SVC_MAX_FILE_BYTES,
    maxDeploymentBytes: settings.SVC_MAX_DEPLOYMENT_BYTES,
  }
}

export function trashLimitsOf(settings: Settings): TrashLimits {
  return { days: settings.SVC_TRASH_DAYS, maxBytes: settings.SVC_TRASH_BYTES }
}
