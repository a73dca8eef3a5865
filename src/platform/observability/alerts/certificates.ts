/** Watches the certificates that a node serves, whatever they come from. */
import type { Database } from '../../../stores/db/database.ts'
import type { Alert } from './alert.ts'
import { dueAlert, isDue, type Served } from './certificate-alerts.ts'
import type { CertificateFilesReader } from './certificate-files.ts'
import { readOrders, readServed, type ServedRows } from './certificate-rows.ts'

/** A name with an https address that no file has a certificate for. */
export type Uncovered = {
  name: string
  /** Whether the platform orders one. */
  isOrdered: boolean
  /** The sentence that says what to do. */
  remedy: string
}

export type CertificateWatch = {
  /** Reads the files again, and the database where that was a minute ago. Rejects where that is away. */
  refresh(): Promise<void>
  alerts(): Alert[]
  /** The one of each origin that expires first. */
  first(): Served[]
}

type Deps = {
  db: Database
  files: CertificateFilesReader
  /** The names without a certificate in these files. */
  uncovered: (files: CertificateFilesReader) => Uncovered[]
  nowMs: () => number
}

/** All rows are read. */
const readEveryMs = 60_000

/** Knows nothing before the first `refresh`. */
export function createCertificateWatch({ db, files, uncovered, nowMs }: Deps): CertificateWatch {
  let rows: ServedRows = { first: [], due: [] }
  let missing: Alert[] = []
  let readMs: number | undefined

  async function readRows(): Promise<void> {
    rows = await readServed(db, nowMs())
    readMs = performance.now()
  }

  async function lookForMissing(): Promise<void> {
    const names = uncovered(files)
    const orders = await readOrders(
      db,
      names.map(({ name }) => name),
    )
    missing = names.flatMap(({ name, isOrdered, remedy }) => {
      const found = orders.filter((order) => order.name === name)
      if (found.some(({ isIssued }) => isIssued)) return []
      const error = found.find((order) => order.error !== null)?.error
      if (isOrdered && !error) return []
      return [missingAlert(name, error ? `Its order failed: ${error}` : remedy)]
    })
  }

  return {
    async refresh() {
      await files.read()
      const isOld = readMs === undefined || performance.now() - readMs >= readEveryMs
      await Promise.all([lookForMissing(), isOld ? readRows() : undefined])
    },
    alerts() {
      const all = [...files.served(), ...rows.due]
      const due = all.filter((served) => isDue(served, nowMs()))
      return [...due.map((served) => dueAlert(served, nowMs())), ...missing]
    },
    first: () => [...files.served(), ...rows.first],
  }
}

function missingAlert(name: string, remedy: string): Alert {
  return {
    name: 'certificate_missing',
    place: name,
    figure: null,
    unit: null,
    isOfMachine: true,
    message: `No certificate for ${name}: its https addresses are refused in the handshake. ${remedy}`,
  }
}
