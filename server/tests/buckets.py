"""A server that speaks S3 on a real socket, and a look into its buckets from outside."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_buckets = itertools.count(1)


@contextmanager
def serving_s3() -> Iterator[str]:
    """The address of the server."""
    from moto.server import ThreadedMotoServer  # takes a second, in each process of a run

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


class Bucket:
    """A fresh bucket."""

    def __init__(self, endpoint: str) -> None:
        self.name = f"files-{next(_buckets)}"
        self.environment = {
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "LICET_STORAGE_URL": f"s3://{self.name}/some/where",
        }
        import boto3

        self._client: Any = boto3.client(
            "s3", endpoint_url=endpoint, region_name="us-east-1",
            aws_access_key_id="key", aws_secret_access_key="secret",
        )  # fmt: skip
        self._client.create_bucket(Bucket=self.name)

    def objects(self) -> list[str]:
        """The keys in it; half an upload would be found as well."""
        listed = self._client.list_objects_v2(Bucket=self.name)
        assert "Uploads" not in self._client.list_multipart_uploads(Bucket=self.name)
        return [item["Key"] for item in listed.get("Contents", [])]
