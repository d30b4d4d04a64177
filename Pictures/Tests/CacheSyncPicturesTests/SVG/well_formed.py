"""well_formed.py FILE: reads an SVG file with Python's XML parser and prints what it is made of, as JSON.

Fails when the file is not well-formed.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
root = ElementTree.parse(sys.argv[1]).getroot()
elements = [element.tag.removeprefix(SVG) for element in root.iter()]
attributes = sorted({name for element in root.iter() for name in element.attrib})
texts = [element.text for element in root.iter(f"{SVG}text")]
print(
    json.dumps(
        {
            "elements": elements,
            "attributes": attributes,
            "label": root.get("aria-label"),
            "title": root.findtext(f"{SVG}title"),
            "desc": root.findtext(f"{SVG}desc"),
            "texts": texts,
        }
    )
)
