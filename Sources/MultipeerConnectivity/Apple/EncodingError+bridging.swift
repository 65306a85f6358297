public import Foundation

/// Makes the error an `NSError` for every cast, as on Apple's systems. Code that reads data of peers ends with `catch
/// let error as NSError`. On Linux that matches no error of a Swift type and ends the program, so any peer could end
/// it. Foundation's own errors convert already.
///
/// A conformance to a protocol of Swift itself, because nothing else makes `catch` convert between the two.
extension EncodingError: @retroactive _ObjectiveCBridgeable {
    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// The error as a Cocoa `NSError` with Apple's codes.
    public func _bridgeToObjectiveC() -> NSError { NSError(domain: _domain, code: _code) }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// An `NSError` has no details about the failure, so it can't be converted back.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout EncodingError?) -> Bool {
        false
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// Can't be converted back.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout EncodingError?) {
        preconditionFailure("an NSError is no EncodingError: ask with as? first")
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// Can't be converted back.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> EncodingError {
        preconditionFailure("an NSError is no EncodingError: ask with as? first")
    }
}
