import Digests
import SecureArchive

/// The login of a request: HTTP's Basic or Digest authentication.
///
/// RetroArch tries Basic first, and Digest if the server asks for it. Only an MD5 of the password is stored, which both
/// need.
package enum DeviceLogin: Hashable, Sendable {
    case basic(user: String, password: String)
    case digest(Digest)

    /// The fields of `Authorization: Digest`.
    package struct Digest: Hashable, Sendable {
        package var user = ""
        package var nonce = ""
        package var uri = ""
        /// The number of requests with this nonce so far, as RetroArch writes it; empty without `qop`.
        package var count = ""
        package var clientNonce = ""
        package var response = ""
        var quality: String?
    }

    package static let realm = "Huddle"
    /// Maximum size of the header in bytes.
    private static let maximumByteCount = 4_096

    /// - Parameter header: the value of `Authorization`
    /// - Returns: nil if the header is missing or of another kind
    package init?(_ header: String?) {
        guard let header, header.utf8.count <= Self.maximumByteCount else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "basic":
            guard let bytes = Base64.decode(parts[1].utf8.filter { $0 != UInt8(ascii: " ") }),
                let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
            else { return nil }
            self = .basic(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        case "digest":
            guard let digest = Digest(fields: parts[1]) else { return nil }
            self = .digest(digest)
        default: return nil
        }
    }

    /// The user name, which is the name of the device.
    package var user: String {
        switch self {
        case .basic(let user, _): user
        case .digest(let digest): digest.user
        }
    }

    /// The secret to store for a password.
    package static func secret(of user: String, _ password: String) -> String {
        MD5Stream.hexadecimal(of: Array("\(user):\(realm):\(password)".utf8))
    }

    /// True if the login proves the password. The nonce of a digest must be checked besides.
    /// - Parameters:
    ///   - secret: of the user, as ``secret(of:_:)`` makes it
    ///   - method: of the request
    package func proves(_ secret: String, method: String) -> Bool {
        let (given, wanted) =
            switch self {
            case .basic(let user, let password): (Self.secret(of: user, password), secret)
            case .digest(let digest): (digest.response.lowercased(), digest.expected(secret, method: method))
            }
        return Digests.Digest.areEqual(Array(given.utf8), Array(wanted.utf8))
    }
}

extension DeviceLogin.Digest {
    private enum Key: String {
        case username, nonce, uri, nc, cnonce, response, qop, realm, algorithm
    }

    fileprivate init?(fields text: Substring) {
        var rest = text.utf8[...]
        while let (name, value) = Self.next(&rest) {
            switch Key(rawValue: name.lowercased()) {
            case .username: user = value
            case .nonce: nonce = value
            case .uri: uri = value
            case .nc: count = value
            case .cnonce: clientNonce = value
            case .response: response = value
            case .qop: quality = value
            case .realm: guard value == DeviceLogin.realm else { return nil }
            case .algorithm: guard value.lowercased() == "md5" else { return nil }
            case nil: break
            }
        }
        guard !user.isEmpty, !nonce.isEmpty, response.utf8.count == 2 * MD5Stream.byteCount,
            quality == nil || quality == "auth"
        else { return nil }
    }

    /// The next `name=value` or `name="value"`.
    private static func next(_ rest: inout Substring.UTF8View.SubSequence) -> (name: String, value: String)? {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\t") }
        guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(Substring(rest[..<equals]))
        rest = rest[rest.index(after: equals)...]
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            guard let quote = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            defer { rest = rest[rest.index(after: quote)...] }
            return (name, String(Substring(rest[..<quote])))
        }
        let value = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") }
        rest = rest[value.endIndex...]
        return (name, String(Substring(value)))
    }

    /// RFC 2617, section 3.2.2.1.
    fileprivate func expected(_ secret: String, method: String) -> String {
        let request = MD5Stream.hexadecimal(of: Array("\(method):\(uri)".utf8))
        let middle = quality == nil ? nonce : "\(nonce):\(count):\(clientNonce):auth"
        return MD5Stream.hexadecimal(of: Array("\(secret):\(middle):\(request)".utf8))
    }

    /// True if the digest is of a request for this path.
    package func isFor(_ path: [String]) -> Bool {
        guard let own = Self.unescaped(uri.prefix { $0 != "?" }.utf8) else { return false }
        return own.split(separator: "/").map(String.init) == path
    }

    private static func unescaped(_ text: some Sequence<UInt8>) -> String? {
        var (bytes, digits): ([UInt8], [UInt8]?) = ([], nil)
        for byte in text {
            if var pending = digits {
                pending.append(byte)
                digits = pending
                guard pending.count == 2 else { continue }
                guard let value = UInt8(String(decoding: pending, as: UTF8.self), radix: 16), value > 0 else {
                    return nil
                }
                bytes.append(value)
                digits = nil
            } else if byte == UInt8(ascii: "%") {
                digits = []
            } else {
                bytes.append(byte)
            }
        }
        return digits == nil ? String(validating: bytes, as: UTF8.self) : nil
    }
}
