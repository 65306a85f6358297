import History
import SaveRules
import SecureArchive
import Vocabulary

/// Checks the files of a peer's version before it is applied: property lists and keyed archives. Bad ones are known to
/// crash the readers in games. Other files are not checked, because only the game knows their format.
struct ArrivalCheck {
    private let history: History
    private let limit: UInt64

    init(_ history: History, limit: UInt64) {
        (self.history, self.limit) = (history, limit)
    }

    /// Checks the archives that are new or changed.
    /// - Throws: ``ArrivalRefusal`` for the first file that is not sound
    func check(_ wanted: Manifest, replacing base: Manifest) throws {
        for pair in wanted.differences(from: base) {
            guard let entry = pair.new, let file = entry.file, pair.old?.file?.pieces != file.pieces,
                try isArchive(file)
            else { continue }
            guard file.size <= limit else {
                throw ArrivalRefusal(entry.path, ArchiveError(.tooLarge, "it is larger than is looked into"))
            }
            let (fault, isPlain) = try look(into: file)
            guard let fault else { continue }
            // An unknown class is the game's own. So a save with one is accepted, unless this machine understands the
            // file that it replaces: then the peer put the class in. A file that this machine can't look through, such
            // as one in another encoding, is refused.
            if fault.kind == .notAllowed, isPlain, try !isSound(pair.old?.file) { continue }
            throw ArrivalRefusal(entry.path, fault)
        }
    }

    /// True if a reader of property lists would take the file for one. A peer may cut the first pieces at any place,
    /// and begin the file with text that readers skip.
    private func isArchive(_ file: SavedFile) throws -> Bool {
        var (beginning, enough) = ([UInt8](), Self.beginningCount)
        for piece in file.pieces {
            beginning += try history.read(piece.id)
            if beginning.count < enough { continue }
            if let isOne = ArchiveFormat.isPropertyList(beginning: beginning, isWhole: false) { return isOne }
            // The rest may be text that readers skip, too. No real save is like that.
            guard beginning.count <= limit else { return true }
            enough = beginning.count * 2
        }
        return ArchiveFormat.isPropertyList(beginning: beginning, isWhole: true) ?? false
    }

    private static let beginningCount = 4 << 10

    /// Checks a file that looks like a property list.
    /// - Returns: its fault; nil if it has none. `isPlain` is true if nothing in the file is hidden from this check.
    private func look(into file: SavedFile) throws -> (fault: ArchiveError?, isPlain: Bool) {
        let bytes = try bytes(of: file)
        let list: [UInt8]?
        do throws(ArchiveError) {
            list = try Archive.plainList(bytes)
        } catch {
            return (error, false)
        }
        // This is XML of the game's own. No reader of property lists reads on here, so its spelling does not matter.
        guard let list else { return (nil, true) }
        do throws(ArchiveError) {
            try ArchiveCheck.check(list)
            return (nil, true)
        } catch {
            return (error, true)
        }
    }

    private func bytes(of file: SavedFile) throws -> [UInt8] { try file.pieces.flatMap { try history.read($0.id) } }

    /// True if Huddle understands all of a file, of any format.
    private func isSound(_ file: SavedFile?) throws -> Bool {
        guard let file, file.size > 0, file.size <= limit else { return false }
        let bytes = try bytes(of: file)
        let list = (try? Archive.plainList(bytes)) ?? bytes
        return (try? ArchiveCheck.check(list)) != nil
    }
}

/// The reason why a version was not applied.
struct ArrivalRefusal: ExplainedError {
    /// The file that is not sound.
    let path: SavePath
    /// The fault of the file.
    let fault: ArchiveError

    init(_ path: SavePath, _ fault: ArchiveError) {
        (self.path, self.fault) = (path, fault)
    }

    var code: ErrorCode { fault.code }
    var message: String { "the file “\(path)” is not sound: \(fault.message)" }
    var nextStep: String { "it is kept in history and not put into the folder; look at the machine where it was made" }
}
