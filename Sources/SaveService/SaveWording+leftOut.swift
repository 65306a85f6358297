import Household
import SaveFolder
import SaveSync

/// The lines about entries of a game's folder that can't be synced.
extension SaveWording {
    /// The hint in one line.
    static func hint(_ files: LeftOutFiles) -> String {
        guard files.count == 1, let file = files.first.first else {
            return "\(files.count) files can't be synced, such as \(files.first.first.map(words) ?? "one")"
        }
        return "1 file can't be synced: \(words(file))"
    }

    /// A line for each of the first ones.
    static func lines(_ files: LeftOutFiles) -> [String] {
        let shown = files.first.prefix(mostLines)
        let more = files.count > shown.count ? ["and \(files.count - shown.count) more can't be synced"] : []
        return shown.map { "can't sync \(words($0))" } + more
    }

    private static let mostLines = 10

    private static func words(_ file: LeftOut) -> String {
        let why =
            switch file.reason {
            case .special: "a pipe, a socket or a device"
            case .linkLeadsOut: "a link that may lead out of the folder"
            case .badName: "its name is not UTF-8, or has a control character"
            case .tooDeep: "it is in too many folders, or its path is too long"
            }
        return "\(file.path) (\(why))"
    }
}

extension LeftOutFiles {
    /// The reasons of the first ones, by their paths.
    var reasons: [String: String] {
        Dictionary(first.map { ($0.path, $0.reason.word) }, uniquingKeysWith: { first, _ in first })
    }
}

extension LeftOut.Reason {
    /// The reason in JSON.
    fileprivate var word: String {
        switch self {
        case .special: "special"
        case .linkLeadsOut: "link-leads-out"
        case .badName: "bad-name"
        case .tooDeep: "too-deep"
        }
    }
}
