package import Vocabulary

/// A repair of a finding that the program can make by itself, without root and without a decision of the user.
package enum Repair: Hashable, Sendable {
    /// Start the daemon now, and at each login.
    case startDaemon
    case restartDaemon
    /// Give a file or folder of this user the mode that it needs.
    case setMode(FileMode, path: String)
    /// Free the space of the history that nothing needs.
    case cleanHistory

    /// The action, as in “huddle will …”.
    package var words: String {
        switch self {
        case .startDaemon: "start huddled, now and at each login"
        case .restartDaemon: "restart huddled"
        case .setMode(let mode, let path):
            "set the mode of \(PrintableText(path, limit: 4096)) to \(String(mode.rawValue & 0o777, radix: 8))"
        case .cleanHistory: "free the space in the history that nothing needs"
        }
    }

    /// Its name for programs.
    package var word: String {
        switch self {
        case .startDaemon: "start-daemon"
        case .restartDaemon: "restart-daemon"
        case .setMode: "set-mode"
        case .cleanHistory: "clean-history"
        }
    }
}

extension [Finding] {
    /// The repairs of these findings, each once, in the order in which they help: a daemon that starts needs its files
    /// first.
    package var repairs: [Repair] {
        let all = reduce(into: [Repair]()) { repairs, finding in
            if finding.grade != .well, let repair = finding.repair, !repairs.contains(repair) { repairs.append(repair) }
        }
        let isOfDaemon = { (repair: Repair) in repair == .startDaemon || repair == .restartDaemon }
        return all.filter { !isOfDaemon($0) } + all.filter(isOfDaemon)
    }
}
