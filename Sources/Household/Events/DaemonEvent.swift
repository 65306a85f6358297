/// A line of the daemon that has a type of its own. Its key `event` says which type.
///
/// ``SessionNews`` carries it, and has the lines that have no type yet.
package enum DaemonEvent: Hashable, Sendable {
    case status(StatusInfo)
    case game(GameInfo)
    case offer(OfferInfo)
    case version(VersionInfo)
    case savedFile(SavedFileInfo)
    case historyShare(HistoryShareInfo)
    case machine(MachineInfo)

    /// Value of the key `event`.
    package var name: String {
        switch self {
        case .status: "status"
        case .game: "save-set"
        case .offer: "save-offer"
        case .version: "version"
        case .savedFile: "save-file"
        case .historyShare: "history-share"
        case .machine: "peer"
        }
    }

    /// Reads the line of an event; nil for an event that has no type.
    init?(_ name: String, _ fields: JSONFields) throws {
        switch name {
        case "status": self = .status(try StatusInfo(fields))
        case "save-set": self = .game(try GameInfo(fields))
        case "save-offer": self = .offer(try OfferInfo(fields))
        case "version": self = .version(try VersionInfo(fields))
        case "save-file": self = .savedFile(try SavedFileInfo(fields))
        case "history-share": self = .historyShare(try HistoryShareInfo(fields))
        case "peer": self = .machine(try MachineInfo(fields))
        default: return nil
        }
    }
}

extension DaemonEvent: JSONShape {
    package var fields: JSONFields {
        switch self {
        case .status(let status): status.fields
        case .game(let game): game.fields
        case .offer(let offer): offer.fields
        case .version(let version): version.fields
        case .savedFile(let file): file.fields
        case .historyShare(let share): share.fields
        case .machine(let machine): machine.fields
        }
    }
}
