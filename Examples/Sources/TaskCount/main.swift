// How many tasks are open today, as the README reads it: TaskCount CACHE
import CacheSync
let reader = SnapshotReader(cache: .init(CommandLine.arguments[1]))
print(try reader.snapshot("task-count").content(as: TaskCount.self).text)
