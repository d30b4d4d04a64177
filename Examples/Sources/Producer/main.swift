import CacheSync

// Puts a list of tasks into a cache, whole and validated: Producer CACHE TITLE…
let cache = CommandLine.arguments[1]
let tasks = CommandLine.arguments.dropFirst(2).enumerated().map { number, title in
  TasksSession.Item(id: .integer(number + 1), title: title, createdAt: .now)
}
let session = TasksSession(tasks: Array(tasks), lastUpdate: .now)
let path = try SessionWriter(cache: .init(cache)).write(session, name: "from-producer")
print("wrote \(path)")
