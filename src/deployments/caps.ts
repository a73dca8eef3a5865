/** The settings for the size of deployments, and for the trash. */
import type { Settings } from '../settings/variables.ts'
import type { FileCaps } from './plan-files.ts'
import type { TrashLimits } from './sweep-stray.ts'

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
