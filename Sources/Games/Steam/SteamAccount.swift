import LinuxPlatform
import Vocabulary

/// The settings that Steam keeps for one account on this machine, in `localconfig.vdf`.
///
/// Steam reads the file when it starts and writes it when it ends, so a change while Steam runs is lost.
package struct SteamAccount: Hashable, Sendable {
    private static let file = "localconfig.vdf"

    /// The folder with the settings.
    private let folder: String

    /// All accounts that have used Steam on this machine. Steam in a sandbox is left out: it can't start programs
    /// outside.
    package static func all(_ surroundings: GameSurroundings) -> [SteamAccount] {
        var seen: Set<String> = []
        return SteamScan(surroundings).folders(of: .steam).flatMap { root in
            LocalFiles.folders("\(root)/userdata", limit: 200).compactMap { account in
                guard UInt32(account) != nil, let folder = LocalFiles.real("\(root)/userdata/\(account)/config"),
                    LocalFiles.kind("\(folder)/\(file)") == .file, seen.insert(folder).inserted
                else { return nil }
                return SteamAccount(folder: folder)
            }
        }
    }

    /// The launch options of a game; nil if it has none.
    package func line(of app: UInt32) throws(LauncherFile.Failure) -> LaunchLine? {
        let bytes = try settings.read()
        guard let settings = KeyValuesReader.read(bytes) else { throw .damaged(settings.path) }
        return Self.keys(app).reduce(settings) { $0?[$1] }?.text.map { LaunchLine($0) }
    }

    /// Changes the launch options of a game. An empty line removes them.
    ///
    /// - Parameter backups: the folder for settings as they were before Huddle changed them first
    /// - Returns: true if anything changed
    @discardableResult
    package func setLine(
        _ line: LaunchLine,
        of app: UInt32,
        keepingIn backups: String
    ) throws(LauncherFile.Failure) -> Bool {
        let old = try settings.read()
        let edit = KeyValuesEdit(path: Self.keys(app), value: line.text.isEmpty ? nil : line.text)
        guard let new = edit.applied(to: old) else { throw .damaged(settings.path) }
        return try settings.replace(old, by: new, keepingIn: backups)
    }

    private var settings: LauncherFile { LauncherFile("\(folder)/\(Self.file)") }

    private static func keys(_ app: UInt32) -> [String] {
        ["UserLocalConfigStore", "Software", "Valve", "Steam", "apps", "\(app)", "LaunchOptions"]
    }
}
