"""Answers are written one after the other; Stop ends one and not the next."""

import threading
import time

from ui.answers import Answers, Job


def ended(job: Job, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not job.ended:
        time.sleep(0.01)
    return job.ended


def test_one_answer_is_written_after_the_other() -> None:
    answers, together, most = Answers(), 0, 0

    def write(job: Job) -> None:
        nonlocal together, most
        together += 1
        most = max(most, together)
        time.sleep(0.03)
        job.text = "done"
        together -= 1

    jobs = [answers.ask(("q", number), write) for number in range(4)]
    assert all(ended(job) for job in jobs)
    assert [job.state for job in jobs] == ["done"] * 4
    assert most == 1


def test_stop_ends_a_running_answer_and_a_waiting_one_and_not_the_next() -> None:
    answers, begun = Answers(), threading.Event()

    def endless(job: Job) -> None:
        while not job.stopping.is_set():
            job.text += "word "
            begun.set()
            time.sleep(0.005)

    running, waiting = answers.ask("running", endless), answers.ask("waiting", endless)
    after = answers.ask("after", lambda job: setattr(job, "text", "here"))
    assert begun.wait(5)
    waiting.stop()
    running.stop()
    assert ended(running) and ended(after)
    assert (running.state, waiting.state, after.state) == ("stopped", "stopped", "done")
    assert running.text.startswith("word")
    assert waiting.text == ""


def test_a_failure_stands_in_its_answer_with_its_name_and_the_next_is_written() -> None:
    answers = Answers()

    def fails(job: Job) -> None:
        raise ValueError("the model said no")

    failed, after = answers.ask("a", fails), answers.ask("b", lambda job: None)
    assert ended(failed) and ended(after)
    assert failed.error is not None
    assert (failed.error.kind, failed.error.message, after.state) == ("ValueError", "the model said no", "done")


def test_asking_again_gives_the_same_answer_and_after_stop_a_new_one() -> None:
    answers = Answers()
    first = answers.ask("q", lambda job: None)
    assert ended(first)
    assert answers.ask("q", lambda job: None) is first
    slow = answers.ask("slow", lambda job: job.stopping.wait(5) and None)
    slow.stop()
    assert ended(slow)
    assert answers.ask("slow", lambda job: None) is not slow
