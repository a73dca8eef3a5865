/** The files of servers: links, what nodes write, and what they keep. */
const room = 'src/platform/servers/kept-files'
const tests = 'test/platform/servers/kept-files'

export const faults = [
  {
    what: 'A link of a server leads out of its files through another link.',
    file: `${room}/escaping-link.ts`,
    find: 'else if (known !== undefined) way.at = known',
    replace: 'else if (known !== undefined) way.at = next',
    tests: [`${tests}/escaping-link.test.ts`],
  },
  {
    what: 'A build keeps links that lead out of the files of its server.',
    file: `${room}/walk-kept.ts`,
    find: 'if (escaping !== undefined) throw leadsOut',
    replace: "if (escaping === '') throw leadsOut",
    tests: [`${tests}/walk-kept.test.ts`],
  },
  {
    what: 'Files of the host are kept through a directory that became a link.',
    file: `${room}/walk-kept.ts`,
    find: 'if (found !== source)',
    replace: "if (found === '')",
    tests: [`${tests}/walk-kept.test.ts`],
  },
  {
    what: 'After a restore, a node runs the files of another server that had the number of this one.',
    file: `${room}/find-written.ts`,
    find: 'join(root, `${id}-${digest}`)',
    replace: "join(root, `${id}-${digest.replace(/./g, '0')}`)",
    tests: [`${tests}/kept-files.test.ts`],
  },
  {
    what: 'A disk that fills up while a server is fetched is a fault of the server.',
    file: `${room}/kept-files.ts`,
    find: 'throw isDiskFull(error) ? diskFull(error) : error',
    replace: 'throw error',
    tests: [`${tests}/kept-files.test.ts`],
  },
  {
    what: 'The check of an installation misses a file of a site that has a server.',
    file: 'src/operate/integrity/site-files.ts',
    find: 'const there = others + ',
    replace: 'const there = 1 + ',
    tests: [`${tests}/server-files.test.ts`],
  },
  {
    what: 'A node writes links that lead out, where a row was tampered with.',
    file: `${room}/write-kept.ts`,
    find: 'if (escaping !== undefined) throw',
    replace: "if (escaping === '') throw",
    tests: [`${tests}/kept-files.test.ts`],
  },
  {
    what: 'Files that a server uses are removed to make room.',
    file: `${room}/kept-files.ts`,
    find: '=> users === 0 && isPlaced\n',
    replace: '=> users >= 0 && isPlaced\n',
    tests: [`${tests}/kept-files.test.ts`],
  },
  {
    what: 'Files go on being fetched for nobody.',
    file: `${room}/kept-files.ts`,
    find: '    entry.stop.abort()\n',
    replace: '',
    tests: [`${tests}/kept-files.test.ts`],
  },
  {
    what: 'The files of a server stay forever after their deployment is deleted.',
    file: 'src/platform/deployments/delete-deployment.ts',
    find: '  serverManifestId: deployments.serverManifestId,\n',
    replace: '',
    tests: [`${tests}/server-files.test.ts`],
  },
  {
    what: 'The files of a server stay forever after their project is deleted.',
    file: 'src/platform/projects/delete-project.ts',
    find: 'select server_manifest_id from',
    replace: 'select source_manifest_id from',
    tests: [`${tests}/server-files.test.ts`],
  },
]
