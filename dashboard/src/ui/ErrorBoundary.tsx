import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Component, type ReactNode } from "react";
import { EmptyState } from "./EmptyState";
import { NothingFoundIcon, WarningIcon } from "./icons";
import { ChunkError, retryChunks } from "./lazy";
import { serviceUrl } from "../api/address";

interface ErrorBoundaryProps {
  /** What is shown: another value, such as another path, tries again. */
  at: string;
  children: ReactNode;
}

interface State {
  error: unknown;
}

const RELOADED_AT = "licet.reloadedAt";
/** A second reload within this time would not help either. */
const PATIENCE_MS = 60_000;

/** Whether the server is there with a page to reload. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch(serviceUrl("/favicon.svg"), { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** After a new release the old code is gone; the new page names the new code. */
async function reloadOnce(): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED_AT));
  if (Date.now() - last < PATIENCE_MS || !(await isReachable())) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
}

/** Shows what can be done if a page breaks or its code cannot be loaded; the shell stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  override componentDidUpdate(before: ErrorBoundaryProps, { error }: State): void {
    // An error that came with the new page is its own, and stays.
    if (error !== null && before.at !== this.props.at) this.retry();
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof ChunkError) void reloadOnce();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Failure isChunk={error instanceof ChunkError} onRetry={() => this.retry()} />;
  }

  private retry(): void {
    retryChunks();
    this.setState({ error: null });
  }
}

interface FailureProps {
  isChunk: boolean;
  onRetry: () => void;
}

const Failure = ({ isChunk, onRetry }: FailureProps) => (
  <div role="alert">
    <EmptyState
      icon={isChunk ? <NothingFoundIcon /> : <WarningIcon />}
      title={isChunk ? t`This page could not be loaded` : t`Something went wrong on this page`}
      action={
        <>
          <Button variant="contained" onClick={onRetry}>
            {t`Try again`}
          </Button>
          <Button variant="outlined" onClick={() => location.reload()}>
            {t`Reload`}
          </Button>
        </>
      }
    >
      {isChunk
        ? t`Check your connection and try again. If the service was upgraded, reload the page.`
        : t`What you were doing was not saved. Try again, or reload the page.`}
    </EmptyState>
  </div>
);
