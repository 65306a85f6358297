public import Foundation
public import Vocabulary

/// Error with one of Apple's codes.
///
/// ``reason`` has the exact cause. `localizedDescription` says it in a sentence with a next step.
///
/// `@unchecked Sendable` because the dictionary never changes, and this module only puts texts and errors into it.
public struct MCError: Error, CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// Apple's codes.
    public enum Code: Int, Sendable, Hashable {
        /// Unknown cause.
        case unknown = 0
        /// The peer is not in the session.
        case notConnected = 1
        /// An argument is invalid.
        case invalidParameter = 2
        /// The operation is not supported.
        case unsupported = 3
        /// No answer came in time.
        case timedOut = 4
        /// The operation was cancelled.
        case cancelled = 5
        /// The operation is not possible at the moment.
        case unavailable = 6
    }

    /// Apple's code of the error.
    public let code: Code
    /// Further information under the keys of `NSError`.
    public let userInfo: [String: Any]
    /// The reason why a peer is not connected, if the error is about that.
    public let reason: PartingReason?

    static let reasonKey = "MCPartingReason"

    /// - Parameters:
    ///   - code: one of Apple's codes
    ///   - userInfo: further information
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo, because: nil)
    }

    init(_ code: Code, _ userInfo: [String: Any], because reason: PartingReason?) {
        self.code = code
        self.userInfo = userInfo
        self.reason = reason
    }

    /// An error with a sentence for the user.
    init(_ code: Code, _ sentence: String, because reason: PartingReason? = nil) {
        self.init(code, [NSLocalizedDescriptionKey: sentence], because: reason)
    }

    /// Unknown cause.
    public static var unknown: Code { .unknown }
    /// The peer is not in the session.
    public static var notConnected: Code { .notConnected }
    /// An argument is invalid.
    public static var invalidParameter: Code { .invalidParameter }
    /// The operation is not supported.
    public static var unsupported: Code { .unsupported }
    /// No answer came in time.
    public static var timedOut: Code { .timedOut }
    /// The operation was cancelled.
    public static var cancelled: Code { .cancelled }
    /// The operation is not possible at the moment.
    public static var unavailable: Code { .unavailable }

    /// The domain of the `NSError`.
    public static var errorDomain: String { MCErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The user info with the reason, which so survives the conversion to an `NSError`.
    public var errorUserInfo: [String: Any] {
        var known = userInfo
        known[Self.reasonKey] = reason
        return known
    }
    /// The sentence for the user.
    public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String }

    /// Compares code and reason.
    public static func == (left: MCError, right: MCError) -> Bool {
        left.code == right.code && left.reason == right.reason
    }

    /// Hashes code and reason.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(reason)
    }
}

extension MCError.Code {
    /// Allows `catch MCError.notConnected`, as on Apple's systems.
    public static func ~= (code: MCError.Code, error: any Error) -> Bool {
        (error as? MCError)?.code == code
    }
}
