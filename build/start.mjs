/**
 * The program of `npm start`: it runs the node, and beside it, without waiting, what builds the dashboard if
 * that is stale. That goes on when the node stops, but ends with one that fails to start.
 */
import { spawn } from 'node:child_process'

// In a session of its own: an interrupt from the terminal is for the node.
const building = spawn(process.execPath, ['dashboard/export/background.mjs'], {
  stdio: 'ignore',
  detached: true,
})
building.unref()

process.on('exit', (code) => {
  if (code !== 0 && building.exitCode === null && building.signalCode === null) endBuild()
})

await import('../dist/main.js')

/** With the processes that it has started. */
function endBuild() {
  try {
    if (process.platform === 'win32') building.kill()
    else process.kill(-building.pid, 'SIGTERM')
  } catch (error) {
    // It has just ended.
    if (error.code !== 'ESRCH') throw error
  }
}
