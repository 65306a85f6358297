package import LinuxPlatform
import Vocabulary

/// The settings that Steam keeps for one account on this machine, in `localconfig.vdf`.
///
/// Steam reads the file when it starts and writes it when it ends, so a change while Steam runs is lost.
package struct SteamAccount: Sendable {
    private static let largestFile = 64 << 20
    private static let file = "localconfig.vdf"

    /// The folder with the settings.
    private let folder: String

    /// A failure of a change. The settings are as they were.
    package enum Failure: Error {
        /// The file is cut, nested wrongly or too large.
        case damaged(String)
        /// Steam or another program changed the file meanwhile.
        case changedMeanwhile(String)
        case notWritten(String, SystemError)
    }

    /// Every account that has used Steam here. Steam in a sandbox is left out: it can't start programs outside.
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
    package func line(of app: UInt32) throws(Failure) -> LaunchLine? {
        let bytes = try read()
        guard let settings = KeyValuesReader.read(bytes) else { throw .damaged(path) }
        return Self.keys(app).reduce(settings) { $0?[$1] }?.text.map { LaunchLine($0) }
    }

    /// Changes the launch options of a game. An empty line removes them.
    ///
    /// - Returns: whether anything changed
    @discardableResult
    package func setLine(_ line: LaunchLine, of app: UInt32) throws(Failure) -> Bool {
        let old = try read()
        let edit = KeyValuesEdit(path: Self.keys(app), value: line.text.isEmpty ? nil : line.text)
        guard let new = edit.applied(to: old) else { throw .damaged(path) }
        guard new != old else { return false }
        guard try read() == old else { throw .changedMeanwhile(path) }
        do throws(SystemError) {
            let facts = try FileFacts(at: path)
            try AtomicFile(Self.name, mode: facts.mode).write(new, in: try Folder(at: folder), overwriting: .allowed)
        } catch {
            throw .notWritten(path, error)
        }
        return true
    }

    private var path: String { "\(folder)/\(Self.file)" }

    private static var name: FileName {
        guard let name = try? FileName(file) else { preconditionFailure("letters and a dot make a name") }
        return name
    }

    private func read() throws(Failure) -> [UInt8] {
        guard let bytes = LocalFiles.read(path, limit: Self.largestFile) else { throw .damaged(path) }
        return bytes
    }

    private static func keys(_ app: UInt32) -> [String] {
        ["UserLocalConfigStore", "Software", "Valve", "Steam", "apps", "\(app)", "LaunchOptions"]
    }
}
