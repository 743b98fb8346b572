"""A real PostgreSQL for tests: a cluster of its own in a temporary folder, reached by a socket in it."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psycopg

HOW_TO_GET_IT = "PostgreSQL is not installed: `make postgres` installs it from Debian's packages"


def find_programs() -> Path | None:
    """The folder of `initdb` and `postgres`; Debian keeps it off the search path."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((path.parent for path in folders), key=lambda folder: float(folder.parent.name), default=None)


@dataclass
class Cluster:
    """A running server; each test gets a user with a schema of its own, which is much quicker than a database."""

    folder: Path
    server: subprocess.Popen
    made: int = 0

    @classmethod
    def start(cls, programs: Path) -> "Cluster":
        """Make a cluster and run it; PostgreSQL refuses to run as root, so root runs it as another user."""
        folder = Path(tempfile.mkdtemp(prefix="fs-pg-"))
        as_user = {}
        if os.geteuid() == 0:
            user = next(entry for entry in pwd.getpwall() if entry.pw_name in ("postgres", "nobody"))
            os.chown(folder, user.pw_uid, user.pw_gid)
            as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "cwd": folder}
        initdb = [programs / "initdb", "-D", folder / "data", "-U", "foursight", "-A", "trust", "-E", "UTF8", "-N"]
        subprocess.run([*initdb, "--locale=C"], check=True, **quiet, **as_user)
        options = {
            "listen_addresses": "",
            "unix_socket_directories": folder,
            "fsync": "off",
            "max_connections": "60",
            "shared_buffers": "16MB",
        }
        command = [programs / "postgres", "-D", folder / "data"]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **as_user)
        cluster = cls(folder, server)
        cluster._wait()
        return cluster

    def _wait(self) -> None:
        for _ in range(200):
            try:
                with self.connect():
                    return
            except psycopg.OperationalError:
                assert self.server.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
        raise TimeoutError((self.folder / "log").read_text())

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(host=str(self.folder), user="foursight", dbname=database, autocommit=True)

    def new_store(self) -> str:
        """A new empty store; its address as the service's settings take it."""
        self.made += 1
        name = f"t{self.made}"
        with self.connect() as connection:
            connection.execute(f"CREATE ROLE {name} LOGIN SUPERUSER")
            connection.execute(f"CREATE SCHEMA {name} AUTHORIZATION {name}")
            connection.execute(f"ALTER ROLE {name} SET search_path = {name}")
        return f"postgresql+psycopg://{name}@/postgres?host={self.folder}"

    def stop(self) -> None:
        self.server.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
        self.server.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
