/// The settings of a game on this machine.
///
/// Its keys are beside the other keys of the game.
package struct GameSettingsInfo: Hashable, Sendable {
    package var retention: RetentionInfo
    /// Seconds for which the folder must stay unchanged before the daemon reads it.
    package var settleTime: Double
    /// Program that counts as playing the game.
    package var program: String?
    /// Names in the folder that make up the game; nil for all of it.
    package var files: [String]?
    /// Names that belong to the game elsewhere, or once did here.
    package var omitted: [String] = []
    /// Patterns of files that no version holds.
    package var ignored: [String] = []
    /// Patterns of files that each machine has for itself.
    package var local: [String] = []

    package init(retention: RetentionInfo, settleTime: Double) {
        (self.retention, self.settleTime) = (retention, settleTime)
    }

    init(_ fields: JSONFields) throws {
        retention = try RetentionInfo(fields.required("keeps") { try fields.object($0) })
        settleTime = try fields.required("settle") { try fields.number($0) }
        program = try fields.text("program")
        files = try fields.texts("files")
        omitted = try fields.texts("omitted") ?? []
        ignored = try fields.texts("ignored") ?? []
        local = try fields.texts("local") ?? []
    }

    func add(to fields: inout JSONFields) {
        fields.set("keeps", retention.fields)
        fields.set("settle", seconds: settleTime)
        fields.set("program", program)
        fields.set("files", files)
        fields.set("omitted", unlessEmpty: omitted)
        fields.set("ignored", unlessEmpty: ignored)
        fields.set("local", unlessEmpty: local)
    }
}
