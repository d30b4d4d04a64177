// The parts of libinotifytools (Debian: libinotifytools0-dev) that Swift needs and cannot express itself.
#ifndef CACHESYNC_CINOTIFY_SHIM_H
#define CACHESYNC_CINOTIFY_SHIM_H

#include <inotifytools/inotifytools.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/inotify.h>

// inotify_event.name is a flexible array member, which Swift does not import.
static inline const char *cachesync_event_name(const struct inotify_event *event) { return event->name; }

// The masks are enumerators and macros of mixed types; this is the set of events that the watcher requests.
static const uint32_t cachesync_watch_mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB |
                                             IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

// What the watcher requests of the outputs' directory. The agent's own renames into it cause none of these. A directory that
// is watched for more keeps its other events.
static const uint32_t cachesync_removal_mask =
    IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD;

#endif
