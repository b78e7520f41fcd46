export { type Backup, backupStore } from "./sqlite/backup-store.ts";
export { inspectStore } from "./sqlite/inspect-store.ts";
export { listCopies } from "./sqlite/list-copies.ts";
export { moveAside } from "./sqlite/move-aside.ts";
export { type Restoration, type RestoreOptions, restoreStore } from "./sqlite/restore-store.ts";
