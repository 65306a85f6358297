/// The daemon of this machine, and how it is.
package struct StatusInfo: Hashable, Sendable {
    /// The reason why no other machine finds this one.
    package struct Hiding: Hashable, Sendable {
        /// For programs.
        package var word: String
        package var message: String

        package init(word: String, message: String) { (self.word, self.message) = (word, message) }
    }

    package var machine: PeerTag
    /// Version of Huddle.
    package var version: String
    package var process: Int32
    /// Seconds since 1970 at which the process started.
    package var since: Int64
    package var port: UInt16
    /// Folder of received files.
    package var inbox: String
    /// Reason why the inbox takes no files.
    package var inboxRefusal: String?
    /// Name under which other machines find this one, if another machine has its name.
    package var foundAs: String?
    package var hiding: Hiding?
    package var games: [GameStateInfo] = []
    /// Numbers by name.
    package var counts: [String: Int] = [:]

    package init(
        _ machine: PeerTag,
        version: String,
        process: Int32,
        since: Int64,
        port: UInt16,
        inbox: String
    ) {
        (self.machine, self.version, self.process, self.since) = (machine, version, process, since)
        (self.port, self.inbox) = (port, inbox)
    }
}

extension StatusInfo: EventPayload {
    package var event: String { "status" }

    package init(_ fields: JSONFields) throws {
        machine = try fields.required("peer") { try fields.peer($0) }
        version = try fields.required("version") { try fields.text($0) }
        process = try fields.required("process") { try fields.integer($0) }
        since = try fields.required("time") { try fields.integer($0) }
        port = try fields.required("port") { try fields.integer($0) }
        inbox = try fields.required("path") { try fields.text($0) }
        inboxRefusal = try fields.text("because")
        foundAs = try fields.text("name")
        if let word = try fields.text("reason"), let message = try fields.text("message") {
            hiding = Hiding(word: word, message: message)
        }
        games = try fields.required("games") { try fields.objects($0)?.map { try GameStateInfo($0) } }
        let numbers = try fields.required("counts") { try fields.object($0) }
        for key in numbers.keys { counts[key] = try numbers.integer(key) }
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("peer", machine)
        fields.set("version", version)
        fields.set("process", process)
        fields.set("time", since)
        fields.set("port", port)
        fields.set("path", inbox)
        fields.set("because", inboxRefusal)
        fields.set("name", foundAs)
        fields.set("reason", hiding?.word)
        fields.set("message", hiding?.message)
        fields.set("games", objects: games.map(\.fields))
        var numbers = JSONFields()
        for (key, number) in counts { numbers.set(key, number) }
        fields.set("counts", numbers)
        return fields
    }
}
