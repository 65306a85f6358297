import History
import SaveRules
import SecureArchive
import Vocabulary

/// Looks into what a peer wants to have put into a game's folder: property lists and keyed archives, whose readers in
/// games are known to be killed by bad ones. What is no such archive is the game's own matter.
struct ArrivalCheck {
    private let history: History
    private let limit: UInt64

    init(_ history: History, limit: UInt64) {
        (self.history, self.limit) = (history, limit)
    }

    /// - Throws: ``ArrivalRefusal`` for the first file that is not sound
    func check(_ wanted: Manifest, replacing base: Manifest) throws {
        for entry in wanted.entries {
            guard let file = entry.file, base[entry.path]?.file?.pieces != file.pieces, try isArchive(file) else {
                continue
            }
            guard file.size <= limit else {
                throw ArrivalRefusal(entry.path, ArchiveError(.tooLarge, "it is larger than is looked into"))
            }
            let (fault, isPlain) = try look(into: file)
            guard let fault else { continue }
            // Classes that nobody here knows are the game's own, unless what lies here is understood: a sound save does
            // not become one that isn't by coming from elsewhere. What nobody here looks through, as another encoding,
            // is not the game's own.
            if fault.kind == .notAllowed, isPlain, try !isSound(base[entry.path]?.file) { continue }
            throw ArrivalRefusal(entry.path, fault)
        }
    }

    /// Whether a reader of property lists would take it for one. A peer may cut its beginning as it likes, and put
    /// there whatever readers pass over.
    private func isArchive(_ file: SavedFile) throws -> Bool {
        var (beginning, enough) = ([UInt8](), Self.beginningCount)
        for piece in file.pieces {
            beginning += try history.read(piece.id)
            if beginning.count < enough { continue }
            if let isOne = ArchiveFormat.isPropertyList(beginning: beginning, isWhole: false) { return isOne }
            // All of it may be what is passed over; nobody needs a save like that.
            guard beginning.count <= limit else { return true }
            enough = beginning.count * 2
        }
        return ArchiveFormat.isPropertyList(beginning: beginning, isWhole: true) ?? false
    }

    private static let beginningCount = 4 << 10

    /// What is wrong with a file that looks like a property list, and whether nothing in it is hidden from who looks
    /// through it.
    private func look(into file: SavedFile) throws -> (fault: ArchiveError?, isPlain: Bool) {
        let bytes = try bytes(of: file)
        let list: [UInt8]?
        do throws(ArchiveError) {
            list = try Archive.plainList(bytes)
        } catch {
            return (error, false)
        }
        // A game's own XML, or how it spells what nobody reads, is its own matter.
        guard let list else { return (nil, true) }
        do throws(ArchiveError) {
            try ArchiveCheck.check(list)
            return (nil, true)
        } catch {
            return (error, true)
        }
    }

    private func bytes(of file: SavedFile) throws -> [UInt8] { try file.pieces.flatMap { try history.read($0.id) } }

    /// Whether all of a file is understood here, of whatever format it is.
    private func isSound(_ file: SavedFile?) throws -> Bool {
        guard let file, file.size > 0, file.size <= limit else { return false }
        let bytes = try bytes(of: file)
        let list = (try? Archive.plainList(bytes)) ?? bytes
        return (try? ArchiveCheck.check(list)) != nil
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
