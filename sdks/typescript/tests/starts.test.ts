/** Starts without a server that responds. */

import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { fetchTransport } from "../src/core/fetch.js";
import type { Transport } from "../src/core/transport.js";
import { ServerRefusedError } from "../src/node/index.js";
import { temporaryFolder } from "./clients.js";
import { useFake } from "./fake.js";

const fake = useFake();

/** A connection that answers when it is told to. */
function held(real: Transport) {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const timeouts: number[] = [];
  const transport: Transport = {
    async send(request) {
      timeouts.push(request.timeoutSeconds);
      await gate;
      return real.send({ ...request, timeoutSeconds: 30 });
    },
    close: () => undefined,
  };
  return { transport, timeouts, open };
}

const REAL: Transport = fetchTransport((url, init) => fetch(url, init));

async function confirmed(folder: string): Promise<string> {
  const key = await fake.issue("Subscription");
  await using client = fake.client(key, folder);
  assert.equal((await client.validate()).status, "Valid");
  return key;
}

void it("waits once for a server that says nothing, and then starts without it", async (t) => {
  const folder = temporaryFolder(t);
  const key = await confirmed(folder);
  const { transport, timeouts, open } = held(REAL);
  t.after(open);
  for (let start = 0; start < 2; start += 1) {
    const client = fake.client(key, folder, { transport });
    assert.equal((await client.validate()).status, "GracePeriod");
  }
  assert.equal(timeouts.length, 1);
  await fake.advance({ minutes: 16 });
  await using client = fake.client(key, folder);
  assert.equal((await client.validate()).status, "Valid");
});

void it("believes an answer that comes after the start has gone on", async (t) => {
  const folder = temporaryFolder(t);
  const key = await confirmed(folder);
  await fake.of(key, "revoke");
  const { transport, timeouts, open } = held(REAL);
  await using client = fake.client(key, folder, { transport });
  const changed = new Promise<string>((resolve, reject) => {
    client
      .open({ onChange: ({ status }) => resolve(status) })
      .then((license) => {
        assert.equal(license.status, "GracePeriod");
        open();
        void changed.then(() => assert.equal(license.hasFeature("export"), false));
      })
      .catch(reject);
  });
  assert.equal(await changed, "Revoked");
  assert.deepEqual(timeouts, [10], "nobody waits for the rest, so it has the whole timeout");
  assert.equal((await client.validateOffline()).status, "Revoked");
});

void it("enrolls again after an answer that comes when the start has gone on", async (t) => {
  const folder = temporaryFolder(t);
  const license = await fake.issue("Concurrent", { seats: 1 });
  const enrollmentKey = (await fake.of(license, "enrollment_key")) as string;
  {
    await using client = fake.client(null, folder, { enrollmentKey });
    await (await client.open()).close();
  }
  {
    await using other = fake.client(license, join(folder, "other"));
    await other.deactivate();
  }
  const { transport, open } = held(REAL);
  await using client = fake.client(null, folder, { enrollmentKey, transport });
  const changed = new Promise<string>((resolve, reject) => {
    client.open({ onChange: ({ status }) => resolve(status) }).then(open, reject);
  });
  assert.equal(await changed, "Valid");
  assert.equal(((await fake.of(license, "devices")) as unknown[]).length, 1);
});

void it("neither repeats a refused connection nor takes it for silence", async (t) => {
  const folder = temporaryFolder(t);
  const key = await confirmed(folder);
  let asked = 0;
  const send = (): Promise<never> => {
    asked += 1;
    return Promise.reject(new ServerRefusedError("at once"));
  };
  for (let start = 1; start <= 2; start += 1) {
    await using client = fake.client(key, folder, { transport: { send, close: () => undefined } });
    assert.equal((await client.validate()).status, "GracePeriod");
    assert.equal(asked, start);
  }
});

void it("names an unreadable license.bin in a warning where the server can speak", async (t) => {
  const folder = temporaryFolder(t);
  const key = await confirmed(folder);
  rmSync(join(folder, "license.bin"));
  mkdirSync(join(folder, "license.bin"));
  await using client = fake.client(key, folder);
  const result = await client.validate();
  assert.equal(result.status, "Valid");
  assert.match(result.warnings.join(), /license.bin/);
});
