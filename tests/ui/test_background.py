"""What goes on behind the page: two lanes, one program at a time, told to others by a file."""

import threading
import time
from pathlib import Path

from ui.background import Background, Task, tasks_elsewhere


def until(condition: object, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


def test_a_failed_task_ends_its_lane_and_not_the_other(tmp_path: Path) -> None:
    background, seen = Background(tmp_path), []

    def fails(task: Task) -> None:
        raise RuntimeError("no compiler")

    lanes = [
        [Task("engine", run=fails), Task("vectors", run=lambda task: seen.append("vectors"))],
        [Task("chat", run=lambda task: seen.append("chat"))],
    ]
    assert background.start(lanes)
    assert until(lambda: [task.state for task in background.tasks()] == ["failed", "waiting", "done"])
    assert background.tasks()[0].words == "no compiler"
    assert seen == ["chat"]


def test_another_program_waits_and_can_see_what_is_being_done(tmp_path: Path) -> None:
    first, second, go_on = Background(tmp_path), Background(tmp_path), threading.Event()

    def work(task: Task) -> None:
        first.report(task, 3, 10, "fetching")
        go_on.wait(5)

    assert first.start([[Task("model", unit="bytes", run=work)]])
    assert until(lambda: any(task.state == "running" and task.done == 3 for task in tasks_elsewhere(tmp_path)))
    assert not second.start([[Task("model", run=work)]])
    assert [(task.name, task.total, task.words) for task in second.tasks()] == [("model", 10, "fetching")]
    go_on.set()
    assert until(lambda: tasks_elsewhere(tmp_path) == [])
    assert second.start([[Task("model", run=lambda task: None)]])


def test_stopping_ends_a_long_task_at_its_next_report(tmp_path: Path) -> None:
    background = Background(tmp_path)

    def endless(task: Task) -> None:
        for done in range(100_000):
            background.report(task, done, 100_000)
            time.sleep(0.01)

    assert background.start([[Task("vectors", run=endless)]])
    assert until(lambda: background.tasks()[0].done > 2)
    background.stop()
    assert background.tasks()[0].state == "waiting"
    assert "goes on" in background.tasks()[0].words
