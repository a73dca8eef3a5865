/** The order of the guides. */

export type Group = { title: string; guides: string[] }

/** Names of files in `docs`, without `.md`. */
export const groups: Group[] = [
  { title: 'Sites', guides: ['deploying', 'commands', 'mcp', 'sites', 'builds'] },
  { title: 'Names', guides: ['domains', 'dns', 'https'] },
  {
    title: 'Using the API',
    guides: [
      ...['api', 'errors', 'paging', 'idempotency', 'limits', 'signing', 'webhooks', 'metrics'],
      'compatibility',
    ],
  },
  {
    title: 'Running a node',
    guides: ['running', 'settings', 'operators', 'backup', 'scaling', 'name-server', 'threat-model'],
  },
]
