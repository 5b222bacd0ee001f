"""A studio without a browser and without processes: tasks are done where they are asked for."""

import re
import warnings
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from taxonym.errors import TaxonymError
from taxonym.io.progress import SILENCE
from taxonym.studio import tasks
from taxonym.studio.gate import Keys
from taxonym.studio.jobs import DONE, FAILED, Job, Jobs
from taxonym.studio.opened import OpenedFolder
from taxonym.studio.server import application
from taxonym.studio.state import Studio

PORT = 8765
HOME = f"http://127.0.0.1:{PORT}"
PLAN = """
[input]
path = "baskets.csv"
person = "customer"
[columns.customer]
role = "identifier"
[columns.items]
role = "quasi-identifier"
kind = "set"
taxonomy = "goods.csv"
[method]
k = 3
seed = 1
"""
GOODS = "child,parent\nfood,goods\nbread,food\nfruit,food\napple,fruit\npear,fruit\n"
GOODS += "rolls,bread\ndrink,goods\nsoda,drink\nbeer,drink\n"


class AtOnce(Jobs):
    """Jobs that are over when they have begun."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, Any] = {}

    def start(self, kind: str, task: str, *arguments: Any, about: str = "", **_: Any) -> Job:
        self._number += 1
        job = self._last[kind] = Job(self._number, kind, about)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                job.end(DONE, self._done(task, arguments))
            except TaxonymError as error:
                job.end(FAILED, error=str(error))
        return job

    def _done(self, task: str, arguments: tuple[Any, ...]) -> Any:
        if task != "look" or not Path(arguments[0]).is_file():
            return tasks.TASKS[task](*arguments, SILENCE, self.kept)
        seen = Path(arguments[0]).read_bytes(), str(arguments[2])  # many tests look at the same file
        if seen not in LOOKS:
            LOOKS[seen] = tasks.look(*arguments, SILENCE, self.kept)
        return LOOKS[seen]


LOOKS: dict[tuple[bytes, str], Any] = {}


class Seat:
    """Somebody in front of a studio, with the cookie."""

    def __init__(self, folder: Path) -> None:
        self.studio = Studio(OpenedFolder(folder))
        self.studio.jobs = AtOnce()
        self.keys = Keys()
        self.client = TestClient(application(self.studio, self.keys, PORT), base_url=HOME, follow_redirects=False)
        self.client.get(f"/start?token={self.keys.token}")

    def get(self, path: str, **more: Any) -> str:
        answer = self.client.get(path, **more)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])
        return answer.text

    def post(self, path: str, **form: Any) -> Any:
        """A form as a page of the studio sends it."""
        htmx = {"hx-request": "true"} if form.pop("htmx", False) else {}
        data = {"csrf": self.keys.csrf, **form}
        return self.client.post(path, data=data, headers={"origin": HOME, **htmx}, follow_redirects=True)

    def close(self) -> None:
        self.client.close()
        self.studio.close()


def baskets(folder: Path, rows: int = 24) -> None:
    """Baskets of customers, the goods they are made of, and a plan."""
    kinds = ("apple;rolls", "pear;soda", "beer;rolls;apple", "soda;pear;zwieback")
    lines = [f"c{i},{kinds[i % 4]}" for i in range(rows)] + ["customer99,secretgood;apple"]
    (folder / "baskets.csv").write_text("customer,items\n" + "\n".join(lines) + "\n")
    (folder / "goods.csv").write_text(GOODS)
    (folder / "plan.toml").write_text(PLAN)


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))
