import type { Dialect } from "../sql-driver.ts";

/** Projects, sessions with their forks, entries and the bodies that they share. */
export const sessionsAndEntries = (dialect: Dialect): string => `
CREATE TABLE project (
  key ${dialect.serialKey},
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
);
CREATE TABLE project_identity (
  identity TEXT PRIMARY KEY,
  project_key ${dialect.integer} NOT NULL REFERENCES project (key)
);
CREATE TABLE session (
  key ${dialect.serialKey},
  id TEXT NOT NULL UNIQUE,
  client TEXT NOT NULL,
  client_session_id TEXT,
  cwd TEXT NOT NULL,
  branch TEXT,
  machine TEXT NOT NULL,
  started_ms ${dialect.integer} NOT NULL,
  forked_from_session TEXT,
  forked_from_entry TEXT,
  base_key ${dialect.integer} REFERENCES session (key),
  base_seq ${dialect.integer} NOT NULL,
  base_hash ${dialect.bytes},
  title TEXT,
  title_ms ${dialect.integer} NOT NULL,
  title_by TEXT NOT NULL,
  title_folded TEXT NOT NULL,
  opening TEXT,
  tags TEXT NOT NULL,
  tag_facts TEXT NOT NULL
);
CREATE INDEX session_by_base ON session (base_key, base_seq);
CREATE TABLE session_head (
  session_key ${dialect.integer} NOT NULL PRIMARY KEY REFERENCES session (key),
  project_key ${dialect.integer} NOT NULL REFERENCES project (key),
  updated_ms ${dialect.integer} NOT NULL,
  deleted_ms ${dialect.integer},
  status TEXT NOT NULL,
  status_ms ${dialect.integer} NOT NULL,
  status_by TEXT NOT NULL,
  head_seq ${dialect.integer} NOT NULL,
  head_hash ${dialect.bytes},
  messages ${dialect.integer} NOT NULL,
  leaf TEXT,
  leaf_strand TEXT
);
CREATE TABLE strand (
  session_key ${dialect.integer} NOT NULL REFERENCES session (key),
  strand TEXT NOT NULL,
  leaf TEXT NOT NULL,
  PRIMARY KEY (session_key, strand)
)${dialect.clustered};
CREATE TABLE body (
  key ${dialect.integer} PRIMARY KEY,
  project_key ${dialect.integer} NOT NULL,
  hash ${dialect.bytes} NOT NULL,
  refs ${dialect.integer} NOT NULL,
  json TEXT,
  zstd ${dialect.bytes}
);
CREATE UNIQUE INDEX body_by_hash ON body (project_key, hash);
CREATE TABLE entry (
  session_key ${dialect.integer} NOT NULL REFERENCES session (key),
  seq ${dialect.integer} NOT NULL,
  id TEXT NOT NULL,
  parent TEXT,
  strand TEXT NOT NULL,
  kind TEXT NOT NULL,
  at_ms ${dialect.integer} NOT NULL,
  body_key ${dialect.integer} NOT NULL,
  messages ${dialect.integer} NOT NULL,
  hash ${dialect.bytes} NOT NULL,
  fingerprint ${dialect.bytes} NOT NULL,
  PRIMARY KEY (session_key, seq)
)${dialect.clustered};
CREATE UNIQUE INDEX entry_by_id ON entry (session_key, id);
`;
