extension FeedDefinition {
  /// The JSON Schema (2020-12) of definitions, for editors. It accepts every definition without defects, except some
  /// that have null for a key that may be missing.
  ///
  /// It covers keys, types and ranges. Only reading finds defects between parts, such as a text with an unknown name.
  package static let schema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A CacheSync feed",
      "description": "Which session files a feed reads, where their items are, and what readers get.",
      "type": "object",
      "required": ["version", "items", "kinds"],
      "additionalProperties": false,
      "properties": {
        "$schema": { "type": "string", "description": "For editors." },
        "comment": { "description": "Anything; it is not read." },
        "version": { "const": 1 },
        "files": {
          "description": "\"<directory>/**\" or \"<name>.json\", at the top of the cache; default the feed's directory.",
          "anyOf": [
            { "$ref": "#/$defs/files" },
            { "type": "array", "minItems": 1, "maxItems": 64, "items": { "$ref": "#/$defs/files" } },
            { "type": "null" }
          ]
        },
        "use": {
          "description": "all (default): the files' items are one list. newest: only the newest file counts.",
          "enum": ["all", "newest", null]
        },
        "timeZone": {
          "description": "The zone of local times in the files, or a path that finds it. Default: the cache's.",
          "anyOf": [{ "$ref": "#/$defs/text" }, { "type": "null" }]
        },
        "updated": {
          "description": "When the file was written, by its own words.",
          "anyOf": [{ "$ref": "#/$defs/time" }, { "type": "null" }]
        },
        "staleAfter": {
          "description": "The age from which content is stale, such as PT24H. It wins over the setting.",
          "type": ["string", "null"],
          "pattern": "^P"
        },
        "marks": {
          "description": "Boolean fields that readers may set.",
          "type": ["array", "null"],
          "maxItems": 64,
          "uniqueItems": true,
          "items": {
            "type": "string",
            "pattern": "^[a-z0-9]+$",
            "maxLength": 64,
            "not": { "$ref": "#/$defs/reserved" }
          }
        },
        "words": {
          "description": "What formats write instead of English words.",
          "type": ["object", "null"],
          "propertyNames": {
            "enum": [
              "today", "tomorrow", "yesterday", "in N days", "N days ago", "Monday", "Tuesday", "Wednesday",
              "Thursday", "Friday", "Saturday",
              "Sunday", "January", "February", "March", "April", "May", "June", "July", "August",
              "September", "October", "November", "December", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat",
              "Sun", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
            ]
          },
          "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/text" }, { "type": "null" }] }
        },
        "items": { "$ref": "#/$defs/items" },
        "kinds": {
          "description": "Each is named as the feed, or as the feed with \"-\" and a word.",
          "type": "object",
          "minProperties": 1,
          "maxProperties": 16,
          "propertyNames": { "pattern": "^[a-z][a-z0-9]{0,30}(-[a-z0-9]+)?$", "maxLength": 64 },
          "additionalProperties": { "$ref": "#/$defs/kind" }
        }
      },
      "$defs": {
        "text": { "type": "string", "maxLength": 4096 },
        "optionalText": { "type": ["string", "null"], "maxLength": 4096 },
        "files": {
          "type": "string",
          "pattern": "^[^./*\\u0000-\\u001f][^/*\\u0000-\\u001f]*(/\\*\\*|\\.json)$",
          "not": { "enum": ["feeds/**", "snapshots/**", "cachesync.json"] }
        },
        "reserved": { "enum": ["count", "more", "items", "id", "start", "end", "key", "index"] },
        "name": {
          "type": "string",
          "pattern": "^[^-{}:\\u0000-\\u001f][^{}:\\u0000-\\u001f]*$",
          "maxLength": 64,
          "not": { "$ref": "#/$defs/reserved" }
        },
        "filePath": { "type": "string", "pattern": "^\\$", "maxLength": 4096 },
        "path": {
          "description": "$ is the document, @ the item, ^ the object around it, #key its key, ^key the key around it.",
          "type": "string",
          "pattern": "^[$@^#]",
          "maxLength": 4096
        },
        "paths": {
          "anyOf": [
            { "$ref": "#/$defs/path" },
            { "type": "array", "minItems": 1, "maxItems": 64, "items": { "$ref": "#/$defs/path" } }
          ]
        },
        "optionalPaths": { "anyOf": [{ "$ref": "#/$defs/paths" }, { "type": "null" }] },
        "zonePath": { "description": "Where the zone of this time is.", "$ref": "#/$defs/optionalPaths" },
        "allDay": {
          "description": "true, where a flag is, or a condition, that makes it whole days.",
          "anyOf": [
            { "type": "boolean" },
            { "$ref": "#/$defs/paths" },
            { "$ref": "#/$defs/conditions" },
            { "type": "null" }
          ]
        },
        "scalar": { "type": ["string", "number", "boolean", "null"] },
        "value": {
          "anyOf": [
            { "$ref": "#/$defs/scalar" },
            { "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/scalar" } }
          ]
        },
        "items": {
          "description": "Where items are in a file, what is known of each, and when each is in force.",
          "type": "object",
          "required": ["each"],
          "additionalProperties": false,
          "properties": {
            "each": {
              "description": "Where the items are, such as $.bins[*]; several paths give the items of all.",
              "anyOf": [
                { "$ref": "#/$defs/filePath" },
                { "type": "array", "minItems": 1, "maxItems": 64, "items": { "$ref": "#/$defs/filePath" } }
              ]
            },
            "columns": {
              "description": "Whether each is an object whose arrays are columns, an item a row.",
              "type": ["boolean", "null"]
            },
            "fields": {
              "description": "What is known of an item, by name.",
              "type": ["object", "null"],
              "maxProperties": 64,
              "propertyNames": { "$ref": "#/$defs/name" },
              "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/field" }, { "type": "null" }] }
            },
            "where": {
              "description": "Which items count.",
              "anyOf": [{ "$ref": "#/$defs/conditions" }, { "type": "null" }]
            },
            "id": { "description": "What tells an item from others.", "$ref": "#/$defs/optionalText" },
            "start": { "anyOf": [{ "$ref": "#/$defs/time" }, { "type": "null" }] },
            "end": {
              "description": "A time, or next: the next start in the file.",
              "anyOf": [{ "const": "next" }, { "$ref": "#/$defs/time" }, { "type": "null" }]
            },
            "lasts": { "description": "ISO 8601, such as PT45M or P1W.", "$ref": "#/$defs/optionalText" },
            "repeats": {
              "description": "A rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO.",
              "$ref": "#/$defs/optionalText"
            },
            "except": {
              "description": "Where days or dates are that are left out.",
              "anyOf": [{ "$ref": "#/$defs/path" }, { "type": "null" }]
            }
          },
          "dependentRequired": {
            "end": ["start"],
            "lasts": ["start"],
            "repeats": ["start"],
            "except": ["start"]
          }
        },
        "field": {
          "anyOf": [
            { "$ref": "#/$defs/paths" },
            {
              "type": "object",
              "required": ["from"],
              "additionalProperties": false,
              "properties": {
                "from": { "$ref": "#/$defs/paths" },
                "as": { "description": "plain: without tags and entities.", "enum": ["number", "text", "plain", null] },
                "map": {
                  "description": "Values by the text that is found; * is every other.",
                  "type": ["object", "null"],
                  "maxProperties": 1000,
                  "additionalProperties": { "$ref": "#/$defs/value" }
                },
                "less": { "description": "A number to subtract.", "$ref": "#/$defs/optionalPaths" },
                "per": { "description": "A number to divide by.", "$ref": "#/$defs/optionalPaths" },
                "scale": { "description": "A factor.", "type": ["number", "null"] },
                "plus": { "description": "A number to add.", "type": ["number", "null"] },
                "round": { "description": "Decimals.", "enum": [0, 1, 2, 3, 4, 5, 6, null] },
                "else": { "description": "For what is missing.", "$ref": "#/$defs/value" }
              }
            }
          ]
        },
        "form": {
          "description": "unix, unix-ms, apple, rfc822, or a pattern such as dd/MM/yyyy HH:mm.",
          "$ref": "#/$defs/optionalText"
        },
        "time": {
          "anyOf": [
            { "$ref": "#/$defs/oneTime" },
            {
              "description": "The first that finds a date counts.",
              "type": "array",
              "minItems": 1,
              "maxItems": 64,
              "items": { "$ref": "#/$defs/oneTime" }
            }
          ]
        },
        "oneTime": {
          "anyOf": [
            { "$ref": "#/$defs/path" },
            {
              "type": "object",
              "required": ["at"],
              "additionalProperties": false,
              "properties": {
                "at": { "$ref": "#/$defs/paths" },
                "as": { "$ref": "#/$defs/form" },
                "timeZone": { "$ref": "#/$defs/zonePath" },
                "allDay": { "$ref": "#/$defs/allDay" }
              }
            },
            {
              "type": "object",
              "required": ["day"],
              "additionalProperties": false,
              "properties": {
                "day": {
                  "anyOf": [
                    { "$ref": "#/$defs/paths" },
                    { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }
                  ]
                },
                "as": { "$ref": "#/$defs/form" },
                "time": {
                  "anyOf": [
                    { "$ref": "#/$defs/paths" },
                    { "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$" },
                    { "type": "null" }
                  ]
                },
                "timeAs": { "description": "A pattern such as H.mm.", "$ref": "#/$defs/optionalText" },
                "plus": { "description": "Weeks and days, such as P1W.", "$ref": "#/$defs/optionalText" },
                "timeZone": { "$ref": "#/$defs/zonePath" },
                "allDay": { "$ref": "#/$defs/allDay" }
              }
            }
          ]
        },
        "conditions": {
          "anyOf": [
            { "$ref": "#/$defs/condition" },
            { "type": "array", "maxItems": 64, "items": { "$ref": "#/$defs/condition" } }
          ]
        },
        "condition": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "field": { "$ref": "#/$defs/text" },
            "any": { "type": "array", "minItems": 1, "maxItems": 64, "items": { "$ref": "#/$defs/condition" } },
            "is": { "$ref": "#/$defs/scalar" },
            "isNot": { "$ref": "#/$defs/scalar" },
            "in": { "type": "array", "maxItems": 1000, "items": { "$ref": "#/$defs/scalar" } },
            "above": { "type": ["number", "string"] },
            "below": { "type": ["number", "string"] },
            "atLeast": { "type": ["number", "string"] },
            "atMost": { "type": ["number", "string"] },
            "has": {
              "description": "A list that holds it, or a text that contains it.",
              "type": ["string", "number", "boolean"]
            }
          },
          "minProperties": 1,
          "maxProperties": 2,
          "if": { "required": ["any"] },
          "then": { "maxProperties": 1 },
          "else": { "required": ["field"], "minProperties": 2 }
        },
        "show": {
          "description": "Which items are chosen at a moment.",
          "enum": ["all", "today", "now", "next", "coming", "nextDay", "due"]
        },
        "texts": {
          "type": ["object", "null"],
          "maxProperties": 64,
          "propertyNames": { "minLength": 1, "maxLength": 64 },
          "additionalProperties": {
            "anyOf": [
              { "$ref": "#/$defs/optionalText" },
              {
                "description": "The first text whose conditions hold, else the last one.",
                "type": "array",
                "minItems": 1,
                "maxItems": 64,
                "items": {
                  "anyOf": [
                    { "$ref": "#/$defs/text" },
                    {
                      "type": "object",
                      "required": ["if", "text"],
                      "additionalProperties": false,
                      "properties": {
                        "if": { "$ref": "#/$defs/conditions" },
                        "text": { "$ref": "#/$defs/text" }
                      }
                    }
                  ]
                }
              }
            ]
          }
        },
        "contentTexts": {
          "$ref": "#/$defs/texts",
          "propertyNames": { "not": { "enum": ["count", "more", "items"] } }
        },
        "kind": {
          "type": "object",
          "required": ["show"],
          "additionalProperties": false,
          "properties": {
            "show": { "$ref": "#/$defs/show" },
            "within": { "description": "Days; default 7.", "type": ["integer", "null"], "minimum": 1, "maximum": 366 },
            "where": { "anyOf": [{ "$ref": "#/$defs/conditions" }, { "type": "null" }] },
            "order": {
              "description": "Fields, each with - before it for the greatest first.",
              "type": ["array", "null"],
              "maxItems": 64,
              "items": { "$ref": "#/$defs/text" }
            },
            "limit": {
              "description": "Items that are shown; default 5.",
              "type": ["integer", "null"],
              "minimum": 0,
              "maximum": 100
            },
            "reach": { "enum": ["7 days", "midnight", null] },
            "hours": {
              "description": "Hours of a day that have an entry of their own.",
              "type": ["array", "null"],
              "maxItems": 64,
              "items": { "type": "integer", "minimum": 0, "maximum": 23 }
            },
            "values": {
              "description": "Names for texts, computed of all items that are chosen.",
              "type": ["object", "null"],
              "maxProperties": 64,
              "propertyNames": { "$ref": "#/$defs/name" },
              "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/rule" }, { "type": "null" }] }
            },
            "content": { "description": "Texts of {name} and {name:format}.", "$ref": "#/$defs/contentTexts" },
            "items": {
              "description": "Texts of each item that is shown.",
              "$ref": "#/$defs/texts",
              "propertyNames": { "not": { "enum": ["id", "start", "end"] } }
            },
            "empty": { "description": "Texts instead of content's when nothing is chosen.", "$ref": "#/$defs/contentTexts" },
            "template": {
              "description": "How it is drawn; by default as the names of its texts fit.",
              "enum": ["list", "value", "ring", "table", "strip", null]
            },
            "tone": {
              "description": "How good it is; the first whose conditions hold. They name fields of items, or values.",
              "type": ["array", "null"],
              "maxItems": 64,
              "items": {
                "type": "object",
                "required": ["if", "tone"],
                "additionalProperties": false,
                "properties": {
                  "if": { "$ref": "#/$defs/conditions" },
                  "tone": { "enum": ["good", "warn", "bad"] }
                }
              }
            },
            "deepLink": {
              "description": "Where a tap leads.",
              "type": ["string", "null"],
              "pattern": "^(?!(javascript|data|file):)[A-Za-z][A-Za-z0-9+.-]*:[^{}]+$",
              "maxLength": 4096
            },
            "widgetKind": { "type": ["string", "null"], "minLength": 1, "maxLength": 4096 },
            "families": {
              "type": ["array", "null"],
              "maxItems": 64,
              "items": { "type": "string", "minLength": 1, "maxLength": 4096 }
            }
          },
          "allOf": [
            {
              "if": { "required": ["template"], "properties": { "template": { "const": "list" } } },
              "then": { "required": ["items"], "properties": { "items": { "type": "object", "required": ["title"] } } }
            },
            {
              "if": { "required": ["template"], "properties": { "template": { "const": "value" } } },
              "then": { "required": ["content"], "properties": { "content": { "required": ["value"] } } }
            },
            {
              "if": { "required": ["template"], "properties": { "template": { "const": "ring" } } },
              "then": { "required": ["content"], "properties": { "content": { "required": ["progress"] } } }
            },
            {
              "if": { "required": ["template"], "properties": { "template": { "const": "table" } } },
              "then": { "required": ["items"] }
            },
            {
              "if": { "required": ["template"], "properties": { "template": { "const": "strip" } } },
              "then": { "required": ["items"], "properties": { "items": { "required": ["value"] } } }
            }
          ]
        },
        "rule": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "of": {
              "description": "Which items; or those that start in this day, week, month or year.",
              "anyOf": [{ "$ref": "#/$defs/show" }, { "enum": ["day", "week", "month", "year", null] }]
            },
            "where": { "anyOf": [{ "$ref": "#/$defs/conditions" }, { "type": "null" }] },
            "count": { "enum": [true, null] },
            "sum": { "$ref": "#/$defs/optionalText" },
            "min": { "$ref": "#/$defs/optionalText" },
            "max": { "$ref": "#/$defs/optionalText" },
            "mean": { "$ref": "#/$defs/optionalText" },
            "first": { "$ref": "#/$defs/optionalText" },
            "last": { "$ref": "#/$defs/optionalText" },
            "list": { "$ref": "#/$defs/optionalText" },
            "least": { "$ref": "#/$defs/optionalText" },
            "greatest": { "$ref": "#/$defs/optionalText" },
            "share": { "anyOf": [{ "$ref": "#/$defs/conditions" }, { "type": "null" }] },
            "give": { "description": "The field that least and greatest give.", "$ref": "#/$defs/optionalText" }
          },
          "oneOf": [
            { "required": ["count"], "not": { "required": ["give"] } },
            { "required": ["sum"], "not": { "required": ["give"] } },
            { "required": ["min"], "not": { "required": ["give"] } },
            { "required": ["max"], "not": { "required": ["give"] } },
            { "required": ["mean"], "not": { "required": ["give"] } },
            { "required": ["first"], "not": { "required": ["give"] } },
            { "required": ["last"], "not": { "required": ["give"] } },
            { "required": ["list"], "not": { "required": ["give"] } },
            { "required": ["share"], "not": { "required": ["give"] } },
            { "required": ["least", "give"] },
            { "required": ["greatest", "give"] }
          ]
        }
      }
    }
    """#
}
