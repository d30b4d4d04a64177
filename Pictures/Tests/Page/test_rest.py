"""The server sleeps while it has nothing to do."""

import contextlib
import pathlib
import re
import time
import unittest

from support import PageTests
from test_events import Listener


# Swift's shared pool wakes an idle process once a second; a judgement allows twice that.
MOST_A_SECOND = 2


class Rest(PageTests):
    def switches(self):
        """How often each of the server's threads has slept."""
        sleeps = {}
        for task in pathlib.Path(f"/proc/{self.page.process.pid}/task").iterdir():
            # A thread may end between the listing and the look.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                sleeps[task.name] = int(
                    re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text())[1])
        return sleeps

    def test_rest(self):
        """After pages, pictures and listeners only Swift's pool wakes it, for as long as nothing is asked."""
        self.run_agent()
        self.page = self.serve()
        self.page.get()
        self.page.get("/picture/overview/systemLarge.svg")
        listener = Listener(self.page)
        self.drop_task("mine", "Try the page")
        listener.close()
        # The last that wakes it is the time limit of a question to the agent, 20 s later.
        end = time.monotonic() + 60
        while time.monotonic() < end:
            before = self.switches()
            time.sleep(5)
            after = self.switches()
            if sum(count - before.get(thread, 0) for thread, count in after.items()) <= 5 * MOST_A_SECOND:
                return
        self.fail(f"something wakes the server more than {MOST_A_SECOND} times a second")
