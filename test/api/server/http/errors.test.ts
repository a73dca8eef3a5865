/** What the log has of errors that are not the client's. */
import { expect, it } from 'vitest'
import { logFault } from '../../../../src/api/server/http/errors.ts'
import { AppError } from '../../../../src/lib/errors.ts'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import { diskFull } from '../../../../src/stores/data-dir/disk-reserve.ts'

function logged(error: AppError): string {
  const lines: string[] = []
  logFault(createLogger({ write: (line) => void lines.push(line) }), error, { path: 'deployments.create' })
  return lines.join('')
}

it('is the cause, and of a full disk, of which an alert tells, one line alone', () => {
  const cause = new Error('ENOSPC')
  expect(logged(new AppError('store_unavailable', 'Away.', { cause }))).toMatch(/ENOSPC.*Away\./s)
  const full = logged(diskFull(cause))
  expect(full).toContain('deployments.create')
  expect(full).not.toMatch(/ENOSPC|errors\.test\.ts/)
})
