internal import Foundation

extension ValueClass {
    /// What an object is an instance of, or nil for one that is no value of Foundation's own: a class that somebody made from one of these is another
    /// class.
    static func kind(of object: NSObject) -> ValueClass? {
        if let kind = byType[ObjectIdentifier(type(of: object))] { return kind }
        // Foundation has classes of its own below these, such as the one of truth values.
        guard FoundationClass.isFoundations(type(of: object)) else { return nil }
        switch object {
        case is NSDecimalNumber, is NSCountedSet: return nil
        case is NSNumber: return .number
        case is NSMutableString: return .mutableString
        case is NSString: return .string
        case is NSMutableArray: return .mutableArray
        case is NSArray: return .array
        case is NSMutableDictionary: return .mutableDictionary
        case is NSDictionary: return .dictionary
        case is NSMutableData: return .mutableData
        case is NSData: return .data
        default: return nil
        }
    }
}
