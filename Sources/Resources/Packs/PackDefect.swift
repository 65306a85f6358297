/// Reason why bytes are not a valid pack.
package enum PackDefect: Error, Hashable, Sendable, CustomStringConvertible {
    case notAPack
    case unknownRecord(UInt8)
    case badName
    case outOfOrder
    case badTime
    case tooDeep
    case leftTooOften
    case tooManyEntries
    case linkLeadsOut
    case largerThanTheWhole
    case endedWithin
    case bytesAfterTheEnd

    package var description: String {
        switch self {
        case .notAPack: "it is no folder in a known format"
        case .unknownRecord(let tag): "it has an unknown record \(tag)"
        case .badName: "a name breaks the rules"
        case .outOfOrder: "a name occurs twice or out of order"
        case .badTime: "a time has a second's nanoseconds or more"
        case .tooDeep: "folders are deeper than \(PackLimits.depth)"
        case .leftTooOften: "it closes more folders than it opens"
        case .tooManyEntries: "it has more entries than announced"
        case .linkLeadsOut: "a symbolic link may lead out of the folder"
        case .largerThanTheWhole: "a file is larger than the rest of the transfer"
        case .endedWithin: "it ends too early"
        case .bytesAfterTheEnd: "bytes follow its end"
        }
    }
}
