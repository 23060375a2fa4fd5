"""AWS's command line against the S3 protocol, run in this process: each start of it would cost half a second."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.contract.storage.conftest import KEY_ID, KEY_SECRET, Storage

if TYPE_CHECKING:
    from awscli.clidriver import CLIDriver

BIG = os.urandom(11 << 20)  # three parts
_CONFIG = "[default]\nregion = local\noutput = json\ns3 =\n  addressing_style = path\n  multipart_threshold = 6MB\n"


class Aws:
    """The command line of one service. Local names are below `home`."""

    def __init__(self, storage: Storage, driver: "CLIDriver", home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.storage, self.home = storage, home
        self._driver, self._capsys = driver, capsys

    def __call__(self, *arguments: str, code: int = 0) -> str:
        """Run a command; what it prints."""
        self._capsys.readouterr()
        got = self._driver.main(list(arguments))
        printed = self._capsys.readouterr()
        assert got == code, printed.err
        return printed.out

    def api(self, *arguments: str) -> Any:
        """Run a command of `s3api`; the document that it prints."""
        return json.loads(self("s3api", *arguments) or "null")

    def file(self, name: str, content: bytes = b"") -> str:
        """A local file; its path."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return str(path)

    def listed(self, place: str) -> list[str]:
        """The names below a place, as `ls --recursive` prints them."""
        return [line[31:] for line in self("s3", "ls", place, "--recursive").splitlines()]


@pytest.fixture(scope="module")
def large(make_storage: Callable[..., Storage]) -> Storage:
    """A service that takes large files."""
    return make_storage(FILE_SIZE_LIMIT=str(50 << 20))


@pytest.fixture(scope="module")
def driver(large: Storage, tmp_path_factory: pytest.TempPathFactory) -> "Iterator[CLIDriver]":
    """The command line, configured by nothing but this; one, because it reads the description of S3 for 0.2 s."""
    from awscli.clidriver import create_clidriver  # not in each worker: 0.3 s

    folder = tmp_path_factory.mktemp("aws")
    (folder / "config").write_text(_CONFIG)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_") and name != "AWS_DATA_PATH"]:
            patch.delenv(name)  # the data path is the package's own
        for name, value in {
            "CONFIG_FILE": str(folder / "config"),
            "SHARED_CREDENTIALS_FILE": str(folder / "credentials"),
            "ENDPOINT_URL": f"{large.url}/s3",
            "ACCESS_KEY_ID": KEY_ID,
            "SECRET_ACCESS_KEY": KEY_SECRET,
            "MAX_ATTEMPTS": "1",
        }.items():
            patch.setenv(f"AWS_{name}", value)
        yield create_clidriver()


@pytest.fixture
def aws(large: Storage, driver: "CLIDriver", tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Aws:
    """The command line with an empty folder."""
    return Aws(large, driver, tmp_path, capsys)


def test_buckets_and_files(aws: Aws) -> None:
    aws("s3", "mb", "s3://cli")
    assert "cli" in aws("s3", "ls")
    aws(
        "s3", "cp", aws.file("a.css", b"one"), "s3://cli/a b/c.css", "--metadata", "k=v", "--cache-control", "max-age=9"
    )
    head = aws.api("head-object", "--bucket", "cli", "--key", "a b/c.css")
    assert (head["ContentLength"], head["ContentType"], head["Metadata"]) == (3, "text/css", {"k": "v"})
    aws("s3", "cp", "s3://cli/a b/c.css", "s3://cli/copied.css")
    aws("s3", "mv", "s3://cli/copied.css", "s3://cli/moved.css")
    assert aws.listed("s3://cli") == ["a b/c.css", "moved.css"]
    assert [line.split(maxsplit=1)[-1] for line in aws("s3", "ls", "s3://cli").splitlines()][0] == "a b/"
    assert aws("s3", "cp", "s3://cli/moved.css", "-") == "one"
    url = aws("s3", "presign", "s3://cli/a b/c.css").strip()
    assert httpx.get(url).content == b"one"
    aws("s3", "rm", "s3://cli/moved.css")
    aws("s3", "cp", "s3://cli/moved.css", "-", code=1)
    aws("s3", "rb", "s3://cli", code=1)
    aws("s3", "rb", "s3://cli", "--force")
    assert "cli" not in aws("s3", "ls")


def test_folders(aws: Aws) -> None:
    aws("s3", "mb", "s3://folders")
    for name in ("up/one.txt", "up/in/two.txt", "up/in/three + four.txt"):
        aws.file(name, name.encode())
    aws("s3", "sync", str(aws.home / "up"), "s3://folders/there")
    names = ["there/in/three + four.txt", "there/in/two.txt", "there/one.txt"]
    assert aws.listed("s3://folders") == names
    assert aws("s3", "sync", str(aws.home / "up"), "s3://folders/there") == ""
    aws("s3", "sync", "s3://folders/there", str(aws.home / "down"))
    assert (aws.home / "down/in/three + four.txt").read_bytes() == b"up/in/three + four.txt"
    (aws.home / "up/one.txt").unlink()
    aws("s3", "sync", str(aws.home / "up"), "s3://folders/there", "--delete")
    assert aws.listed("s3://folders") == names[:2]
    first = aws.api("list-objects-v2", "--bucket", "folders", "--max-items", "1", "--page-size", "1")
    rest = aws.api("list-objects-v2", "--bucket", "folders", "--starting-token", first["NextToken"])
    assert [item["Key"] for page in (first, rest) for item in page["Contents"]] == names[:2]
    aws("s3", "rm", "s3://folders", "--recursive")
    assert aws.api("list-objects-v2", "--bucket", "folders").get("Contents") is None


def test_parts(aws: Aws) -> None:
    aws("s3", "mb", "s3://parts")
    aws("s3", "cp", aws.file("big", BIG), "s3://parts/big")
    aws("s3", "cp", "s3://parts/big", str(aws.home / "back"))
    assert (aws.home / "back").read_bytes() == BIG
    aws("s3", "cp", "s3://parts/big", "s3://parts/twin")  # by UploadPartCopy
    assert aws.api("head-object", "--bucket", "parts", "--key", "twin")["ContentLength"] == len(BIG)
    of = ("--bucket", "parts", "--key", "named")
    begun = aws.api("create-multipart-upload", *of)["UploadId"]
    assert [item["UploadId"] for item in aws.api("list-multipart-uploads", "--bucket", "parts")["Uploads"]] == [begun]
    assert "Parts" not in (aws.api("list-parts", *of, "--upload-id", begun) or {})
    aws("s3api", "abort-multipart-upload", *of, "--upload-id", begun)
    aws("s3", "rb", "s3://parts", "--force")
    assert aws.storage.files() == aws.storage.versions()
