public import Foundation

/// A class whose objects may lead back to themselves, as a child does that names its parent.
///
/// On Linux an object exists only once its `init(coder:)` has returned. A child that asks for the parent that is
/// being read gets nil; ``SecureUnarchiver`` hands the parent over afterwards, when all objects of the call exist.
///
/// ```swift
/// final class Child: NSObject, NSSecureCoding, BackReferenceDecoding {
///     weak var parent: Parent?
///
///     init?(coder: NSCoder) { parent = coder.decodeObject(of: Parent.self, forKey: "parent") }
///
///     func receive(_ object: NSObject, decodedForKey key: String) {
///         if key == "parent" { parent = object as? Parent }
///     }
/// }
/// ```
///
/// Hold one direction of each circle weakly. Swift never frees objects that hold each other strongly.
///
/// A circle of collections alone is refused: Foundation on Linux would end the stack at the first element that is
/// asked for.
public protocol BackReferenceDecoding: NSObject {
    /// Receives an object that `init(coder:)` asked for while that object was still being read.
    ///
    /// It has passed the list of classes of that call. Collections arrive as `NSArray`, `NSDictionary` and so on.
    /// - Parameters:
    ///   - object: the object, with all that it holds
    ///   - key: the key of the call; `$0`, `$1`… for values without keys
    func receive(_ object: NSObject, decodedForKey key: String)
}
