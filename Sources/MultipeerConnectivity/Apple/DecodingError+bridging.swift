public import Foundation

/// An `NSError` for every cast, as on Apple's systems: code that reads what peers send ends with `catch let error as NSError`, which matches no error of a Swift type on
/// Linux and ends the program there, so that any peer could. Foundation's own errors are such already.
///
/// A conformance to a protocol of Swift's own because nothing else makes `catch` see the one in the other.
extension DecodingError: @retroactive _ObjectiveCBridgeable {
    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// As an `NSError` of Cocoa's, with Apple's numbers.
    public func _bridgeToObjectiveC() -> NSError { NSError(domain: _domain, code: _code) }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// What went wrong where is not in an `NSError`: there is no way back.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout DecodingError?) -> Bool {
        false
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// There is no way back.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout DecodingError?) {
        preconditionFailure("an NSError is no DecodingError: ask with as? first")
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// There is no way back.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> DecodingError {
        preconditionFailure("an NSError is no DecodingError: ask with as? first")
    }
}
