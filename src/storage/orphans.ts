/** What must be there for every row, although no reference of the schema says so. */
export const orphans = [
  {
    sql: "SELECT 1 FROM entry e WHERE NOT EXISTS (SELECT 1 FROM body b WHERE b.key = e.body_key) LIMIT 1",
    what: "an entry has no body",
  },
  {
    sql: "SELECT 1 FROM session s WHERE NOT EXISTS (SELECT 1 FROM session_head h WHERE h.session_key = s.key) LIMIT 1",
    what: "a session has no head",
  },
];
