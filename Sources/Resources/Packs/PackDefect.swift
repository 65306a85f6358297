/// Why bytes are not a pack.
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
        case .notAPack: "it does not begin like a folder, or has a newer form"
        case .unknownRecord(let tag): "there is no record \(tag)"
        case .badName: "a name breaks the rules"
        case .outOfOrder: "a name comes twice or out of order"
        case .badTime: "a time has more than a second's nanoseconds"
        case .tooDeep: "folders lie deeper than \(PackLimits.depth)"
        case .leftTooOften: "more folders are left than were entered"
        case .tooManyEntries: "there are more entries than were announced"
        case .linkLeadsOut: "a symbolic link may lead out of the folder"
        case .largerThanTheWhole: "a file is larger than what is left of the whole"
        case .endedWithin: "it ends before everything has come"
        case .bytesAfterTheEnd: "something follows its end"
        }
    }
}
