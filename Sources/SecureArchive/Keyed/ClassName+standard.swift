extension ClassName {
    static let nsObject: ClassName = "NSObject"
    static let nsDictionary: ClassName = "NSDictionary"
    static let nsMutableDictionary: ClassName = "NSMutableDictionary"
    static let nsArray: ClassName = "NSArray"
    static let nsMutableArray: ClassName = "NSMutableArray"
    static let nsString: ClassName = "NSString"
    static let nsMutableString: ClassName = "NSMutableString"
    static let nsNumber: ClassName = "NSNumber"
    static let nsData: ClassName = "NSData"
    static let nsMutableData: ClassName = "NSMutableData"
    static let nsDate: ClassName = "NSDate"
    static let nsNull: ClassName = "NSNull"
    static let nsUUID: ClassName = "NSUUID"
    static let nsURL: ClassName = "NSURL"
    static let nsSet: ClassName = "NSSet"
    static let nsMutableSet: ClassName = "NSMutableSet"
    static let nsOrderedSet: ClassName = "NSOrderedSet"
    static let nsMutableOrderedSet: ClassName = "NSMutableOrderedSet"

    /// Tags a plain value of an undeclared class that is within the object instead of an object of its own.
    static let inline: ClassName = "$inline"
    /// Tags the fields of a dictionary with numbers as keys. Its keys are texts: `7` for a whole number, `7.0` for a
    /// real.
    static let numberKeys: ClassName = "$numbers"
    /// Tags the keys at the top of an archive if there are others than `root`.
    static let top: ClassName = "$top"

    /// Tags an object that its own parts refer to, with its number.
    static func object(_ number: UInt32) -> ClassName {
        ClassName("$\(number)") ?? .top
    }

    /// The number of such an object in its tree; nil for the name of a class. A tree has the object at its first place;
    /// every other place has its class with an ``ArchiveValue/reference(_:)``.
    public var objectNumber: UInt32? {
        guard description.utf8.first == UInt8(ascii: "$") else { return nil }
        return UInt32(description.dropFirst())
    }

    /// Collections that never change after they are made.
    static let fixedCollections: Set<ClassName> = [
        .nsDictionary, .nsArray, .nsSet, .nsOrderedSet, .nsURL,
    ]

    /// The classes whose objects are plain values of a tree, with no tag.
    static let plain: Set<ClassName> = [.nsDictionary, .nsArray, .nsString, .nsNumber, .nsData, .nsDate, .nsNull]
}
