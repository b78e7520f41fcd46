/** The library's public surface. Everything else may change without notice. */
export type { Ticker } from "./chat/auto-save.ts";
export type {
  Approval,
  AskedCall,
  Chat,
  ChatEvent,
  ChatStatus,
  Draft,
  Restored,
  TurnOptions,
} from "./chat/chat.ts";
export { type ChatOptions, startChat } from "./chat/start-chat.ts";
export type { Client, FileHealth, NativeContent, NativeSession, NativeTarget } from "./clients/client.ts";
export { registerClient } from "./clients/registry.ts";
export { type Digest, type Source, startDigest } from "./digest/digest.ts";
export { followEntries } from "./digest/follow-entries.ts";
export { findNextStep, type NextStep, type WorkStatus } from "./digest/judge-work.ts";
export { readSessionDigests } from "./digest/read-digests.ts";
export { describeDigest, type Line, type Section, type SectionName } from "./digest/sections.ts";
export { BadImport } from "./formats/bad-import.ts";
export { decryptSource, isEncrypted } from "./formats/decrypt.ts";
export { type EncryptOptions, encrypt } from "./formats/encrypt.ts";
export {
  type ExportFormat,
  type ExportRequest,
  type ExportStore,
  exportFormats,
  exportSessions,
} from "./formats/export-sessions.ts";
export {
  type Imported,
  type ImportOptions,
  type ImportTarget,
  importSource,
} from "./formats/import-source.ts";
export type { ImportLimits } from "./formats/limits.ts";
export { fileSource, type ImportSource } from "./formats/source.ts";
export type { TalkTarget } from "./formats/talk/take-talk.ts";
export type { GateChanged, GateGrant, GatesAuthor, GateTarget, ProjectGates } from "./gates/change-gates.ts";
export type { GateReading, GateStatus } from "./gates/inspect-gate-files.ts";
export type { PushOutcome, PushPlan, PushTarget } from "./git/push.ts";
export type { Decision, DecisionType, NewDecision } from "./handover/decision.ts";
export type { Version } from "./handover/document-record.ts";
export type { DecisionQuery } from "./handover/find-decisions.ts";
export type { DraftRequest } from "./handover/follow-moment.ts";
export type { HandoverPaths } from "./handover/handover-folder.ts";
export type { Candidate, Note } from "./handover/note.ts";
export type { BegunPolish, Polished, PolishRequest } from "./handover/polish.ts";
export type {
  HandedOver,
  HandoverAuthor,
  OpenPolish,
  ProjectHandover,
} from "./handover/project-handover.ts";
export type { WrittenSession } from "./handover/session-work.ts";
export { AppError, type ErrorKind } from "./lib/app-error.ts";
export type { FieldProblem } from "./lib/field-readers.ts";
export type { ProcessIdentity } from "./lib/process-identity.ts";
export { openProject, type WritableProject } from "./lifecycle/open-project.ts";
export type { ResumingAuthor, WritableResume } from "./lifecycle/plan-resume.ts";
export { readWorkstreams } from "./memory/earlier-work.ts";
export type { BriefRequest, ProjectBrief } from "./memory/read-brief.ts";
export type { Brief, BriefPart } from "./memory/render-brief.ts";
export { groupSessions, type Workstream } from "./memory/workstreams.ts";
export type {
  Model,
  ModelEvent,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ReplyEnd,
  ReplyEvent,
  ReplyPart,
  ToolOffer,
} from "./model/model.ts";
export { ModelError } from "./model/model-error.ts";
export {
  chooseDefaultModel,
  type ModelSettings,
  openModel,
  type ProviderSettings,
} from "./model/open-model.ts";
export type { Price, Prices } from "./model/prices.ts";
export type { Pace, RetryPolicy } from "./model/retry.ts";
export type { Timeouts } from "./model/watch-silence.ts";
export {
  literalPattern,
  type PatternOptions,
  regexPattern,
  type TextPattern,
} from "./redaction/text-pattern.ts";
export type { StopReason } from "./run/next-step.ts";
export type { RestoredRun, Run } from "./run/open-run.ts";
export type { DryReplay, ReplayDifference } from "./run/replay-dry.ts";
export { type DryReplayed, type DryReplayRequest, replayDry } from "./run/replay-dry.ts";
export type { FilesWish } from "./run/resume-run.ts";
export { type ResumeRunOptions, resumeLastRun } from "./run/resume-run.ts";
export type { Ruling } from "./run/ruling.ts";
export type { ProposedCall, RunEvent, RunOutcome, Speaker } from "./run/run.ts";
export type { RunLimits } from "./run/run-config.ts";
export {
  type Replay,
  type ReplayRunOptions,
  replayRun,
  type StartRunOptions,
  startRun,
} from "./run/start-run.ts";
export type { DatedDecision } from "./sessions/attribute-decisions.ts";
export { type CompareOptions, compareSessions } from "./sessions/compare-sessions.ts";
export type {
  ConversationLog,
  Deletion,
  OpenedSession,
  ReadRange,
  Receipt,
  SessionPage,
  SessionQuery,
  Verification,
} from "./sessions/conversation-log.ts";
export type { DigestStore, KeptDigest, KeptDigests } from "./sessions/digest-store.ts";
export type {
  CheckpointContent,
  Entry,
  EntryContent,
  EventContent,
  FilePart,
  Json,
  JsonObject,
  Message,
  MessageContent,
  NewEntry,
  OtherContent,
  OtherPart,
  Part,
  Role,
  RoundContent,
  SummaryContent,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from "./sessions/entry.ts";
export {
  BadEntry,
  BrokenStretch,
  EntryConflict,
  EntryNotFound,
  LeaseExpired,
  LeaseLost,
  SessionConflict,
  SessionInUse,
  SessionNotFound,
  SessionWentBack,
} from "./sessions/errors.ts";
export { AmbiguousSession, findSession } from "./sessions/find-session.ts";
export {
  type EntryId,
  InvalidId,
  mainStrand,
  makeEntryId,
  makeSessionId,
  parseEntryId,
  parseSessionId,
  parseStrand,
  type SessionId,
  type Strand,
} from "./sessions/ids.ts";
export type { Holder, Holding, Lease, Leases } from "./sessions/lease.ts";
export type { MergeConflict } from "./sessions/merge-conflict.ts";
export {
  type Merged,
  type MergePlan,
  type MergeRequest,
  mergeSessions,
  planMerge,
} from "./sessions/merge-sessions.ts";
export { parseNewEntry } from "./sessions/parse-new-entry.ts";
export type { Project, ProjectId, Projects, Sighting } from "./sessions/project.ts";
export type {
  HeadQuery,
  Intake,
  Known,
  LinkedEntry,
  PlacedForkPoint,
  Replica,
  ReplicaHead,
  ReplicaSession,
  SharedBase,
  Tombstone,
} from "./sessions/replica.ts";
export type {
  DescribedIn,
  FixedNames,
  FoundSession,
  Scrubber,
  Scrubbing,
  ScrubFinding,
} from "./sessions/scrubber.ts";
export type {
  HitKind,
  IndexReport,
  SearchHit,
  SearchIndex,
  SearchOrder,
  SearchPage,
  SearchRequest,
  SnippetPart,
} from "./sessions/search-index.ts";
export type {
  ClientName,
  ForkPoint,
  NewFork,
  NewSession,
  Session,
  SessionStatus,
} from "./sessions/session.ts";
export type {
  CallOutcome,
  CountedTool,
  DiffCall,
  DiffItem,
  DiffSide,
  DiffStretch,
  MadeDecision,
  OwnPart,
  RunCommand,
  SessionDiff,
  SharedStretch,
  TouchedFile,
} from "./sessions/session-diff.ts";
export { corrected, stopped, tagged, titled } from "./sessions/session-events.ts";
export { readPaths, type SessionPaths, type SidePath } from "./sessions/session-paths.ts";
export {
  openWriter,
  type SessionWriter,
  type WritableStore,
  type WriterOptions,
} from "./sessions/session-writer.ts";
export type { SideRequest } from "./sessions/side-reader.ts";
export { type Arrival, type TakenSession, takeSession } from "./sessions/take-session.ts";
export type { Exchanged, ExchangeOutcome, ExchangeReport } from "./share/exchange-report.ts";
export { type ExchangeOptions, exchangeSessions } from "./share/exchange-sessions.ts";
export {
  type Backup,
  backupStore,
  inspectStore,
  type Restoration,
  type RestoreOptions,
  restoreStore,
} from "./storage/maintenance.ts";
export { openStore, openStoreForReading, type Store } from "./storage/open-store.ts";
export { openPostgres } from "./storage/postgres/open-postgres.ts";
export type { UsageRow } from "./storage/read-usage.ts";
export type { Problem, StoreReport } from "./storage/store-report.ts";
export type { StoreFile, StoreSite } from "./storage/store-site.ts";
export { openToolbox, type ToolboxOptions } from "./tools/open-toolbox.ts";
export type {
  Effect,
  OutputListener,
  Tool,
  Toolbox,
  ToolLimits,
  ToolOutcome,
  ToolSurroundings,
} from "./tools/tool.ts";
export type { Blocker, BlockerType, Severity } from "./work/blocker.ts";
export type { NewBlocker } from "./work/change-blocker.ts";
export type { CommitOutcome, FoundWork, Hindrance, SavedWork } from "./work/commit-work.ts";
export type { FoundTasks } from "./work/find-tasks.ts";
export type { Loaded, LoadedWork } from "./work/load.ts";
export type { PreviewedFile, SavePreview } from "./work/preview-save.ts";
export type { ProjectWork, WorkRequest } from "./work/project-work.ts";
export type { Recovery } from "./work/recover.ts";
export type { ResumedWork, ResumeRequest } from "./work/resume.ts";
export type { Returned } from "./work/return-to-branch.ts";
export type { LeftOut, LeftOutReason, Taken } from "./work/save/leave-out.ts";
export type { SaveReport } from "./work/save.ts";
export { SaveUnfinished } from "./work/save-unfinished.ts";
export type { AsideState, ChangedState } from "./work/state-store.ts";
export type { Tasks } from "./work/tasks.ts";
export type { Validation } from "./work/validate/validation.ts";
export type { Checked } from "./work/verify.ts";
export type { WorkAuthor } from "./work/work-desk.ts";
export type { Checkpoint } from "./work/work-record.ts";
export type { ChangeStatus, SavedFile, SaveMode, WorkState } from "./work/work-state.ts";
export { chooseStore, type StoreChoice } from "./workspace/choose-store.ts";
export type { OpenProject, Surroundings } from "./workspace/open-project.ts";
export { type ModelChoices, readModelSettings } from "./workspace/read-model-settings.ts";
export { type TakeOver, type TakeOverOptions, takeOver } from "./workspace/take-over.ts";
