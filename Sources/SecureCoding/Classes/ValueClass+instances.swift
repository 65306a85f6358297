internal import Foundation

extension ValueClass {
    /// The value class of an object; nil for an object of another class, also if that class derives from a value class.
    static func kind(of object: NSObject) -> ValueClass? {
        if let kind = byType[ObjectIdentifier(type(of: object))] { return kind }
        // Foundation has private subclasses, such as that of Booleans.
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
