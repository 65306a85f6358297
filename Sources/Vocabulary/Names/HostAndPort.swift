/// An address that the user typed: `deck.local:4242`, `10.0.0.7:4242`, `[fe80::1%eth0]:4242`.
public struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
    /// A host name or a literal address; an IPv6 address has no brackets, and keeps its scope after `%`.
    public let host: String

    /// The port, never 0.
    public let port: UInt16

    /// The text form.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// - Parameters:
    ///   - text: the host, a colon and the port
    ///   - defaultPort: the port if the text has none; without it, the text must have one
    public init(_ text: String, defaultPort: UInt16? = nil) throws(InvalidName) {
        let (host, portText) = try Self.split(text)
        guard Self.isPlausibleHost(host) else {
            throw Self.refusal(
                text,
                ErrorCode(.invalid, "name.not-a-host"),
                "“\(PrintableText(String(host)))” is no host name or address"
            )
        }
        self.host = String(host)
        guard let portText else {
            guard let defaultPort, defaultPort > 0 else {
                throw Self.refusal(text, ErrorCode(.invalid, "name.no-port"), "the port is missing")
            }
            port = defaultPort
            return
        }
        guard let port = UInt16(portText), port > 0, portText.utf8.allSatisfy(\.isASCIIDigit) else {
            throw Self.refusal(text, ErrorCode(.invalid, "name.not-a-port"), "a port is a number from 1 to 65535")
        }
        self.port = port
    }

    private static func split(_ text: String) throws(InvalidName) -> (host: Substring, port: Substring?) {
        if text.hasPrefix("[") {
            guard let closing = text.firstIndex(of: "]") else {
                throw refusal(text, ErrorCode(.invalid, "name.not-a-host"), "the closing bracket is missing")
            }
            let host = text[text.index(after: text.startIndex)..<closing]
            let rest = text[text.index(after: closing)...]
            guard host.contains(":"), rest.isEmpty || rest.hasPrefix(":") else {
                throw refusal(
                    text,
                    ErrorCode(.invalid, "name.not-a-host"),
                    "brackets go round an IPv6 address, then a colon and the port"
                )
            }
            return (host, rest.isEmpty ? nil : rest.dropFirst())
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return (parts[0], nil)
        case 2: return (parts[0], parts[1])
        default: throw refusal(text, ErrorCode(.invalid, "name.not-a-host"), "an IPv6 address needs brackets")
        }
    }

    /// True for the characters of a host name or an address; the resolver decides if it exists.
    private static func isPlausibleHost(_ host: Substring) -> Bool {
        guard (1...253).contains(host.utf8.count), host.first != "-", host.first != "." else { return false }
        return host.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80
                || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "%"), UInt8(ascii: "_")]
                    .contains(byte)
        } && host.unicodeScalars.allSatisfy(PrintableText.isHarmless)
    }

    private static func refusal(_ offered: String, _ code: ErrorCode, _ rule: String) -> InvalidName {
        InvalidName(
            code,
            offered,
            isNot: "a host and port",
            because: rule,
            nextStep: "write it like “deck.local:4242”, “10.0.0.7:4242” or “[fe80::1%eth0]:4242”"
        )
    }
}
