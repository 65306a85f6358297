public import Vocabulary

/// The stable code of an error at the peer, such as `resource.disk-full`.
public struct FaultCode: Hashable, Sendable, CustomStringConvertible {
    /// The code itself, safe to print.
    public let description: String

    /// - Parameter word: 1 to 64 small letters, digits, dots and hyphens; nil otherwise
    public init?(_ word: String) {
        guard (1...WireLimits.faultCode).contains(word.utf8.count), word.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        description = word
    }

    /// Converts the code of an error on this machine.
    ///
    /// - Precondition: it has 1 to 64 small letters, digits, dots and hyphens, as all codes of this project do
    public init(_ code: ErrorCode) {
        guard let word = FaultCode(code.description) else {
            preconditionFailure("the error code “\(code)” is not a word of small letters, dots and hyphens")
        }
        self = word
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension FaultCode: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        guard let word = FaultCode(try reader.text("code", limit: WireLimits.faultCode)) else {
            throw .badValue("code")
        }
        self = word
    }

    func write(to bytes: inout [UInt8]) { bytes.append(text: description) }
}
