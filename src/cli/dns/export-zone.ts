/** Exports a zone file. */
import type { Command } from 'commander'
import { connect } from '../connection/connect.ts'
import { globalOptions, type Io } from '../io.ts'
import { warn, writeDocument, writeJson } from '../terminal/output.ts'

/** Prints the zone of a domain, or writes it to the file `out`. @throws Failure if that can't be written. */
export async function exportZone(
  io: Io,
  domain: string,
  { out }: { out?: string },
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  const { api } = connect(io, options)
  const exported = await api.dns.exportZone.query({ domain })
  // Loaded on demand: most commands write no file.
  if (out !== undefined) (await import('../named-file.ts')).writeTextFile(out, exported.zone)
  if (options.json) return writeJson(io, exported)
  if (out !== undefined) warn(io, `Wrote the zone of ${exported.domain} to ${out}.`)
  else writeDocument(io, exported.zone)
}
