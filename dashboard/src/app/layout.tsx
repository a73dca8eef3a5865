import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import './globals.css'

/** Pages have titles of their own: one from here would take their place. */
export const metadata: Metadata = { icons: { icon: '/icon.svg' } }

export const viewport: Viewport = { width: 'device-width', initialScale: 1 }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <script src="/theme.js" />
      </head>
      <body>{children}</body>
    </html>
  )
}
