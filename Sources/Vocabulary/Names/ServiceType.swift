/// The type of an advertised service, such as `_huddle._tcp`, by the rules of RFC 6335 section 5.1.
public struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The transport below the service.
    public enum Transport: String, Sendable, CaseIterable {
        /// TCP.
        case tcp = "_tcp"
        /// Any other transport, as in RFC 6763 section 7.
        case udp = "_udp"
    }

    /// The service type of Huddle itself.
    public static let huddle = ServiceType(known: "huddle", .tcp)

    /// The name without its underscore, in lower case, as DNS ignores case.
    public let name: String

    /// The transport of the service.
    public let transport: Transport

    /// The DNS-SD form: `_huddle._tcp`.
    public var description: String { "_\(name).\(transport.rawValue)" }

    /// - Parameter text: a bare name (`huddle`, for TCP) or the full form (`_huddle._tcp`, also with a final dot)
    public init(_ text: String) throws(InvalidName) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last == "" { parts.removeLast() }
        switch parts.count {
        case 1 where !text.hasPrefix("_"):
            try self.init(name: String(parts[0]), .tcp)
        case 2:
            guard parts[0].hasPrefix("_"), let transport = Transport(rawValue: parts[1].lowercased()) else {
                throw Self.refusal(
                    text,
                    ErrorCode(.invalid, "name.not-a-service-type"),
                    "it has neither the form name nor _name._tcp"
                )
            }
            try self.init(name: String(parts[0].dropFirst()), transport)
        default:
            throw Self.refusal(
                text,
                ErrorCode(.invalid, "name.not-a-service-type"),
                "it has neither the form name nor _name._tcp"
            )
        }
    }

    /// - Parameters:
    ///   - name: 1 to 15 letters, digits and hyphens
    ///   - transport: the transport of the service
    public init(name: String, _ transport: Transport) throws(InvalidName) {
        let bytes = Array(name.utf8)
        guard (1...15).contains(bytes.count) else {
            throw Self.refusal(
                name,
                ErrorCode(.invalid, "name.wrong-length"),
                "it has \(bytes.count) bytes instead of 1 to 15"
            )
        }
        guard bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }) else {
            throw Self.refusal(
                name,
                ErrorCode(.invalid, "name.forbidden-character"),
                "only letters a–z, digits and hyphens are allowed"
            )
        }
        guard bytes.contains(where: \.isASCIILetter) else {
            throw Self.refusal(name, ErrorCode(.invalid, "name.no-letter"), "at least one letter is needed")
        }
        guard bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-"), !name.contains("--") else {
            throw Self.refusal(
                name,
                ErrorCode(.invalid, "name.misplaced-hyphen"),
                "a hyphen may be only between letters or digits"
            )
        }
        self.init(known: name.lowercased(), transport)
    }

    private init(known name: String, _ transport: Transport) {
        self.name = name
        self.transport = transport
    }

    private static func refusal(_ offered: String, _ code: ErrorCode, _ rule: String) -> InvalidName {
        InvalidName(
            code,
            offered,
            isNot: "a service type",
            because: rule,
            nextStep: "choose a name like “huddle” or “my-game2”, or give the full form “_my-game2._tcp”"
        )
    }
}

extension UInt8 {
    package var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    package var isASCIIDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
