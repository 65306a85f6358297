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

    /// Tags what stands in an object of an undeclared class where an object of its own would be expected.
    static let inline: ClassName = "$inline"
    /// Tags the keys that an archive begins with where there are others than `root`.
    static let top: ClassName = "$top"

    /// The classes whose objects are plain values of a tree, with no tag.
    static let plain: Set<ClassName> = [.nsDictionary, .nsArray, .nsString, .nsNumber, .nsData, .nsDate, .nsNull]
}
