import Ledger
import LinuxPlatform
import SaveRules
public import Vocabulary

/// Something on this machine that no save set may have in it: the program's own key, or what comes from others.
///
/// Who has part in a set may read and change all that is in it.
public struct ReservedPlace: Sendable {
    /// What is said of it where somebody wants it in a set.
    public enum Content: Sendable {
        /// The key and the ledger of this machine, the socket of its daemon, its settings.
        case own
        /// The folder that takes what others send.
        case inbox
    }

    let path: String
    let content: Content
    let isWhole: Bool
    /// Where it was when a disk was asked last. It may have been made anew since, and its number have been given to another.
    private var found: ResolvedPath?

    /// - Parameters:
    ///   - path: a folder or a file, which need not be there
    ///   - content: what it is
    ///   - isWhole: whether what lies deeper in it may be in no set either
    public init(_ path: String, _ content: Content, wholly isWhole: Bool) {
        (self.path, self.content, self.isWhole) = (path, content, isWhole)
    }

    /// Why a set can't lie where it is to lie; nil where nothing speaks against it. Waits for the disk.
    static func refusal(of entry: SaveSetEntry, by reserved: [ReservedPlace]) -> SaveSyncError? {
        let place = ResolvedPath(entry.path)
        for other in reserved {
            if let found = other.found, !place.mayMeet(found) { continue }
            let there = ResolvedPath(other.path)
            guard meets(place, entry.chosen, there, isWhole: other.isWhole) else { continue }
            return .reserved(entry.path, by: there.text, other.content)
        }
        return nil
    }

    /// The same, so that its disk is asked again only for a set that may lie there. Waits for the disk.
    var resolved: ReservedPlace {
        var place = self
        place.found = ResolvedPath(path)
        return place
    }

    /// The same by its names alone, where its disk gives no answer.
    var unresolved: ReservedPlace {
        var place = self
        place.found = ResolvedPath(unresolved: path)
        return place
    }

    private static func meets(
        _ place: ResolvedPath,
        _ chosen: ChosenNames?,
        _ reserved: ResolvedPath,
        isWhole: Bool
    ) -> Bool {
        if let names = reserved.names(below: place) {
            guard let name = names.first, let chosen else { return true }
            return chosen.names.contains { $0.bytes.elementsEqual(name) }
        }
        return isWhole && place.names(below: reserved) != nil
    }
}

extension SaveSyncError {
    fileprivate static func reserved(
        _ path: String,
        by reserved: String,
        _ content: ReservedPlace.Content
    ) -> SaveSyncError {
        let folder = "“\(PrintableText(path, limit: 4096))”"
        let place = "“\(PrintableText(reserved, limit: 4096))”"
        switch content {
        case .own:
            return SaveSyncError(
                Self.reservedCode,
                "\(folder) can't be shared: what is Huddle's own lies there, such as this machine's key (\(place))",
                nextStep: "name the folder of the game alone, or the files in it that make its save"
            )
        case .inbox:
            return SaveSyncError(
                Self.reservedCode,
                "\(folder) can't be shared: what others send comes into \(place)",
                nextStep: "name the folder of the game alone; what came for it can be moved there"
            )
        }
    }

    /// The code of a set that was made before Huddle refused such a folder, and of one that is to be made.
    public static let reservedCode: ErrorCode = "saves.reserved"

    /// The same for a set that is there already.
    func standing(in set: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            code,
            "\(message); so \(set) is neither read nor shared",
            nextStep: """
                let its path lead to the folder of the game again and restart huddled, or leave it with `huddle saves leave \(set)`: then \
                `huddle saves join` takes its versions up elsewhere, and `huddle history --clean --left` gives them up
                """
        )
    }

    /// The same for a set whose path leads there now, as a link in it was turned.
    func turned(in set: SaveSetName) -> SaveSyncError {
        SaveSyncError(
            code,
            "\(message); so \(set) is not read, and nothing is put there",
            nextStep:
                "let its path lead to the folder of the game again, or name that with `huddle saves set \(set) --at` and its path"
        )
    }
}
