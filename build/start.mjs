/**
 * What `npm start` runs: the node, and beside it, without waiting, what builds the dashboard if that is
 * stale.
 */
import { spawn } from 'node:child_process'

spawn(process.execPath, ['dashboard/export/background.mjs'], {
  stdio: ['ignore', 'inherit', 'inherit'],
}).unref()

await import('../dist/main.js')
