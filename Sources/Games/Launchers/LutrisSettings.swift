/// The folders of a game by its settings in Lutris.
struct LutrisSettings: Sendable, Hashable {
    private(set) var prefix: String?
    private(set) var program: String?
    private(set) var workingFolder: String?

    init() {}

    /// - Parameter bytes: YAML; unreadable parts are ignored
    init(_ bytes: [UInt8]) {
        let fields = YAMLFields.read(bytes)
        func path(_ key: String) -> String? { fields["game.\(key)"].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        (prefix, program, workingFolder) = (path("prefix"), path("exe"), path("working_dir"))
    }
}
