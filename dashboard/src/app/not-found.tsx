import Link from 'next/link'

export default function NotFound() {
  return (
    <main className="mx-auto max-w-prose px-4 py-24 text-center">
      <title>Not found · svc</title>
      <h1 className="font-semibold text-xl">Not found</h1>
      <p className="mt-1 text-dim">There is no page at this address.</p>
      <p className="mt-4">
        <Link href="/" className="text-accent underline">
          Your teams
        </Link>
      </p>
    </main>
  )
}
