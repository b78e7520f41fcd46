export { type Backup, backupStore } from "./sqlite/backup-store.ts";
export { inspectStore, type Problem, type StoreReport } from "./sqlite/inspect-store.ts";
export { compactStore, readUsage, type UsageRow } from "./sqlite/measure-store.ts";
export { moveAside } from "./sqlite/move-aside.ts";
export { type Restoration, restoreStore } from "./sqlite/restore-store.ts";
