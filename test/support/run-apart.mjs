/** Runs programs for another process, which sends what to run, and gets what they wrote in the end. */
import { spawn } from 'node:child_process'

const running = new Map()

async function run({ id, command, args, options, input }) {
  const child = spawn(command, args, { ...options, stdio: 'pipe' })
  running.set(id, child)
  const written = { stdout: [], stderr: [] }
  for (const name of ['stdout', 'stderr']) child[name].on('data', (bytes) => written[name].push(bytes))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let failed
  child.on('error', (error) => {
    failed = error.message
  })
  child.on('close', (code) => {
    running.delete(id)
    const [stdout, stderr] = [Buffer.concat(written.stdout), Buffer.concat(written.stderr)]
    process.send({ id, code, stdout, stderr, failed })
  })
}

process.on('message', (message) => {
  if (message.kill) running.get(message.id)?.kill('SIGKILL')
  else run(message)
})

process.on('disconnect', () => {
  for (const child of running.values()) child.kill('SIGKILL')
  process.exit()
})
