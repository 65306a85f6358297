public import Vocabulary

/// The reason why bytes or values are no valid manifest, version or message.
public struct SaveFormatError: ExplainedError, Hashable {
    /// The fault. Each case is one rule of `docs/internals/history-format.md`.
    public enum Fault: Error, Hashable, Sendable {
        /// It does not begin like the expected form.
        case foreign
        /// Its form is newer than this program knows.
        case newerForm(UInt8)
        /// It ends too early.
        case cutShort
        /// Bytes follow its end.
        case bytesAfterTheEnd
        /// It has more bytes than the limit allows.
        case tooManyBytes
        /// There are more than 1,000,000 entries.
        case tooManyEntries
        /// Another machine lists more files than this machine takes from one.
        case listTooLong
        /// There are more pieces than the limit allows.
        case tooManyPieces
        /// The kind of an entry is unknown.
        case unknownEntry(UInt8)
        /// A path is not valid.
        case badPath(SavePath.Refusal)
        /// A path comes twice or out of order.
        case outOfOrder
        /// The folder of an entry is missing.
        case noFolderAround
        /// A symbolic link may lead out of the game's folder.
        case linkLeadsOut
        /// A mode has more than nine bits.
        case badMode
        /// A time has a second or more in its nanoseconds.
        case badTime
        /// A piece is empty or too large.
        case badPieceLength
        /// The origin of a version is unknown.
        case unknownOrigin(UInt8)
        /// The note is not a valid label.
        case badNote
        /// The version vector is empty, out of order, has a counter of 0, or has more peers than the limit allows.
        case badVersion
        /// A key is not valid.
        case badKey
        /// The version vector has no counter of the author.
        case authorWithoutPart
        /// Parents are out of order, come twice, or are too many or too few for the origin.
        case badParents
        /// The version is its own parent.
        case ownParent
        /// The digest is not the expected one.
        case otherContents
        /// The kind of a message is unknown.
        case unknownMessage(UInt8)
        /// The offer has no valid name, patterns or rules.
        case badOffer
        /// The header of an archive is not valid.
        case badDelivery
        /// A claim to play, or the news that a player was cut off, has values that are not possible.
        case badClaim
        /// More of a version has come than there is.
        case badProgress
        /// A statement about a machine of the household is not valid, or has no valid signature of its machine.
        case badStatement
        /// There are more heads than allowed.
        case tooManyHeads
        /// More is requested or sent at once than allowed.
        case tooManyNames
    }

    /// The fault.
    public let fault: Fault
    /// The position of the faulty byte; nil if values were wrong, not bytes.
    public let offset: Int?

    package init(_ fault: Fault, offset: Int? = nil) {
        self.fault = fault
        self.offset = offset
    }

    /// True if a newer version of the program may be able to read it.
    public var isNewer: Bool {
        if case .newerForm = fault { true } else { false }
    }

    /// The fault as a stable word, from a flat table.
    public var code: ErrorCode {
        switch fault {
        case .foreign: "save.foreign"
        case .newerForm: "save.newer-form"
        case .cutShort: "save.cut-short"
        case .bytesAfterTheEnd: "save.bytes-after-the-end"
        case .tooManyBytes: "save.too-many-bytes"
        case .tooManyEntries: "save.too-many-entries"
        case .listTooLong: "save.list-too-long"
        case .tooManyPieces: "save.too-many-pieces"
        case .unknownEntry: "save.unknown-entry"
        case .badPath: "save.bad-path"
        case .outOfOrder: "save.out-of-order"
        case .noFolderAround: "save.no-folder-around"
        case .linkLeadsOut: "save.link-leads-out"
        case .badMode: "save.bad-mode"
        case .badTime: "save.bad-time"
        case .badPieceLength: "save.bad-piece-length"
        case .unknownOrigin: "save.unknown-origin"
        case .badNote: "save.bad-note"
        case .badVersion: "save.bad-version"
        case .badKey: "save.bad-key"
        case .authorWithoutPart: "save.author-without-part"
        case .badParents: "save.bad-parents"
        case .ownParent: "save.own-parent"
        case .otherContents: "save.other-contents"
        case .unknownMessage: "save.unknown-message"
        case .badOffer: "save.bad-offer"
        case .badDelivery: "save.bad-delivery"
        case .badClaim: "save.bad-claim"
        case .badProgress: "save.bad-progress"
        case .badStatement: "save.bad-statement"
        case .tooManyHeads: "save.too-many-heads"
        case .tooManyNames: "save.too-many-names"
        }
    }

    /// The fault and its position.
    public var message: String {
        let place = offset.map { " (byte \($0))" } ?? ""
        return "this is no sound save: \(sentence)\(place)"
    }

    /// The fault in words, from a flat table.
    private var sentence: String {
        switch fault {
        case .foreign: "it does not begin like one"
        case .newerForm(let version): "its form \(version) is newer than this program"
        case .cutShort: "it ends within something"
        case .bytesAfterTheEnd: "something follows its end"
        case .tooManyBytes: "it is larger than a save's list may be"
        case .tooManyEntries: "it has more than \(Manifest.maximumEntryCount) files, folders and links"
        case .listTooLong: "it has more files than a machine takes from another one"
        case .tooManyPieces: "it has more pieces than allowed"
        case .unknownEntry(let kind): "there is no entry of kind \(kind)"
        case .badPath(let refusal): "a path \(refusal)"
        case .outOfOrder: "a path comes twice or out of order"
        case .noFolderAround: "an entry is in a folder that is not there"
        case .linkLeadsOut: "a symbolic link may lead out of the set"
        case .badMode: "a mode has more than nine bits"
        case .badTime: "a time has more than a second's nanoseconds"
        case .badPieceLength: "a piece is empty or larger than \(ByteCount(UInt64(PieceReference.lengths.upperBound)))"
        case .unknownOrigin(let kind): "there is no snapshot of kind \(kind)"
        case .badNote: "its note does not fit on a line"
        case .badVersion: "its version is not one"
        case .badKey: "it names a key that no machine can have"
        case .authorWithoutPart: "its author has no part in its version"
        case .badParents: "its parents are not what this kind of snapshot has"
        case .ownParent: "it names itself as its parent"
        case .otherContents: "its contents do not match its name"
        case .unknownMessage(let kind): "there is no message of kind \(kind)"
        case .badOffer: "what it offers has no sound name, patterns or rules"
        case .badDelivery: "the line before an archive has another form"
        case .badClaim: "its claim to play can't be"
        case .badProgress: "more of a version has come than comes in all"
        case .badStatement: "its statement about a machine has another form, or not the signature of its machine"
        case .tooManyHeads: "it names more newest snapshots than there can be"
        case .tooManyNames: "it names more at once than may be"
        }
    }

    /// The usual next step: the two programs often differ in version.
    public var nextStep: String {
        switch fault {
        case .newerForm: "update huddle on this machine"
        case .listTooLong: "leave files out where it came from: `huddle set NAME --ignore PATTERN`"
        default: "run `huddle fsck` where it came from; if that finds nothing, report it with this line"
        }
    }
}
