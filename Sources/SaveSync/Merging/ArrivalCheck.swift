import History
import SaveRules
import SecureArchive
import Vocabulary

/// Looks into what a peer wants to have put into a game's folder: property lists and keyed archives, whose readers in games are
/// known to be killed by bad ones. What is no such archive is the game's own matter.
struct ArrivalCheck {
    private let history: History
    private let limit: UInt64

    init(_ history: History, limit: UInt64) {
        (self.history, self.limit) = (history, limit)
    }

    /// - Throws: ``ArrivalRefusal`` for the first file that is not sound
    func check(_ wanted: Manifest, replacing base: Manifest) throws {
        for entry in wanted.entries {
            guard let file = entry.file, let first = file.pieces.first, base[entry.path]?.file?.pieces != file.pieces,
                Self.isArchive(try history.read(first.id))
            else { continue }
            guard file.size <= limit else {
                throw ArrivalRefusal(entry.path, ArchiveError(.tooLarge, "it is larger than is looked into"))
            }
            guard let fault = try fault(in: file) else { continue }
            // Classes that nobody here knows are the game's own, unless what lies here is understood: a sound save does not
            // become one that isn't by coming from elsewhere.
            if fault.kind == .notAllowed, try !isSound(base[entry.path]?.file) { continue }
            throw ArrivalRefusal(entry.path, fault)
        }
    }

    private static func isArchive(_ beginning: [UInt8]) -> Bool {
        guard let format = try? ArchiveFormat(sniffing: beginning) else { return false }
        return format == .binaryPropertyList || format == .xmlPropertyList
    }

    private func fault(in file: SavedFile) throws -> ArchiveError? {
        let bytes = try file.pieces.flatMap { try history.read($0.id) }
        do throws(ArchiveError) {
            try ArchiveCheck.check(bytes)
            return nil
        } catch {
            return error
        }
    }

    private func isSound(_ file: SavedFile?) throws -> Bool {
        guard let file, file.size > 0, file.size <= limit else { return false }
        return try fault(in: file) == nil
    }
}

/// Why a version was not put into a game's folder.
struct ArrivalRefusal: ExplainedError {
    /// Which file.
    let path: SavePath
    /// What is wrong with it.
    let fault: ArchiveError

    init(_ path: SavePath, _ fault: ArchiveError) {
        (self.path, self.fault) = (path, fault)
    }

    var code: ErrorCode { fault.code }
    var message: String { "the file “\(path)” is not sound: \(fault.message)" }
    var nextStep: String { "it is kept in history and not put into the folder; look at the machine where it was made" }
}
