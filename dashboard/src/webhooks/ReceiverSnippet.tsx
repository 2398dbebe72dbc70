import Typography from "@mui/material/Typography";
import { CopyField } from "../ui/CopyField";

/** A receiver that runs as copied, with the secret filled in. */
const receiverOf = (secret: string): string => `# pip install standardwebhooks
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook("${secret}")

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = webhook.verify(body, self.headers)
        except WebhookVerificationError:
            self.send_response(401)
        else:
            print(event["type"], event["data"])
            self.send_response(204)
        self.end_headers()

HTTPServer(("", 8080), Receiver).serve_forever()
`;

/** What to do with a secret: check with it that an event comes from here. */
export const ReceiverSnippet = ({ secret }: { secret: string }) => (
  <>
    <Typography variant="body2" color="textSecondary">
      The receiver checks with it that an event comes from here. The libraries of Standard Webhooks
      do so in most languages; in Python a whole receiver is:
    </Typography>
    <CopyField label="Receiver in Python" value={receiverOf(secret)} block />
  </>
);
