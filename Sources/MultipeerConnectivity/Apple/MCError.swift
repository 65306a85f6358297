public import Foundation
public import Vocabulary

/// What went wrong, under Apple's codes.
///
/// Why exactly is in ``reason``, and as a sentence with what to do next in `localizedDescription`.
///
/// `@unchecked Sendable` because the dictionary is never changed, and is made of texts and errors where it is made here.
public struct MCError: Error, CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// Apple's codes.
    public enum Code: Int, Sendable, Hashable {
        /// Nobody knows.
        case unknown = 0
        /// The peer is not in the session.
        case notConnected = 1
        /// What was handed over can't be used.
        case invalidParameter = 2
        /// This can't be done.
        case unsupported = 3
        /// Nobody answered in time.
        case timedOut = 4
        /// Somebody wanted it no more.
        case cancelled = 5
        /// It can't be done at the moment.
        case unavailable = 6
    }

    /// Which of Apple's codes it is.
    public let code: Code
    /// What is known besides, under the keys of `NSError`.
    public let userInfo: [String: Any]
    /// Why a peer is not connected, where that is what it is about.
    public let reason: PartingReason?

    static let reasonKey = "MCPartingReason"

    /// - Parameters:
    ///   - code: one of Apple's
    ///   - userInfo: what is known besides
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo, because: nil)
    }

    init(_ code: Code, _ userInfo: [String: Any], because reason: PartingReason?) {
        self.code = code
        self.userInfo = userInfo
        self.reason = reason
    }

    /// With a sentence for people.
    init(_ code: Code, _ sentence: String, because reason: PartingReason? = nil) {
        self.init(code, [NSLocalizedDescriptionKey: sentence], because: reason)
    }

    /// Nobody knows.
    public static var unknown: Code { .unknown }
    /// The peer is not in the session.
    public static var notConnected: Code { .notConnected }
    /// What was handed over can't be used.
    public static var invalidParameter: Code { .invalidParameter }
    /// This can't be done.
    public static var unsupported: Code { .unsupported }
    /// Nobody answered in time.
    public static var timedOut: Code { .timedOut }
    /// Somebody wanted it no more.
    public static var cancelled: Code { .cancelled }
    /// It can't be done at the moment.
    public static var unavailable: Code { .unavailable }

    /// The domain of it as an `NSError`.
    public static var errorDomain: String { MCErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// What is known besides, the reason with it, so that it outlives being an `NSError`.
    public var errorUserInfo: [String: Any] {
        var known = userInfo
        known[Self.reasonKey] = reason
        return known
    }
    /// The sentence for people.
    public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String }

    /// Equal with the same code and reason.
    public static func == (left: MCError, right: MCError) -> Bool {
        left.code == right.code && left.reason == right.reason
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(reason)
    }
}

extension MCError.Code {
    /// Lets `catch MCError.notConnected` be written as on Apple's systems.
    public static func ~= (code: MCError.Code, error: any Error) -> Bool {
        (error as? MCError)?.code == code
    }
}
