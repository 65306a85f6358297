/// A program that the user added to Steam.
struct SteamShortcut: Sendable, Hashable {
    let id: UInt32
    let name: String
    /// The working folder of the program.
    let folder: String?

    init?(_ entry: KeyValues) {
        guard let name = entry.text("AppName"), !name.isEmpty,
            let id = entry.text("appid").flatMap({ UInt64($0) }).map(UInt32.init(truncatingIfNeeded:))
        else { return nil }
        (self.id, self.name) = (id, name)
        let folder = entry.text("StartDir").map { String($0.drop { $0 == "\"" }.prefix { $0 != "\"" }) }
        self.folder = folder.flatMap { path in
            guard path.hasPrefix("/"), path.count > 1 else { return nil }
            return path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }
}
