/** Starts without a server that responds. */

import assert from "node:assert/strict";
import { it } from "node:test";

import { ServerTimeoutError } from "../src/node/index.js";
import { temporaryFolder } from "./clients.js";
import { useFake } from "./fake.js";

const fake = useFake();

void it("waits once for a server that says nothing, and then starts without it", async (t) => {
  const folder = temporaryFolder(t);
  const key = await fake.issue("Subscription");
  {
    await using client = fake.client(key, folder);
    await client.validate();
  }
  let asked = 0;
  const transport = {
    send: async ({ timeoutSeconds }: { timeoutSeconds: number }) => {
      asked += 1;
      assert.ok(timeoutSeconds <= 2);
      await new Promise((resolve) => setTimeout(resolve, timeoutSeconds * 1000));
      throw new ServerTimeoutError("nothing");
    },
    close: () => undefined,
  };
  for (let start = 0; start < 3; start += 1) {
    await using client = fake.client(key, folder, { transport });
    assert.equal((await client.validate()).status, "GracePeriod");
  }
  const before = asked;
  assert.ok(before > 0 && before <= 3);
  await fake.advance({ minutes: 16 });
  await using client = fake.client(key, folder);
  assert.equal((await client.validate()).status, "Valid");
});
