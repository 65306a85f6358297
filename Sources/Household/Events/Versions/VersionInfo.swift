/// A version of a game's saves, as this machine knows it.
package struct VersionInfo: Hashable, Sendable {
    /// The way in which a version was made.
    package enum Origin: String, CaseIterable, Sendable {
        case saved, restored, chosen, merged, delivered
    }

    /// Texts and numbers about a version.
    package struct Remarks: Hashable, Sendable {
        /// The note of the user who marked it.
        package var note: String?
        /// The reason why this machine keeps it out of the folder.
        package var refusal: String?
        /// A line for each file that Huddle can read.
        package var summary: [String]?
        /// The numbers in the summary, by `FILE: LABEL`.
        package var numbers: [String: Double]?

        package init() {}
    }

    package var game: String
    package var number: Int64
    /// The name for the user, such as `12`, or `12.5e4f` if another version has the same number.
    package var version: String
    package var snapshot: String
    package var author: PeerTag
    package var origin: Origin
    /// The device that saved it, if that does not run Huddle; then `author` is the machine of its bridge.
    package var device: String?
    /// Seconds since 1970 at which it came here, by the clock of this machine.
    package var cameAt: Int64
    /// Seconds since 1970 at which its author made it, by the clock there.
    package var madeAt: Int64
    /// True if all its content is on this machine.
    package var isWhole: Bool
    /// The folder holds it.
    package var isShown: Bool
    package var isNewest: Bool
    /// The ids of the versions from which it was made: none for the first one, two after a conflict.
    package var parents: [String] = []
    /// Difference to the version before it.
    package var changes: FileChanges?
    package var remarks = Remarks()

    package init(
        game: String,
        number: Int64,
        version: String,
        snapshot: String,
        author: PeerTag,
        origin: Origin,
        cameAt: Int64,
        madeAt: Int64,
        isWhole: Bool,
        isShown: Bool,
        isNewest: Bool
    ) {
        (self.game, self.number, self.version, self.snapshot) = (game, number, version, snapshot)
        (self.author, self.origin) = (author, origin)
        (self.cameAt, self.madeAt) = (cameAt, madeAt)
        (self.isWhole, self.isShown, self.isNewest) = (isWhole, isShown, isNewest)
    }
}

extension VersionInfo: EventPayload {
    package var event: String { "version" }

    package init(_ fields: JSONFields) throws {
        game = try fields.required("name") { try fields.text($0) }
        number = try fields.required("number") { try fields.integer($0) }
        version = try fields.required("version") { try fields.text($0) }
        snapshot = try fields.required("snapshot") { try fields.text($0) }
        author = try fields.required("peer") { try fields.peer($0) }
        origin = try fields.required("kind") { try fields.text($0).flatMap(Origin.init) }
        device = try fields.text("device")
        cameAt = try fields.required("time") { try fields.integer($0) }
        madeAt = try fields.required("made") { try fields.integer($0) }
        isWhole = try fields.required("whole") { try fields.flag($0) }
        isShown = try fields.required("shown") { try fields.flag($0) }
        isNewest = try fields.required("newest") { try fields.flag($0) }
        parents = try fields.texts("parents") ?? []
        changes = try fields.object("counts").map { try FileChanges($0) }
        remarks.note = try fields.text("note")
        remarks.refusal = try fields.text("reason")
        remarks.summary = try fields.texts("says")
        remarks.numbers = try fields.object("numbers").map { numbers in
            try Dictionary(uniqueKeysWithValues: numbers.keys.map { ($0, try numbers.number($0) ?? 0) })
        }
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("name", game)
        fields.set("number", number)
        fields.set("version", version)
        fields.set("snapshot", snapshot)
        fields.set("peer", author)
        fields.set("kind", origin.rawValue)
        fields.set("device", device)
        fields.set("time", cameAt)
        fields.set("made", madeAt)
        fields.set("whole", isWhole)
        fields.set("shown", isShown)
        fields.set("newest", isNewest)
        fields.set("parents", parents.isEmpty ? nil : parents)
        fields.set("counts", changes?.fields)
        fields.set("note", remarks.note)
        fields.set("reason", remarks.refusal)
        fields.set("says", remarks.summary)
        fields.set(
            "numbers",
            remarks.numbers.map { numbers in
                var fields = JSONFields()
                for (key, number) in numbers { fields.set(key, number: number) }
                return fields
            }
        )
        return fields
    }
}
