/** The fake license server of the Python SDK, in a process of its own. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

import type { ClientOptions } from "../src/node/index.js";
import { clientIn, type OpenClient } from "./clients.js";
import { ROOT } from "./vectors.js";

export const PYTHON = fileURLToPath(new URL(".venv/bin/python", ROOT));
const SCRIPT = fileURLToPath(new URL("sdks/typescript/tests/fake.py", ROOT));

interface Facts {
  readonly productId: string;
  readonly publicKey: string;
  readonly apiKey: string;
}

/** A request as the fake has recorded it. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number | null;
}

export class Fake {
  #process: ChildProcess | null = null;
  #facts: Facts = { productId: "", publicKey: "", apiKey: "" };
  #origin = "";
  #offset = 0;

  get origin(): string {
    return this.#origin;
  }

  get facts(): Facts {
    return this.#facts;
  }

  /** The server's clock. */
  readonly clock = (): Date => new Date(Date.now() + this.#offset);

  async start(): Promise<void> {
    this.#process = spawn(PYTHON, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: this.#process.stdout ?? process.stdin });
    const port = await nextLine(this.#process, lines);
    this.#origin = `http://127.0.0.1:${port}`;
    await this.renew();
  }

  async stop(): Promise<void> {
    if (this.#process !== null) await endOf(this.#process);
  }

  /** Starts over with another server and other options. */
  async renew(options: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.#offset = 0;
    this.#facts = (await this.control({ new: options })) as Facts;
  }

  async control(order: Readonly<Record<string, unknown>>): Promise<unknown> {
    const body = JSON.stringify(order);
    const response = await fetch(`${this.#origin}/control`, { method: "POST", body });
    return response.json();
  }

  /** Calls a method of the server, or reads a property. */
  async do(name: string, args: unknown[] = [], terms: object = {}): Promise<unknown> {
    return this.control({ name, args, terms });
  }

  /** Calls a method of a license, or reads a property. */
  async of(license: string, name: string, args: unknown[] = [], terms: object = {}) {
    return this.control({ license, name, args, terms });
  }

  async issue(model: string, terms: object = {}): Promise<string> {
    return (await this.control({ issue: model, terms })) as string;
  }

  async advance(duration: { days?: number; minutes?: number; hours?: number }): Promise<void> {
    const { days = 0, hours = 0, minutes = 0 } = duration;
    await this.do("advance", [], duration);
    this.#offset += ((days * 24 + hours) * 60 + minutes) * 60_000;
  }

  async requests(path?: string): Promise<Recorded[]> {
    const all = (await this.do("requests")) as Recorded[];
    return path === undefined ? all : all.filter((item) => item.path === path);
  }

  async sessions(license: string): Promise<{ instance_id: string }[]> {
    return (await this.of(license, "sessions")) as { instance_id: string }[];
  }

  options(licenseKey: string | null, folder: string): ClientOptions {
    return {
      ...this.#facts,
      licenseKey,
      licenseFile: join(folder, "license.bin"),
      serverBaseEndpoint: `${this.#origin}/api`,
      hardwareId: "test-machine",
      clock: this.clock,
    };
  }

  client(licenseKey: string | null, folder: string, more: ClientOptions = {}): OpenClient {
    return clientIn(folder, null, { ...this.options(licenseKey, folder), ...more });
  }
}

/** The next line that a child process writes; its end is an error. */
export async function nextLine(child: ChildProcess, lines: Interface): Promise<string> {
  const ended = new AbortController();
  const end = () => {
    ended.abort(new Error("the process has ended"));
  };
  if (hasEnded(child)) end();
  child.once("exit", end);
  try {
    const [line] = (await once(lines, "line", { signal: ended.signal })) as [string];
    return line;
  } finally {
    child.off("exit", end);
  }
}

/** Ends a child process that ends with its standard input. */
export async function endOf(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.stdin?.end();
  await ended;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** One fake for the tests of a file. */
export function useFake(): Fake {
  const fake = new Fake();
  before(() => fake.start());
  after(() => fake.stop());
  return fake;
}

/** Waits until a condition holds; an error after a minute, so that a test that fails ends. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const patience = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > patience) throw new Error(`not within a minute: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
