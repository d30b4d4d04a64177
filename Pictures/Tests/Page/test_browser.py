"""The page in real Chromium (pictures.md section 14)."""

import json
import os
import shutil
import signal
import zipfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browsers import BrowserTests
from support import until

# A Python package that carries axe's script.
with zipfile.ZipFile(os.environ["AXE_WHEEL"]) as wheel:
    AXE = wheel.read("axe_playwright_python/axe.min.js").decode()

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Browser(BrowserTests):
    def use_colours(self, scheme):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def violations(self):
        self.allow_script()
        self.driver.execute_script(AXE)
        result = self.driver.execute_async_script(
            "const done = arguments[1]; axe.run({runOnly: arguments[0]}).then(done, error => done({error: String(error)}))",
            RULES)
        self.assertGreater(len(result["passes"]), 20)
        return [f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
                for rule in result["violations"] for node in rule["nodes"]]

    def test_axe(self):
        for width in (390, 1440):
            self.driver.set_window_size(width, 1000)
            for scheme in ("light", "dark"):
                for script in (True, False):
                    with self.subTest(width=width, scheme=scheme, script=script):
                        self.use_colours(scheme)
                        self.load(script)
                        # Without script the page must be loaded again now and then, which a rule forbids.
                        others = [] if script else ["meta-refresh"]
                        self.assertEqual([line for line in self.violations() if line.split(":")[0] not in others], [])
        with self.subTest("another moment"):
            self.load(address=f"{self.page.origin}/?at=2026-11-24T12:00:00Z")
            self.assertEqual(self.violations(), [])

    def test_nothing_is_refused_by_the_policy(self):
        """The browser says so in its log, as it does of errors of the script."""
        self.load()
        until(self.is_listening, "the page listens")
        log = [entry["message"] for entry in self.driver.get_log("browser") if "favicon" not in entry["message"]]
        self.assertEqual(log, [])

    def test_no_sideways_scrolling(self):
        for width, is_mobile in ((390, False), (820, False), (1440, False), (320, True), (390, True), (768, True)):
            self.resize(width, 1000, is_mobile)
            self.load()
            # A phone makes the page as wide as what is in it.
            for size in ("document.documentElement.scrollWidth", "innerWidth"):
                self.assertLessEqual(self.driver.execute_script(f"return {size}"), width, (size, is_mobile))

    def test_colours(self):
        """Light and dark need no second drawing, and the choice stays without script."""
        colour = "return getComputedStyle(document.querySelector('.c-card')).color"
        self.use_colours("dark")
        self.load()
        self.assertEqual(self.driver.execute_script(colour), "rgb(28, 28, 30)")
        self.one("a[data-appearance=light]").click()
        until(lambda: self.driver.execute_script(colour) == "rgb(255, 255, 255)", "the page is light")
        self.load(address=self.page.origin)
        self.assertEqual(self.driver.execute_script(colour), "rgb(255, 255, 255)")
        self.load(script=False, address=self.page.origin)
        self.one("a[data-appearance=dark]").click()
        self.allow_script()
        self.assertEqual(self.driver.execute_script(colour), "rgb(28, 28, 30)")

    def test_key_leaves_the_address(self):
        self.load()
        self.assertEqual(self.driver.current_url, f"{self.page.origin}/")

    def test_update(self):
        self.load()
        until(self.is_listening, "the page listens")
        self.mark()
        before = self.text("#card-todays-tasks")
        self.drop_task("mine", "Try the page")
        until(lambda: self.text("#card-todays-tasks") != before, "the card changes")
        until(lambda: "Today's Tasks" in self.text("#news"), "the live region names the card")
        self.assertTrue(self.is_marked())

    def test_problem_comes_and_goes(self):
        self.load()
        until(self.is_listening, "the page listens")
        bad = self.directory / "cache/meal-plan-cache/bad.json"
        bad.write_text('{ "id": 5 }')
        until(lambda: "meal-plan-cache/bad.json:1:1" in self.text("#problems"), "the problem comes")
        bad.unlink()
        until(lambda: "None." in self.text("#problems"), "the problem goes")

    def test_content_is_text(self):
        shutil.rmtree(self.directory / "cache/tasks")
        (self.directory / "cache/cachedTasks.json").unlink()
        self.drop_task("mine", "<img src=x onerror=alert(1)></svg><script>alert(2)</script>&amp;")
        self.load()
        self.assertIn("<img src=x", self.text("#card-todays-tasks"))
        self.assertEqual(self.all("#card-todays-tasks img, #card-todays-tasks script"), [])

    def test_seven_tabs(self):
        """A browser opens six connections to a host: pages that are not seen keep none."""
        self.load()
        for _ in range(6):
            self.driver.switch_to.new_window("tab")
            self.driver.set_page_load_timeout(20)
            self.driver.get(self.page.origin)
            until(self.is_listening, "the page listens")
        before = self.text("#card-todays-tasks")
        self.drop_task("mine", "Try the page")
        until(lambda: self.text("#card-todays-tasks") != before, "the last tab has it")
        self.driver.switch_to.window(self.driver.window_handles[0])
        until(lambda: self.text("#card-todays-tasks") != before, "the first tab has it when it is shown")

    def test_time_travel(self):
        for script in (True, False):
            with self.subTest(script=script):
                self.load(script)
                if script:
                    self.mark()
                self.all(".days a")[8].click()
                until(lambda: self.all(".banner"), "the banner comes")
                self.assertIn("?at=", self.driver.current_url)
                self.assertTrue(all(not button.is_enabled() for button in self.all("main button")))
                self.assertEqual(len(self.all(".days a[aria-current=date]")), 1)
                if script:
                    self.assertTrue(self.is_marked())
                self.one(".banner a").click()
                until(lambda: not self.all(".banner"), "the banner goes")
                self.assertEqual(self.driver.current_url, f"{self.page.origin}/")

    def test_slider(self):
        self.load()
        self.mark()
        self.assertEqual(self.one("output").text, "now")
        self.one("#step").send_keys(Keys.ARROW_RIGHT)
        until(lambda: self.all(".banner"), "the banner comes")
        words = self.one("output").text
        self.assertIn(words, self.text(".banner"))
        self.assertEqual(self.one("#step").get_attribute("aria-valuetext"), words)
        self.driver.back()
        until(lambda: not self.all(".banner"), "back leads to now")
        self.assertTrue(self.is_marked())

    def test_slider_keeps_the_focus_and_the_head_comes_later(self):
        """What is published while a person moves the slider is shown when they have left it."""
        self.load()
        until(self.is_listening, "the page listens")
        self.driver.execute_script("byId('step').focus()")
        self.driver.execute_script("""
            replace(byId('when').outerHTML.replace(/<h1[^>]*>/, '$&Older '));
            replace(byId('when').outerHTML.replace(/<h1[^>]*>/, '$&Newer '))""")
        self.assertNotIn("er ", self.text("#when h1"))
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "step")
        ActionChains(self.driver).send_keys(Keys.TAB).perform()
        until(lambda: self.text("#when h1").startswith("Newer "), "the newest head is there")
        self.assertEqual(self.driver.switch_to.active_element.text, "Show")

    def test_last_moment_wins(self):
        """A moment whose answer comes late does not take the place of one that was asked for after it."""
        self.load()
        words = self.driver.execute_async_script("""
            const done = arguments[0], real = fetch;
            const slow = new Promise(release => window.release = release);
            window.fetch = async address => {
              if (address.includes("23:00")) await slow;
              return real(address);
            };
            const day = new Date().toISOString().slice(0, 10);
            const first = show(`./?at=${day}T23:00:00Z`), second = show(`./?at=${day}T22:00:00Z`);
            second.then(() => { release(); return first; }).then(() => done(byId("when").querySelector("h1").textContent));
            """)
        self.assertIn("22:00", words)
        self.assertIn("T22:00", self.driver.current_url)

    def test_shown_again_with_a_half_typed_text(self):
        """The page catches up without a reload, which would take the text away."""
        self.load()
        until(self.is_listening, "the page listens")
        self.mark()
        self.one("#form-add-task input[name=title]").send_keys("Half a se")
        before = self.text("#card-todays-tasks")
        window = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.drop_task("mine", "Try the page")
        self.driver.switch_to.window(window)
        until(lambda: self.text("#card-todays-tasks") != before, "the card changes")
        self.assertTrue(self.is_marked())
        self.assertEqual(self.one("#form-add-task input[name=title]").get_attribute("value"), "Half a se")

    def test_slider_without_script(self):
        self.load(script=False)
        self.one("#step").send_keys(Keys.ARROW_RIGHT)
        self.one(".time button").click()
        until(lambda: self.all(".banner"), "the banner comes")

    def test_buttons(self):
        """Pressed twice, counted once; pressed again later, counted again."""
        self.load()
        until(self.is_listening, "the page listens")
        self.mark()
        before = self.text("#card-calories")
        button = self.one("#card-quick-log button")
        ActionChains(self.driver).double_click(button).perform()
        until(lambda: self.text("#card-calories") != before, "the calories change")
        self.assertEqual(len(self.intents), 1)
        self.assertEqual(json.loads(self.intents[0].read_text())["type"], "log-food")
        until(lambda: self.one("#card-quick-log button") != button, "the card is drawn anew")
        self.one("#card-quick-log button").click()
        until(lambda: len(self.intents) == 2, "the second intent comes")
        self.assertTrue(self.is_marked())

    def test_buttons_without_script(self):
        self.load(script=False)
        self.one("#card-todays-tasks button").click()
        until(lambda: self.driver.current_url == f"{self.page.origin}/#card-todays-tasks", "the page comes back")
        self.assertEqual([json.loads(intent.read_text())["type"] for intent in self.intents], ["complete-task"])

    def test_new_task(self):
        self.load()
        until(self.is_listening, "the page listens")
        self.mark()
        before = self.text("#card-todays-tasks")
        self.one("#form-add-task input[name=title]").send_keys("Beans & rice", Keys.ENTER)
        until(lambda: self.text("#card-todays-tasks") != before, "the card changes")
        self.assertEqual([json.loads(intent.read_text())["title"] for intent in self.intents], ["Beans & rice"])
        until(lambda: self.one("#form-add-task input[name=title]").get_attribute("value") == "", "the field is empty")
        self.assertTrue(self.is_marked())

    def test_agent_killed_and_started(self):
        self.load()
        until(self.is_listening, "the page listens")
        self.mark()
        self.stop(self.agent, signal.SIGKILL)
        self.drop_without_agent()
        before = self.text("#card-todays-tasks")
        self.run_agent()
        until(lambda: self.text("#card-todays-tasks") != before, "the card changes")
        self.assertTrue(self.is_marked())
        self.driver.refresh()
        self.assertIn("receives file events", self.text("#status"))

    def drop_without_agent(self):
        task = '{"tasks": [{"id": "mine", "title": "Try", "completed": false, "createdAt": 0}]}'
        self.command("drop", "tasks", "-", "--name", "mine", input=task, capture_output=True)

    def test_keyboard(self):
        """Every place that acts is reached with Tab, shows its focus and acts with Enter; the focus stays in the card."""
        self.load()
        until(self.is_listening, "the page listens")
        keys = ActionChains(self.driver)
        keys.send_keys(Keys.TAB).perform()
        focused = self.driver.switch_to.active_element
        self.assertEqual(focused.get_attribute("class"), "skip")
        self.assertGreaterEqual(focused.rect["x"], 0)
        reachable = len(self.all("a, button:enabled, input:enabled:not([type=hidden])"))
        seen = set()
        for _ in range(reachable - 1):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            focused = self.driver.switch_to.active_element
            seen.add(focused.id)
            outline = self.driver.execute_script("return getComputedStyle(arguments[0]).outlineStyle", focused)
            self.assertEqual(outline, "solid", focused.get_attribute("outerHTML"))
        self.assertEqual(len(seen), reachable - 1)
        button = self.one("#card-quick-log button")
        label = button.get_attribute("aria-label")
        self.driver.execute_script("arguments[0].focus()", button)
        ActionChains(self.driver).send_keys(Keys.ENTER).perform()
        until(lambda: len(self.intents) == 1, "the intent comes")
        until(lambda: self.one("#card-quick-log button") != button, "the card is drawn anew")
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("aria-label"), label)

    def test_targets_are_large_enough(self):
        self.load()
        small = self.driver.execute_script("""
            return [...document.querySelectorAll("a, button, input:not([type=hidden])")].filter(element => {
              const box = element.getBoundingClientRect();
              return !element.matches(".skip") && (box.width < 23.9 || box.height < 23.9);
            }).map(element => element.outerHTML)""")
        self.assertEqual(small, [])

    def test_size(self):
        """All pictures in 250 KiB, and the script in 14 KiB."""
        self.assertLessEqual(len(self.page.get()[2].encode()), 250 << 10)
        self.assertLessEqual(len(self.page.get("/page.js")[2].encode()), 14 << 10)
