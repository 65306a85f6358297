public import Foundation
import Vocabulary

/// Converts `MCError` to `NSError` and back for every cast, as on Apple's systems. Without this, the compiler takes
/// `catch let error as NSError` for a handler of all errors, but on Linux it matches nothing and the program ends.
///
/// A conformance to a protocol of Swift itself, because nothing else makes `as?` and `catch` convert between the two.
/// Foundation's errors have it, too.
extension MCError: _ObjectiveCBridgeable {
    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// The error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: MCErrorDomain, code: code.rawValue, userInfo: errorUserInfo)
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// Converts an `NSError` of this domain; nil for any other.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout MCError?) -> Bool {
        guard source.domain == MCErrorDomain, let code = Code(rawValue: source.code) else { return false }
        var userInfo = source.userInfo
        let reason = userInfo.removeValue(forKey: reasonKey) as? PartingReason
        result = MCError(code, userInfo, because: reason)
        return true
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// Converts an `NSError` of this domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout MCError?) {
        let isOurs = _conditionallyBridgeFromObjectiveC(source, result: &result)
        precondition(isOurs, "an error of \(source.domain) is no MCError: ask with as? first")
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// Converts an `NSError` of this domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> MCError {
        var result: MCError?
        if let source { _forceBridgeFromObjectiveC(source, result: &result) }
        return result ?? MCError(.unknown)
    }
}
