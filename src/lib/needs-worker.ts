/** Tells deployments that a worker makes from those whose files are served as they are sent. */

type Commands = { build_command: string | null; start?: string | null | undefined }

/**
 * Whether a worker makes the deployment: a command builds its site, or starts its server, which is tried
 * then. The files of others are their site.
 */
export function needsWorker({ build_command, start }: Commands): boolean {
  return build_command !== null || (start ?? null) !== null
}
