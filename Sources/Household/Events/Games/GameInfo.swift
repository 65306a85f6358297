package import SaveRules

/// A game that this machine keeps in sync.
package struct GameInfo: Hashable, Sendable {
    /// Id of the game.
    package var set: String
    package var name: String
    /// Folder of its saves.
    package var path: String
    package var state: GameStatus
    /// Kind of the problem, if the game is unavailable.
    package var obstacle: SetProblem.Kind?
    package var versions: VersionsInfo
    package var lastSave: LastSaveInfo?
    package var sharers = SharersInfo()
    /// The pause on this machine.
    package var pause: SyncPause?
    package var settings: GameSettingsInfo
    package var playing = PlayingInfo()
    package var progress: ProgressInfo?
    package var leftOut: LeftOutInfo?
    package var problem: PassedOnError?

    package init(
        set: String,
        name: String,
        path: String,
        state: GameStatus,
        versions: VersionsInfo,
        settings: GameSettingsInfo
    ) {
        (self.set, self.name, self.path, self.state) = (set, name, path, state)
        (self.versions, self.settings) = (versions, settings)
    }
}

extension GameInfo: EventPayload {
    package var event: String { "save-set" }

    package init(_ fields: JSONFields) throws {
        set = try fields.required("set") { try fields.text($0) }
        name = try fields.required("name") { try fields.text($0) }
        path = try fields.required("path") { try fields.text($0) }
        state = try fields.required("state") { try fields.text($0).flatMap(GameStatus.init) }
        obstacle = try fields.text("kind").flatMap(SetProblem.Kind.init)
        versions = try VersionsInfo(fields)
        lastSave = try LastSaveInfo(fields)
        sharers = try SharersInfo(fields)
        pause = try SyncPause(fields)
        settings = try GameSettingsInfo(fields)
        playing = try PlayingInfo(fields)
        progress = try ProgressInfo(fields)
        leftOut = try LeftOutInfo(fields)
        problem = try PassedOnError(fields)
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("set", set)
        fields.set("name", name)
        fields.set("path", path)
        fields.set("state", state.rawValue)
        fields.set("kind", obstacle?.rawValue)
        versions.add(to: &fields)
        lastSave?.add(to: &fields)
        sharers.add(to: &fields)
        pause?.add(to: &fields)
        settings.add(to: &fields)
        playing.add(to: &fields)
        progress?.add(to: &fields)
        leftOut?.add(to: &fields)
        problem?.add(to: &fields)
        return fields
    }
}

extension SyncPause {
    init?(_ fields: JSONFields) throws {
        guard let scope = try fields.text("pause") else { return nil }
        self.init(end: try fields.integer("pauseEnd"), isOfAll: scope == "all")
    }

    /// Its keys are beside the other keys of the game.
    func add(to fields: inout JSONFields) {
        fields.set("pause", isOfAll ? "all" : "game")
        if let end { fields.set("pauseEnd", end) }
    }
}
