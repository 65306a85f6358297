public import Foundation
import Vocabulary

/// What is an `MCError` is an `NSError` for every cast, and the other way round, as on Apple's systems. Without this `catch let error as NSError` is what the
/// compiler takes for a handler of everything, and what ends the program on Linux, since nothing matches.
///
/// A conformance to a protocol of Swift's own because nothing else makes `as?` and `catch` see the one in the other; Foundation's errors have it, too.
extension MCError: _ObjectiveCBridgeable {
    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// As an `NSError`.
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: MCErrorDomain, code: code.rawValue, userInfo: errorUserInfo)
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// From an `NSError` of this domain; nil from any other.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout MCError?) -> Bool {
        guard source.domain == MCErrorDomain, let code = Code(rawValue: source.code) else { return false }
        var userInfo = source.userInfo
        let reason = userInfo.removeValue(forKey: reasonKey) as? PartingReason
        result = MCError(code, userInfo, because: reason)
        return true
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// From an `NSError` of this domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout MCError?) {
        let isOurs = _conditionallyBridgeFromObjectiveC(source, result: &result)
        precondition(isOurs, "an error of \(source.domain) is no MCError: ask with as? first")
    }

    // swift-format-ignore: NoLeadingUnderscores
    // because the names are Swift's.
    /// From an `NSError` of this domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> MCError {
        var result: MCError?
        if let source { _forceBridgeFromObjectiveC(source, result: &result) }
        return result ?? MCError(.unknown)
    }
}
